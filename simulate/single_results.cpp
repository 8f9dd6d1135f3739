// Forms kernels of one result each, as XLA's InstructionFusion does when no pass forms multi-output fusions
// (BufferRules::one_result).
//
// An operation is fused into the kernels of all its readers and recomputed in each of them, unless one of these holds;
// then it is the root of a kernel of its own, whose result is stored:
//
//   a reader is not a loop  products, collectives and the caller read the stored value; loops still recompute it
//   it is expensive         special functions, folds, lookups: if several kernels read it, or one kernel reads each
//                           element many times (through a broadcast)
//   it would add traffic    it reads more elements than its result has, from more than one large operand, and cannot be
//                           fused into all of its readers on all paths
//
// Large folds and matrix products run in a library, together with the elementwise float operations around them as long
// as the group has one result: their only readers, and operations that only the group reads. The library reads all its
// inputs from memory, including broadcasts, which are stored at their full size (XLA's LibraryRewriter over YNNPACK).
//
// Example: a residual stream x + y + b, where b is a bias, is recomputed from the products y by everything that reads
// it, so the y of all layers are kept instead of it; without the bias, x + y is stored.
#include <algorithm>

#include "simulate/fusion.h"

namespace partir {
namespace {

/// XLA does not fuse concatenations (along the minor dimension) of this many bytes or more.
constexpr double kConcatenation = 2048;
/// A fold of at least this many elements runs in the library, and so do elementwise operations of that size next to it.
constexpr double kLibrary = 4096;
/// Limit on the number of operations that a path search visits.
constexpr std::size_t kPaths = 512;

std::size_t true_rank(const Type& type) {
  return static_cast<std::size_t>(std::count_if(type->dims.begin(), type->dims.end(), [](auto d) { return d > 1; }));
}

}  // namespace

bool Fusion::expensive(std::uint32_t op) const {
  return g_.cost(op).special > 0 || g_.cost(op).folds || g_.op(op).decl->traits.looks_up;
}

/// True if an operation may read an element many times: lookups, and broadcasts to more elements.
bool Fusion::reads_often(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (op.decl->traits.looks_up) return true;
  return op.decl->traits.repeats && elements_of(f_, op.operands.at(0)) < elements_of(f_, op.results[0]);
}

bool Fusion::fusible(std::uint32_t i) const {
  const Op& op = g_.op(i);
  if (g_.parts[i] == Part::alone || g_.parts[i] == Part::terminator || op.results.size() != 1) return false;
  if (op.decl->traits.update && !op.regions.empty()) return false;  // scatter
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

/// True if an operation can be fused into all its readers, and into every operation on the paths to them.
bool Fusion::on_all_paths(std::uint32_t maker) {
  const auto readers = g_.readers(g_.op(maker).results[0]);
  if (readers.empty()) return true;
  // Everything reachable from it, up to its last reader.
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
  // Walk backwards from the readers.
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
      if (!fuses(m, c) || (m != maker && unfused_[m])) return false;
      if (m != maker) stack.push_back(m);
    }
  }
  return true;
}

/// True for what can run in a library kernel: products and folds that can start one, elementwise float operations with
/// a large operand or result, and broadcasts.
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
    if (members.size() == 1 && g_.parts[start] == Part::alone) continue;  // a single product
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
  unfused_.assign(g_.size(), false);
  std::vector<std::uint32_t> kernel_of(g_.size(), none);  // the kernel that it runs in, or many
  std::vector<bool> reused(g_.size(), false);             // that kernel reads each of its elements many times
  for (std::size_t n = g_.size(); n-- > 0;) {
    const auto i = static_cast<std::uint32_t>(n);
    if (g_.parts[i] == Part::view || g_.parts[i] == Part::terminator) continue;
    if (draft_[i] != none) {  // part of a library kernel
      kernel_of[i] = i;
      continue;
    }
    if (g_.parts[i] == Part::alone || !fusible(i)) {
      begin(i, g_.parts[i] == Part::alone ? 0 : elements_of(f_, g_.op(i).results[0]));
      kernel_of[i] = i;
      continue;
    }
    const ValueId result = g_.op(i).results[0];
    bool stored = g_.barred(result);
    bool recomputed = false;
    std::uint32_t in = none;
    bool often = false;
    for (const std::uint32_t u : g_.readers(result)) {
      if (!fusible(u)) {
        stored = true;
        continue;
      }
      recomputed = true;
      const auto join = [&](std::uint32_t where) { in = in == none || in == where ? where : many; };
      if (draft_[u] != none) join(u);
      if (kernel_of[u] != u && kernel_of[u] != none) join(kernel_of[u]);
      often = often || reads_often(u) || (kernel_of[u] != u && reused[u]);
    }
    if (!stored && !recomputed) continue;  // read by nothing
    const bool duplicated = in == many || (stored && recomputed);
    bool unfused = g_.barred(result);
    if (expensive(i) && g_.parts[i] != Part::recomputed) unfused = unfused || duplicated || often;
    if (!unfused && recomputed && !at_most_unary(i)) unfused = !on_all_paths(i);
    unfused_[i] = unfused;
    double elements = elements_of(f_, result);
    if (g_.parts[i] == Part::fold) {
      for (const ValueId v : g_.op(i).operands) elements = std::max(elements, elements_of(f_, v));
    }
    if (stored || unfused) begin(i, elements);
    kernel_of[i] = unfused || !recomputed ? i : in;
    reused[i] = often;
    if (recomputed && !unfused) g_.parts[i] = Part::recomputed;
  }
}

}  // namespace partir
