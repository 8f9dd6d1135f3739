// Which values of a program may hold infinities, given that its arguments are finite. A product with an infinity does
// not distribute over a sum, inf * (a + b) != inf * a + inf * b, so the lowering does not pass such a partial sum on,
// and the checker does not prove it. proofs_notes/additivity.md states the premise.
#pragma once

#include <mutex>
#include <optional>
#include <span>
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
/// them, such as log(0), 1e5 as f16, or a bit pattern. Sums, products and functions of finite numbers that vary with
/// the arguments count as finite, as in prove/finite.h: overflow and undefined values are outside a proof over the
/// reals.
std::vector<Infinities> infinities_of(const Function& function);

/// The same of a function, computed when first asked for. Thread-safe.
class LazyInfinities {
 public:
  /// The function must outlive the object.
  explicit LazyInfinities(const Function& function) : function_(function) {}
  [[nodiscard]] bool contains(ValueId v) const { return v.index() < function_.types.size(); }
  [[nodiscard]] Infinities of(ValueId v) const {
    std::call_once(computed_, [&] { all_ = infinities_of(function_); });
    return all_[v.index()];
  }

 private:
  const Function& function_;
  mutable std::once_flag computed_;
  mutable std::vector<Infinities> all_;
};

/// The infinities of a given program's values after it has been rewritten: padded, or with operations decomposed. A
/// value of the given program keeps its id, and only its own elements count, not the padding: each operation on padded
/// values is proved for all contents of the padding, and the operations of a decomposition compute what the operation
/// did.
class RewrittenInfinities {
 public:
  /// Both must outlive the object.
  RewrittenInfinities(const LazyInfinities& given, const Function& rewritten) : given_(given), rewritten_(rewritten) {}
  [[nodiscard]] Infinities of(ValueId v) const { return given_.contains(v) ? given_.of(v) : rewritten_.of(v); }

 private:
  const LazyInfinities& given_;
  LazyInfinities rewritten_;
};

/// Whether the local form of an operation on partial sums, products or extrema needs operands to be finite that may be
/// infinite: a product of a partial sum and an infinity, or a partial extremum plus an infinity of the other sign.
/// `partial` says which operands are partial, and by which monoid.
bool needs_finite(const Op& op, std::span<const std::optional<Monoid>> partial, const RewrittenInfinities& infinities);

}  // namespace partir
