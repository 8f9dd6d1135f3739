// Schedules a block in one pass: each kernel, in the order of simulate/kernels.h, starts as early as its operands, the
// previous kernel and (for collectives) its links allow. A loop or branch is timed through its regions and overlaps
// with nothing else.
#include "simulate/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

#include "ir/control_flow.h"
#include "simulate/block_graph.h"

namespace partir {
namespace {

/// The links and torus dimensions, each with the time until which it is busy.
class Links {
 public:
  /// The time at which all links in `mask` are free; 0 for an empty mask.
  [[nodiscard]] double free(std::uint64_t mask) const {
    double out = 0;
    for (; mask != 0; mask &= mask - 1) out = std::max(out, until_[index(mask)]);
    return out;
  }
  void occupy(std::uint64_t mask, double until) {
    for (; mask != 0; mask &= mask - 1) until_[index(mask)] = until;
  }
  void block(double until) { until_.fill(until); }
  [[nodiscard]] double latest() const { return *std::max_element(until_.begin(), until_.end()); }

 private:
  static std::size_t index(std::uint64_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }
  std::array<double, 64> until_{};
};

/// The bucket of collectives of one kind and group that run as one.
struct Bucket {
  const CollectiveGroup* group = nullptr;
  CollectiveKind kind = CollectiveKind::all_gather;
  double bytes = 0;
  double seconds = 0;
};

/// An interval in which a collective occupies a share of the device.
struct Busy {
  double start = 0;
  double end = 0;
  double occupies = 0;
};

}  // namespace

/// Simulates one block. Regions of control flow are simulated by further objects of this class.
class BlockStep {
 public:
  BlockStep(StepModel& model, const Function& f, const TripCounts& trips, const ValueKinds* kinds)
      : m_(model), f_(f), trips_(trips), kinds_(kinds) {}

  BlockTiming run(const Block& b, const FusionContext& fusion, std::vector<std::optional<std::size_t>> into) {
    out_.block = &b;
    out_.fused = fuse(f_, b, m_.operations_, fusion);
    const AttentionKernels* attention = m_.options_.software.attention_on(m_.device_.name);
    const auto& pieces = m_.options_.software.decomposes;
    decomposes_ = std::find(pieces.begin(), pieces.end(), m_.device_.name) != pieces.end();
    const bool masked = attention != nullptr && fuse_attention(f_, b, out_.fused);
    finished_.assign(f_.types.size(), 0);
    first_use_.assign(f_.types.size(), -1);
    product_.assign(f_.types.size(), 0);
    out_.kernels.resize(out_.fused.kernels.size());
    for (std::size_t n = 0; n < out_.kernels.size(); ++n) {
      const Kernel& kernel = out_.fused.kernels[n];
      if (kernel.kind == Kernel::Kind::collective || kernel.kind == Kernel::Kind::control) continue;
      out_.kernels[n].cost = m_.kernel_costs_->of(b, out_.fused, kernel, attention, masked);
      out_.kernels[n].seconds = out_.kernels[n].cost.seconds();
    }
    for (std::size_t n = 0; n < out_.kernels.size(); ++n) kernel(n);
    out_.overlapped = std::max(compute_, links_.latest());
    MemoryContext context;
    context.kinds = kinds_;
    context.into = std::move(into);
    context.is_function = fusion.is_function;
    context.copied_donations = fusion.rules.copied_donations;
    context.same_shape_reuse = fusion.rules.same_shape_reuse;
    const bool nested =
        std::any_of(out_.kernels.begin(), out_.kernels.end(), [](const KernelTiming& k) { return !k.regions.empty(); });
    if (nested) {
      for (const KernelTiming& k : out_.kernels)
        context.inner.push_back(k.regions.empty() ? nullptr : &k.regions[0].timing->memory);
    }
    context.together = fusion.rules.combines_first ? out_.fused.together : combined();
    out_.memory = memory_of(f_, b, out_.fused, context);
    return std::move(out_);
  }

 private:
  void kernel(std::size_t n) {
    const Kernel& kernel = out_.fused.kernels[n];
    KernelTiming& timing = out_.kernels[n];
    const Op& op = out_.block->ops[kernel.ops.back()];
    timing.before = out_.sequential;
    double ready = 0;
    for (const auto& read : kernel.reads) ready = std::max(ready, finished_[read.buffer.index()]);
    double end = 0;
    const auto kind = kernel.kind == Kernel::Kind::collective ? Collectives::kind_of(op) : std::nullopt;
    if (kind) {
      timing.collective = &m_.collectives_->of(f_, op, *kind);
      timing.seconds = timing.collective->seconds;
      end = communicate(n, ready);
      timing.copies = copies(*timing.collective);
      compute_ += timing.copies;
      out_.sequential += timing.copies;
    } else if (kernel.kind == Kernel::Kind::control) {
      regions(op, timing);
      timing.start = std::max({ready, compute_, links_.latest()});
      end = timing.start + overlapped_of(timing);
      timing.seconds = sequential_of(timing);
      compute_ = end;
      links_.block(end);
    } else {
      timing.start = std::max(ready, compute_);
      end = compute_ = timing.start + slowed(timing.start, timing.seconds);
      if (kernel.kind == Kernel::Kind::matrix) {
        for (const auto& write : kernel.writes) product_[write.buffer.index()] = timing.seconds;
      }
      for (const auto& read : kernel.reads) use(read.buffer, timing.start);
    }
    out_.sequential += timing.seconds;
    for (const auto& write : kernel.writes) finished_[write.buffer.index()] = end;
  }

  /// By kernel: the last kernel of the bucket of reductions that it is combined with. Consecutive reductions of one
  /// kind over one group are combined up to the software's bucket size, unless a result is read before the last operand
  /// is ready. Empty if none are combined.
  [[nodiscard]] std::vector<std::size_t> combined() const {
    std::vector<std::size_t> first_read(f_.types.size(), out_.kernels.size());
    for (std::size_t n = out_.kernels.size(); n-- > 0;) {
      for (const auto& read : out_.fused.kernels[n].reads) first_read[read.buffer.index()] = n;
    }
    struct Open {
      std::vector<std::size_t> members;
      double bytes = 0;
      std::size_t until = 0;  ///< the first kernel that reads one of the results
    };
    std::map<std::pair<const CollectiveGroup*, CollectiveKind>, Open> open;
    std::vector<std::size_t> out;
    const auto close = [&](Open& o) {
      if (o.members.size() < 2) return;
      if (out.empty()) {
        out.resize(out_.kernels.size());
        std::iota(out.begin(), out.end(), std::size_t{0});
      }
      for (const std::size_t m : o.members) out[m] = o.members.back();
    };
    for (std::size_t n = 0; n < out_.kernels.size(); ++n) {
      const CollectiveTime* c = out_.kernels[n].collective;
      if (c == nullptr || (c->kind != CollectiveKind::all_reduce && c->kind != CollectiveKind::reduce_scatter))
        continue;
      Open& o = open[{c->group, c->kind}];
      if (n >= o.until || o.bytes + c->bytes > m_.options_.software.bucket) {
        close(o);
        o = {{}, 0, out_.kernels.size()};
      }
      o.members.push_back(n);
      o.bytes += c->bytes;
      for (const auto& write : out_.fused.kernels[n].writes)
        o.until = std::min(o.until, first_read[write.buffer.index()]);
    }
    for (auto& [key, o] : open) close(o);
    return out;
  }

  void use(ValueId v, double when) {
    if (first_use_[v.index()] < 0) first_use_[v.index()] = when;
  }

  // --- Collectives ---------------------------------------------------------------------------------------------------

  double communicate(std::size_t n, double ready) {
    const Kernel& kernel = out_.fused.kernels[n];
    KernelTiming& timing = out_.kernels[n];
    const CollectiveTime& c = *timing.collective;
    if (c.group->resources == 0) {  // a group of one device
      timing.start = ready;
      return ready;
    }
    const auto [before, after] = hidden_by_products(n);
    const double free = links_.free(c.group->resources);
    double start = std::max(ready - before, free);
    auto& issued = issued_[static_cast<std::size_t>(std::countr_zero(c.group->resources))];
    const std::size_t ahead = m_.options_.software.prefetch;
    if (issued.size() >= ahead && ahead > 0) start = std::max(start, first_use_[issued[issued.size() - ahead].index()]);
    const double seconds = bucketed(c, start <= free);
    timing.start = start;
    const double end = start + seconds;
    links_.occupy(c.group->resources, end);
    for (const auto& write : kernel.writes) issued.push_back(write.buffer);
    for (const auto& read : kernel.reads) use(read.buffer, start);
    if (c.group->occupies > 0) {
      // Delay the kernels scheduled so far by the share that it occupies; later kernels are delayed by slowed().
      compute_ += c.group->occupies * std::max(0.0, std::min(end, compute_) - start);
      busy_.push_back({start, end, c.group->occupies});
    }
    return end - after;
  }

  /// Seconds in which a kernel copies between tensors and the buffers of a collective.
  [[nodiscard]] double copies(const CollectiveTime& c) const {
    const double bytes = c.group->resources == 0 ? 0 : c.bytes * m_.options_.software.copies(c.kind);
    return bytes > 0 ? bytes / (m_.device_.memory_bandwidth * m_.device_.memory_efficiency.at(bytes)) : 0;
  }

  /// The seconds that a collective adds; it joins the current bucket if it `waits` for that.
  double bucketed(const CollectiveTime& c, bool waits) {
    Bucket& b = bucket_;
    if (waits && b.group == c.group && b.kind == c.kind && b.bytes + c.bytes <= m_.options_.software.bucket) {
      const double all = m_.collectives_->seconds(c.kind, *c.group, b.bytes + c.bytes);
      const double more = std::max(0.0, all - b.seconds);
      b.bytes += c.bytes;
      b.seconds = all;
      return std::min(more, c.seconds);
    }
    b = {c.group, c.kind, c.bytes, c.seconds};
    return c.seconds;
  }

  /// The seconds of a collective that overlap with the matrix products (before, after) it.
  std::pair<double, double> hidden_by_products(std::size_t n) const {
    const CollectiveTime& c = *out_.kernels[n].collective;
    const bool reduces = c.kind == CollectiveKind::all_reduce;
    if ((!reduces && c.kind != CollectiveKind::reduce_scatter) || !(c.group->decomposes || decomposes_)) return {0, 0};
    const Op& op = out_.block->ops[out_.fused.kernels[n].ops[0]];
    const double made = product_[out_.fused.buffer(op.operands[0]).index()];
    if (made == 0) return {0, 0};
    const double before = std::min(made, c.seconds * (reduces ? 0.5 : 1));
    for (std::size_t k = n + 1; reduces && k < out_.kernels.size(); ++k) {
      if (out_.fused.kernels[k].kind != Kernel::Kind::matrix) continue;
      return {before, std::min(out_.kernels[k].seconds, c.seconds * 0.5)};
    }
    return {before, 0};
  }

  /// The duration of a kernel that starts at `start` and takes `seconds` on its own, given concurrent collectives.
  double slowed(double start, double seconds) {
    while (first_busy_ < busy_.size() && busy_[first_busy_].end <= start) ++first_busy_;
    double out = seconds;
    for (int round = 0; round < 2; ++round) {
      double taken = 0;
      for (std::size_t k = first_busy_; k < busy_.size() && k < first_busy_ + 32; ++k) {
        const double overlap = std::min(busy_[k].end, start + out) - std::max(busy_[k].start, start);
        if (overlap > 0) taken += overlap * busy_[k].occupies;
      }
      out = seconds + std::min(taken, seconds);
    }
    return out;
  }

  // --- Control flow --------------------------------------------------------------------------------------------------

  RegionTiming region(const Block& b, double times, const std::vector<std::optional<std::size_t>>& into) {
    FusionContext fusion;
    fusion.epilogue = m_.device_.epilogue;
    fusion.rules = m_.options_.software.buffers;
    fusion.writable.assign(f_.types.size(), false);
    for (const ValueId v : b.arguments) fusion.writable[v.index()] = true;
    return {std::make_unique<BlockTiming>(BlockStep(m_, f_, trips_, kinds_).run(b, fusion, into)), times};
  }

  void regions(const Op& op, KernelTiming& timing) {
    if (op.regions.empty()) return;
    if (op.decl->control != Control::loop) {  // the longest branch
      for (const Block& b : op.regions) {
        RegionTiming branch = region(b, 1, {});
        if (timing.regions.empty()) {
          timing.regions.push_back(std::move(branch));
        } else if (branch.timing->sequential > timing.regions[0].timing->sequential) {
          timing.regions[0] = std::move(branch);
        }
      }
      return;
    }
    const auto trips = trips_.of(op);
    const auto n = static_cast<double>(trips.value_or(1));
    const Block& body = op.regions.at(1);
    std::vector<std::optional<std::size_t>> into;
    for (std::size_t k = 0; k < body.arguments.size(); ++k) into.emplace_back(k);
    timing.regions.push_back(region(body, n, into));
    timing.regions.push_back(region(op.regions[0], trips ? n + 1 : n, {}));  // the last evaluation ends the loop
  }

  static double overlapped_of(const KernelTiming& timing) {
    double out = 0;
    for (const RegionTiming& r : timing.regions) out += r.times * r.timing->overlapped;
    return out;
  }
  static double sequential_of(const KernelTiming& timing) {
    double out = 0;
    for (const RegionTiming& r : timing.regions) out += r.times * r.timing->sequential;
    return out;
  }

  StepModel& m_;
  const Function& f_;
  const TripCounts& trips_;
  const ValueKinds* kinds_;
  BlockTiming out_;
  bool decomposes_ = false;  ///< the software runs collectives in pieces during products
  double compute_ = 0;       ///< end of the last kernel so far
  Links links_;
  Bucket bucket_;
  std::array<std::vector<ValueId>, 64> issued_;  ///< results of collectives, by the first link used
  std::vector<Busy> busy_;
  std::size_t first_busy_ = 0;
  std::vector<double> finished_;   ///< by value: when it is ready
  std::vector<double> first_use_;  ///< by value: the time of its first use; negative if it has not been read
  std::vector<double> product_;    ///< by value: seconds of the matrix product that defines it; 0 for other values
};

StepModel::StepModel(Device device, Mesh mesh, StepOptions options)
    : device_(std::move(device)), mesh_(std::move(mesh)), options_(std::move(options)) {
  kernel_costs_ =
      std::make_unique<KernelCosts>(device_, device_.sustained * options_.software.products_on(device_.name));
}

Result<std::unique_ptr<StepModel>> StepModel::of(Device device, Mesh mesh, StepOptions options) {
  std::unique_ptr<StepModel> out(new StepModel(std::move(device), std::move(mesh), std::move(options)));
  auto network = Network::of(out->device_, out->mesh_, out->options_.network);
  if (!network) return tl::unexpected(network.error());
  out->network_ = std::move(*network);
  out->collectives_ = std::make_unique<Collectives>(out->mesh_, out->network_);
  return out;
}

Result<BlockTiming> StepModel::timing(const Function& function, const ValueKinds* kinds) {
  const TripCounts trips(function);
  FusionContext fusion;
  fusion.is_function = true;
  fusion.epilogue = device_.epilogue;
  fusion.rules = options_.software.buffers;
  fusion.homes.resize(function.returned().size());
  fusion.writable.assign(function.types.size(), false);
  const auto into = donations(function);
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (!into[i]) continue;
    fusion.writable[function.arguments()[i].index()] = true;
    fusion.homes[*into[i]] = function.arguments()[i];
  }
  kernel_costs_->forget_missing();
  BlockTiming out = BlockStep(*this, function, trips, kinds).run(function.body, fusion, into);
  if (const auto& missing = kernel_costs_->missing()) {
    const auto& [type, op] = *missing;
    return tl::unexpected(Diagnostic{"device", "", op->place,
                                     fmt::format("{} of {} on {}", op->name(), type, device_.name),
                                     fmt::format("a peak of {} in the device's file, or what emulates it", type)});
  }
  return out;
}

namespace {

/// The most bytes that the results of `prefetch` consecutive gathers take, except for the first of them, which is live
/// anyway when it is issued.
double early_gathers(const BlockTiming& timing, std::size_t prefetch) {
  double most = 0;
  std::vector<double> gathered;
  for (std::size_t n = 0; n < timing.kernels.size(); ++n) {
    const KernelTiming& kernel = timing.kernels[n];
    for (const RegionTiming& r : kernel.regions) most = std::max(most, early_gathers(*r.timing, prefetch));
    if (kernel.collective != nullptr && kernel.collective->kind == CollectiveKind::all_gather)
      gathered.push_back(kernel.collective->bytes);
  }
  double sum = 0;
  for (std::size_t k = 1; k < gathered.size(); ++k) {
    sum += gathered[k];
    if (k >= prefetch) sum -= gathered[k - prefetch + 1];
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

double slack_of(const BlockTiming& timing, std::size_t prefetch) {
  return early_gathers(timing, prefetch) + timing.memory.allocated_bytes - timing.memory.peak_bytes;
}

Result<StepCost> StepModel::cost(const Function& function) {
  const BufferRules& rules = options_.software.buffers;
  const auto timed = rules.changes() ? timing(as_compiled(function, rules), nullptr) : timing(function, nullptr);
  if (!timed) return tl::unexpected(timed.error());
  return StepCost{timed->overlapped, timed->memory.peak_bytes, slack_of(*timed, options_.software.prefetch)};
}

}  // namespace partir
