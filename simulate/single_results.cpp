// Kernels of one result each, as XLA's InstructionFusion makes them where no pass joins kernels of several results.
//
// An operation runs inside the kernels of all its readers, computed in each again, unless one of these holds; then it
// is a kernel of its own, whose result is stored:
//
//   a reader is no loop     a product, a collective, the caller: for them it is stored, for loops still computed again
//   it is expensive         special functions, folds, lookups: where more than one kernel reads it, or one reads each
//                           element many times (a broadcast lies between)
//   it would cost traffic   it reads more than it gives, from more than one large operand, and cannot run inside all of
//                           its readers on all paths
//
// Large folds and matrix products run in a library, together with what is element by element on floats around them, as
// far as one result comes out: their only readers, and what they alone read. The library reads everything else from
// memory, broadcasts too, which are then stored at their full size (XLA's LibraryRewriter over YNNPACK).
//
// Example: a residual stream x + y + b, b a bias, is computed again from the products y by everything that reads it,
// so that all layers' y are kept in place of it; without the bias x + y is stored.
#include <algorithm>

#include "simulate/fusion.h"

namespace partir {
namespace {

/// XLA's concatenations along the minor dimension run by themselves from this size on.
constexpr double kConcatenation = 2048;
/// Elements from which on a fold, or what is around it, runs in the library.
constexpr double kLibrary = 4096;
/// How far paths between operations are followed.
constexpr std::size_t kPaths = 512;

std::size_t true_rank(const Type& type) {
  return static_cast<std::size_t>(std::count_if(type->dims.begin(), type->dims.end(), [](auto d) { return d > 1; }));
}

}  // namespace

bool Fusion::expensive(std::uint32_t op) const {
  return g_.cost(op).special > 0 || g_.cost(op).folds || g_.op(op).decl->traits.looks_up;
}

/// Whether an operation reads elements many times: lookups, and broadcasts to more elements.
bool Fusion::reads_often(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (op.decl->traits.looks_up) return true;
  return op.decl->traits.repeats && elements_of(f_, op.operands.at(0)) < elements_of(f_, op.results[0]);
}

bool Fusion::fusible(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (g_.parts[i] == Part::alone || g_.parts[i] == Part::terminator || op.results.size() != 1) return false;
  if (op.decl->traits.update && !op.regions.empty()) return false;  // a scatter
  if (find(op.attributes, "window_dimensions") != nullptr) return false;
  return op.name() != "stablehlo.concatenate" || bytes_of(f_, op.results[0]) < kConcatenation;
}

bool Fusion::fuses(std::uint32_t maker, std::uint32_t reader) const {
  if (!fusible(maker) || !fusible(reader)) return false;
  return !expensive(maker) || (g_.readers(g_.op(maker).results[0]).size() == 1 && !reads_often(reader));
}

bool Fusion::at_most_unary(std::uint32_t i) const {
  const Op& op = g_.op(i);
  const std::size_t rank = true_rank(f_.type(op.results[0]));
  std::size_t large = 0;
  double read = 0;
  std::vector<ValueId> seen;
  for (const ValueId v : op.operands) {
    if (!f_.type(v).is_tensor()) continue;
    if (std::find(seen.begin(), seen.end(), v) == seen.end()) read += elements_of(f_, v);
    seen.push_back(v);
    const std::uint32_t maker = g_.maker(g_.root(v));
    const bool made = maker != none && (g_.op(maker).decl->traits.repeats || g_.op(maker).operands.empty());
    if (!made && true_rank(f_.type(v)) >= rank) ++large;
  }
  return large <= 1 || read <= elements_of(f_, op.results[0]);
}

/// Whether an operation can run inside all its readers, and inside all that leads from it to them.
bool Fusion::on_all_paths(std::uint32_t maker) {
  const auto readers = g_.readers(g_.op(maker).results[0]);
  if (readers.empty()) return true;
  // What comes of it, as far as its last reader.
  const std::uint32_t last = readers.back();
  std::vector<std::uint32_t> reached{maker};
  for (std::size_t n = 0; n < reached.size(); ++n) {
    for (const ValueId v : g_.op(reached[n]).results) {
      for (const std::uint32_t u : g_.readers(v)) {
        if (u > last || seen_[u] == search_ + 1) continue;
        seen_[u] = search_ + 1;
        reached.push_back(u);
      }
    }
    if (reached.size() > kPaths) {
      ++search_;
      return false;
    }
  }
  ++search_;
  // Backwards from the readers.
  std::vector<std::uint32_t> stack(readers.begin(), readers.end());
  std::vector<std::uint32_t> done;
  while (!stack.empty()) {
    const std::uint32_t c = stack.back();
    stack.pop_back();
    if (std::find(done.begin(), done.end(), c) != done.end()) continue;
    done.push_back(c);
    for (const ValueId v : g_.reads(c)) {
      const std::uint32_t m = g_.maker(v);
      if (m == none || (m != maker && seen_[m] != search_)) continue;
      if (!fuses(m, c) || (m != maker && kept_whole_[m])) return false;
      if (m != maker) stack.push_back(m);
    }
  }
  return true;
}

/// A product whose operands lie as the library reads them; a large fold; what is element by element on floats beside
/// them; broadcasts.
bool Fusion::in_library(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (op.results.size() != 1 || !f_.type(op.results[0]).is_tensor() || draft_[i] != none) return false;
  const Type& result = f_.type(op.results[0]);
  if (!is_float(result->element) || g_.barred(op.results[0])) return false;
  if (op.decl->traits.contracts) return starts_library(i);
  const OpTraits& is = op.decl->traits;
  if (is.repeats) return !op.operands.empty();
  const auto large = [&](ValueId v) { return elements_of(f_, v) >= kLibrary; };
  if (!large(op.results[0]) && std::none_of(op.operands.begin(), op.operands.end(), large)) return false;
  if (g_.parts[i] == Part::fold) return starts_library(i);
  if (g_.parts[i] != Part::loop || op.operands.empty() || op.operands.size() > 2 || is.cuts || is.rearranges)
    return false;
  return std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
    return f_.type(v).is_tensor() && is_float(f_.type(v)->element) && f_.type(v)->dims == result->dims;
  });
}

bool Fusion::starts_library(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (op.results.size() != 1 || draft_[i] != none || !is_float(f_.type(op.results[0])->element)) return false;
  if (g_.parts[i] == Part::fold)
    return fusible(i) && !op.decl->traits.looks_up && elements_of(f_, op.operands[0]) >= kLibrary;
  if (!op.decl->traits.contracts) return false;
  const auto dims = [&](const char* name) {
    const Attribute* found = find(op.attributes, name);
    const IntsAttr* ints = found != nullptr ? found->as<IntsAttr>() : nullptr;
    return ints != nullptr ? ints->values : std::vector<std::int64_t>{};
  };
  const std::vector<std::int64_t> left = dims("lhs_contracting_dimensions");
  const std::vector<std::int64_t> right = dims("rhs_contracting_dimensions");
  const auto batch = static_cast<std::int64_t>(dims("rhs_batching_dimensions").size());
  const auto rank = static_cast<std::int64_t>(f_.type(op.operands[0]).rank());
  return !left.empty() && left.back() == rank - 1 && right.front() == batch;
}

void Fusion::libraries() {
  for (std::size_t n = g_.size(); n-- > 0;) {
    const auto start = static_cast<std::uint32_t>(n);
    if (!starts_library(start)) continue;
    std::vector<std::uint32_t> members{start};
    const auto is_member = [&](std::uint32_t op) {
      return std::find(members.begin(), members.end(), op) != members.end();
    };
    std::uint32_t root = start;
    for (bool grown = true; grown && members.size() < kPaths;) {
      grown = false;
      for (const auto readers = g_.readers(g_.op(root).results[0]); readers.size() == 1 && in_library(readers[0]);) {
        members.push_back(root = readers[0]);
        grown = true;
        break;
      }
      for (std::size_t m = 0; m < members.size(); ++m) {
        for (const ValueId v : g_.reads(members[m])) {
          const std::uint32_t maker = g_.maker(v);
          if (maker == none || is_member(maker) || !in_library(maker)) continue;
          const auto readers = g_.readers(v);
          if (!std::all_of(readers.begin(), readers.end(), is_member)) continue;
          members.push_back(maker);
          grown = true;
        }
      }
    }
    if (members.size() == 1 && g_.parts[start] == Part::alone) continue;  // a product by itself
    std::sort(members.begin(), members.end());
    begin(root, 0);
    for (const std::uint32_t m : members) {
      if (m != root) add(draft_[root], m);
      g_.parts[m] = Part::alone;
    }
  }
}

void Fusion::single_results() {
  libraries();
  constexpr std::uint32_t many = none - 1;
  kept_whole_.assign(g_.size(), false);
  std::vector<std::uint32_t> home(g_.size(), none);  // the kernel it runs in, or many
  std::vector<bool> reused(g_.size(), false);        // there, each element many times
  for (std::size_t n = g_.size(); n-- > 0;) {
    const auto i = static_cast<std::uint32_t>(n);
    if (g_.parts[i] == Part::view || g_.parts[i] == Part::terminator) continue;
    if (draft_[i] != none) {  // of a library
      home[i] = i;
      continue;
    }
    if (g_.parts[i] == Part::alone || !fusible(i)) {
      begin(i, g_.parts[i] == Part::alone ? 0 : elements_of(f_, g_.op(i).results[0]));
      home[i] = i;
      continue;
    }
    const ValueId result = g_.op(i).results[0];
    bool stored = g_.barred(result);
    bool again = false;
    std::uint32_t in = none;
    bool often = false;
    for (const std::uint32_t u : g_.readers(result)) {
      if (!fusible(u)) {
        stored = true;
        continue;
      }
      again = true;
      const auto join = [&](std::uint32_t where) { in = in == none || in == where ? where : many; };
      if (draft_[u] != none) join(u);
      if (home[u] != u && home[u] != none) join(home[u]);
      often = often || reads_often(u) || (home[u] != u && reused[u]);
    }
    if (!stored && !again) continue;  // read by nobody
    const bool duplicated = in == many || (stored && again);
    bool whole = g_.barred(result);
    if (expensive(i) && g_.parts[i] != Part::recomputed) whole = whole || duplicated || often;
    if (!whole && again && !at_most_unary(i)) whole = !on_all_paths(i);
    kept_whole_[i] = whole;
    double elements = elements_of(f_, result);
    if (g_.parts[i] == Part::fold) {
      for (const ValueId v : g_.op(i).operands) elements = std::max(elements, elements_of(f_, v));
    }
    if (stored || whole) begin(i, elements);
    home[i] = whole || !again ? i : in;
    reused[i] = often;
    if (again && !whole) g_.parts[i] = Part::recomputed;
  }
}

}  // namespace partir
