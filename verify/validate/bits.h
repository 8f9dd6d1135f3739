// Operations that look at the bits of floats. Over the reals a value has no bits, so what such an operation gives is
// taken from a second evaluation of both programs, by bits: there floats are what they are, and two of them are equal
// only where the same operations made them of the same floats in the same order.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "ir/scalar_fn.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// Functions of which the native domain gives the one value that IEEE 754 has for them.
bool is_exactly_rounded(ScalarFn fn);

/// Whether the operation's results follow from the sign of a zero (ir/continuity.h). A region counts with its
/// operation.
bool sees_signed_zeros(const Function& f, const Op& op);
/// Whether the operation's results follow from the bits of a float: a bitcast of one, the float next to one, a
/// comparison in total order, or what sees signs of zeros. A region counts with its operation, but a sort in total
/// order is one of real numbers.
bool looks_at_bits(const Function& f, const Op& op);

/// By device.
using DeviceArrays = std::vector<ArrayPtr>;

/// What operations that look at bits gave, by operation and by the course of control flow up to it.
class ObservedBits {
 public:
  void note(const Op& op, std::uint64_t course, std::vector<DeviceArrays> results) {
    seen_[{&op, course}] = std::move(results);
  }
  /// By result; null where the operation was not met on this course.
  [[nodiscard]] const std::vector<DeviceArrays>* find(const Op& op, std::uint64_t course) const {
    const auto it = seen_.find({&op, course});
    return it != seen_.end() ? &it->second : nullptr;
  }

 private:
  std::map<std::pair<const Op*, std::uint64_t>, std::vector<DeviceArrays>> seen_;
};

}  // namespace partir::validate
