// Splits a value into n blocks along a dimension, [.., n, size / n, ..], and reads the rows that neighbouring blocks
// hold. Operations that reach beyond a device's chunk (windows, pads, reversals, concatenations) are decomposed in this
// form, in which the dimension of block numbers is the tiled one. See ir/ops/decomposition.h.
#pragma once

#include <optional>

#include "ir/ops/decomposition.h"

namespace partir::ops {

/// Converts values between their own form and blocks along dimension `dim`. In blocks, dimension `dim` holds the number
/// of the block, and `dim` + 1 the position inside the block.
class Blocks {
 public:
  Blocks(Decomposition& d, Dim dim, std::int64_t n) : d_(d), dim_(dim), n_(n) {}

  /// Reshapes [.., size, ..] to [.., n, size / n, ..]; n must divide the size.
  ValueId split(ValueId x);
  /// Inverse of `split`: merges dimensions `dim` and `dim` + 1.
  ValueId merge(ValueId blocks);
  /// Returns positions `first` to `end` (exclusive) of each block, counted from the start of the block. Positions below
  /// 0 are read from earlier blocks, positions from the block's size on from later ones. Positions for which there is
  /// no block hold the scalar `filling`, or zero if it is not set.
  ///
  /// Example: positions -1 to 2 of the blocks [[1, 2], [3, 4]] are [[0, 1, 2], [2, 3, 4]].
  ValueId places(ValueId blocks, std::int64_t first, std::int64_t end, std::optional<ValueId> filling = std::nullopt);
  /// The same for positions that move from block to block: block b returns `size` positions from first + b * step on.
  /// Used where the blocks of a result are larger or smaller than those of the operand.
  ///
  /// Example: with first = 0, step = 1 and size = 3, the blocks [[1, 2], [3, 4]] become [[1, 2, 3], [4, 0, 0]].
  ValueId moving_places(ValueId blocks, std::int64_t first, std::int64_t step, std::int64_t size,
                        std::optional<ValueId> filling = std::nullopt);

 private:
  ValueId neighbour_piece(ValueId piece, std::int64_t distance, std::optional<ValueId> filling);

  Decomposition& d_;
  Dim dim_;
  std::int64_t n_;
};

/// Resizes the list to `count` elements, new ones being 1, and inserts `number` at index k. Example: with_one({}, 1, 2,
/// 5) is {1, 5, 1}.
std::vector<std::int64_t> with_one(std::vector<std::int64_t> list, std::size_t k, std::size_t count,
                                   std::int64_t number);

}  // namespace partir::ops
