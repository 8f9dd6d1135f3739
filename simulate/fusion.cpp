// Forms drafts greedily. group() visits operations in reverse order, so that the drafts of the readers of an operation
// are known when it is placed; then folds, kernels that read the same buffer, and epilogues are merged. may_merge()
// guards each merge against cycles by a bounded search for a dependency path that leaves the drafts and returns to
// them.
#include "simulate/fusion.h"

#include <algorithm>

namespace partir {
namespace {

/// Limit on visited operations when looking for a path between operations, and on the operations of one kernel.
constexpr std::size_t kSearch = 96;
constexpr std::size_t kLargest = 2048;
/// Kernels that read the same buffer are not joined if they are more than this many operations apart.
constexpr std::uint32_t kSiblings = 64;

}  // namespace

Fusion::Fusion(const Function& function, BlockGraph& graph, Epilogue epilogue, bool one_result)
    : f_(function), g_(graph), draft_(graph.size(), none), seen_(graph.size(), 0) {
  if (one_result) {
    single_results();
    return;
  }
  group();
  join_folds();
  join_siblings();
  if (epilogue != Epilogue::none) join_epilogues(epilogue);
}

std::uint32_t Fusion::begin(std::uint32_t op, double elements) {
  drafts_.push_back({{op}, op, op, elements, g_.parts[op] == Part::fold});
  return draft_[op] = static_cast<std::uint32_t>(drafts_.size() - 1);
}

void Fusion::add(std::uint32_t draft, std::uint32_t op) {
  Draft& d = drafts_[draft];
  d.ops.push_back(op);
  d.first = std::min(d.first, op);
  d.last = std::max(d.last, op);
  d.elements = std::max(d.elements, elements_of(f_, g_.op(op).results[0]));
  draft_[op] = draft;
}

std::uint32_t Fusion::merge(const std::vector<std::uint32_t>& drafts) {
  std::uint32_t into = drafts[0];
  for (const std::uint32_t d : drafts) {
    if (drafts_[d].ops.size() > drafts_[into].ops.size()) into = d;
  }
  Draft& to = drafts_[into];
  for (const std::uint32_t d : drafts) {
    if (d == into) continue;
    Draft& from = drafts_[d];
    for (const std::uint32_t op : from.ops) draft_[op] = into;
    to.ops.insert(to.ops.end(), from.ops.begin(), from.ops.end());
    to.first = std::min(to.first, from.first);
    to.last = std::max(to.last, from.last);
    to.elements = std::max(to.elements, from.elements);
    to.folds = to.folds || from.folds;
    from.ops.clear();
  }
  return into;
}

// --- Readers first --------------------------------------------------------------------------------------------------

/// Visits readers before what they read, so that an operation is placed when the kernels of its readers are known.
void Fusion::group() {
  for (std::size_t n = g_.size(); n-- > 0;) {
    const auto i = static_cast<std::uint32_t>(n);
    switch (g_.parts[i]) {
      case Part::view:
      case Part::terminator: break;
      case Part::alone: begin(i, 0); break;
      case Part::fold: {
        double elements = 0;
        for (const ValueId v : g_.op(i).operands) elements = std::max(elements, elements_of(f_, v));
        begin(i, elements);
        break;
      }
      case Part::recomputed:
        if (readers_of(g_.op(i).results.at(0)).stored) begin(i, elements_of(f_, g_.op(i).results[0]));
        break;
      case Part::loop: place(i); break;
    }
  }
}

const Fusion::Readers& Fusion::readers_of(ValueId buffer) {
  readers_.drafts.clear();
  readers_.stored = false;
  collect(buffer, 0);
  std::sort(readers_.drafts.begin(), readers_.drafts.end(),
            [&](auto a, auto b) { return drafts_[a].first < drafts_[b].first; });
  return readers_;
}

void Fusion::collect(ValueId buffer, int depth) {
  if (g_.barred(buffer)) {
    readers_.stored = readers_.stored || !g_.readers(buffer).empty();
    return;
  }
  for (const std::uint32_t u : g_.readers(buffer)) {
    const Part part = g_.parts[u];
    if (part == Part::alone || part == Part::terminator || depth > 8) {
      readers_.stored = true;
    } else if (draft_[u] != none) {
      if (std::find(readers_.drafts.begin(), readers_.drafts.end(), draft_[u]) == readers_.drafts.end())
        readers_.drafts.push_back(draft_[u]);
    } else if (part == Part::recomputed) {
      collect(g_.op(u).results[0], depth + 1);
    }
  }
}

/// True for operations without special functions that read no more bytes than their result has (additions, comparisons,
/// conversions): recomputing them costs less than storing the result.
bool Fusion::cheap(std::uint32_t op) const {
  const OperationCost& cost = g_.cost(op);
  const ValueId result = g_.op(op).results[0];
  if (cost.special > 0 || (g_.op(op).decl->traits.update && g_.op(op).regions.empty())) return false;
  double bytes = 0;
  for (const ValueId v : g_.reads(op)) {
    const std::uint32_t maker = g_.maker(v);
    if (maker == none || g_.parts[maker] != Part::recomputed) bytes += bytes_of(f_, v);
  }
  return bytes <= bytes_of(f_, result);
}

void Fusion::place(std::uint32_t i) {
  const ValueId result = g_.op(i).results[0];
  readers_of(result);
  const double elements = elements_of(f_, result);
  if (readers_.drafts.empty()) {
    if (readers_.stored) begin(i, elements);
    return;  // read by nothing: not executed
  }
  std::vector<std::uint32_t> all = readers_.drafts;
  if (all.size() == 1 && !readers_.stored) return add(all[0], i);
  const bool stored = readers_.stored;
  const auto fits = [&](std::uint32_t d) { return drafts_[d].elements == elements; };
  // Fuse with all readers into one kernel, which also writes the value if something else reads it.
  if (std::all_of(all.begin(), all.end(), fits) && may_merge(all, i)) return add(merge(all), i);
  if (!stored && all.size() <= 8 && cheap(i)) {
    g_.parts[i] = Part::recomputed;
    return;
  }
  // Fuse with the first reader, and store the value for the others.
  if (fits(all[0]) && may_merge({all[0]}, i)) return add(all[0], i);
  begin(i, elements);
}

bool Fusion::may_merge(const std::vector<std::uint32_t>& drafts, std::uint32_t op) {
  std::uint32_t last = op == none ? 0 : op;
  std::size_t size = 0;
  for (const std::uint32_t d : drafts) {
    last = std::max(last, drafts_[d].last);
    size += drafts_[d].ops.size();
  }
  if (size > kLargest) return false;
  const auto inside = [&](std::uint32_t u) {
    return u == op || (draft_[u] != none && std::find(drafts.begin(), drafts.end(), draft_[u]) != drafts.end());
  };
  ++search_;
  queue_.clear();
  std::size_t left = kSearch;
  bool meets = false;
  // Visits the readers of `of`. A reader can only lead back into the drafts if its kernel starts before the last
  // operation of the drafts. A member passes its values on element by element, except for a fold, whose result is
  // complete only at the end of the kernel.
  const auto push_readers = [&](std::uint32_t of, bool member) {
    for (const ValueId v : g_.op(of).results) {
      for (const std::uint32_t u : g_.readers(v)) {
        if (inside(u)) {
          meets = meets || !member || g_.parts[of] == Part::fold;
          continue;
        }
        const std::uint32_t first = draft_[u] != none ? drafts_[draft_[u]].first : u;
        if (first > last || seen_[u] == search_) continue;
        seen_[u] = search_;
        const bool within = member && g_.parts[u] == Part::recomputed && draft_[u] == none &&
                            elements_of(f_, v) == elements_of(f_, g_.op(u).results[0]);
        queue_.push_back({u, within});
      }
    }
  };
  for (const std::uint32_t d : drafts) {
    for (const std::uint32_t o : drafts_[d].ops) push_readers(o, true);
  }
  if (op != none) push_readers(op, true);
  while (!queue_.empty() && !meets) {
    const Visit visit = queue_.back();
    queue_.pop_back();
    if (left-- == 0) return false;
    push_readers(visit.op, visit.member);
    if (draft_[visit.op] == none || drafts_[draft_[visit.op]].ops.size() == 1) continue;
    for (const std::uint32_t o : drafts_[draft_[visit.op]].ops) {
      if (seen_[o] == search_) continue;
      seen_[o] = search_;
      push_readers(o, false);
    }
  }
  return !meets;
}

// --- Folds and siblings ---------------------------------------------------------------------------------------------

/// Merges a fold into the loop kernel that defines its latest input, provided that every value it reads from that
/// kernel is computed there element by element (not the result of a fold).
void Fusion::join_folds() {
  std::vector<std::uint32_t> folds;
  for (std::uint32_t k = 0; k < drafts_.size(); ++k) {
    if (!drafts_[k].ops.empty() && drafts_[k].folds) folds.push_back(k);
  }
  std::sort(folds.begin(), folds.end(), [&](auto a, auto b) { return drafts_[a].last < drafts_[b].last; });
  for (const std::uint32_t k : folds) {
    if (drafts_[k].ops.empty()) continue;
    std::uint32_t latest = none;
    for (const std::uint32_t op : drafts_[k].ops) {
      for (const ValueId v : g_.reads(op)) {
        const std::uint32_t maker = g_.maker(v);
        const std::uint32_t d = maker == none ? none : draft_[maker];
        if (d != none && d != k && (latest == none || drafts_[d].last > drafts_[latest].last)) latest = d;
      }
    }
    if (latest == none || alone(latest) || drafts_[latest].elements != drafts_[k].elements) continue;
    bool at_hand = true;
    for (const std::uint32_t op : drafts_[k].ops) {
      for (const ValueId v : g_.reads(op)) {
        const std::uint32_t maker = g_.maker(v);
        if (maker == none || draft_[maker] != latest) continue;
        if (g_.parts[maker] != Part::loop || g_.barred(v)) at_hand = false;
      }
    }
    if (at_hand && may_merge({k, latest}, none)) merge({k, latest});
  }
}

/// Merges nearby kernels that read the same buffer and iterate over exactly its elements.
void Fusion::join_siblings() {
  std::vector<std::uint32_t> near;
  const auto join = [&](ValueId buffer) {
    const auto readers = g_.readers(buffer);
    if (readers.size() < 2) return;
    near.clear();
    for (const std::uint32_t u : readers) {
      const std::uint32_t d = draft_[u];
      if (d == none || alone(d) || drafts_[d].elements != elements_of(f_, buffer)) continue;
      if (std::find(near.begin(), near.end(), d) == near.end()) near.push_back(d);
      if (near.size() > 16) break;
    }
    for (std::size_t a = 0; a + 1 < near.size();) {
      const std::uint32_t x = near[a];
      const std::uint32_t y = near[a + 1];
      const bool close =
          std::max(drafts_[x].first, drafts_[y].first) <= std::min(drafts_[x].last, drafts_[y].last) + kSiblings;
      if (close && may_merge({x, y}, none)) {
        near[a] = merge({x, y});
        near.erase(near.begin() + static_cast<std::ptrdiff_t>(a) + 1);
      } else {
        ++a;
      }
    }
  };
  for (const ValueId v : g_.inputs()) join(v);
  for (std::uint32_t i = 0; i < g_.size(); ++i) {
    for (const ValueId v : g_.op(i).results) {
      if (g_.root(v) == v) join(v);
    }
  }
}

/// Merges the only kernel that reads a product into the kernel of the product, as its epilogue.
void Fusion::join_epilogues(Epilogue epilogue) {
  for (std::uint32_t i = 0; i < g_.size(); ++i) {
    if (draft_[i] == none || !g_.cost(i).matrix || g_.op(i).results.size() != 1) continue;
    const ValueId result = g_.op(i).results[0];
    readers_of(result);
    if (readers_.stored || readers_.drafts.size() != 1) continue;
    const std::uint32_t d = readers_.drafts[0];
    const Draft& draft = drafts_[d];
    if (draft.folds || draft.elements != elements_of(f_, result)) continue;
    const bool loops = std::all_of(draft.ops.begin(), draft.ops.end(), [&](std::uint32_t op) {
      return g_.parts[op] == Part::loop && (epilogue == Epilogue::elementwise || g_.cost(op).special == 0);
    });
    if (!loops || (epilogue == Epilogue::add && draft.ops.size() > 4)) continue;
    if (may_merge({draft_[i], d}, none)) merge({draft_[i], d});
  }
}

}  // namespace partir
