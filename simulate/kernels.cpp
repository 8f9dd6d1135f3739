#include "simulate/kernels.h"

#include <algorithm>
#include <map>
#include <set>

#include "support/check.h"

namespace partir {
namespace {

/// How an operation takes part in fusion.
enum class Part : std::uint8_t { view, recomputed, loop, fold, alone, terminator };

bool is_view(const Op& op) {
  const std::string& n = op.name();
  if (n == "stablehlo.custom_call") {
    const Attribute* target = find(op.attributes, "call_target_name");
    const StringAttr* name = target != nullptr ? target->as<StringAttr>() : nullptr;
    return name != nullptr && name->value == "Sharding" && op.operands.size() == op.results.size();
  }
  return n == "stablehlo.reshape" || n == "stablehlo.transpose" || n == "stablehlo.optimization_barrier";
}

Part part_of(const Function& f, const Op& op, const OperationCost& work) {
  using Kind = OpDecl::Kind;
  if (op.decl->kind == Kind::terminator) return Part::terminator;
  if (is_view(op)) return Part::view;
  if (op.decl->kind == Kind::device) return Part::recomputed;
  if (op.decl->kind != Kind::array || !work.known || is_matrix(op) || op.results.size() != 1)
    return op.decl->kind == Kind::array && work.known && work.folds && !is_matrix(op) ? Part::fold : Part::alone;
  if (work.folds) return Part::fold;
  const TensorType& result = f.type(op.results[0]);
  if (op.operands.empty() || result.rank() == 0) return Part::recomputed;
  if (op.name() == "stablehlo.broadcast_in_dim" && f.type(op.operands[0]).elements() < result.elements())
    return Part::recomputed;
  return Part::loop;
}

class Fusion {
 public:
  Fusion(const Function& f, const Block& block, OperationCosts& costs, const std::function<bool(ValueId)>& writable)
      : f_(f), block_(block), costs_(costs), writable_(writable), kernel_(block.ops.size(), none) {}

  FusedBlock run() {
    classify();
    group();
    join_folds();
    order();
    accesses();
    for (const ValueId v : block_.ops.back().operands) out_.returned.push_back(out_.buffer(v));
    return std::move(out_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Draft {
    Kernel::Kind kind = Kernel::Kind::loop;
    std::vector<std::size_t> ops;
    std::size_t position = 0;
  };

  void classify() {
    for (std::size_t i = 0; i < block_.ops.size(); ++i) {
      const Op& op = block_.ops[i];
      parts_.push_back(part_of(f_, op, costs_.of(f_, op)));
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        made_by_[op.results[k]] = i;
        if (parts_.back() == Part::view) out_.view_of[op.results[k]] = op.operands.at(k);
      }
      std::vector<ValueId> read = op.operands;
      if (!op.regions.empty() && parts_.back() == Part::alone) {
        const auto inside = captured(op);
        read.insert(read.end(), inside.begin(), inside.end());
      }
      if (parts_.back() == Part::view) read.clear();
      for (const ValueId v : read) users_[out_.buffer(v)].push_back(i);
      reads_.push_back(std::move(read));
    }
  }

  std::size_t draft(std::size_t i, Kernel::Kind kind) {
    drafts_.push_back({kind, {i}, i});
    return kernel_[i] = drafts_.size() - 1;
  }

  static Kernel::Kind kind_alone(const Op& op) {
    if (is_matrix(op)) return Kernel::Kind::matrix;
    if (op.decl->kind == OpDecl::Kind::collective) return Kernel::Kind::collective;
    if (op.decl->kind == OpDecl::Kind::control) return Kernel::Kind::control;
    return Kernel::Kind::library;
  }

  /// Readers before what they read, so that each operation sees where its readers are.
  void group() {
    for (std::size_t i = block_.ops.size(); i-- > 0;) {
      const Op& op = block_.ops[i];
      switch (parts_[i]) {
        case Part::view:
        case Part::terminator: break;
        case Part::alone: draft(i, kind_alone(op)); break;
        case Part::fold: draft(i, Kernel::Kind::fold); break;
        case Part::recomputed:
          if (stored(op.results.at(0))) draft(i, Kernel::Kind::loop);
          break;
        case Part::loop: {
          if (const auto k = only_reader(op.results[0])) {
            kernel_[i] = *k;
            drafts_[*k].ops.push_back(i);
          } else if (users_.count(op.results[0]) != 0) {
            draft(i, Kernel::Kind::loop);
          }
          break;
        }
      }
    }
  }

  /// Whether somebody reads the value from memory.
  bool stored(ValueId v) {
    const auto it = users_.find(v);
    if (it == users_.end()) return false;
    return std::any_of(it->second.begin(), it->second.end(),
                       [&](std::size_t u) { return parts_[u] == Part::alone || parts_[u] == Part::terminator; });
  }

  std::optional<std::size_t> only_reader(ValueId v) {
    const auto it = users_.find(v);
    if (it == users_.end()) return std::nullopt;
    std::optional<std::size_t> k;
    for (const std::size_t u : it->second) {
      if (parts_[u] != Part::loop && parts_[u] != Part::fold) return std::nullopt;
      if (kernel_[u] == none || (k && *k != kernel_[u])) return std::nullopt;
      k = kernel_[u];
    }
    return k;
  }

  /// Buffers that a draft reads from outside; what is recomputed is looked through.
  std::set<ValueId> outside(std::size_t k) {
    std::set<ValueId> out;
    std::set<std::size_t> seen;
    std::vector<std::size_t> work = drafts_[k].ops;
    while (!work.empty()) {
      const std::size_t i = work.back();
      work.pop_back();
      if (!seen.insert(i).second) continue;
      for (const ValueId read : reads_[i]) {
        const ValueId v = out_.buffer(read);
        const auto it = made_by_.find(v);
        if (it == made_by_.end()) {
          out.insert(v);
        } else if (parts_[it->second] == Part::recomputed && !(alone(k))) {
          work.push_back(it->second);
        } else if (kernel_[it->second] != k) {
          out.insert(v);
        }
      }
    }
    return out;
  }
  [[nodiscard]] bool alone(std::size_t k) const {
    return drafts_[k].kind != Kernel::Kind::loop && drafts_[k].kind != Kernel::Kind::fold;
  }

  void join_folds() {
    std::vector<std::size_t> folds;
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      if (drafts_[k].kind == Kernel::Kind::fold) folds.push_back(k);
    }
    std::sort(folds.begin(), folds.end(), [&](auto a, auto b) { return drafts_[a].position < drafts_[b].position; });
    for (const std::size_t k : folds) {
      std::size_t latest = none;
      for (const ValueId v : outside(k)) {
        const auto it = made_by_.find(v);
        if (it == made_by_.end()) continue;
        const std::size_t p = kernel_[it->second];
        if (p != none && (latest == none || drafts_[p].position > drafts_[latest].position)) latest = p;
      }
      if (latest == none || latest == k || alone(latest)) continue;
      // Only elements at hand: not what the other kernel folds.
      const auto inputs = outside(k);
      const bool at_hand = std::all_of(inputs.begin(), inputs.end(), [&](ValueId v) {
        const auto it = made_by_.find(v);
        return it == made_by_.end() || kernel_[it->second] != latest || parts_[it->second] == Part::loop;
      });
      if (!at_hand) continue;
      for (const std::size_t i : drafts_[k].ops) kernel_[i] = latest;
      auto& to = drafts_[latest];
      to.ops.insert(to.ops.end(), drafts_[k].ops.begin(), drafts_[k].ops.end());
      to.kind = Kernel::Kind::fold;
      drafts_[k].ops.clear();
    }
  }

  /// Of a collective that reduces: the draft that makes its operand, right behind which it can run.
  std::optional<std::size_t> maker_of_reduced(std::size_t k) {
    const std::size_t i = drafts_[k].ops[0];
    const std::string& name = block_.ops[i].name();
    if (name != "stablehlo.all_reduce" && name != "stablehlo.reduce_scatter") return std::nullopt;
    if (reads_[i].size() != 1) return std::nullopt;
    const auto it = made_by_.find(out_.buffer(reads_[i][0]));
    if (it == made_by_.end() || kernel_[it->second] == none) return std::nullopt;
    // Not behind another such collective, which itself moves.
    const std::size_t maker = kernel_[it->second];
    return drafts_[maker].kind == Kernel::Kind::collective ? std::nullopt : std::optional(maker);
  }

  void order() {
    std::vector<std::size_t> by_position;
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      if (!drafts_[k].ops.empty()) by_position.push_back(k);
    }
    std::vector<std::pair<std::size_t, std::size_t>> when(drafts_.size());  // position, and what follows it there
    for (const std::size_t k : by_position) when[k] = {drafts_[k].position, 0};
    for (const std::size_t k : by_position) {
      if (const auto after = maker_of_reduced(k)) when[k] = {drafts_[*after].position, k + 1};
    }
    std::sort(by_position.begin(), by_position.end(), [&](auto a, auto b) { return when[a] < when[b]; });
    for (const std::size_t k : by_position) {
      Kernel kernel;
      kernel.kind = drafts_[k].kind;
      kernel.ops = drafts_[k].ops;
      std::sort(kernel.ops.begin(), kernel.ops.end());
      drafted_.push_back(k);
      out_.kernels.push_back(std::move(kernel));
    }
  }

  double width(ValueId v) const { return static_cast<double>(byte_width(f_.type(v).element)); }
  double size(ValueId v) const {
    const TensorType& t = f_.type(v);
    return t.is_tensor() ? static_cast<double>(t.bytes()) : 0;
  }

  /// What the draft's operations touch of each outside buffer.
  std::map<ValueId, double> touched(std::size_t k) {
    const std::set<ValueId> buffers = outside(k);
    std::map<ValueId, double> out;
    for (const ValueId v : buffers) out[v] = 0;
    std::set<std::size_t> seen;
    std::vector<std::size_t> queue = drafts_[k].ops;
    while (!queue.empty()) {
      const std::size_t i = queue.back();
      queue.pop_back();
      if (!seen.insert(i).second) continue;
      const Op& op = block_.ops[i];
      const OperationCost& work = costs_.of(f_, op);
      for (std::size_t n = 0; n < reads_[i].size(); ++n) {
        const ValueId v = out_.buffer(reads_[i][n]);
        if (const auto it = out.find(v); it != out.end()) {
          const double bytes = n < work.read.size() ? work.passes * work.read[n] * width(v) : 0;
          it->second = std::max(it->second, std::min(work.passes * size(v), bytes));
        } else if (const auto made = made_by_.find(v);
                   made != made_by_.end() && parts_[made->second] == Part::recomputed) {
          queue.push_back(made->second);
        }
      }
    }
    return out;
  }

  void accesses() {
    std::unordered_map<ValueId, std::size_t> last;  // kernel that reads a buffer last
    std::vector<std::map<ValueId, double>> reads;
    for (std::size_t n = 0; n < out_.kernels.size(); ++n) {
      reads.push_back(touched(drafted_[n]));
      for (const auto& [v, bytes] : reads.back()) last[v] = n;
    }
    std::set<ValueId> kept;
    for (const ValueId v : block_.ops.back().operands) kept.insert(out_.buffer(v));
    for (std::size_t n = 0; n < out_.kernels.size(); ++n) {
      Kernel& kernel = out_.kernels[n];
      for (const auto& [v, bytes] : reads[n]) kernel.reads.push_back({v, bytes});
      for (const std::size_t i : kernel.ops) {
        const Op& op = block_.ops[i];
        kernel.flops += kernel.kind == Kernel::Kind::control ? 0 : costs_.of(f_, op).flops();
        for (const ValueId v : op.results) {
          const auto read = last.find(v);
          if ((read == last.end() || read->second == n) && kept.count(v) == 0) continue;
          kernel.writes.push_back({v, size(v) * costs_.of(f_, op).passes});
          kernel.in_place.push_back(Kernel::npos);
          update_in_place(op, n, kernel, last, kept);
        }
      }
    }
  }

  void update_in_place(const Op& op, std::size_t n, Kernel& kernel,
                       const std::unordered_map<ValueId, std::size_t>& last, const std::set<ValueId>& kept) {
    const bool slice = op.name() == "stablehlo.dynamic_update_slice";
    if ((!slice && op.name() != "stablehlo.scatter") || op.results.size() != 1) return;
    const ValueId target = out_.buffer(op.operands[0]);
    const auto at =
        std::find_if(kernel.reads.begin(), kernel.reads.end(), [&](const auto& r) { return r.buffer == target; });
    if (at == kernel.reads.end() || last.at(target) != n || kept.count(target) != 0) return;
    if (made_by_.find(target) == made_by_.end() && !writable_(target)) return;
    const double update = size(op.operands.at(slice ? 1 : 2));
    at->bytes = slice ? 0 : update;
    kernel.writes.back().bytes = update;
    kernel.in_place.back() = static_cast<std::size_t>(at - kernel.reads.begin());
  }

  const Function& f_;
  const Block& block_;
  OperationCosts& costs_;
  const std::function<bool(ValueId)>& writable_;
  FusedBlock out_;
  std::vector<Part> parts_;
  std::vector<std::vector<ValueId>> reads_;  ///< by operation
  std::unordered_map<ValueId, std::size_t> made_by_;
  std::unordered_map<ValueId, std::vector<std::size_t>> users_;  ///< of buffers
  std::vector<std::size_t> kernel_;                              ///< by operation: its draft
  std::vector<Draft> drafts_;
  std::vector<std::size_t> drafted_;  ///< by kernel
};

}  // namespace

double Kernel::bytes() const {
  double total = 0;
  for (const Access& a : reads) total += a.bytes;
  for (const Access& a : writes) total += a.bytes;
  return total;
}

ValueId FusedBlock::buffer(ValueId v) const {
  for (auto it = view_of.find(v); it != view_of.end(); it = view_of.find(v)) v = it->second;
  return v;
}

void fuse_attention(const Function& function, const Block& block, FusedBlock& fused) {
  const auto elements = [&](ValueId v) { return function.type(v).is_tensor() ? function.type(v).elements() : 0; };
  std::unordered_map<ValueId, std::int64_t> on_chip;  // with the size of the scores that it comes from
  const std::set<ValueId> returned(fused.returned.begin(), fused.returned.end());
  for (Kernel& kernel : fused.kernels) {
    std::int64_t scores = 0;
    for (const Kernel::Access& read : kernel.reads) {
      if (const auto it = on_chip.find(read.buffer); it != on_chip.end()) scores = std::max(scores, it->second);
    }
    if (kernel.kind == Kernel::Kind::matrix) {
      const Op& op = block.ops[kernel.ops[0]];
      const Attribute* dims = find(op.attributes, "lhs_batching_dimensions");
      const IntsAttr* batching = dims != nullptr ? dims->as<IntsAttr>() : nullptr;
      const std::int64_t result = elements(op.results[0]);
      const bool quadratic = batching != nullptr && !batching->values.empty() &&
                             result > elements(op.operands[0]) + elements(op.operands[1]);
      scores = quadratic ? result : 0;
    } else if (kernel.kind != Kernel::Kind::loop && kernel.kind != Kernel::Kind::fold) {
      scores = 0;
    }
    for (std::size_t w = kernel.writes.size(); w-- > 0;) {
      const ValueId v = kernel.writes[w].buffer;
      if (scores == 0 || elements(v) != scores || returned.count(v) != 0) continue;
      on_chip[v] = scores;
      kernel.writes.erase(kernel.writes.begin() + static_cast<std::ptrdiff_t>(w));
      kernel.in_place.erase(kernel.in_place.begin() + static_cast<std::ptrdiff_t>(w));
    }
    if (kernel.kind == Kernel::Kind::collective || kernel.kind == Kernel::Kind::control) continue;
    for (std::size_t r = kernel.reads.size(); r-- > 0;) {
      if (on_chip.count(kernel.reads[r].buffer) == 0) continue;
      kernel.reads.erase(kernel.reads.begin() + static_cast<std::ptrdiff_t>(r));
      for (std::size_t& place : kernel.in_place) {
        if (place == r)
          place = Kernel::npos;
        else if (place != Kernel::npos && place > r)
          --place;
      }
    }
  }
}

FusedBlock fuse(const Function& function, const Block& block, OperationCosts& costs,
                const std::function<bool(ValueId)>& writable) {
  return Fusion(function, block, costs, writable).run();
}

}  // namespace partir
