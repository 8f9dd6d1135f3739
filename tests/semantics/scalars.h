// Scalars of a domain, and functions applied to them, for tests of the domains.
#pragma once

#include <bit>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "semantics/domain.h"

namespace partir::testing {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Returns a number that is uniform over the full range, by SplitMix64; RapidCheck's own seeds are small in its first
/// cases.
inline std::uint64_t mixed(std::uint64_t seed) {
  seed += 0x9e3779b97f4a7c15;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}
/// Returns a number in [low, high).
inline double uniform(std::uint64_t seed, double low, double high) {
  return low + (high - low) * static_cast<double>(mixed(seed) >> 11) * 0x1p-53;
}

inline Scalar of_float(double v) {
  Scalar s{};
  s.f = v;
  return s;
}
inline Scalar of_int(std::int64_t v) {
  Scalar s{};
  s.i = v;
  return s;
}
inline Scalar of_complex(std::complex<double> v) {
  Scalar s = of_float(v.real());
  s.im = v.imag();
  return s;
}

inline Scalar applied(const Domain& domain, ScalarFn fn, ElementType in, ElementType out,
                      const std::vector<Scalar>& values) {
  std::vector<const Scalar*> args;
  for (const Scalar& v : values) args.push_back(&v);
  Scalar result{};
  domain.apply(fn, in, out, args.data(), 1, &result);
  return result;
}

/// Returns a number in a domain's representation.
inline Scalar constant(const Domain& domain, std::complex<double> v, ElementType type) {
  const double parts[] = {v.real(), v.imag()};
  const ElementType wide = is_complex(type) ? ElementType::c128 : ElementType::f64;
  Literal l{TensorType{wide, {}}, true, std::vector<std::uint8_t>(byte_width(wide))};
  std::memcpy(l.bytes.data(), parts, l.bytes.size());
  return applied(domain, ScalarFn::convert, wide, type, {domain.from_literal(l, 0)});
}

}  // namespace partir::testing
