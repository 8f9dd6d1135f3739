// Recognises values that are known to be zero everywhere.
#pragma once

#include <algorithm>

#include "ir/literal.h"

namespace partir {

/// True if the scalar that all elements are known to equal (ir/splat.h; null: unknown) is the number 0 with all bits
/// zero. This excludes -0.0, and the smallest number of f8E8M0FNU, whose bits are zero in a format without a zero.
inline bool is_zeros(const LiteralPtr& scalar) {
  if (scalar == nullptr) return false;
  const bool no_bits = std::all_of(scalar->bytes.begin(), scalar->bytes.end(), [](std::uint8_t b) { return b == 0; });
  return no_bits && (!is_float(scalar->type.element) || scalar->as_double(0) == 0);
}

}  // namespace partir
