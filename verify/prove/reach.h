// The assumptions of a proof that its verdict reports after the sizes and inputs: the arithmetic on floats, the bound
// on dimensions, and discontinuous operations.
#pragma once

#include <set>
#include <string>

#include "verify/prove/laws.h"

namespace partir::prove {

/// The assumptions under which a proof holds, for all its sizes and inputs.
struct Reach {
  Arithmetic arithmetic = Arithmetic::bits;  ///< bit-exact floats, or real numbers (reassociated)
  bool sizes_of_32_bits = false;             ///< dimensions are assumed to be below 2^31
  std::set<std::string> jumps{};             ///< discontinuous operations that read reassociated values

  /// Adds the assumptions of another proof.
  void also(const Reach& other) {
    if (other.arithmetic == Arithmetic::reals) arithmetic = Arithmetic::reals;
    sizes_of_32_bits = sizes_of_32_bits || other.sizes_of_32_bits;
    jumps.insert(other.jumps.begin(), other.jumps.end());
  }
  /// "bit-exact", "jumps of stablehlo.floor; over the reals, reassociated; dimensions below 2^31".
  [[nodiscard]] std::string text() const;
};

/// Returns "jumps of stablehlo.compare, stablehlo.floor; ": the operations at which rounding may change the result of a
/// proof over the reals. Returns "" if there are none.
std::string text_of_jumps(const std::set<std::string>& jumps);

}  // namespace partir::prove
