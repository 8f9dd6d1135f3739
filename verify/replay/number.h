// The replayer's numbers and their arithmetic, typed by element type: integers wrap at their width, floats are doubles.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/action.h"
#include "ir/scalar_fn.h"
#include "ir/types.h"

namespace partir::replay {

/// A number of an element type. Integers, booleans and indices are whole numbers; others have a real and an imaginary
/// part. A number can also be `nothing`: the result of a function outside its domain, or an index of an empty range.
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
  /// Returns the number as an integer; floats are rounded to the nearest.
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double magnitude() const { return std::abs(parts()); }

  friend bool operator==(const Number&, const Number&) = default;

 private:
  std::complex<double> parts_;
  std::optional<std::int64_t> whole_;
};

/// Returns the integer of a type that has the low bits of `bits`: 255 as i8 is -1.
std::int64_t wrapped(std::int64_t bits, ElementType type);
/// Converts an index, or a number of another type with the same values, to the type.
Number as(const Number& x, ElementType type);
/// Combines values of one type by a monoid. Returns nothing if an index, which never wraps, overflows.
Number joined(Monoid m, const std::vector<Number>& values, ElementType type);
/// Applies a function to values of the given types; the result has type `type`.
Number function_of(ScalarFn fn, const std::vector<Number>& args, const std::vector<ElementType>& types,
                   ElementType type);

/// Represents infinity: larger than any number that occurs, yet small enough to add such numbers exactly in a double.
inline constexpr double kHighest = 1099511627776.0;  // 2^40

}  // namespace partir::replay
