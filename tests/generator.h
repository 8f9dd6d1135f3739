// Random well-formed programs, meshes and schedules, generated from a list of numbers. The same numbers give the same
// case, and smaller lists and numbers give smaller cases, so that a property test can shrink them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace partir {

struct GeneratedCase {
  std::string program;   ///< StableHLO text
  std::string mesh;      ///< "a=2,b=3", or with device ids
  std::string schedule;  ///< JSON
};

/// Generates programs over integers or floats of the operations that partition (elementwise, compare, select, convert,
/// constant, iota, broadcast_in_dim, reshape, transpose, reverse, slice, pad, concatenate, dynamic_slice,
/// dynamic_update_slice, reduce, dot_general, gather, scatter, and counted loops, branches and barriers around them)
/// with ranks up to 4, meshes of up to 3 axes, and schedules of up to 4 tactics. Explicit tilings divide the sizes that
/// earlier ones leave; a tactic may still be refused where propagation has used up a dimension. Each number in
/// `choices` decides one thing, and when they run out, the smallest choice is made. With `uneven`, tactics tile any
/// dimension, whether its axis divides it or not.
GeneratedCase generate(const std::vector<std::uint32_t>& choices, bool uneven = false);

}  // namespace partir
