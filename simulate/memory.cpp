// Walks the kernels in order and tracks the live buffers. Results that take over donated arguments or have buffers of
// their own are settled first; every other write starts a new live range, or continues that of an operand whose last
// use it is.
#include "simulate/memory.h"

#include <algorithm>

#include "ir/op_decl.h"
#include "simulate/allocation.h"
#include "simulate/block_graph.h"

namespace partir {
namespace {

class LiveRanges {
 public:
  LiveRanges(const Function& f, const Block& block, const FusedBlock& fused, const MemoryContext& context)
      : f_(f),
        block_(block),
        fused_(fused),
        context_(context),
        last_(f.types.size(), kNever),
        live_(f.types.size(), 0),
        born_(f.types.size(), kNever),
        died_(f.types.size(), kNever),
        range_(f.types.size(), 0),
        home_(f.types.size(), false) {}

  BlockMemory run() {
    members_.resize(fused_.kernels.size());
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) {
      const std::size_t at = context_.together.empty() ? n : context_.together[n];
      members_[at].push_back(n);
      for (const auto& read : fused_.kernels[n].reads) {
        std::size_t& last = last_[read.buffer.index()];
        last = last == kNever ? at : std::max(last, at);
      }
    }
    for (const ValueId v : fused_.returned) last_[v.index()] = kEnd;
    for (const ValueId v : block_.arguments) {
      grow(v, bytes_of(f_, v));
      home_[v.index()] = true;
    }
    out_.arguments = now_;
    out_.argument_bytes = total_;
    takeovers();
    if (context_.is_function) results();
    note_peak(0, now_, total_);
    const double own = total_;  // bytes outside the allocation
    for (const auto& [argument, until] : copies_) {
      grow(argument, bytes_of(f_, argument));
      ranges_.push_back({bytes_of(f_, argument), 0, static_cast<std::uint32_t>(until)});
    }
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) step(n);
    out_.allocated_bytes = own + allocated_bytes(std::move(ranges_));
    if (context_.kinds != nullptr) finish_live();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNever = Kernel::npos;
  static constexpr std::size_t kEnd = Kernel::npos - 1;

  void grow(ValueId v, double bytes) {
    total_ += bytes;
    if (context_.kinds != nullptr) now_[static_cast<std::size_t>(context_.kinds->of(v))] += bytes;
  }

  /// Finds the returned values that are written into the buffers of donated arguments.
  void takeovers() {
    std::vector<std::size_t> writer(f_.types.size(), kNever);
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) {
      for (const auto& write : fused_.kernels[n].writes) writer[write.buffer.index()] = n;
    }
    for (std::size_t i = 0; i < context_.into.size() && i < block_.arguments.size(); ++i) {
      if (!context_.into[i]) continue;
      const ValueId result = fused_.returned.at(*context_.into[i]);
      const ValueId argument = block_.arguments[i];
      const std::size_t made = writer[result.index()];
      const std::size_t read = last_[argument.index()];
      if (made == kNever || bytes_of(f_, result) != bytes_of(f_, argument)) continue;
      if (context_.copied_donations) {
        if (read != kEnd) home_[result.index()] = true;
        if (read != kNever && read != kEnd) copy(argument, made, read);
      } else if (read == kNever || (read != kEnd && read <= made)) {
        home_[result.index()] = true;
      }
    }
  }

  /// Adds a copy of the argument, live from the start to its last read, unless the kernel `made` (which writes the
  /// result) depends on all kernels that read the argument.
  void copy(ValueId argument, std::size_t made, std::size_t read) {
    if (writer_.empty()) {
      writer_.assign(f_.types.size(), kNever);
      waits_.assign(fused_.kernels.size(), kNever);
      for (std::size_t n = 0; n < fused_.kernels.size(); ++n) {
        for (const auto& write : fused_.kernels[n].writes) writer_[write.buffer.index()] = n;
      }
    }
    std::vector<std::size_t> stack;
    const auto wait_for = [&](std::size_t n) {  // and for the kernels combined with it
      for (const std::size_t m : members_[context_.together.empty() ? n : context_.together[n]]) {
        if (waits_[m] == made) continue;
        waits_[m] = made;
        stack.push_back(m);
      }
    };
    wait_for(made);
    while (!stack.empty()) {
      const std::size_t n = stack.back();
      stack.pop_back();
      for (const auto& r : fused_.kernels[n].reads) {
        if (const std::size_t w = writer_[r.buffer.index()]; w != kNever) wait_for(w);
      }
    }
    bool all = true;
    for (std::size_t n = 0; n <= read && all; ++n) {
      const auto& reads = fused_.kernels[n].reads;
      if (waits_[n] == made) continue;
      all = std::none_of(reads.begin(), reads.end(), [&](const auto& r) { return r.buffer == argument; });
    }
    if (!all) copies_.push_back({argument, read});
  }

  /// Allocates the results that have buffers of their own, from the start.
  void results() {
    for (const ValueId v : fused_.returned) {
      if (home_[v.index()]) continue;
      home_[v.index()] = true;
      own_.push_back(v);
      grow(v, bytes_of(f_, v));
    }
    total_ += fused_.copied_results;
    now_[static_cast<std::size_t>(MemoryKind::activations)] += fused_.copied_results;
  }

  void step(std::size_t n) {
    taken_.clear();  // dying operands whose buffers were reused for a result
    for (const std::size_t m : members_[n]) write(n, fused_.kernels[m]);
    for (const ValueId v : taken_) release(v, n);
    MemoryByKind with = now_;
    double with_total = total_;
    if (!context_.inner.empty() && context_.inner[n] != nullptr) {
      const BlockMemory& inner = *context_.inner[n];
      for (std::size_t k = 0; k < kMemoryKinds; ++k) with[k] += inner.peak[k] - inner.arguments[k];
      with_total += inner.peak_bytes - inner.argument_bytes;
      const auto now = static_cast<std::uint32_t>(n);
      ranges_.push_back({inner.allocated_bytes - inner.argument_bytes, now, now});
    }
    if (context_.kinds != nullptr) out_.by_kernel.push_back(with);
    note_peak(n, with, with_total);
    for (const auto& [argument, until] : copies_) {
      if (until == n) grow(argument, -bytes_of(f_, argument));
    }
    for (const std::size_t m : members_[n]) {
      for (const auto& read : fused_.kernels[m].reads) {
        if (last_[read.buffer.index()] == n) release(read.buffer, n + 1);
      }
      for (const auto& write : fused_.kernels[m].writes) {  // never read
        if (last_[write.buffer.index()] == kNever) release(write.buffer, n + 1);
      }
    }
  }

  void write(std::size_t n, const Kernel& kernel) {
    for (std::size_t w = 0; w < kernel.writes.size(); ++w) {
      const ValueId v = kernel.writes[w].buffer;
      if (home_[v.index()]) continue;
      const double bytes = bytes_of(f_, v);
      if (kernel.in_place[w] != Kernel::npos) {
        const ValueId target = kernel.reads[kernel.in_place[w]].buffer;
        if (home_[target.index()]) {
          home_[v.index()] = true;  // it is in an argument's buffer
          continue;
        }
        taken_.push_back(target);
        range_[v.index()] = range_[target.index()];
      } else if (const auto dying = dying_operand(n, kernel, v, bytes)) {
        taken_.push_back(*dying);
        range_[v.index()] = range_[dying->index()];
      } else {
        range_[v.index()] = ranges_.size();
        const auto end = static_cast<std::uint32_t>(fused_.kernels.size());
        ranges_.push_back({bytes, static_cast<std::uint32_t>(n), end});
      }
      live_[v.index()] = bytes;
      grow(v, bytes);
      born_[v.index()] = n;
    }
  }

  void note_peak(std::size_t n, const MemoryByKind& with, double with_total) {
    if (with_total <= out_.peak_bytes) return;
    out_.peak = with;
    out_.peak_bytes = with_total;
    out_.peak_kernel = n;
  }

  std::optional<ValueId> dying_operand(std::size_t n, const Kernel& kernel, ValueId result, double bytes) {
    if (kernel.kind != Kernel::Kind::loop && kernel.kind != Kernel::Kind::control) return std::nullopt;
    const bool exact = context_.same_shape_reuse && kernel.kind == Kernel::Kind::loop;
    if (exact && block_.ops[kernel.ops.back()].decl->traits.permutes) return std::nullopt;
    for (const auto& read : kernel.reads) {
      const ValueId v = read.buffer;
      if (exact && !(f_.type(v) == f_.type(result))) continue;
      if (live_[v.index()] == bytes && bytes > 0 && last_[v.index()] == n &&
          std::find(taken_.begin(), taken_.end(), v) == taken_.end())
        return v;
    }
    return std::nullopt;
  }

  /// Ends the live range of a buffer; `when` is the first kernel at which it is no longer live.
  void release(ValueId v, std::size_t when) {
    if (live_[v.index()] == 0) return;
    grow(v, -live_[v.index()]);
    died_[v.index()] = when;
    if (std::find(taken_.begin(), taken_.end(), v) == taken_.end())
      ranges_[range_[v.index()]].to = static_cast<std::uint32_t>(when - 1);
    live_[v.index()] = 0;
  }

  void finish_live() {
    for (std::size_t n = 0; n <= out_.peak_kernel && n < fused_.kernels.size(); ++n) {
      for (const auto& write : fused_.kernels[n].writes) {
        const std::size_t v = write.buffer.index();
        if (born_[v] <= out_.peak_kernel && out_.peak_kernel < died_[v])
          out_.live.push_back({write.buffer, bytes_of(f_, write.buffer)});
      }
    }
    for (const ValueId v : own_) out_.live.push_back({v, bytes_of(f_, v)});
    for (const auto& [argument, until] : copies_) {
      if (until >= out_.peak_kernel) out_.live.push_back({argument, bytes_of(f_, argument)});
    }
    if (!context_.inner.empty() && context_.inner[out_.peak_kernel] != nullptr) {
      const auto& more = context_.inner[out_.peak_kernel]->live;
      out_.live.insert(out_.live.end(), more.begin(), more.end());
    }
    std::sort(out_.live.begin(), out_.live.end(), [](const LiveBuffer& a, const LiveBuffer& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.value < b.value;
    });
  }

  const Function& f_;
  const Block& block_;
  const FusedBlock& fused_;
  const MemoryContext& context_;
  BlockMemory out_;
  MemoryByKind now_{};
  double total_ = 0;
  std::vector<std::size_t> last_;  ///< by value: the last kernel that reads it
  std::vector<double> live_;       ///< by value: bytes of its buffer, 0 if it has none at this point
  std::vector<std::size_t> born_;  ///< by value: the kernel that writes it
  std::vector<std::size_t> died_;  ///< by value: the first kernel at which it is no longer live
  std::vector<std::size_t>
      range_;  ///< by value: where its buffer is among `ranges_`; whoever takes a buffer over shares it
  std::vector<LiveRange> ranges_;
  /// By value: arguments, results with their own buffers, and values stored in one of these.
  std::vector<bool> home_;
  std::vector<ValueId> own_;  ///< results that have their own buffers
  std::vector<ValueId> taken_;
  struct Copy {
    ValueId argument;
    std::size_t until = 0;  ///< the last kernel that reads it
  };
  std::vector<Copy> copies_;  ///< of donated arguments (BufferRules::copied_donations)
  /// By value: the kernel that writes it; filled by the first call of copy().
  std::vector<std::size_t> writer_;
  std::vector<std::size_t> waits_;                 ///< by kernel: the last kernel found to depend on it
  std::vector<std::vector<std::size_t>> members_;  ///< by kernel: the kernels that run with it, including itself
};

}  // namespace

BlockMemory memory_of(const Function& function, const Block& block, const FusedBlock& fused,
                      const MemoryContext& context) {
  return LiveRanges(function, block, fused, context).run();
}

}  // namespace partir
