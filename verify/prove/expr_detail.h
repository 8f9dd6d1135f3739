// What the files of normal forms share and others do not need.
#pragma once

#include "verify/prove/expr.h"

namespace partir::prove {

constexpr std::size_t kMaxTerms = 600;

/// Of coefficients. Throws GiveUp where 64 bits do not hold them.
inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw GiveUp{"a coefficient beyond 64 bits"};
  return out;
}
inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) throw GiveUp{"a coefficient beyond 64 bits"};
  return out;
}

bool contains(const Factor& f, AtomId a, const Context& c);
inline bool is_guard(const Factor& f) { return f.kind == Factor::Kind::guard || f.kind == Factor::Kind::guard_eq; }
/// A guard in one form: p = 0 and -p = 0 say the same, and so does t = max(a, b) as t = a where t > b.
Factor settled(Factor guard, Context& c);
enum class Holds : std::uint8_t { always, never, unknown };
Holds holds(const Factor& guard, Context& c);

}  // namespace partir::prove
