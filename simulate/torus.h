// Assigns mesh axes to the dimensions of a torus. Used by simulate/network.cpp.
#pragma once

#include "simulate/network.h"

namespace partir {

/// Returns the ascending lengths of k dimensions, each at least `least`, whose product is n and which are as equal as
/// possible: (12, 3) -> 2, 2, 3.
std::vector<std::int64_t> near_cube(std::int64_t n, std::int64_t k, std::int64_t least = 1);

/// Bytes per second at which a device of a segment on a ring or torus receives data, before the efficiency is applied.
double rate_of(const Segment& segment);

/// Returns the segments of axes of these sizes, innermost first, on one torus. `lengths` are those of its dimensions;
/// if empty, the torus is as near to a cube as possible, and an axis counts as larger where that gives a better torus:
/// 13 devices are placed in 4x4, not in a line of 13. Returns an empty vector if the axes do not fit `lengths`; without
/// lengths it always succeeds. `first_resource` is the bit of the first dimension in Segment::resources.
std::vector<Segment> on_torus(const Link& link, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& lengths, unsigned first_resource);

}  // namespace partir
