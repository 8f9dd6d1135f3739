// How Z3Domain (z3_domain.h) encodes values without a Z3 term (infinities, NaN, known integers) in a Scalar.
#pragma once

#include "semantics/domain.h"

namespace partir::prove {

/// A float's second word (Scalar::um): which non-number it is, or 0 for a real number. For integers and booleans, the
/// second word is the number of their term, counted from 1, or 0 if they are concrete.
enum class NoNumber : std::uint64_t { none, lowest, highest, nan };

inline bool has_parts(ElementType type) { return is_float(type) || is_complex(type); }

inline NoNumber no_number(const Scalar& s, ElementType type) {
  return is_float(type) ? static_cast<NoNumber>(s.um) : NoNumber::none;
}

inline Scalar infinite(NoNumber what) {
  Scalar out{};
  out.u = 0;
  out.um = static_cast<std::uint64_t>(what);
  return out;
}

inline Scalar known(std::uint64_t bits) {
  Scalar out{};
  out.u = bits;
  out.um = 0;
  return out;
}

inline bool is_known(const Scalar& s, ElementType type) { return !has_parts(type) && s.um == 0; }

}  // namespace partir::prove
