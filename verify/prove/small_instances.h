// A cross-check of complete claims: both programs are interpreted symbolically, over Z3's terms, at the claim's
// smallest sizes, and Z3 decides whether they are equal for all inputs. Integers are bit-vectors of their width, floats
// are real numbers. No code of the prover is involved.
#pragma once

#include <cstddef>
#include <string>

#include "verify/prove/claim.h"

namespace partir::prove {

struct SmallInstances {
  std::size_t equal = 0;     ///< choices of sizes at which both sides are equal for all inputs
  std::size_t drawn = 0;     ///< those among them with drawn (concrete) integer inputs, which determine positions
  std::size_t open = 0;      ///< those with no answer, or with a difference that running both sides does not confirm
  std::string why_open;      ///< reason for the last of these
  std::string disagreement;  ///< inputs at which the sides differ when run in double precision; empty if none
};

/// Checks the claim at the smallest sizes at which the source is well-formed, and at the smallest with all symbols
/// above 1. Bounded by Z3's resource limit and by the number of elements; takes milliseconds for most claims.
SmallInstances small_instances(const Claim& claim);

}  // namespace partir::prove
