#include "python/src/partitioned.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/for_xla.h"
#include "rewrite/sub_axes.h"
#include "search/automatic.h"
#include "simulate/report.h"
#include "support/near.h"
#include "tools/clock.h"
#include "tools/partition_report.h"

namespace partir::python {
namespace {

std::vector<Placed> placed(const std::vector<Layout>& types, const std::vector<std::string>& names, const Mesh& mesh,
                           const std::vector<Type>& padded) {
  std::vector<Placed> out;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Placed p;
    p.name = names[i];
    p.partial = !types[i].pending.empty();
    if (i < padded.size() && padded[i].is_tensor()) p.sizes = padded[i]->dims;
    for (const auto& axes : types[i].dims) {
      auto& dim = p.dims.emplace_back();
      for (const Factor& f : axes) dim.push_back(f.str(mesh));
    }
    out.push_back(std::move(p));
  }
  return out;
}

/// Replaces tactics that request a search by the tactics that it finds.
Result<void> carry_out_searches(PartitionInput& input) {
  Schedule& schedule = *input.given_schedule;
  const auto asks = [](const Tactic& t) { return t.search.has_value(); };
  if (std::none_of(schedule.tactics.begin(), schedule.tactics.end(), asks)) return {};
  auto mesh = Mesh::parse(*input.mesh);
  if (!mesh) return tl::unexpected(mesh.error());
  if (auto ok = split_sub_axes(schedule, *mesh); !ok) return tl::unexpected(ok.error());
  const auto session = Session::open({input.text, input.file, std::nullopt, {}, input.given_names}, *mesh);
  if (!session) return tl::unexpected(session.error());
  AutomaticOptions options;
  options.now = seconds_now;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  auto found = searched(schedule, *session, options);
  if (!found) return tl::unexpected(found.error());
  schedule = std::move(*found);
  input.mesh = mesh->str();
  return {};
}

}  // namespace

Result<Partitioned> Partitioned::make(Request request) {
  Partitioned out;
  PartitionInput& input = out.input_;
  input.text = std::move(request.program);
  input.file = std::move(request.name);
  input.given_names = Names{std::move(request.arguments), std::move(request.results)};
  input.schedule_file = request.schedule_file;
  input.given_schedule = Schedule{std::move(request.schedule_file), std::nullopt, std::move(request.tactics)};
  input.mesh.emplace();
  for (const auto& [axis, size] : request.mesh)
    *input.mesh += fmt::format("{}{}={}", input.mesh->empty() ? "" : ",", axis, size);
  input.check = request.check;
  if (request.device) {
    auto device = find_device(*request.device);
    if (!device) return tl::unexpected(device.error());
    input.device = std::move(*device);
  }
  if (auto ok = carry_out_searches(input); !ok) return tl::unexpected(ok.error());
  auto partition = partir::partition(input, Emit::stablehlo, seconds_now);
  if (!partition) return tl::unexpected(partition.error());
  out.partition_ = std::move(*partition);
  const Partition& p = out.partition_;
  out.arguments_ = placed(p.arguments, p.names.arguments, p.mesh, p.padded_arguments);
  out.results_ = placed(p.results, p.names.results, p.mesh, p.padded_results);
  std::vector<Layout> types;
  std::vector<std::string> names;
  for (const auto& [name, type] : p.named_values) {
    types.push_back(type);
    names.push_back(name);
  }
  out.values_ = placed(types, names, p.mesh, {});
  return out;
}

Result<Partition> Partitioned::again(const PartitionInput& input, Emit emit) const {
  PartitionInput unchecked = input;
  unchecked.check = false;
  auto out = partir::partition(unchecked, emit, seconds_now);
  if (out) out->judgement = partition_.judgement;  // the same program, which was already checked
  return out;
}

Result<std::vector<std::string>> Partitioned::explain(const std::string& what) const {
  PartitionInput input = input_;
  input.device.reset();
  input.explain = {what};
  auto out = again(input, Emit::stablehlo);
  if (!out) return tl::unexpected(out.error());
  return std::move(out->explanations.at(0).second);
}

Result<std::string> Partitioned::text(const std::string& form) const {
  if (form == "stablehlo") return partition_.stablehlo;
  const std::vector<std::string> forms = {"stablehlo", "core", "spmd", "sdy"};
  if (form != "core" && form != "spmd" && form != "sdy") {
    return tl::unexpected(Diagnostic{
        "usage", "partir", {}, fmt::format("the form '{}'", form), meant(form, forms, "stablehlo, core, spmd or sdy")});
  }
  PartitionInput input = input_;
  input.device.reset();
  auto out = again(input, form == "core" ? Emit::core : form == "spmd" ? Emit::spmd : Emit::sdy);
  if (!out) return tl::unexpected(out.error());
  return form == "core" ? out->core : form == "spmd" ? out->spmd : out->sdy;
}

Result<std::string> Partitioned::for_xla() const {
  auto written = read_module(partition_.stablehlo, "the partitioned module");
  if (!written) return tl::unexpected(written.error());
  return print_module(partir::for_xla(std::move(*written)));
}

Result<Simulation> Partitioned::simulate(const std::string& name) const {
  auto device = find_device(name);
  if (!device) return tl::unexpected(device.error());
  auto written = read_module(partition_.stablehlo, "the partitioned module");
  if (!written) return tl::unexpected(written.error());
  return partir::simulate(*written, partition_.names, *device, {});
}

Result<std::string> Partitioned::page(const std::optional<std::string>& name, const std::string& schedule) const {
  const Partition* shown = &partition_;
  std::optional<Partition> simulated;
  if (name) {
    PartitionInput input = input_;
    auto device = find_device(*name);
    if (!device) return tl::unexpected(device.error());
    input.device = std::move(*device);
    auto made = again(input, Emit::stablehlo);
    if (!made) return tl::unexpected(made.error());
    simulated = std::move(*made);
    shown = &*simulated;
  }
  const StageSeconds& s = shown->seconds;
  const double total = s.parse + s.propagate + s.lower + s.optimize + s.print + s.simulate + s.check;
  const std::string data =
      page_json(*shown, total, schedule).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return report_page(shown->name, data);
}

}  // namespace partir::python
