// Conversion between distributed types: slices first, then all_to_alls, gathers last (after arXiv 2112.01075). Not yet
// its normal form: where axes swap places on a dimension, an intermediate can be larger than source and target.
#pragma once

#include <vector>

#include "ir/distributed_type.h"

namespace partir {

/// One collective, or a local slice, from one distributed type to the next.
struct Conversion {
  enum class Kind : std::uint8_t { all_slice, all_to_all, all_gather };
  Kind kind = Kind::all_slice;
  std::vector<Axis> axes;  ///< major first
  Dim from = 0;            ///< the dimension that loses the axes (all_to_all, all_gather)
  Dim to = 0;              ///< the dimension that gets them (all_to_all, all_slice)
  DistributedType after;
};

/// Steps from `source` to `target`; both without partial axes and dividing the global shape. Axes of a dimension are
/// sliced in order and gathered in reverse, so only suffixes change.
std::vector<Conversion> redistribution(const DistributedType& source, const DistributedType& target);

}  // namespace partir
