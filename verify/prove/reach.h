// How far a proof reaches: what its verdict says beside sizes and inputs.
#pragma once

#include <set>
#include <string>

#include "verify/prove/laws.h"

namespace partir::prove {

/// How far a proof reaches beyond sizes and inputs.
struct Reach {
  Arithmetic arithmetic = Arithmetic::bits;  ///< of floats: as they are, or as real numbers, reassociated
  bool sizes_of_32_bits = false;             ///< dimensions are numbers of 32 bits with a sign
  std::set<std::string> jumps{};             ///< operations that jump and read what was reassociated

  /// What both say together.
  void also(const Reach& other) {
    if (other.arithmetic == Arithmetic::reals) arithmetic = Arithmetic::reals;
    sizes_of_32_bits = sizes_of_32_bits || other.sizes_of_32_bits;
    jumps.insert(other.jumps.begin(), other.jumps.end());
  }
  /// "bit-exact", "jumps of stablehlo.floor; over the reals, reassociated; dimensions below 2^31".
  [[nodiscard]] std::string text() const;
};

/// "jumps of stablehlo.compare, stablehlo.floor; ", of which proofs over the reals say that rounding may decide there;
/// nothing where there are none.
std::string text_of_jumps(const std::set<std::string>& jumps);

}  // namespace partir::prove
