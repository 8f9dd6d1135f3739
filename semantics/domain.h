// Scalar domains: what the elements of tensors are and what functions do to them. The same program runs in each.
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

/// One element; which members count follows from its element type and domain: floats in `f` (native) or `u` (modular),
/// signed integers in `i`, unsigned ones and booleans in `u`; the imaginary part of a complex number in `im` or `um`.
struct Scalar {
  union {
    double f = 0;
    std::int64_t i;
    std::uint64_t u;
  };
  union {
    double im = 0;
    std::uint64_t um;
    double error;  ///< error domain: how far the exact value may be
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
  /// into[k] = fn(into[k], x[k]): one of `steps` such steps of a reduction, whose order is open.
  virtual void fold(ScalarFn fn, ElementType type, const Scalar* x, std::size_t n, double steps, Scalar* into) const;
  [[nodiscard]] virtual Scalar from_index(std::int64_t index, ElementType type) const = 0;
  [[nodiscard]] virtual Scalar from_literal(const Literal& literal, std::int64_t position) const = 0;
  /// A pseudo-random element; integers from 0 to 3, booleans 0 or 1.
  [[nodiscard]] virtual Scalar random(std::uint64_t bits, ElementType type) const = 0;
  /// For reports and comparisons; modular values as they are represented.
  [[nodiscard]] virtual double to_double(Scalar value, ElementType type) const = 0;
  [[nodiscard]] virtual std::complex<double> to_complex(Scalar value, ElementType type) const = 0;
  [[nodiscard]] virtual bool equal(Scalar a, Scalar b, ElementType type) const = 0;
  /// An integer or boolean that decides what is run: a position, a predicate, a trip count.
  [[nodiscard]] virtual std::int64_t position(Scalar value) const { return value.i; }
  [[nodiscard]] virtual std::string_view name() const = 0;
};

/// The program's own types: floats rounded to their format after each function, integers wrap.
const Domain& native_domain();
/// Floats in double precision without further rounding; integers wrap.
const Domain& f64_domain();
/// Floats as integers modulo 2^61 - 1, where sums and products are exact; functions that are not rational are
/// uninterpreted (a hash of their arguments), so equality of results means equality for almost all inputs.
const Domain& modular_domain();
/// Floats as exact rational numbers; a function without a rational value is refused (code "unsupported").
const Domain& rational_domain();
/// Native values with a running bound of their error in Scalar::error (domain_error.cpp says what it follows).
const Domain& error_domain();
/// The same, but refuses (with the code kUndecided) a predicate, a position or a trip count that rounding could turn.
const Domain& decided_error_domain();
inline constexpr const char* kUndecided = "undecided";
/// By name: native, f64, modular, rational.
Result<const Domain*> domain_named(std::string_view name);

/// The integer that the low bits stand for in a type (sign-extended for signed ones).
std::int64_t wrap(std::uint64_t bits, ElementType type);
/// Rounds to a floating-point format.
double round_to(double value, ElementType type);

}  // namespace partir
