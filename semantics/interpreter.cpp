// Runs the devices as coroutines in one thread: each runs until it waits at a collective or recv, and a group's
// collective is evaluated as soon as all of its devices wait there. If no device can continue, the run is deadlocked.
#include "semantics/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <random>
#include <unordered_map>

#include "ir/control_flow.h"
#include "ir/static_shapes.h"
#include "semantics/collectives.h"
#include "semantics/machine.h"
#include "support/check.h"

namespace partir {
namespace {

/// The devices of one run, each with its program.
class Run {
 public:
  /// Runs to the end. `programs` and `inputs` have one element per device.
  Run(const std::vector<CompiledMeanings*>& programs, const std::vector<std::vector<Tensor>>& inputs,
      const Devices& devices, Host& host, std::uint64_t shuffle)
      : devices_(devices), host_(host), order_(programs.size()) {
    for (std::size_t d = 0; d < programs.size(); ++d)
      machines_.push_back(std::make_unique<Machine>(*programs[d], host, static_cast<std::int64_t>(d), devices));
    std::iota(order_.begin(), order_.end(), 0);
    if (shuffle != 0) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(shuffle));
    for (const std::size_t d : order_) machines_[d]->begin(inputs[d]);
    while (!std::all_of(machines_.begin(), machines_.end(), [](const auto& m) { return m->done(); })) {
      if (!step()) report_deadlock();
    }
  }

  [[nodiscard]] std::vector<std::vector<Tensor>> results() const {
    std::vector<std::vector<Tensor>> out;
    for (const auto& m : machines_) out.push_back(m->results());
    return out;
  }

 private:
  /// True if two devices wait at the same operation. In different programs, operations with equal declarations,
  /// attributes and operand types are the same.
  [[nodiscard]] bool at_same_op(std::size_t a, std::size_t b) const {
    const Op* x = machines_[a]->waiting_at();
    const Op* y = machines_[b]->waiting_at();
    if (x == y || x == nullptr || y == nullptr) return x == y;
    const auto types = [](const Machine& m) {
      std::vector<Type> out;
      for (const ValueId v : m.waiting_at()->operands) out.push_back(m.meanings().function().type(v));
      return out;
    };
    return &machines_[a]->meanings() != &machines_[b]->meanings() && x->decl == y->decl &&
           x->attributes == y->attributes && types(*machines_[a]) == types(*machines_[b]);
  }

  /// Executes the collectives of all groups whose devices have arrived, and resumes devices whose recv is ready.
  /// Returns whether any device continued.
  bool step() {
    bool progress = false;
    std::vector<std::size_t> waiting;  // one device per operation at which devices wait
    for (const std::size_t d : order_) {
      const Op* op = machines_[d]->waiting_at();
      if (op == nullptr) continue;
      if (op->decl->kind == OpDecl::Kind::host) {
        if (!host_.ready(*op)) continue;
        machines_[d]->resume({});
        progress = true;
      } else if (std::none_of(waiting.begin(), waiting.end(), [&](std::size_t w) { return at_same_op(w, d); })) {
        waiting.push_back(d);
      }
    }
    for (const std::size_t first : waiting) {
      const Op* op = machines_[first]->waiting_at();
      if (op == nullptr) continue;
      std::vector<bool> here(machines_.size());
      for (std::size_t d = 0; d < machines_.size(); ++d) here[d] = at_same_op(first, d);
      const CompiledMeanings& meanings = machines_[first]->meanings();
      for (const auto& group : meetings(*op, devices_)) {
        const auto arrived = [&](std::int64_t id) { return here[static_cast<std::size_t>(id)]; };
        if (group.empty() || !std::all_of(group.begin(), group.end(), arrived)) continue;
        meet(*op, meanings, group);
        progress = true;
      }
    }
    return progress;
  }

  /// Executes a collective for one group and resumes its devices.
  void meet(const Op& op, const CompiledMeanings& meanings, const std::vector<std::int64_t>& group) {
    std::vector<std::vector<Tensor>> received(group.size());
    for (std::size_t g = 0; g < group.size(); ++g) {
      host_.spend_on(meanings.function(), op.operands, op.place);
      host_.spend_on(meanings.function(), op.results, op.place);
    }
    const Machine& leader = *machines_[static_cast<std::size_t>(group[0])];
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      std::vector<const Tensor*> held;
      for (const std::int64_t id : group) held.push_back(&machines_[static_cast<std::size_t>(id)]->operand(k));
      const auto fold = [&](const Tensor& a, const Tensor& b) { return leader.meanings().fold(op, a, b); };
      // With has_dynamic_root, an additional operand holds the root's index in the group for each result.
      const std::int64_t root = op.operands.size() > op.results.size()
                                    ? meanings.domain().position(leader.operand(op.results.size()).data.at(k))
                                    : 0;
      auto out = collective(op, {group, root}, held, meanings.function().tensor(op.results[k]), devices_, fold,
                            meanings.domain());
      for (std::size_t g = 0; g < group.size(); ++g) received[g].push_back(std::move(out[g]));
    }
    for (std::size_t g = 0; g < group.size(); ++g) {
      Machine& machine = *machines_[static_cast<std::size_t>(group[g])];
      host_.executed(op, machine.waiting_operands(), received[g]);
      machine.resume(std::move(received[g]));
    }
  }

  [[noreturn]] void report_deadlock() const {
    std::string who;
    Place place;
    for (std::size_t d = 0; d < machines_.size() && d < 64; ++d) {
      const Op* op = machines_[d]->waiting_at();
      who += fmt::format(
          "{}device {} {}", who.empty() ? "" : ", ", d,
          op == nullptr ? "has finished" : fmt::format("waits at {} in line {}", op->name(), op->place.line));
      if (op != nullptr) place = op->place;
    }
    fail("deadlock", place, who, "all devices of a group at the same collective");
  }

  Devices devices_;
  Host& host_;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::vector<std::size_t> order_;
};

Result<std::int64_t> count_attribute(const Module& module, const char* name) {
  const Attribute* a = find(module.attributes, name);
  const IntAttr* i = a != nullptr ? a->as<IntAttr>() : nullptr;
  if (a == nullptr) return 1;
  if (i == nullptr || i->value < 1 || i->value > (1 << 20)) {
    return tl::unexpected(
        Diagnostic{"module", "", {1, 1}, fmt::format("{} = {}", name, a->str()), "a number of devices"});
  }
  return i->value;
}

}  // namespace

std::vector<std::vector<Tensor>> run_programs(const std::vector<const Function*>& programs,
                                              const std::vector<std::vector<Tensor>>& inputs, const Devices& devices,
                                              const Domain& domain, Host& host, std::uint64_t shuffle) {
  std::map<const Function*, CompiledMeanings> meanings;
  std::vector<CompiledMeanings*> of_devices;
  for (const Function* f : programs) of_devices.push_back(&meanings.try_emplace(f, *f, domain).first->second);
  return Run(of_devices, inputs, devices, host, shuffle).results();
}

PreparedFunction::PreparedFunction(const Function& function, const Domain& domain)
    : meanings_(std::make_unique<CompiledMeanings>(function, domain)) {}
PreparedFunction::~PreparedFunction() = default;
PreparedFunction::PreparedFunction(PreparedFunction&&) noexcept = default;
PreparedFunction& PreparedFunction::operator=(PreparedFunction&&) noexcept = default;

const Function& PreparedFunction::function() const { return meanings_->function(); }

Result<std::vector<Tensor>> PreparedFunction::run_sequential(const std::vector<Tensor>& inputs) const {
  auto results = run_spmd({inputs}, Devices{});
  if (!results) return tl::unexpected(results.error());
  return std::move((*results)[0]);
}

Result<std::vector<std::vector<Tensor>>> PreparedFunction::run_spmd(const std::vector<std::vector<Tensor>>& inputs,
                                                                    const Devices& devices, std::uint64_t shuffle,
                                                                    const Observer& observer) const {
  try {
    Host host(meanings_->domain());
    host.observe(observer);
    const std::vector<CompiledMeanings*> of_devices(static_cast<std::size_t>(devices.count()), meanings_.get());
    return Run(of_devices, inputs, devices, host, shuffle).results();
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<std::vector<Tensor>> run_sequential(const Function& function, const std::vector<Tensor>& inputs,
                                           const Domain& domain) {
  return PreparedFunction(function, domain).run_sequential(inputs);
}

Result<std::vector<std::vector<Tensor>>> run_spmd(const Function& function,
                                                  const std::vector<std::vector<Tensor>>& inputs,
                                                  const Devices& devices, const Domain& domain, std::uint64_t shuffle) {
  return PreparedFunction(function, domain).run_spmd(inputs, devices, shuffle);
}

namespace {

/// Parses a shape such as "509x64" that does not exceed `bounds`; otherwise nullopt.
std::optional<std::vector<std::int64_t>> shape_within(std::string_view text, const std::vector<std::int64_t>& bounds) {
  std::vector<std::int64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (out.size() < bounds.size()) {
    std::int64_t size = -1;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0 || size > bounds[out.size()]) return std::nullopt;
    out.push_back(size);
    at = next;
    if (at == end) break;
    if (*at++ != 'x') return std::nullopt;
  }
  return at == end && out.size() == bounds.size() ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<ModuleLayout> module_layout(const Module& module) {
  const auto main = module.main();
  if (!main) return tl::unexpected(main.error());
  const Function& f = **main;
  ModuleLayout out;
  const auto replicas = count_attribute(module, "mhlo.num_replicas");
  if (!replicas) return tl::unexpected(replicas.error());
  const auto partitions = count_attribute(module, "mhlo.num_partitions");
  if (!partitions) return tl::unexpected(partitions.error());
  out.devices = {*replicas, *partitions};
  if (out.devices.count() > (1 << 20)) {
    return tl::unexpected(
        Diagnostic{"module", "", {1, 1}, fmt::format("{} devices", out.devices.count()), "at most 2^20"});
  }
  const std::string* mesh = frontend_attribute(module.attributes, "partir.mesh");
  if (mesh != nullptr) {
    auto parsed = Mesh::parse(*mesh);
    if (!parsed) return tl::unexpected(parsed.error());
    if (parsed->devices() != out.devices.count()) {
      return tl::unexpected(Diagnostic{"module",
                                       "",
                                       {1, 1},
                                       fmt::format("partir.mesh = {} on {} devices", *mesh, out.devices.count()),
                                       "a mesh of as many devices"});
    }
    out.mesh = *parsed;
  } else {
    out.mesh = Mesh({{"devices", out.devices.count()}});
  }
  if (auto ok = require_static(f); !ok) return tl::unexpected(ok.error());
  const auto side = [&](const std::vector<ValueId>& values, const std::vector<AttributeList>& attributes,
                        std::vector<Layout>& types, std::vector<Type>& globals,
                        std::vector<Type>& padded) -> Result<void> {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const TensorType& local = *f.type(values[k]);
      Layout type = Layout::replicated(local.rank());
      const std::string* text = k < attributes.size() ? frontend_attribute(attributes[k], "partir.sharding") : nullptr;
      if (text != nullptr) {
        auto parsed = Layout::parse(*text, out.mesh, local.rank());
        if (!parsed) return tl::unexpected(parsed.error());
        type = *parsed;
        for (const Pending& p : type.pending) {
          if (p.monoid != type.pending[0].monoid) {
            return tl::unexpected(
                Diagnostic{"unsupported", "", f.place, *text, "one combination over all partial axes"});
          }
        }
      }
      TensorType global = local;
      for (Dim d = 0; d < type.dims.size(); ++d) global.dims[d] *= type.parts(d, out.mesh);
      padded.push_back(global);
      if (const std::string* shape =
              k < attributes.size() ? frontend_attribute(attributes[k], "partir.shape") : nullptr) {
        const auto own = shape_within(*shape, global.dims);
        if (!own) {
          return tl::unexpected(Diagnostic{"module", "", f.place, "partir.shape = " + *shape,
                                           fmt::format("a shape within {}, such as 509x64", global.str())});
        }
        global.dims = *own;
      }
      types.push_back(std::move(type));
      globals.push_back(std::move(global));
    }
    return {};
  };
  if (auto ok = side(f.arguments(), f.argument_attributes, out.arguments, out.global_arguments, out.padded_arguments);
      !ok)
    return tl::unexpected(ok.error());
  if (auto ok = side(f.returned(), f.result_attributes, out.results, out.global_results, out.padded_results); !ok)
    return tl::unexpected(ok.error());
  return out;
}

Result<std::vector<Tensor>> run_module(const Module& module, const std::vector<Tensor>& inputs, const Domain& domain,
                                       std::uint64_t shuffle) {
  const auto layout = module_layout(module);
  if (!layout) return tl::unexpected(layout.error());
  const Function& f = **module.main();
  const auto n = static_cast<std::size_t>(layout->devices.count());
  std::vector<std::vector<Tensor>> local(n);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    PARTIR_CHECK(inputs[k].type == layout->global_arguments[k], "input of another type than its argument");
    const Tensor padded = padded_to(inputs[k], *layout->padded_arguments[k], domain);
    for (std::size_t d = 0; d < n; ++d)
      local[d].push_back(scatter_to(padded, layout->arguments[k], layout->mesh, DeviceId(d), domain));
  }
  const auto outputs = run_spmd(f, local, layout->devices, domain, shuffle);
  if (!outputs) return tl::unexpected(outputs.error());
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < layout->results.size(); ++k) {
    std::vector<const Tensor*> parts;
    for (const auto& device : *outputs) parts.push_back(&device[k]);
    bool disagreement = false;
    const Tensor padded =
        gather_from(parts, *layout->padded_results[k], layout->results[k], layout->mesh, domain, disagreement);
    out.push_back(cut_to(padded, *layout->global_results[k]));
    if (disagreement) {
      return tl::unexpected(Diagnostic{"replicas", "", f.place,
                                       fmt::format("devices that differ in a part of result {} that they share", k),
                                       "the same values on each"});
    }
  }
  return out;
}

namespace {

double work_of_block(const Function& function, const Block& block, const TripCounts& trips, double limit) {
  double total = 0;
  for (const Op& op : block.ops) {
    for (const ValueId v : op.results) {
      if (function.type(v).is_tensor()) total += static_cast<double>(function.type(v)->elements());
    }
    if (total > limit) break;
    if (runs_regions(op)) {
      double once = 0;
      for (const Block& b : op.regions) once += work_of_block(function, b, trips, limit);
      total += once * static_cast<double>(trips.of(op).value_or(1));
      continue;
    }
    const OpInstance instance = instance_of(function, op);
    if (has_meaning(instance)) total += meaning_of(instance).flops();
  }
  return total;
}

}  // namespace

double work_of(const Function& function, double limit) {
  double arguments = 0;
  for (const ValueId v : function.arguments()) {
    if (function.type(v).is_tensor()) arguments += static_cast<double>(function.type(v)->elements());
  }
  return arguments > limit ? arguments
                           : arguments + work_of_block(function, function.body, TripCounts(function), limit);
}

}  // namespace partir
