// Turns the drafts of Fusion into kernels: orders them, computes the bytes that each reads and writes, finds updates in
// place, and adds the copies of returned values.
#include "simulate/kernels.h"

#include <algorithm>
#include <map>
#include <queue>

namespace partir {
namespace {

constexpr std::uint32_t kNone = BlockGraph::none;

class Kernels {
 public:
  Kernels(const Function& f, const Block& block, OperationCosts& costs, const FusionContext& context)
      : f_(f),
        block_(block),
        context_(context),
        g_(f, block, costs, context.rules.ordered_operands),
        fusion_(f, g_, context.epilogue, context.rules.one_result) {}

  FusedBlock run() {
    if (context_.rules.combines_first) combine();
    if (context_.rules.breadth_first) {
      breadth_first();
    } else {
      collective_makers();
      order();
    }
    kernel_of_draft();
    together();
    for (std::uint32_t n = 0; n < order_.size(); ++n) reads(n);
    last_reads();
    for (std::uint32_t n = 0; n < order_.size(); ++n) writes(n);
    out_.roots = g_.take_roots();
    for (const ValueId v : block_.ops.back().operands) out_.returned.push_back(out_.buffer(v));
    if (context_.is_function) copies();
    out_.costs = g_.take_costs();
    return std::move(out_);
  }

 private:
  // --- Order ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool is_collective(std::uint32_t draft) const {
    const auto& ops = fusion_.drafts()[draft].ops;
    return !ops.empty() && g_.op(ops[0]).decl->kind == OpDecl::Kind::collective;
  }

  /// For each all_reduce and reduce_scatter, sets `after_` to the draft that defines its operand: it can run right
  /// after it.
  void collective_makers() {
    after_.assign(fusion_.drafts().size(), kNone);
    for (std::uint32_t k = 0; k < fusion_.drafts().size(); ++k) {
      if (!is_collective(k)) continue;
      const std::uint32_t i = fusion_.drafts()[k].ops[0];
      const std::string& name = g_.op(i).name();
      if (!name.ends_with(".all_reduce") && !name.ends_with(".reduce_scatter")) continue;
      if (g_.reads(i).size() != 1) continue;
      const std::uint32_t maker = g_.maker(g_.reads(i)[0]);
      if (maker == kNone || fusion_.draft_of(maker) == kNone) continue;
      // Not after another such collective, which is moved itself.
      if (!is_collective(fusion_.draft_of(maker))) after_[k] = fusion_.draft_of(maker);
    }
  }

  /// Orders drafts by position, except that a draft runs before the drafts that read its results.
  void order() {
    const auto& drafts = fusion_.drafts();
    // Position, then the order of what follows it.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> when(drafts.size());
    std::vector<std::uint32_t> by_position;
    for (std::uint32_t k = 0; k < drafts.size(); ++k) {
      if (drafts[k].ops.empty()) continue;
      by_position.push_back(k);
      when[k] = after_[k] == kNone ? std::pair(drafts[k].last, 0U) : std::pair(drafts[after_[k]].last, k + 1);
    }
    std::sort(by_position.begin(), by_position.end(), [&](auto a, auto b) { return when[a] < when[b]; });
    std::vector<std::uint8_t> state(drafts.size(), 0);  // 1: on the stack, before what it reads; 2: ordered
    std::vector<std::uint32_t> stack;
    for (const std::uint32_t first : by_position) {
      stack.push_back(first);
      while (!stack.empty()) {
        const std::uint32_t k = stack.back();
        if (state[k] != 0) {
          if (state[k] == 1) order_.push_back(k);
          state[k] = 2;
          stack.pop_back();
          continue;
        }
        state[k] = 1;
        for (const std::uint32_t op : drafts[k].ops) require(op, state, stack, 0);
      }
    }
  }

  /// Groups all_reduces over the same devices such that none in a group depends on another of the group.
  void combine() {
    combined_.assign(fusion_.drafts().size(), kNone);
    std::uint32_t groups = 0;
    std::map<std::string, std::uint32_t> last;  // by devices: the open group
    std::map<std::string, std::vector<std::uint32_t>>
        preceding;  // by devices, by operation: the last group that it depends on
    for (std::uint32_t i = 0; i < g_.size(); ++i) {
      const Op& op = g_.op(i);
      const bool reduces = g_.parts[i] == Part::alone && op.decl->kind == OpDecl::Kind::collective &&
                           op.decl->collective.kind == CollectiveKind::all_reduce;
      const Attribute* devices = reduces ? find(op.attributes, "replica_groups") : nullptr;
      const std::string key = devices != nullptr ? devices->str() : "";
      if (reduces) preceding.try_emplace(key, g_.size(), kNone);
      for (auto& [k, reached] : preceding) {
        std::uint32_t& mine = reached[i];
        for (const ValueId v : g_.reads(i)) {
          const std::uint32_t maker = g_.maker(v);
          if (maker != kNone && reached[maker] != kNone && (mine == kNone || mine < reached[maker]))
            mine = reached[maker];
        }
        if (!reduces || k != key) continue;
        auto [it, first] = last.try_emplace(key, groups);
        if (first || mine == it->second) it->second = groups++;
        combined_[fusion_.draft_of(i)] = mine = it->second;
      }
    }
    groups_.resize(groups);
    for (std::uint32_t k = 0; k < combined_.size(); ++k) {
      if (combined_[k] != kNone) groups_[combined_[k]].push_back(k);
    }
  }

  /// Orders drafts by when their operands are ready, first in, first out: first those that read only arguments and
  /// constants, by position, then each draft when the last of its operands has been computed.
  void breadth_first() {
    const auto& drafts = fusion_.drafts();
    std::vector<std::vector<std::uint32_t>> readers(drafts.size());
    std::vector<std::uint32_t> missing(drafts.size(), 0);
    std::vector<std::uint32_t> by_position;
    for (std::uint32_t k = 0; k < drafts.size(); ++k) {
      if (!drafts[k].ops.empty()) by_position.push_back(k);
    }
    std::sort(by_position.begin(), by_position.end(),
              [&](auto a, auto b) { return drafts[a].first < drafts[b].first; });
    std::vector<std::uint32_t> makers;
    done_.assign(g_.size(), kNone);
    for (const std::uint32_t k : by_position) {
      makers.clear();
      if (combined_.empty() || combined_[k] == kNone) {
        made_by(drafts[k].ops, k, makers);
      } else {
        for (const std::uint32_t member : groups_[combined_[k]]) made_by(drafts[member].ops, k, makers);
      }
      std::sort(makers.begin(), makers.end());
      makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
      for (const std::uint32_t d : makers) {
        if (d == k) continue;
        readers[d].push_back(k);
        ++missing[k];
      }
    }
    for (const std::uint32_t k : by_position) {
      if (missing[k] == 0) order_.push_back(k);
    }
    for (std::size_t n = 0; n < order_.size(); ++n) {
      for (const std::uint32_t k : readers[order_[n]]) {
        if (--missing[k] == 0) order_.push_back(k);
      }
    }
  }

  /// Appends the drafts that define what the operations `ops` of a draft read, looking through recomputed operations.
  void made_by(const std::vector<std::uint32_t>& ops, std::uint32_t draft, std::vector<std::uint32_t>& into) {
    queue_.assign(ops.begin(), ops.end());
    while (!queue_.empty()) {
      const auto op = static_cast<std::uint32_t>(queue_.back());
      queue_.pop_back();
      if (done_[op] == draft) continue;
      done_[op] = draft;
      for (const ValueId v : g_.reads(op)) {
        const std::uint32_t maker = g_.maker(v);
        if (maker == kNone) continue;
        const std::uint32_t d = fusion_.draft_of(maker);
        const bool anew = g_.parts[maker] == Part::recomputed && g_.parts[op] != Part::alone;
        if (d == kNone || anew) {
          queue_.push_back(maker);
        } else {
          into.push_back(d);
        }
      }
    }
  }

  /// Pushes the drafts that define what an operation reads on the stack.
  void require(std::uint32_t op, const std::vector<std::uint8_t>& state, std::vector<std::uint32_t>& stack, int depth) {
    for (const ValueId v : g_.reads(op)) {
      const std::uint32_t maker = g_.maker(v);
      if (maker == kNone) continue;
      const std::uint32_t d = fusion_.draft_of(maker);
      if (d != kNone) {
        if (state[d] == 0) stack.push_back(d);
      } else if (g_.parts[maker] == Part::recomputed && depth < 64) {
        require(maker, state, stack, depth + 1);
      }
    }
  }

  void together() {
    if (groups_.empty()) return;
    out_.together.resize(order_.size());
    for (std::size_t n = 0; n < order_.size(); ++n) out_.together[n] = n;
    for (const auto& members : groups_) {
      std::size_t last = 0;
      for (const std::uint32_t k : members) last = std::max<std::size_t>(last, kernel_[k]);
      for (const std::uint32_t k : members) out_.together[kernel_[k]] = last;
    }
  }

  void kernel_of_draft() {
    kernel_.assign(fusion_.drafts().size(), kNone);
    for (std::uint32_t n = 0; n < order_.size(); ++n) {
      const Draft& draft = fusion_.drafts()[order_[n]];
      kernel_[order_[n]] = n;
      Kernel kernel;
      const Op& first = g_.op(draft.ops[0]);
      const auto product = std::find_if(draft.ops.begin(), draft.ops.end(),
                                        [&](std::uint32_t op) { return g_.cost(op).matrix.has_value(); });
      if (product != draft.ops.end()) {
        kernel.kind = Kernel::Kind::matrix;
        kernel.matrix = *product;
      } else if (!fusion_.alone(order_[n])) {
        kernel.kind = draft.folds ? Kernel::Kind::fold : Kernel::Kind::loop;
      } else {
        kernel.kind = first.decl->kind == OpDecl::Kind::collective ? Kernel::Kind::collective
                      : first.decl->kind == OpDecl::Kind::control  ? Kernel::Kind::control
                                                                   : Kernel::Kind::library;
      }
      kernel.ops.assign(draft.ops.begin(), draft.ops.end());
      std::sort(kernel.ops.begin(), kernel.ops.end());
      out_.kernels.push_back(std::move(kernel));
    }
  }

  // --- Accesses ------------------------------------------------------------------------------------------------------

  /// Computes the bytes that a kernel reads of each buffer defined outside it, looking through recomputed operations.
  void reads(std::uint32_t n) {
    Kernel& kernel = out_.kernels[n];
    if (place_.empty()) {
      place_.resize(f_.types.size());
      read_by_.assign(f_.types.size(), kNone);
      done_.assign(g_.size(), kNone);
    }
    queue_.assign(kernel.ops.begin(), kernel.ops.end());
    while (!queue_.empty()) {
      const auto i = static_cast<std::uint32_t>(queue_.back());
      queue_.pop_back();
      if (done_[i] == n) continue;
      done_[i] = n;
      const OperationCost& cost = g_.cost(i);
      const auto values = g_.reads(i);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const ValueId v = values[k];
        const std::uint32_t maker = g_.maker(v);
        if (maker != kNone) {
          const std::uint32_t d = fusion_.draft_of(maker);
          if (d != kNone && kernel_[d] == n) continue;
          if (d == kNone || (g_.parts[maker] == Part::recomputed && g_.parts[i] != Part::alone)) {
            queue_.push_back(maker);
            continue;
          }
        }
        const double size = bytes_of(f_, v);
        const double touched = k < cost.read.size()
                                   ? cost.passes * cost.read[k] * static_cast<double>(byte_width(f_.type(v)->element))
                                   : 0;
        const double bytes = f_.type(v).is_tensor() ? std::min(cost.passes * size, touched) : 0;
        if (read_by_[v.index()] != n) {
          read_by_[v.index()] = n;
          place_[v.index()] = static_cast<std::uint32_t>(kernel.reads.size());
          kernel.reads.push_back({v, bytes});
        } else {
          double& known = kernel.reads[place_[v.index()]].bytes;
          known = std::max(known, bytes);
        }
      }
    }
  }

  void last_reads() {
    last_.assign(f_.types.size(), kNone);
    for (std::uint32_t n = 0; n < out_.kernels.size(); ++n) {
      for (const auto& read : out_.kernels[n].reads) last_[read.buffer.index()] = n;
    }
    kept_.assign(f_.types.size(), false);
    for (const ValueId v : block_.ops.back().operands) kept_[g_.root(v).index()] = true;
  }

  void writes(std::uint32_t n) {
    Kernel& kernel = out_.kernels[n];
    for (const std::size_t at : kernel.ops) {
      const auto i = static_cast<std::uint32_t>(at);
      const Op& op = g_.op(i);
      if (kernel.kind != Kernel::Kind::control) kernel.flops += g_.cost(i).flops();
      for (const ValueId v : op.results) {
        const std::uint32_t last = last_[v.index()];
        if ((last == kNone || last == n) && !kept_[v.index()]) continue;
        kernel.writes.push_back({v, bytes_of(f_, v) * g_.cost(i).passes});
        kernel.in_place.push_back(Kernel::npos);
        update_in_place(op, n, kernel);
      }
    }
  }

  void update_in_place(const Op& op, std::uint32_t n, Kernel& kernel) {
    const auto from = op.decl->traits.update;
    if (!from || op.results.size() != 1) return;
    const ValueId target = g_.root(op.operands[0]);
    const auto at =
        std::find_if(kernel.reads.begin(), kernel.reads.end(), [&](const auto& r) { return r.buffer == target; });
    if (at == kernel.reads.end() || last_[target.index()] != n || kept_[target.index()]) return;
    const bool own = g_.maker(target) != kNone;
    if (!own && (context_.writable.empty() || !context_.writable[target.index()])) return;
    const double update = bytes_of(f_, op.operands.at(*from));
    at->bytes = op.regions.empty() ? 0 : update;  // a scatter that combines reads the old elements
    kernel.writes.back().bytes = update;
    kernel.in_place.back() = static_cast<std::size_t>(at - kernel.reads.begin());
  }

  // --- Results -------------------------------------------------------------------------------------------------------

  void copies() {
    std::vector<bool> taken(f_.types.size(), false);
    const auto& returned = block_.ops.back().operands;
    for (std::size_t r = 0; r < returned.size(); ++r) {
      const ValueId v = returned[r];
      const ValueId base = out_.returned[r];
      const std::uint32_t maker = g_.maker(base);
      const bool donated = r < context_.homes.size() && context_.homes[r].has_value();
      bool moved = false;
      for (ValueId view = v; view != base && !moved;) {
        const Op& op = block_.ops[maker_of_view(view)];
        moved = moves_elements(f_, op);
        view = op.operands[std::find(op.results.begin(), op.results.end(), view) - op.results.begin()];
      }
      bool copied = taken[base.index()];
      if (maker == kNone) {
        copied = copied || moved || !donated || *context_.homes[r] != base;
      } else if (moved) {
        // The kernel that defines it can write it in that order, unless something else reads it as it is.
        const Kernel::Kind kind = out_.kernels[kernel_[fusion_.draft_of(maker)]].kind;
        const bool chooses = kind == Kernel::Kind::loop || kind == Kernel::Kind::fold || kind == Kernel::Kind::matrix;
        copied = copied || !chooses || g_.readers(base).size() != 1;
      }
      taken[base.index()] = true;
      if (!copied) continue;
      Kernel copy;
      copy.kind = Kernel::Kind::copy;
      copy.ops = {block_.ops.size() - 1};
      copy.reads.push_back({base, bytes_of(f_, base)});
      if (v != base) {
        out_.roots[v.index()] = v;
        out_.returned[r] = v;
        copy.writes.push_back({v, bytes_of(f_, v)});
        copy.in_place.push_back(Kernel::npos);
      } else {
        copy.reads.back().bytes *= 2;  // read and write the same value: the copy has no value of its own
        if (!donated) out_.copied_results += bytes_of(f_, v);
      }
      out_.kernels.push_back(std::move(copy));
      if (!out_.together.empty()) out_.together.push_back(out_.together.size());
    }
  }

  std::size_t maker_of_view(ValueId view) {
    if (views_.empty()) {
      views_.assign(f_.types.size(), kNone);
      for (std::uint32_t i = 0; i < g_.size(); ++i) {
        if (g_.parts[i] != Part::view) continue;
        for (const ValueId v : g_.op(i).results) views_[v.index()] = i;
      }
    }
    return views_[view.index()];
  }

  const Function& f_;
  const Block& block_;
  const FusionContext& context_;
  BlockGraph g_;
  Fusion fusion_;
  FusedBlock out_;
  std::vector<std::uint32_t> after_;                ///< by draft
  std::vector<std::uint32_t> order_;                ///< drafts, by kernel
  std::vector<std::uint32_t> kernel_;               ///< by draft
  std::vector<std::uint32_t> combined_;             ///< by draft: its group of combined all_reduces, or none
  std::vector<std::vector<std::uint32_t>> groups_;  ///< the drafts of each group
  std::vector<std::uint32_t> read_by_;              ///< by value: the last kernel for which a read was recorded
  std::vector<std::uint32_t> place_;                ///< by value: its index in the reads of that kernel
  std::vector<std::uint32_t> done_;                 ///< by operation: the last kernel that visited it
  std::vector<std::size_t> queue_;
  std::vector<std::uint32_t> last_;  ///< by value: the last kernel that reads it
  std::vector<bool> kept_;           ///< by value: whether it is returned
  std::vector<std::uint32_t> views_;
};

}  // namespace

double Kernel::bytes() const {
  double total = 0;
  for (const Access& a : reads) total += a.bytes;
  for (const Access& a : writes) total += a.bytes;
  return total;
}

FusedBlock fuse(const Function& function, const Block& block, OperationCosts& costs, const FusionContext& context) {
  return Kernels(function, block, costs, context).run();
}

bool fuse_attention(const Function& function, const Block& block, FusedBlock& fused) {
  // By value: elements of the scores it is derived from, 0 if none.
  std::vector<double> on_chip(function.types.size(), 0);
  std::vector<bool> returned(function.types.size(), false);
  for (const ValueId v : fused.returned) returned[v.index()] = true;
  bool masked = false;
  for (Kernel& kernel : fused.kernels) {
    double scores = 0;
    for (const Kernel::Access& read : kernel.reads) scores = std::max(scores, on_chip[read.buffer.index()]);
    if (kernel.kind == Kernel::Kind::matrix) {
      const Op& op = block.ops[kernel.matrix];
      const Attribute* dims = find(op.attributes, "lhs_batching_dimensions");
      const IntsAttr* batching = dims != nullptr ? dims->as<IntsAttr>() : nullptr;
      const double result = elements_of(function, op.results[0]);
      const bool quadratic = batching != nullptr && !batching->values.empty() &&
                             result > elements_of(function, op.operands[0]) + elements_of(function, op.operands[1]);
      scores = quadratic ? result : 0;
    } else if (kernel.kind != Kernel::Kind::loop && kernel.kind != Kernel::Kind::fold) {
      scores = 0;
    }
    for (std::size_t w = kernel.writes.size(); w-- > 0;) {
      const ValueId v = kernel.writes[w].buffer;
      if (scores == 0 || elements_of(function, v) != scores || returned[v.index()]) continue;
      on_chip[v.index()] = scores;
      kernel.attention = true;
      kernel.writes.erase(kernel.writes.begin() + static_cast<std::ptrdiff_t>(w));
      kernel.in_place.erase(kernel.in_place.begin() + static_cast<std::ptrdiff_t>(w));
    }
    if (kernel.kind == Kernel::Kind::collective || kernel.kind == Kernel::Kind::control) continue;
    for (std::size_t r = kernel.reads.size(); r-- > 0;) {
      if (on_chip[kernel.reads[r].buffer.index()] == 0) continue;
      kernel.attention = true;
      kernel.reads.erase(kernel.reads.begin() + static_cast<std::ptrdiff_t>(r));
      for (std::size_t& place : kernel.in_place) {
        if (place == r)
          place = Kernel::npos;
        else if (place != Kernel::npos && place > r)
          --place;
      }
    }
    for (const std::size_t i : kernel.ops)
      masked = masked || (kernel.attention && block.ops[i].name() == "stablehlo.select");
  }
  return masked;
}

}  // namespace partir
