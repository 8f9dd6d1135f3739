// Interval arithmetic on elements that are functions of constants alone, for the analysis of infinities
// (infinities.cpp). An interval holds every finite number that such an element may be; it says nothing about NaN.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/op_decl.h"
#include "ir/scalar_fn.h"

namespace partir {

/// The end of a range that has none.
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// The numbers from `low` to `high`; none if low > high.
struct NumberRange {
  double low = kUnbounded;
  double high = -kUnbounded;

  static NumberRange everything() { return {-kUnbounded, kUnbounded}; }
  /// Numbers of at most this magnitude.
  static NumberRange within(double magnitude) { return {-magnitude, magnitude}; }

  [[nodiscard]] bool empty() const { return low > high; }
  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
  [[nodiscard]] double magnitude() const;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

/// The smallest range that contains both.
NumberRange hull(const NumberRange& a, const NumberRange& b);

/// The products of a number of each.
NumberRange product(const NumberRange& a, const NumberRange& b);

/// The numbers that an integer or boolean type represents; everything for other types.
NumberRange numbers_of_type(ElementType type);

/// The scalar function that an operation applies to the elements of its operands, if it does.
std::optional<ScalarFn> function_of(std::string_view op_name);

/// The range of a result element of an operation whose operands' elements are in these ranges, before it is rounded to
/// its type or wraps in it; everything if the operation is not followed. Infinite ends of operands' ranges are infinities
/// that elements may be.
NumberRange range_of_result(const OpInstance& op, const std::vector<NumberRange>& operands);

}  // namespace partir
