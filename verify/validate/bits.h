// Operations that depend on the bits of floats. Over the reals a value has no bits, so the results of such operations
// are taken from a second evaluation of both programs, by bits. There two floats are equal only if the same operations
// computed them from the same floats in the same order (docs/adr/0085-bits-beside-real-numbers.md).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "ir/scalar_fn.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// The bits of an element of a literal of a type that is no complex one.
std::uint64_t bits_of_literal(const Literal& literal, std::int64_t position);

/// Whether the operation's results depend on the sign of a zero (ir/continuity.h), for the operation itself or one in a
/// region that belongs to it.
bool sees_signed_zeros(const Function& f, const Op& op);
/// Whether the operation's results depend on the bits of a float: a bitcast of one, chlo.next_after, a comparison in
/// total order, or sees_signed_zeros. Also true for an operation in a region that belongs to it, but a sort in total
/// order counts as one of real numbers.
bool looks_at_bits(const Function& f, const Op& op);

/// The array that each device holds, by device; null on devices that have none.
using DeviceArrays = std::vector<ArrayPtr>;

/// The results of operations on bits in the evaluation by bits, by operation and by the control flow up to it
/// (`course`).
class ObservedBits {
 public:
  void note(const Op& op, std::uint64_t course, std::vector<DeviceArrays> results) {
    seen_[{&op, course}] = std::move(results);
  }
  /// Returns the recorded results, by result, or null if the operation was not reached on this course.
  [[nodiscard]] const std::vector<DeviceArrays>* find(const Op& op, std::uint64_t course) const {
    const auto it = seen_.find({&op, course});
    return it != seen_.end() ? &it->second : nullptr;
  }

 private:
  std::map<std::pair<const Op*, std::uint64_t>, std::vector<DeviceArrays>> seen_;
};

}  // namespace partir::validate
