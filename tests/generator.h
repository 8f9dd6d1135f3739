// Random well-formed programs, meshes and schedules, from a list of numbers: the same numbers give the same case, and
// smaller lists and numbers give smaller cases, so that a property test can shrink them.
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

/// Programs over integers or floats of the operations that partition (elementwise, compare, select, convert, constant,
/// iota, broadcast_in_dim, reshape, transpose, reverse, slice, pad, concatenate, dynamic_slice, dynamic_update_slice,
/// reduce, dot_general, gather, scatter, and counted loops, branches and barriers around them), ranks to 4; meshes to 3
/// axes; schedules to 4 tactics, every one of which can be applied. Each number of `choices` decides one thing; when
/// they run out, the smallest choice is made. `uneven`: tactics take any dimensions, whether axes divide them or not.
GeneratedCase generate(const std::vector<std::uint32_t>& choices, bool uneven = false);

}  // namespace partir
