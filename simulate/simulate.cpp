#include "simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/builder.h"
#include "ir/control_flow.h"
#include "semantics/interpreter.h"
#include "simulate/block_graph.h"
#include "simulate/pipeline.h"
#include "simulate/reasons.h"
#include "simulate/step.h"

namespace partir {
namespace {

/// Sums up the timing of a step and adds names and reasons.
class Report {
 public:
  Report(const Function& f, const Names& names, StepModel& model, const ValueKinds& kinds,
         const SimulationOptions& options)
      : f_(f), model_(model), kinds_(kinds), options_(options), trips_(f), reasons_(f, names) {}

  Simulation run(const BlockTiming& whole) {
    const Mesh& mesh = model_.mesh();
    out_.device = model_.device().name;
    out_.mesh = mesh;
    out_.device_memory = model_.device().memory_bytes;
    for (std::size_t i = 0; i < mesh.rank(); ++i) out_.axis_links.push_back(model_.network().describe(Axis(i)));
    block(whole, 1);
    for (const std::string& emulation : model_.emulations()) note(emulation + ", which this device has no units for");
    if (options_.events) events(whole, 0);
    out_.sequential = whole.sequential;
    out_.overlapped = whole.overlapped;
    finish_collectives();
    finish_memory(whole);
    if (options_.offload.any()) offload(whole);
    finish_utilization();
    return std::move(out_);
  }

 private:
  void note(std::string text) {
    if (std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end())
      out_.notes.push_back(std::move(text));
  }

  // --- Totals --------------------------------------------------------------------------------------------------------

  void block(const BlockTiming& t, double times) {
    const BlockReasons reasons(*t.block);
    for (std::size_t n = 0; n < t.kernels.size(); ++n) {
      const Kernel& kernel = t.fused.kernels[n];
      const KernelTiming& timing = t.kernels[n];
      const Op& op = t.block->ops[kernel.ops.back()];
      if (timing.collective != nullptr) {
        collective(op, timing, times, reasons);
      } else if (kernel.kind == Kernel::Kind::control) {
        control(op, timing, times);
      } else {
        compute(op, kernel, timing.cost, times);
      }
    }
  }

  void control(const Op& op, const KernelTiming& timing, double times) {
    if (op.decl->control != Control::loop) {
      if (!timing.regions.empty()) note(fmt::format("{} takes its longest branch", op.name()));
    } else if (!trips_.of(op)) {
      note(fmt::format("a loop (line {}) whose count does not follow from constants is taken once", op.place.line));
    }
    if (const auto trips = op.decl->control == Control::loop ? trips_.of(op) : std::nullopt)
      pipeline(op, *timing.regions[0].timing, *trips, times);
    for (const RegionTiming& r : timing.regions) block(*r.timing, times * r.times);
  }

  void pipeline(const Op& loop, const BlockTiming& body, std::int64_t trips, double times) {
    for (std::size_t n = 0; n < body.kernels.size(); ++n) {
      if (body.kernels[n].collective == nullptr) continue;
      const auto stage = moved_on(loop, *body.block, body.fused.kernels[n].ops.back(), model_.mesh(), f_);
      if (!stage || trips < stage->count) continue;
      auto it = std::find_if(out_.pipelines.begin(), out_.pipelines.end(), [&](const Pipeline& p) {
        return p.axis == model_.mesh().name(stage->axis) && p.stages == stage->count && p.iterations == trips;
      });
      if (it == out_.pipelines.end())
        it = out_.pipelines.insert(it, {model_.mesh().name(stage->axis), stage->count, trips, 0, 0});
      ++it->loops;
      it->seconds += times * static_cast<double>(trips) * body.overlapped;
      return;
    }
  }

  void compute(const Op& op, const Kernel& kernel, const KernelCost& cost, double times) {
    (cost.bound_by_memory() ? out_.memory : out_.compute) += times * std::max(cost.memory, cost.compute);
    out_.launch += times * cost.launch;
    out_.flops += times * kernel.flops;
    out_.matrix_flops += times * cost.matrix_flops;
    out_.memory_traffic += times * kernel.bytes();
    out_.kernels += static_cast<std::int64_t>(times);
    if (cost.matrix_flops > 0) by_peak_[cost.matrix_peak] += times * cost.matrix_flops;
    if (kernel.kind == Kernel::Kind::library && !model_.operations().of(f_, op).known) {
      const std::string* target = call_target(op.attributes);
      note(fmt::format("the arithmetic of {}{} is not known: its memory traffic alone is counted", op.name(),
                       target != nullptr ? " @" + *target : ""));
    }
  }

  void collective(const Op& op, const KernelTiming& timing, double times, const BlockReasons& reasons) {
    const CollectiveTime& c = *timing.collective;
    const GroupAxes& group = c.group->axes;
    const Mesh& mesh = model_.mesh();
    const std::string type = f_.type(c.kind == CollectiveKind::all_gather ? op.results[0] : op.operands[0]).str();
    std::string key = fmt::format("{} {} {} {}", name_of(c.kind), type, c.bytes, group.along_axes);
    for (const Axis a : group.axes) key += " " + mesh.name(a);
    CollectiveCost& cost = collectives_[key];
    if (cost.count == 0) {
      cost.kind = c.kind;
      cost.type = type;
      cost.bytes = c.bytes;
      cost.group = group.size;
      if (group.along_axes) {
        for (const Axis a : group.axes) cost.axes.push_back(mesh.name(a));
      } else {
        note("a collective whose groups are not along axes of the mesh is costed as a line on the outermost link");
      }
      cost.seconds = c.seconds;
      cost.sent = collective_bytes(c.kind, c.bytes, static_cast<double>(group.size));
      cost.place = op.place;
      cost.why = reasons_.of(op, c.kind, cost.axes, reasons);
    }
    ++cost.count;
    cost.executed += static_cast<std::int64_t>(times);
    out_.communication += times * c.seconds;
    out_.memory += times * timing.copies;
    axis_bytes(c, times);
  }

  /// A collective over several axes is hierarchical: the innermost axis carries all bytes, each further axis 1/n of the
  /// bytes of the axis inside it, where n is the size of that axis.
  void axis_bytes(const CollectiveTime& c, double times) {
    const Mesh& mesh = model_.mesh();
    double bytes = c.bytes;
    const auto& axes = c.group->axes.axes;
    for (std::size_t i = axes.size(); i-- > 0;) {
      const auto n = static_cast<double>(mesh.size(axes[i]));
      out_.axis_bytes[mesh.name(axes[i])] += times * collective_bytes(c.kind, bytes, n);
      const Traffic traffic = facts_of(c.kind).traffic;
      if (traffic == Traffic::pass || traffic == Traffic::two_passes) bytes /= n;
    }
  }

  // --- Events --------------------------------------------------------------------------------------------------------

  static std::string label(const Block& b, const Kernel& kernel) {
    if (kernel.kind == Kernel::Kind::copy) return "copy of a result";
    const Op& op = b.ops[kernel.ops.back()];
    std::string out = op.name().substr(op.name().find('.') + 1);
    if (kernel.ops.size() > 1) out += fmt::format(" and {} more", kernel.ops.size() - 1);
    return out;
  }

  void events(const BlockTiming& t, double from) {
    const BlockReasons reasons(*t.block);
    std::unordered_map<ValueId, std::uint32_t> writer;  // by buffer: the event that wrote it
    for (std::size_t n = 0; n < t.kernels.size(); ++n) {
      const Kernel& kernel = t.fused.kernels[n];
      const KernelTiming& timing = t.kernels[n];
      const Op& op = t.block->ops[kernel.ops.back()];
      StepEvent event;
      event.track = "compute";
      event.start = from + timing.start;
      event.seconds = timing.seconds;
      event.flops = kernel.flops;
      event.bytes = kernel.bytes();
      for (const auto& read : kernel.reads) {
        const auto it = writer.find(read.buffer);
        if (it != writer.end() && std::find(event.after.begin(), event.after.end(), it->second) == event.after.end())
          event.after.push_back(it->second);
      }
      if (timing.collective != nullptr) {
        const CollectiveTime& c = *timing.collective;
        if (c.group->axes.axes.empty()) continue;
        std::vector<std::string> axes;
        for (const Axis a : c.group->axes.axes) axes.push_back(model_.mesh().name(a));
        event.name = name_of(c.kind);
        event.track = axes[0];
        event.detail = fmt::format("{:.3g} MB, {}", c.bytes / 1e6, reasons_.of(op, c.kind, axes, reasons));
        event.collective = c.kind;
        event.bytes = c.bytes;
        for (std::size_t i = 0; i < model_.mesh().rank(); ++i)
          event.involved.push_back(std::find(c.group->axes.axes.begin(), c.group->axes.axes.end(), Axis(i)) !=
                                   c.group->axes.axes.end());
        event.groups = groups_of(op, c.group->axes);
      } else if (kernel.kind == Kernel::Kind::control) {
        if (timing.regions.empty()) continue;
        event.name = fmt::format("{} x {}", op.name().substr(10), timing.regions[0].times);
        event.detail = "its first iteration below";
        event.seconds = timing.regions[0].timing->overlapped;
        event.times = std::max<std::int64_t>(1, std::llround(timing.regions[0].times));
      } else {
        event.name = label(*t.block, kernel);
        event.detail = timing.cost.bound_by_memory() ? "memory" : "arithmetic";
      }
      out_.events.push_back(std::move(event));
      for (const auto& write : kernel.writes) writer[write.buffer] = static_cast<std::uint32_t>(out_.events.size() - 1);
      if (kernel.kind == Kernel::Kind::control) {
        const std::size_t loop = out_.events.size() - 1;
        events(*timing.regions[0].timing, from + timing.start);
        out_.events[loop].inner = static_cast<std::uint32_t>(out_.events.size() - 1 - loop);
      }
    }
  }

  /// Groups that are equal share one list.
  std::shared_ptr<const DeviceGroups> groups_of(const Op& op, const GroupAxes& group) {
    const auto listed = listed_groups(op);
    const auto found = listed ? *listed : groups_along(group.axes, model_.mesh());
    auto& known = groups_[found];
    if (known == nullptr) known = std::make_shared<const DeviceGroups>(found);
    return known;
  }

  // --- The end -------------------------------------------------------------------------------------------------------

  void finish_collectives() {
    for (auto& [key, cost] : collectives_) out_.collectives.push_back(std::move(cost));
    std::stable_sort(out_.collectives.begin(), out_.collectives.end(),
                     [](const CollectiveCost& a, const CollectiveCost& b) {
                       return a.seconds * static_cast<double>(a.executed) > b.seconds * static_cast<double>(b.executed);
                     });
  }

  void finish_memory(const BlockTiming& whole) {
    const BlockMemory& memory = whole.memory;
    out_.arguments = memory.arguments;
    out_.peak = memory.peak;
    out_.slack = slack_of(whole, options_.software.prefetch);
    out_.gaps = memory.allocated_bytes - memory.peak_bytes;
    if (!whole.kernels.empty()) out_.peak_seconds = whole.kernels[memory.peak_kernel].before;
    for (std::size_t n = 0; n < memory.by_kernel.size(); ++n)
      out_.timeline.push_back({whole.kernels[n].before, memory.by_kernel[n]});
    std::unordered_map<ValueId, const Op*> made_by;
    for_each_op(f_.body, [&](const Op& op) {
      for (const ValueId v : op.results) made_by[v] = &op;
    });
    std::vector<LiveBuffer> live = memory.live;
    for (const ValueId v : f_.arguments()) live.push_back({v, bytes_of(f_, v)});
    std::stable_sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (const LiveBuffer& buffer : live) {
      const auto it = made_by.find(buffer.value);
      const std::string name = it != made_by.end() ? Reasons::described(*it->second) : reasons_.argument(buffer.value);
      out_.live.push_back({name, kinds_.of(buffer.value), f_.type(buffer.value).str(), buffer.bytes});
    }
    if (whole.fused.copied_results > 0)
      out_.live.push_back({"copies of results", MemoryKind::activations, "", whole.fused.copied_results});
  }

  void offload(const BlockTiming& whole) {
    out_.offloaded = offloaded(f_, whole, kinds_, model_.device(), options_.offload);
    const Offloaded& o = out_.offloaded;
    out_.peak = o.peak;
    if (!whole.kernels.empty()) out_.peak_seconds = whole.kernels[o.peak_kernel].before;
    out_.overlapped += o.seconds;
    if (options_.offload.optimizer_state && o.optimizer_state == 0)
      note("no argument is optimizer state: nothing of it is offloaded (names tell it apart, --names)");
    if (options_.offload.activations && o.activations == 0)
      note(
          "no activation lies idle over the peak: nothing is offloaded; of layers in a loop the activations are one "
          "array that the loop holds");
  }

  void finish_utilization() {
    double most = 0;
    for (const auto& [peak, flops] : by_peak_) {
      if (flops > most) {
        most = flops;
        out_.peak_flops = peak;
      }
    }
    if (out_.peak_flops == 0 || out_.overlapped == 0) return;
    const double possible = out_.peak_flops * out_.overlapped;
    out_.hardware_utilization = out_.matrix_flops / possible;
    if (options_.model_flops)
      out_.model_utilization = *options_.model_flops / static_cast<double>(model_.mesh().devices()) / possible;
  }

  const Function& f_;
  StepModel& model_;
  const ValueKinds& kinds_;
  const SimulationOptions& options_;
  TripCounts trips_;
  Reasons reasons_;
  std::map<DeviceGroups, std::shared_ptr<const DeviceGroups>> groups_;
  Simulation out_;
  std::map<std::string, CollectiveCost> collectives_;
  std::map<double, double> by_peak_;  ///< matrix FLOPs by the peak of their type
};

double block_matrix_flops(const Function& f, const Block& block, OperationCosts& costs, const TripCounts& trips) {
  double out = 0;
  for (const Op& op : block.ops) {
    if (is_matrix(op)) out += costs.of(f, op).flops();
    if (op.decl->kind != OpDecl::Kind::control) continue;
    const bool loop = op.decl->control == Control::loop;
    const auto n = trips.of(op);
    double regions = 0;
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const double flops = block_matrix_flops(f, op.regions[r], costs, trips);
      const auto runs = static_cast<double>(n.value_or(1) + (r == 0 && n ? 1 : 0));
      regions = loop ? regions + runs * flops : std::max(regions, flops);
    }
    out += regions;
  }
  return out;
}

}  // namespace

double matrix_flops_of(const Function& function) {
  OperationCosts costs;
  return block_matrix_flops(function, function.body, costs, TripCounts(function));
}

Result<Simulation> simulate(const Module& module, const Names& names, const Device& device,
                            const SimulationOptions& options) {
  const auto main = module.main();
  if (!main) return tl::unexpected(main.error());
  for (const Op& op : (*main)->body.ops) {
    if (op.decl->kind == OpDecl::Kind::core || op.decl->collective.over_axes()) {
      return tl::unexpected(Diagnostic{"unsupported", "", op.place, op.name(),
                                       "StableHLO with its own collectives, as --emit stablehlo writes"});
    }
  }
  Mesh mesh;
  if (options.mesh) {
    mesh = *options.mesh;
  } else {
    const auto layout = module_layout(module);
    if (!layout) return tl::unexpected(layout.error());
    mesh = layout->mesh;
  }
  if (options.offload.any() && device.host_bandwidth == 0)
    return tl::unexpected(Diagnostic{"offload",
                                     "",
                                     {},
                                     fmt::format("no link to the host in the file of {}", device.name),
                                     "a device file with \"host\": {\"bandwidth\": bytes a second in each direction}"});
  auto model = StepModel::of(device, std::move(mesh), {options.network, options.software});
  if (!model) return tl::unexpected(model.error());
  std::optional<Recomputed> recomputed;
  if (options.remat != Recomputation::none) {
    auto rewritten = recompute(**main, names, options.remat);
    if (!rewritten) return tl::unexpected(rewritten.error());
    recomputed = std::move(*rewritten);
  }
  const Function& written = recomputed ? recomputed->function : **main;
  const BufferRules& rules = options.software.buffers;
  std::optional<Function> compiled;
  if (rules.changes()) compiled = as_compiled(written, rules);
  const Function& step = compiled ? *compiled : written;
  const ValueKinds kinds(step, names);
  const auto timing = (*model)->timing(step, &kinds);
  if (!timing) return tl::unexpected(timing.error());
  SimulationOptions with_model = options;
  if (!options.model_flops) {
    if (const std::string* flops = frontend_attribute(module.attributes, "partir.model_flops"))
      with_model.model_flops = std::strtod(flops->c_str(), nullptr);
  }
  Simulation out = Report(step, names, **model, kinds, with_model).run(*timing);
  if (recomputed) out.notes.insert(out.notes.begin(), recomputed->note);
  return out;
}

Result<Names> names_of_partitioned(const Module& module, const std::optional<std::string>& json,
                                   const std::string& file) {
  const auto main = module.main();
  if (!main) return tl::unexpected(main.error());
  const auto layout = module_layout(module);
  if (!layout) return tl::unexpected(layout.error());
  Function global = signature_of(**main);  // only arguments and results, with their global shapes
  for (const Type& t : layout->global_arguments) global.body.arguments.push_back(global.add_value(t));
  std::vector<ValueId> results;
  for (const Type& t : layout->global_results) results.push_back(global.add_value(t));
  Builder(global, global.body).give(std::move(results));
  return names_of(global, json, file);
}

}  // namespace partir
