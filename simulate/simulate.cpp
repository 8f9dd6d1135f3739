#include "simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/control_flow.h"
#include "semantics/interpreter.h"
#include "simulate/groups.h"
#include "simulate/kernel_cost.h"
#include "support/check.h"

namespace partir {
namespace {

/// How many results of collectives may wait on a link for their first use, before the next collective starts early.
constexpr std::size_t kPrefetch = 8;

const std::map<std::string, CollectiveKind>& collective_kinds() {
  static const std::map<std::string, CollectiveKind> kinds = {
      {"stablehlo.all_gather", CollectiveKind::all_gather},
      {"stablehlo.all_reduce", CollectiveKind::all_reduce},
      {"stablehlo.reduce_scatter", CollectiveKind::reduce_scatter},
      {"stablehlo.all_to_all", CollectiveKind::all_to_all},
      {"stablehlo.collective_permute", CollectiveKind::collective_permute},
      {"stablehlo.collective_broadcast", CollectiveKind::all_gather}};  // pipelined: every part passes every device
  return kinds;
}

double bytes_of(const Function& f, ValueId v) {
  const TensorType& t = f.type(v);
  return t.is_tensor() ? static_cast<double>(t.bytes()) : 0;
}

/// What a block takes, once.
struct BlockCost {
  double sequential = 0;
  double overlapped = 0;
  BlockMemory memory;
  std::vector<StepEvent> events;
  std::vector<double> kernel_start;  ///< without overlap
};

class Simulator {
 public:
  Simulator(const Function& f, const Names& names, const Device& device, const Network& network, const Mesh& mesh,
            const SimulationOptions& options)
      : f_(f),
        names_(names),
        device_(device),
        network_(network),
        mesh_(mesh),
        options_(options),
        trips_(f),
        kinds_(f, names),
        groups_(mesh) {}

  Result<Simulation> run() {
    out_.device = device_.name;
    out_.mesh = mesh_;
    out_.device_memory = device_.memory_bytes;
    for (std::size_t i = 0; i < mesh_.rank(); ++i) out_.axis_links.push_back(network_.describe(Axis(i)));
    std::vector<std::optional<std::size_t>> into;
    std::set<ValueId> donated;
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      into.push_back(aliased_result(f_, i));
      if (into.back()) donated.insert(f_.arguments()[i]);
    }
    const BlockCost whole = block(f_.body, 1, into, [&](ValueId v) { return donated.count(v) != 0; });
    if (missing_) {
      return tl::unexpected(
          Diagnostic{"device", "", missing_->second->place,
                     fmt::format("{} of {} on {}", missing_->second->name(), missing_->first, device_.name),
                     fmt::format("a peak of {} in the device's file, or what emulates it", missing_->first)});
    }
    out_.sequential = whole.sequential;
    out_.overlapped = whole.overlapped;
    out_.events = whole.events;
    finish_collectives();
    finish_memory(whole);
    finish_utilization();
    return std::move(out_);
  }

 private:
  // --- Blocks --------------------------------------------------------------------------------------------------------

  BlockCost block(const Block& b, double times, const std::vector<std::optional<std::size_t>>& into,
                  const std::function<bool(ValueId)>& writable) {
    FusedBlock fused = fuse(f_, b, costs_, writable);
    if (options_.fused_attention) fuse_attention(f_, b, fused);
    BlockCost out;
    std::vector<std::optional<BlockCost>> regions(fused.kernels.size());
    Streams streams;
    std::unordered_map<ValueId, const Op*> made_by;
    std::unordered_map<ValueId, const Op*> first_reader;
    for (const Op& op : b.ops) {
      for (const ValueId v : op.results) made_by[v] = &op;
      for (const ValueId v : op.operands) first_reader.try_emplace(v, &op);
    }
    for (std::size_t n = 0; n < fused.kernels.size(); ++n) {
      const Kernel& kernel = fused.kernels[n];
      const Op& op = b.ops[kernel.ops.back()];
      out.kernel_start.push_back(out.sequential);
      double ready = 0;
      for (const auto& read : kernel.reads) ready = std::max(ready, streams.ready(read.buffer));
      double end = 0;
      if (kernel.kind == Kernel::Kind::collective && collective_kinds().count(op.name()) != 0) {
        const auto [cost, axes] = collective(op, times, made_by, first_reader);
        const Beside beside = pieces(*cost, axes, b, fused, n, streams);
        end = communicate(streams, kernel, *cost, axes, ready - beside.before, out) - beside.after;
        out.sequential += cost->seconds;
      } else if (kernel.kind == Kernel::Kind::control) {
        regions[n] = control(op, times);
        const double start = std::max(ready, streams.latest());
        end = start + regions[n]->overlapped;
        if (options_.events) shift_events(*regions[n], op, start, out);
        streams.block(end);
        out.sequential += regions[n]->sequential;
      } else {
        const KernelCost cost = kernel_cost(b, kernel, times);
        const double start = std::max(ready, streams.compute);
        end = start + cost.seconds();
        streams.compute = end;
        if (kernel.kind == Kernel::Kind::matrix) {
          for (const auto& write : kernel.writes) streams.product[write.buffer] = cost.seconds();
        }
        for (const auto& read : kernel.reads) streams.use(read.buffer, start);
        if (options_.events) {
          out.events.push_back(
              {label(b, kernel), "compute", cost.bound_by_memory() ? "memory" : "arithmetic", start, cost.seconds()});
        }
        out.sequential += cost.seconds();
      }
      for (const auto& write : kernel.writes) streams.done(write.buffer, end);
    }
    out.overlapped = streams.latest();
    std::vector<const BlockMemory*> inner(fused.kernels.size(), nullptr);
    for (std::size_t n = 0; n < regions.size(); ++n) {
      if (regions[n]) inner[n] = &regions[n]->memory;
    }
    out.memory = memory_of(f_, b, fused, kinds_, into, inner);
    return out;
  }

  /// Kernels one after another; beside them each mesh axis, one collective after another.
  struct Streams {
    double compute = 0;
    std::map<Axis, double> axis;  ///< free from then on
    std::map<Axis, std::vector<ValueId>> issued;
    std::unordered_map<ValueId, double> finished;
    std::unordered_map<ValueId, double> first_use;
    std::unordered_map<ValueId, double> product;  ///< seconds of the matrix product that made a value

    [[nodiscard]] double ready(ValueId v) const {
      const auto it = finished.find(v);
      return it != finished.end() ? it->second : 0;
    }
    void done(ValueId v, double when) { finished[v] = when; }
    void use(ValueId v, double when) { first_use.try_emplace(v, when); }
    [[nodiscard]] double latest() const {
      double out = compute;
      for (const auto& [a, t] : axis) out = std::max(out, t);
      return out;
    }
    void block(double until) {
      compute = until;
      for (auto& [a, t] : axis) t = until;
    }
  };

  /// Seconds of a collective that run beside the matrix products before and after it.
  struct Beside {
    double before = 0;
    double after = 0;
  };
  Beside pieces(const CollectiveCost& cost, const std::vector<Axis>& axes, const Block& b, const FusedBlock& fused,
                std::size_t n, const Streams& streams) {
    Beside out;
    const bool reduces = cost.kind == CollectiveKind::all_reduce;
    if (!reduces && cost.kind != CollectiveKind::reduce_scatter) return out;
    for (const Segment& s : network_.segments(axes)) {
      if (!s.link->decomposes) return out;
    }
    const auto made = streams.product.find(fused.buffer(b.ops[fused.kernels[n].ops[0]].operands[0]));
    if (made == streams.product.end()) return out;
    out.before = std::min(made->second, cost.seconds * (reduces ? 0.5 : 1));
    for (std::size_t k = n + 1; reduces && k < fused.kernels.size(); ++k) {
      if (fused.kernels[k].kind != Kernel::Kind::matrix) continue;
      out.after = std::min(cost_of(f_, b, fused.kernels[k], costs_, device_).seconds(), cost.seconds * 0.5);
      break;
    }
    return out;
  }

  double communicate(Streams& streams, const Kernel& kernel, const CollectiveCost& cost, const std::vector<Axis>& axes,
                     double ready, BlockCost& out) {
    double start = ready;
    for (const Axis a : axes) {
      start = std::max(start, streams.axis[a]);
      auto& issued = streams.issued[a];
      if (issued.size() >= kPrefetch) {
        const auto used = streams.first_use.find(issued[issued.size() - kPrefetch]);
        if (used != streams.first_use.end()) start = std::max(start, used->second);
      }
    }
    const double end = start + cost.seconds;
    for (const Axis a : axes) {
      streams.axis[a] = end;
      for (const auto& write : kernel.writes) streams.issued[a].push_back(write.buffer);
    }
    for (const auto& read : kernel.reads) streams.use(read.buffer, start);
    if (options_.events && !axes.empty()) {
      out.events.push_back({std::string(name_of(cost.kind)), mesh_.name(axes[0]),
                            fmt::format("{:.3g} MB, {}", cost.bytes / 1e6, cost.why), start, cost.seconds});
    }
    return end;
  }

  void shift_events(BlockCost& region, const Op& op, double start, BlockCost& out) const {
    const std::int64_t times = trips_.of(op).value_or(1);
    out.events.push_back({fmt::format("{} x {}", op.name().substr(10), times), "compute", "its first iteration below",
                          start, region.overlapped});
    for (StepEvent& e : region.events) {
      e.start += start;
      out.events.push_back(std::move(e));
    }
  }

  BlockCost control(const Op& op, double times) {
    BlockCost out;
    if (op.regions.empty()) return out;
    const auto anything = [](ValueId) { return true; };
    if (op.name() != "stablehlo.while") {  // the longest branch
      const Totals before = totals();
      std::optional<Totals> longest;
      for (const Block& region : op.regions) {
        restore(before);
        BlockCost cost = block(region, times, {}, anything);
        if (longest && cost.sequential <= out.sequential) continue;
        out = std::move(cost);
        longest = totals();
      }
      restore(*longest);
      note(fmt::format("{} takes its longest branch", op.name()));
      return out;
    }
    const auto trips = trips_.of(op);
    if (!trips)
      note(fmt::format("a loop (line {}) whose count does not follow from constants is taken once", op.place.line));
    const auto n = static_cast<double>(trips.value_or(1));
    const Block& body = op.regions.at(1);
    std::vector<std::optional<std::size_t>> into;
    for (std::size_t k = 0; k < body.arguments.size(); ++k) into.emplace_back(k);
    out = block(body, times * n, into, anything);
    const double tests = trips ? n + 1 : n;  // the last finds that the loop is over
    const BlockCost test = block(op.regions[0], times * tests, {}, anything);
    out.sequential = n * out.sequential + tests * test.sequential;
    out.overlapped = n * out.overlapped + tests * test.overlapped;
    return out;
  }

  // --- Totals --------------------------------------------------------------------------------------------------------

  struct Totals {
    Simulation out;
    std::map<std::string, CollectiveCost> collectives;
    std::map<double, double> by_peak;
  };
  Totals totals() const { return {out_, collectives_, by_peak_}; }
  void restore(const Totals& t) {
    out_ = t.out;
    collectives_ = t.collectives;
    by_peak_ = t.by_peak;
  }
  void note(std::string text) {
    if (std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end())
      out_.notes.push_back(std::move(text));
  }

  KernelCost kernel_cost(const Block& b, const Kernel& kernel, double times) {
    const KernelCost cost = cost_of(f_, b, kernel, costs_, device_);
    (cost.bound_by_memory() ? out_.memory : out_.compute) += times * std::max(cost.memory, cost.compute);
    out_.launch += times * cost.launch;
    out_.flops += times * kernel.flops;
    out_.matrix_flops += times * cost.matrix_flops;
    out_.memory_traffic += times * kernel.bytes();
    out_.kernels += static_cast<std::int64_t>(times);
    if (cost.matrix_flops > 0) by_peak_[cost.matrix_peak] += times * cost.matrix_flops;
    if (!cost.emulation.empty()) note(cost.emulation + ", which this device has no units for");
    if (!cost.missing.empty() && !missing_) missing_ = {cost.missing, &b.ops[kernel.ops.back()]};
    if (kernel.kind == Kernel::Kind::library) {
      const Op& op = b.ops[kernel.ops[0]];
      if (!costs_.of(f_, op).known)
        note(fmt::format("{} has no meaning here: its memory traffic alone is counted", op.name()));
    }
    return cost;
  }

  std::pair<const CollectiveCost*, std::vector<Axis>> collective(
      const Op& op, double times, const std::unordered_map<ValueId, const Op*>& made_by,
      const std::unordered_map<ValueId, const Op*>& readers) {
    const GroupAxes group = groups_.of(op);
    const CollectiveKind kind = collective_kinds().at(op.name());
    double bytes = 0;
    const bool gathers = kind == CollectiveKind::all_gather;
    for (const ValueId v : gathers ? op.results : op.operands) bytes += bytes_of(f_, v);
    const std::string type = f_.type(gathers ? op.results[0] : op.operands[0]).str();
    std::string key = fmt::format("{} {} {} {}", name_of(kind), type, bytes, group.along_axes);
    for (const Axis a : group.axes) key += " " + mesh_.name(a);
    CollectiveCost& cost = collectives_[key];
    if (cost.count == 0) {
      cost.kind = kind;
      cost.type = type;
      cost.bytes = bytes;
      cost.group = group.size;
      if (group.along_axes) {
        for (const Axis a : group.axes) cost.axes.push_back(mesh_.name(a));
      } else {
        note("a collective whose groups are not along axes of the mesh is costed as a line on the outermost link");
      }
      const auto segments = group.along_axes ? network_.segments(group.axes) : network_.irregular(group.size);
      cost.seconds = group.size > 1 ? collective_seconds(kind, bytes, segments) : 0;
      cost.sent = collective_bytes(kind, bytes, group.size);
      cost.place = op.place;
      cost.why = reason(op, kind, cost.axes, made_by, readers);
    }
    ++cost.count;
    cost.executed += static_cast<std::int64_t>(times);
    out_.communication += times * cost.seconds;
    axis_bytes(kind, bytes, group, times);
    return {&cost, group.axes};
  }

  /// A group over several axes is hierarchical: the innermost axis carries all bytes, the next its share.
  void axis_bytes(CollectiveKind kind, double bytes, const GroupAxes& group, double times) {
    for (std::size_t i = group.axes.size(); i-- > 0;) {
      const std::int64_t n = mesh_.size(group.axes[i]);
      out_.axis_bytes[mesh_.name(group.axes[i])] += times * collective_bytes(kind, bytes, n);
      if (kind != CollectiveKind::all_to_all && kind != CollectiveKind::collective_permute)
        bytes /= static_cast<double>(n);
    }
  }

  // --- Words ---------------------------------------------------------------------------------------------------------

  std::string source(ValueId v, const std::unordered_map<ValueId, const Op*>& made_by) const {
    const auto& arguments = f_.arguments();
    for (int depth = 0; depth < 16; ++depth) {
      const auto at = std::find(arguments.begin(), arguments.end(), v);
      if (at != arguments.end()) {
        const auto i = static_cast<std::size_t>(at - arguments.begin());
        return i < names_.arguments.size() ? names_.arguments[i] : fmt::format("argument {}", i);
      }
      const auto it = made_by.find(v);
      if (it == made_by.end()) return "a value of the loop around";
      const Op& op = *it->second;
      const bool through =
          op.name() == "stablehlo.reshape" || op.name() == "stablehlo.transpose" || op.name() == "stablehlo.convert";
      if (!through) return described(op);
      v = op.operands[0];
    }
    return "a value";
  }
  static std::string described(const Op& op) {
    const std::string name = op.name().substr(op.name().find('.') + 1);
    return op.place.line != 0 ? fmt::format("{} (line {})", name, op.place.line) : name;
  }

  std::string reason(const Op& op, CollectiveKind kind, const std::vector<std::string>& axes,
                     const std::unordered_map<ValueId, const Op*>& made_by,
                     const std::unordered_map<ValueId, const Op*>& readers) const {
    std::string over;
    for (const std::string& a : axes) over += (over.empty() ? "" : ", ") + a;
    if (over.empty()) over = "its groups";
    const std::string from = source(op.operands.at(0), made_by);
    const auto it = readers.find(op.results.at(0));
    const bool returned = it == readers.end() || it->second->decl->kind == OpDecl::Kind::terminator;
    const std::string to = returned ? "the results" : described(*it->second);
    switch (kind) {
      case CollectiveKind::all_reduce:
        return fmt::format("{} gives partial values along {}; combined for {}", from, over, to);
      case CollectiveKind::reduce_scatter:
        return fmt::format("{} gives partial values along {}; combined, and kept tiled, for {}", from, over, to);
      case CollectiveKind::all_gather: return fmt::format("{} is tiled along {}; {} takes it whole", from, over, to);
      case CollectiveKind::all_to_all:
        return fmt::format("{} is tiled along {} in another dimension than {} takes it", from, over, to);
      case CollectiveKind::collective_permute: return fmt::format("{} moves along {} for {}", from, over, to);
    }
    return "";
  }

  std::string label(const Block& b, const Kernel& kernel) const {
    const Op& op = b.ops[kernel.ops.back()];
    std::string out = op.name().substr(op.name().find('.') + 1);
    if (kernel.ops.size() > 1) out += fmt::format(" and {} more", kernel.ops.size() - 1);
    return out;
  }

  // --- The end -------------------------------------------------------------------------------------------------------

  void finish_collectives() {
    for (auto& [key, cost] : collectives_) out_.collectives.push_back(std::move(cost));
    std::stable_sort(out_.collectives.begin(), out_.collectives.end(),
                     [](const CollectiveCost& a, const CollectiveCost& b) {
                       return a.seconds * static_cast<double>(a.executed) > b.seconds * static_cast<double>(b.executed);
                     });
  }

  void finish_memory(const BlockCost& whole) {
    out_.arguments = whole.memory.arguments;
    out_.peak = whole.memory.peak;
    if (!whole.kernel_start.empty()) out_.peak_seconds = whole.kernel_start[whole.memory.peak_kernel];
    for (std::size_t n = 0; n < whole.memory.by_kernel.size(); ++n)
      out_.timeline.push_back({whole.kernel_start[n], whole.memory.by_kernel[n]});
    std::unordered_map<ValueId, const Op*> made_by;
    const std::function<void(const Block&)> visit = [&](const Block& b) {
      for (const Op& op : b.ops) {
        for (const ValueId v : op.results) made_by[v] = &op;
        for (const Block& r : op.regions) visit(r);
      }
    };
    visit(f_.body);
    std::vector<LiveBuffer> live = whole.memory.live;
    for (const ValueId v : f_.arguments()) live.push_back({v, bytes_of(f_, v)});
    std::stable_sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (const LiveBuffer& buffer : live) {
      const auto it = made_by.find(buffer.value);
      const std::string name = it != made_by.end() ? described(*it->second) : source(buffer.value, made_by);
      out_.live.push_back({name, kinds_.of(buffer.value), f_.type(buffer.value).str(), buffer.bytes});
    }
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
      out_.model_utilization = *options_.model_flops / static_cast<double>(mesh_.devices()) / possible;
  }

  const Function& f_;
  const Names& names_;
  const Device& device_;
  const Network& network_;
  const Mesh& mesh_;
  const SimulationOptions& options_;
  OperationCosts costs_;
  TripCounts trips_;
  ValueKinds kinds_;
  GroupFinder groups_;
  Simulation out_;
  std::map<std::string, CollectiveCost> collectives_;
  std::optional<std::pair<std::string, const Op*>> missing_;  ///< a type that the device does not compute with
  std::map<double, double> by_peak_;                          ///< matrix FLOPs by the peak of their type
};

double block_matrix_flops(const Function& f, const Block& block, OperationCosts& costs, const TripCounts& trips) {
  double out = 0;
  for (const Op& op : block.ops) {
    if (is_matrix(op)) out += costs.of(f, op).flops();
    if (op.decl->kind != OpDecl::Kind::control) continue;
    const bool loop = op.name() == "stablehlo.while";
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
    if (op.decl->kind == OpDecl::Kind::core || op.name().starts_with("spmd.")) {
      return tl::unexpected(Diagnostic{"unsupported", "", op.place, op.name(),
                                       "StableHLO with its own collectives, as --emit stablehlo writes"});
    }
  }
  Mesh mesh;
  if (options.mesh) {
    mesh = *options.mesh;
  } else {
    const auto layout = layout_of(module);
    if (!layout) return tl::unexpected(layout.error());
    mesh = layout->mesh;
  }
  const auto network = Network::of(device, mesh, options.network);
  if (!network) return tl::unexpected(network.error());
  return Simulator(**main, names, device, *network, mesh, options).run();
}

Result<Names> names_of_partitioned(const Module& module, const std::optional<std::string>& json,
                                   const std::string& file) {
  const auto main = module.main();
  if (!main) return tl::unexpected(main.error());
  const auto layout = layout_of(module);
  if (!layout) return tl::unexpected(layout.error());
  Function global = signature_of(**main);  // arguments and results alone, at their global shapes
  for (const TensorType& t : layout->global_arguments) global.body.arguments.push_back(global.add_value(t));
  Op end;
  end.decl = find_decl("func.return");
  for (const TensorType& t : layout->global_results) end.operands.push_back(global.add_value(t));
  global.body.ops.push_back(std::move(end));
  return names_of(global, json, file);
}

}  // namespace partir
