// Numbers of element types, for the replayer: integers wrap at their width, floats are doubles.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/action.h"
#include "ir/scalar_fn.h"
#include "ir/types.h"

namespace partir::replay {

/// A number of a type: integers, booleans and indices are whole, others have parts. Or nothing: a function outside of
/// its domain, an index of an empty range.
class Number {
 public:
  Number() = default;
  Number(std::complex<double> value) : parts_(value) {}  // NOLINT: numbers are numbers
  Number(double value) : parts_(value) {}                // NOLINT
  static Number whole(std::int64_t value) {
    Number out;
    out.whole_ = value;
    return out;
  }
  static Number nothing();

  [[nodiscard]] bool is_whole() const { return whole_.has_value(); }
  [[nodiscard]] bool is_nothing() const;
  [[nodiscard]] std::complex<double> parts() const;
  /// The integer that it is; of floats the nearest.
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double magnitude() const { return std::abs(parts()); }

  friend bool operator==(const Number&, const Number&) = default;

 private:
  std::complex<double> parts_;
  std::optional<std::int64_t> whole_;
};

/// The integer of a type that the low bits of a number are.
std::int64_t wrapped(std::int64_t bits, ElementType type);
/// The number of a type that an index is, or a number of another type that holds the same ones.
Number as(const Number& x, ElementType type);
/// Values of one type combined. Nothing where integers that never wrap would.
Number joined(Monoid m, const std::vector<Number>& values, ElementType type);
/// A function of values, of their types, with a result of `type`.
Number function_of(ScalarFn fn, const std::vector<Number>& args, const std::vector<ElementType>& types,
                   ElementType type);

/// Above and below all that occurs, and with room in a double for what is added to it: stands for infinity.
inline constexpr double kHighest = 1099511627776.0;  // 2^40

}  // namespace partir::replay
