// Decompositions that merge the results of blocks (ir/ops/merges.h). Worked example: top_k with k = 1 of [3, 9, 4, 7]
// in 2 blocks takes 9 and 7 from the blocks, at positions 1 and 3 of the dimension. The largest of [9, 7] is its
// element 0, whose position, 1, is looked up among [1, 3].
#include "ir/ops/merges.h"

#include <algorithm>

#include "ir/choices.h"
#include "ir/ops/blocks.h"
#include "ir/ops/common.h"

namespace partir::ops {
namespace {

/// Whether the blocks may be folded separately (folds_in_blocks).
bool blocks_fold_separately(const OpInstance& op) {
  const std::size_t count = op.results.size();
  std::vector<bool> zeros;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t initial = count + k;
    const LiteralPtr known = initial < op.splats.size() ? op.splats[initial] : nullptr;
    if (op.results[k]->element != op.operands[k]->element) return false;
    zeros.push_back(is_float(op.results[k]->element) && (known == nullptr || known->as_double(0) == 0));
  }
  const Meaning meaning = meaning_of(op);
  return folds_in_blocks(meaning, meaning.at(meaning.results[0].body).combine, zeros);
}

/// Whether no collective reduces the blocks' results by the operation's monoid. Such monoids are idempotent, so the
/// initial value may enter n times.
bool is_without_collective(const OpInstance& op) {
  const ElementType element = op.results[0]->element;
  return op.operands[0]->element == element && !has_collective(*op.monoid(), element);
}

}  // namespace

std::optional<Function> fold_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const std::size_t count = op.results.size();
  const auto& dims = op.ints("dimensions");
  const auto k = static_cast<std::int64_t>(dim);
  if (operand >= count || n < 2 || !contains(dims, k) || op.operands[0]->dims[dim] % n != 0 ||
      op.operands[0]->dims[dim] == n || !is_closed(op) || !has_meaning(op))
    return std::nullopt;
  const bool first = *std::min_element(dims.begin(), dims.end()) == k;
  // Elements are folded in the order of the reduced dimensions; only along the first of these are the blocks in order.
  if (op.monoid() ? !is_without_collective(op) : !first || !blocks_fold_separately(op)) return std::nullopt;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  const auto fold = [&](std::vector<ValueId> operands, std::vector<std::int64_t> over, std::vector<Type> results) {
    for (std::size_t v = 0; v < count; ++v) operands.push_back(d.operand(count + v));
    AttributeList attributes = op.attributes;
    set(attributes, "dimensions", {IntsAttr{std::move(over)}});
    return d.builder()
        .append(op.decl, std::move(operands), std::move(attributes), std::move(results), d.regions())
        .results;
  };
  std::vector<ValueId> operands;
  std::vector<std::int64_t> inside;
  std::vector<Type> totals;
  for (std::size_t v = 0; v < count; ++v) operands.push_back(blocks.split(d.operand(v)));
  for (const std::int64_t r : dims) inside.push_back(r < k ? r : r + 1);
  const auto place = k - std::count_if(dims.begin(), dims.end(), [&](std::int64_t r) { return r < k; });
  for (const Type& t : op.results) totals.emplace_back(t->with_dims(with_one(t->dims, at(place), t->dims.size(), n)));
  return d.done(fold(fold(std::move(operands), std::move(inside), std::move(totals)), {place}, op.results));
}

std::optional<Function> top_k_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const TensorType& places = *op.results[1];
  const std::int64_t k = op.integer("k");
  if (operand != 0 || dim + 1 != x.rank() || n < 2 || x.dims[dim] % n != 0 || k < 1 || x.dims[dim] / n <= k ||
      !counts(places.element, x.dims[dim]))
    return std::nullopt;
  const std::int64_t size = x.dims[dim] / n;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  Builder& b = d.builder();
  const auto largest = [&](ValueId of) {
    std::vector<std::int64_t> dims = d.type(of).dims;
    dims.back() = k;
    return b.append(op.decl, {of}, op.attributes, {x.with_dims(dims), places.with_dims(dims)}).results;
  };
  const std::vector<ValueId> of_block = largest(blocks.split(d.operand(0)));
  const TensorType wide = d.type(of_block[1]);
  const TensorType line = places.with_dims({n});
  const ValueId starts = b.multiply(b.iota(line, 0), b.constant(line, size));
  const ValueId everywhere = b.broadcast_in_dim(starts, {static_cast<std::int64_t>(dim)}, wide.dims);
  const ValueId candidates = blocks.merge(b.add(of_block[1], everywhere));
  const std::vector<ValueId> best = largest(blocks.merge(of_block[0]));
  const std::vector<std::int64_t> batch = numbers(dim);
  const auto last = static_cast<std::int64_t>(dim);
  const ValueId looked_up = d.gather(candidates, best[1],
                                     {{"collapsed_slice_dims", {last}},
                                      {"operand_batching_dims", batch},
                                      {"start_indices_batching_dims", batch},
                                      {"start_index_map", {last}}},
                                     std::vector<std::int64_t>(x.rank(), 1), false, places);
  return d.done({best[0], looked_up});
}

std::optional<Function> fold_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const std::size_t count = op.results.size();
  const std::int64_t own = op.operands[0]->dims.at(dim);
  if (operand >= count || !contains(op.ints("dimensions"), static_cast<std::int64_t>(dim)) || own == 0 || op.monoid() ||
      !is_closed(op) || !has_meaning(op) || !blocks_fold_separately(op))
    return std::nullopt;
  OpInstance wide = op;
  for (std::size_t v = 0; v < count; ++v) wide.operands[v]->dims[dim] = size;
  Decomposition d(wide);
  std::vector<ValueId> operands;
  for (std::size_t v = 0; v < count; ++v) operands.push_back(d.masked(d.operand(v), dim, own, d.operand(count + v)));
  for (std::size_t v = 0; v < count; ++v) operands.push_back(d.operand(count + v));
  return d.done(d.builder().append(op.decl, std::move(operands), op.attributes, op.results, d.regions()).results);
}

std::optional<Function> top_k_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const LiteralPtr least = least_splat({op.operands[0]->element, {}});
  if (operand != 0 || dim + 1 != op.operands[0].rank() || least == nullptr) return std::nullopt;
  OpInstance wide = op;
  wide.operands[0]->dims[dim] = size;
  Decomposition d(wide);
  const ValueId x = d.masked(d.operand(0), dim, op.operands[0]->dims[dim], d.builder().constant(least));
  return d.done(d.builder().append(op.decl, {x}, op.attributes, op.results).results);
}

}  // namespace partir::ops
