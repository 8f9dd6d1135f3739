#include "ir/ops/blocks.h"

#include <algorithm>

#include "ir/ops/common.h"
#include "support/checked.h"

namespace partir::ops {

ValueId Blocks::split(ValueId x) {
  std::vector<std::int64_t> dims = d_.type(x).dims;
  dims[dim_] /= n_;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(dim_), n_);
  return d_.builder().reshape(x, std::move(dims));
}

ValueId Blocks::merge(ValueId blocks) {
  std::vector<std::int64_t> dims = d_.type(blocks).dims;
  dims[dim_] *= dims[dim_ + 1];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dim_) + 1);
  return d_.builder().reshape(blocks, std::move(dims));
}

ValueId Blocks::places(ValueId blocks, std::int64_t first, std::int64_t end, std::optional<ValueId> filling) {
  const TensorType type = d_.type(blocks);
  const std::int64_t size = type.dims[dim_ + 1];
  std::vector<ValueId> pieces;
  for (std::int64_t k = floor_divide(first, size); k * size < end; ++k) {
    const std::int64_t start = std::max<std::int64_t>(first - k * size, 0);
    const std::int64_t limit = std::min(end - k * size, size);
    const bool all = start == 0 && limit == size;
    const ValueId piece = all ? blocks : d_.builder().slice_along(blocks, dim_ + 1, start, limit);
    pieces.push_back(neighbour_piece(piece, k, filling));
  }
  return pieces.size() == 1 ? pieces[0] : d_.builder().concatenate(pieces, dim_ + 1);
}

ValueId Blocks::moving_places(ValueId blocks, std::int64_t first, std::int64_t step, std::int64_t size,
                              std::optional<ValueId> filling) {
  const std::int64_t last = first + (n_ - 1) * step;
  const std::int64_t begin = std::min(first, last);
  const ValueId all = places(blocks, begin, std::max(first, last) + size, filling);
  Builder& b = d_.builder();
  const TensorType line{ElementType::i32, {n_}};
  const ValueId starts = b.add(b.multiply(b.iota(line, 0), b.constant(line, step)), b.constant(line, first - begin));
  TensorType out = d_.type(all);
  out.dims[dim_ + 1] = size;
  std::vector<std::int64_t> sizes = out.dims;
  sizes[dim_] = 1;
  const auto k = static_cast<std::int64_t>(dim_);
  std::vector<std::int64_t> offsets = numbers(out.rank());
  offsets.erase(offsets.begin() + k);
  return d_.gather(all, starts,
                   {{"offset_dims", std::move(offsets)},
                    {"operand_batching_dims", {k}},
                    {"start_indices_batching_dims", {0}},
                    {"start_index_map", {k + 1}}},
                   std::move(sizes), false, out);
}

/// Returns, for each block b, the piece of block b + `distance`; if there is no such block, `filling`, or zeros if that
/// is not set.
ValueId Blocks::neighbour_piece(ValueId piece, std::int64_t distance, std::optional<ValueId> filling) {
  if (distance == 0) return piece;
  Builder& b = d_.builder();
  const TensorType type = d_.type(piece);
  const bool none = std::abs(distance) >= n_;
  ValueId moved;
  if (none) {
    if (!filling) return b.constant(type, 0);
  } else {
    std::vector<std::int64_t> low(type.rank(), 0);
    std::vector<std::int64_t> high(type.rank(), 0);
    low[dim_] = -distance;
    high[dim_] = distance;
    moved = b.pad(piece, b.constant({type.element, {}}, 0), low, high);
    if (!filling) return moved;
  }
  const ValueId outside = b.broadcast_in_dim(*filling, {}, type.dims);
  if (none) return outside;
  const TensorType line{ElementType::i32, {n_}};
  const ValueId block = b.iota(line, 0);
  const ValueId is_there = distance < 0 ? b.compare("GE", block, b.constant(line, -distance))
                                        : b.compare("LT", block, b.constant(line, n_ - distance));
  return b.select(b.broadcast_in_dim(is_there, {static_cast<std::int64_t>(dim_)}, type.dims), moved, outside);
}

std::vector<std::int64_t> with_one(std::vector<std::int64_t> list, std::size_t k, std::size_t count,
                                   std::int64_t number) {
  list.resize(count, 1);
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(k), number);
  return list;
}

}  // namespace partir::ops
