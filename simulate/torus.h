// Mesh axes on the dimensions of a torus.
#pragma once

#include "simulate/network.h"

namespace partir {

/// Lengths of k dimensions that multiply to n, as near to each other as can be, ascending: (12, 3) -> 2, 2, 3.
std::vector<std::int64_t> near_cube(std::int64_t n, std::int64_t k, std::int64_t least = 1);

/// Bytes a second by which a device of a torus' segment takes in what others hold, efficiency apart.
double rate_of(const Segment& segment);

/// Segments of axes of these sizes, innermost first, on one torus; `lengths` are its dimensions', or, when empty, those
/// of a torus near to a cube. Where that is a poor one an axis is taken as if it were larger: 13 devices lie in 4x4,
/// not in a line of 13. Without lengths it always succeeds; `first_resource` is the bit of the first dimension.
std::vector<Segment> on_torus(const Link& link, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& lengths, unsigned first_resource);

}  // namespace partir
