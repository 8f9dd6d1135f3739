// Values that are known to be zero everywhere.
#pragma once

#include <algorithm>

#include "ir/literal.h"

namespace partir {

/// Whether the scalar that all elements are known to be (ir/splat.h; null: nothing is known) is the number 0 and all of
/// its bits are: it is not -0.0, nor is it the smallest number of f8E8M0FNU, which has no zero.
inline bool is_zeros(const LiteralPtr& scalar) {
  if (scalar == nullptr) return false;
  const bool no_bits = std::all_of(scalar->bytes.begin(), scalar->bytes.end(), [](std::uint8_t b) { return b == 0; });
  return no_bits && (!is_float(scalar->type.element) || scalar->as_double(0) == 0);
}

}  // namespace partir
