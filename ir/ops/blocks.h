// A value in n blocks along a dimension, [.., n, size / n, ..], and what stands beside a block: what operations that
// reach beyond a device's chunk are written with (ir/ops/decomposition.h).
#pragma once

#include <optional>

#include "ir/ops/decomposition.h"

namespace partir::ops {

/// Along a dimension, the blocks' number stands at `dim`, places in a block at `dim` + 1.
class Blocks {
 public:
  Blocks(Decomposition& d, Dim dim, std::int64_t n) : d_(d), dim_(dim), n_(n) {}

  /// [.., size, ..] as [.., n, size / n, ..].
  ValueId split(ValueId x);
  /// Back from there.
  ValueId merge(ValueId blocks);
  /// Places from `first` up to `end` of each block, counted from its start: those below 0 are of blocks before, those
  /// beyond its size of blocks behind. `filling`, a scalar, stands where there is no block; nothing: zeros.
  ///
  /// Of [[1, 2], [3, 4]] from -1 to 2: [[0, 1, 2], [2, 3, 4]].
  ValueId places(ValueId blocks, std::int64_t first, std::int64_t end, std::optional<ValueId> filling = std::nullopt);

 private:
  ValueId of_block(ValueId piece, std::int64_t distance, std::optional<ValueId> filling);

  Decomposition& d_;
  Dim dim_;
  std::int64_t n_;
};

/// The list with a number more at k; an empty list is ones.
std::vector<std::int64_t> with_one(std::vector<std::int64_t> list, std::size_t k, std::size_t count,
                                   std::int64_t number);

}  // namespace partir::ops
