// Scalar domains: representations of tensor elements, and the functions on them. The interpreters can run the same
// program in each domain: as the program's own types, in f64, modulo a prime, as exact rationals, or with error bounds.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ir/literal.h"
#include "ir/scalar_fn.h"
#include "support/diagnostic.h"

namespace partir {

/// One element. Its element type and the domain determine which members are used: floats are in `f` (native) or `u`
/// (modular), signed integers in `i`, unsigned integers and booleans in `u`, the imaginary part of a complex number in
/// `im` or `um`.
struct Scalar {
  union {
    double f = 0;
    std::int64_t i;
    std::uint64_t u;
  };
  union {
    double im = 0;
    std::uint64_t um;
    double error;  ///< error domain: a bound on the distance to the exact value
    std::int64_t scale;
  };
};

class Domain {
 public:
  virtual ~Domain() = default;

  /// out[k] = fn(args[0][k], …) for k < n. `in` is the element type of the arguments (of the values, for select),
  /// `type` that of the result. `out` may be one of the arguments.
  virtual void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
                     Scalar* out) const = 0;
  /// into[k] = fn(into[k], x[k]), one of `steps` such steps of a reduction whose order is unspecified.
  virtual void fold(ScalarFn fn, ElementType type, const Scalar* x, std::size_t n, double steps, Scalar* into) const;
  [[nodiscard]] virtual Scalar from_index(std::int64_t index, ElementType type) const = 0;
  [[nodiscard]] virtual Scalar from_literal(const Literal& literal, std::int64_t position) const = 0;
  /// A pseudo-random element: floats in [-1, 1) in native domains, integers from 0 to 3 (2-bit types: 0 or 1),
  /// booleans.
  [[nodiscard]] virtual Scalar random(std::uint64_t bits, ElementType type) const = 0;
  /// The value for reports and comparisons; modular values are returned as they are represented.
  [[nodiscard]] virtual double to_double(Scalar value, ElementType type) const = 0;
  [[nodiscard]] virtual std::complex<double> to_complex(Scalar value, ElementType type) const = 0;
  [[nodiscard]] virtual bool equal(Scalar a, Scalar b, ElementType type) const = 0;
  /// The value of an integer or boolean that controls execution: a position, a predicate, a trip count.
  [[nodiscard]] virtual std::int64_t position(Scalar value) const { return value.i; }
  [[nodiscard]] virtual std::string_view name() const = 0;
};

/// The program's own types: floats are rounded to their format after each function, integers wrap.
const Domain& native_domain();
/// Floats in double precision without further rounding; integers wrap.
const Domain& f64_domain();
/// Floats as integers modulo 2^61 - 1, where sums and products are exact. Functions that are not rational are
/// uninterpreted (a hash of their arguments), so equal results indicate equality for almost all inputs.
const Domain& modular_domain();
/// Floats as exact rational numbers; a function without a rational value is an error (code "unsupported").
const Domain& rational_domain();
/// Native values with a running error bound in Scalar::error (domain_error.cpp states the rules).
const Domain& error_domain();
/// As error_domain, but a predicate, position or trip count that rounding could change is an error (code kUndecided).
const Domain& decided_error_domain();
inline constexpr const char* kUndecided = "undecided";
/// The domain with this name: native, f64, modular or rational.
Result<const Domain*> domain_named(std::string_view name);

/// The integer of this type that the low bits represent (sign-extended for signed types).
std::int64_t wrap(std::uint64_t bits, ElementType type);
/// Rounds a value to a floating-point format.
double round_to(double value, ElementType type);

}  // namespace partir
