// Prints, as JSON, the problem from which benchmarks/ilp.py builds an integer program over per-operation strategies:
//
//   build/benchmarks/strategies PROGRAM.mlir MESH DEVICE [NAMES.json]
//
// The JSON has the values with their sizes; the operations with the values that they read and define, the seconds that
// they take when not partitioned, and their entries: for each operand and result the tiled dimension, the monoid
// ("sum", …) of a pending reduction, or null for a replicated value. For each mesh axis it has the bandwidth in bytes
// per second and the latency in seconds per collective of the innermost link that connects enough devices.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "driver/session.h"
#include "rewrite/json_text.h"
#include "simulate/operation_cost.h"
#include "support/file.h"

namespace {

using namespace partir;

Json actions(const std::vector<Action>& list) {
  Json out = Json::array();
  for (const Action& a : list) {
    if (a.is_tile())
      out.push_back(a.dim);
    else if (a.is_partial())
      out.push_back(name_of(a.monoid));
    else
      out.push_back(nullptr);
  }
  return out;
}

Json numbers(const std::vector<ValueId>& values) {
  Json out = Json::array();
  for (const ValueId v : values) out.push_back(v.index());
  return out;
}

/// Seconds of an operation: for products by the peak of the matrix units, for others by the bytes that they write.
double seconds_of(const State& state, std::size_t site, OperationCosts& costs, const Device& device) {
  if (state.is_flow(site)) return 0;
  const OperationCost& cost = costs.of(state.function(), state.op(site));
  if (cost.matrix) {
    if (const auto rate = device.matrix_rate(cost.matrix->numbers, cost.matrix->precision))
      return cost.operations * rate->operations / rate->peak;
  }
  double bytes = 0;
  for (const ValueId v : state.defines(site)) {
    if (state.function().type(v).is_tensor()) bytes += static_cast<double>(state.function().type(v).bytes());
  }
  return bytes / device.memory_bandwidth;
}

Json axes_of(const Mesh& mesh, const Device& device) {
  Json out = Json::array();
  for (std::size_t a = mesh.rank(); a-- > 0;) {
    const auto joined = mesh.stride(Axis(a)) * mesh.size(Axis(a));
    const auto link = std::find_if(device.links.begin(), device.links.end(),
                                   [&](const Link& l) { return l.devices == 0 || l.devices >= joined; });
    const Link& taken = link == device.links.end() ? device.links.back() : *link;
    out.push_back({{"name", mesh.name(Axis(a))},
                   {"size", mesh.size(Axis(a))},
                   {"bandwidth", taken.bandwidth},
                   {"latency", taken.launch + taken.latency}});
  }
  return out;
}

Json problem(const Session& session, const Device& device) {
  const State& state = session.state();
  const Function& f = state.function();
  Json values = Json::array();
  for (const Type& type : f.types)
    values.push_back(type.is_tensor() ? Json{{"dims", type->dims}, {"bytes", type.bytes()}} : Json(nullptr));
  OperationCosts costs;
  Json operations = Json::array();
  for (std::size_t site = 0; site < state.sites(); ++site) {
    if (state.defines(site).empty()) continue;
    Json entries = Json::array();
    for (const Entry& e : state.global_form(site).entries()) {
      if (!e.has_partial_operand()) entries.push_back({actions(e.operands), actions(e.results)});
    }
    operations.push_back({{"reads", numbers(state.reads(site))},
                          {"defines", numbers(state.defines(site))},
                          {"seconds", seconds_of(state, site, costs, device)},
                          {"entries", std::move(entries)}});
  }
  Json donated = Json::array();  // pairs of an argument and the result that takes over its buffer
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const Attribute* alias = find(f.argument_attributes[i], "tf.aliasing_output");
    const IntAttr* number = alias != nullptr ? alias->as<IntAttr>() : nullptr;
    if (number != nullptr) donated.push_back({f.arguments()[i].index(), f.returned()[number->value].index()});
  }
  return {{"axes", axes_of(session.mesh(), device)}, {"arguments", numbers(f.arguments())},
          {"names", session.names().arguments},      {"results", numbers(f.returned())},
          {"donated", std::move(donated)},           {"values", std::move(values)},
          {"operations", std::move(operations)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: strategies PROGRAM.mlir MESH DEVICE [NAMES.json]\n");
    return 2;
  }
  try {
    std::filesystem::path names =
        argc > 4 ? std::filesystem::path(argv[4]) : std::filesystem::path(argv[1]).replace_extension(".json");
    ProgramInput input{.text = value_or_throw(read_file(argv[1])), .file = argv[1]};
    if (std::filesystem::exists(names)) {
      input.names = value_or_throw(read_file(names.string()));
      input.names_file = names.string();
    }
    const Session session = value_or_throw(Session::open(input, value_or_throw(Mesh::parse(argv[2]))));
    fmt::print("{}\n", problem(session, value_or_throw(find_device(argv[3]))).dump());
  } catch (const UserError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
