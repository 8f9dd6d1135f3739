// A second answer about a claim as a whole: both programs at the claim's smallest sizes, interpreted over Z3's terms,
// are they equal for all inputs? Integers are bit-vectors of their width, floats real numbers; nothing of the prover is
// asked.
#pragma once

#include <cstddef>
#include <string>

#include "verify/prove/claim.h"

namespace partir::prove {

struct SmallInstances {
  std::size_t equal = 0;     ///< choices of sizes at which both sides are equal for all inputs
  std::size_t drawn = 0;     ///< of these, where integer inputs were drawn: positions follow from them
  std::size_t open = 0;      ///< at which Z3 has no answer, or one that no run of both sides shows
  std::string why_open;      ///< of the last of these
  std::string disagreement;  ///< inputs at which the sides differ, run in double precision; empty if none
};

/// Asks about the smallest sizes at which the source is well-formed, and about the smallest with all symbols above 1.
/// Bounded by Z3's resources and by the number of elements; cost: milliseconds for most claims.
SmallInstances small_instances(const Claim& claim);

}  // namespace partir::prove
