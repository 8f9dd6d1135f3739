// Which values of a program may hold infinities, given that its arguments are finite. A product with an infinity does
// not distribute over a sum, inf * (a + b) != inf * a + inf * b, so the checker does not prove it of a partial sum.
// proofs_notes/additivity.md states the premise.
#pragma once

#include <optional>
#include <vector>

#include "ir/action.h"
#include "ir/program.h"

namespace partir {

/// The infinities that some element of a value may be. Nothing is said about NaN, over which a product distributes.
struct Infinities {
  bool lowest = false;   ///< minus infinity
  bool highest = false;  ///< infinity

  [[nodiscard]] bool none() const { return !lowest && !highest; }
  [[nodiscard]] Infinities negated() const { return {highest, lowest}; }
  friend Infinities operator|(Infinities a, Infinities b) { return {a.lowest || b.lowest, a.highest || b.highest}; }
  friend bool operator==(const Infinities&, const Infinities&) = default;
};

/// For each value of the function, by its index. Infinities come from the program's own constants and from functions of
/// them, such as log(0), 1e5 as f16, or a bit pattern. Sums, products and functions of finite numbers that vary with the
/// arguments count as finite, as in prove/finite.h: overflow and undefined values are outside a proof over the reals.
std::vector<Infinities> infinities_of(const Function& function);

/// Whether the local form of an operation on partial sums, products or extrema needs operands to be finite that may be
/// infinite: a product of a partial sum and an infinity, or a partial extremum plus an infinity of the other sign.
/// `partial` says which operands are partial, and by which monoid.
bool needs_finite(const Op& op, const std::vector<std::optional<Monoid>>& partial,
                  const std::vector<Infinities>& infinities);

}  // namespace partir
