#include "simulate/offload.h"

#include <algorithm>

#include "simulate/block_graph.h"

namespace partir {
namespace {

constexpr std::size_t kState = static_cast<std::size_t>(MemoryKind::optimizer_state);
constexpr std::size_t kActivations = static_cast<std::size_t>(MemoryKind::activations);

/// The two largest numbers seen.
struct TwoLargest {
  double first = 0;
  double second = 0;
  void see(double x) {
    if (x > first) {
      second = first;
      first = x;
    } else {
      second = std::max(second, x);
    }
  }
  [[nodiscard]] double sum() const { return first + second; }
};

/// A value that no kernel uses between two kernels.
struct Idle {
  double bytes = 0;
  std::size_t from = 0;  ///< the last kernel that uses it before
  std::size_t to = 0;    ///< the next kernel that reads it
};

class Offloading {
 public:
  Offloading(const Function& f, const BlockTiming& step, const ValueKinds& kinds, const Device& device)
      : f_(f), step_(step), kinds_(kinds), bandwidth_(device.host_bandwidth) {
    out_.peak = step.memory.peak;
    out_.peak_kernel = step.memory.peak_kernel;
  }

  Offloaded run(const OffloadOptions& options) {
    if (options.activations) activations();
    if (options.optimizer_state) optimizer_state();
    return out_;
  }

 private:
  void optimizer_state() {
    TwoLargest on_device;
    for (const ValueId v : f_.arguments()) {
      if (kinds_.of(v) != MemoryKind::optimizer_state) continue;
      out_.optimizer_state += bytes_of(f_, v);
      on_device.see(bytes_of(f_, v));
    }
    double updates = 0;
    for (std::size_t n = 0; n < step_.kernels.size(); ++n) {
      const auto& reads = step_.fused.kernels[n].reads;
      const bool update = std::any_of(reads.begin(), reads.end(), [&](const auto& r) {
        return std::find(f_.arguments().begin(), f_.arguments().end(), r.buffer) != f_.arguments().end() &&
               kinds_.of(r.buffer) == MemoryKind::optimizer_state;
      });
      if (update) updates += step_.kernels[n].seconds;
    }
    out_.seconds += std::max(0.0, out_.optimizer_state / bandwidth_ - updates);
    out_.peak[kState] -= out_.optimizer_state - std::min(out_.optimizer_state, on_device.sum());
  }

  void activations() {
    const std::size_t peak = step_.memory.peak_kernel;
    const std::vector<Idle> idle = idle_over(peak);
    TwoLargest in_transfer;
    std::vector<double> away(step_.kernels.size(), 0);  // by kernel
    for (const Idle& i : idle) {
      out_.activations += i.bytes;
      in_transfer.see(i.bytes);
      for (std::size_t n = i.from + 1; n < i.to; ++n) away[n] += i.bytes;
    }
    if (idle.empty()) return;
    double most = -1;
    for (std::size_t n = 0; n < away.size(); ++n) {
      const double here = total(step_.memory.by_kernel[n]) - away[n];
      if (here <= most) continue;
      most = here;
      out_.peak = step_.memory.by_kernel[n];
      out_.peak[kActivations] += in_transfer.sum() - away[n];
      out_.peak_kernel = n;
    }
    out_.seconds += waiting(idle, peak);
  }

  /// Returns the activations that are used before and read after the kernel `peak`, but not used by it.
  std::vector<Idle> idle_over(std::size_t peak) {
    std::vector<std::size_t> before(f_.types.size(), Kernel::npos);
    std::vector<std::size_t> after(f_.types.size(), Kernel::npos);
    const auto& kernels = step_.fused.kernels;
    const auto touch = [&](ValueId v, std::size_t n) {
      if (n < peak) before[v.index()] = n;
      if (n > peak && after[v.index()] == Kernel::npos) after[v.index()] = n;
      if (n == peak) before[v.index()] = Kernel::npos;
    };
    std::vector<ValueId> written;
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      for (const auto& read : kernels[n].reads) touch(read.buffer, n);
      for (const auto& write : kernels[n].writes) {
        touch(write.buffer, n);
        if (n < peak && kinds_.of(write.buffer) == MemoryKind::activations) written.push_back(write.buffer);
      }
    }
    std::vector<Idle> out;
    for (const ValueId v : written) {
      if (before[v.index()] == Kernel::npos || after[v.index()] == Kernel::npos) continue;
      out.push_back({bytes_of(f_, v), before[v.index()], after[v.index()]});
    }
    return out;
  }

  /// Seconds for which the step waits for transfers.
  [[nodiscard]] double waiting(std::vector<Idle> idle, std::size_t peak) const {
    const auto ends = [&](std::size_t n) { return step_.kernels[n].start + step_.kernels[n].seconds; };
    std::sort(idle.begin(), idle.end(), [](const Idle& a, const Idle& b) { return a.from < b.from; });
    double out = 0;  // time at which the link is free
    for (const Idle& i : idle) out = std::max(out, ends(i.from)) + i.bytes / bandwidth_;
    const double begins = step_.kernels[peak].start;
    const double late_out = std::max(0.0, out - begins);
    std::sort(idle.begin(), idle.end(), [](const Idle& a, const Idle& b) { return a.to < b.to; });
    double in = ends(peak);
    double late_in = 0;
    for (const Idle& i : idle) {
      in += i.bytes / bandwidth_;
      late_in = std::max(late_in, in - step_.kernels[i.to].start);
    }
    return late_out + late_in;
  }

  const Function& f_;
  const BlockTiming& step_;
  const ValueKinds& kinds_;
  double bandwidth_;
  Offloaded out_;
};

}  // namespace

Offloaded offloaded(const Function& function, const BlockTiming& step, const ValueKinds& kinds, const Device& device,
                    const OffloadOptions& options) {
  return Offloading(function, step, kinds, device).run(options);
}

}  // namespace partir
