// Units: for each operation of a state, the operation at local sizes and the layouts that it needs for its operands and
// produces for its results. They are the input of the lowering (lowering/lower.h).
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ir/shared_layout.h"
#include "rewrite/state.h"
#include "semantics/infinities.h"
#include "support/small_vector.h"

namespace partir {

struct Unit {
  struct Operand {
    ValueId value;        ///< in the source
    SharedLayout needed;  ///< with the reductions that stay pending in the operand
  };
  const Op* op = nullptr;                ///< in the source
  const OpInstance* local = nullptr;     ///< the device-local operation; null for control flow and terminators
  std::optional<Shift> shift;            ///< if set, chunks of operand 0 are sent instead of running the operation
  SmallVector<Operand, 3> operands;      ///< the operands, then the values that a reduction's region captures
  SmallVector<SharedLayout, 1> results;  ///< by its entries, with the pending reductions that it passes on
  SmallVector<Axis, 2> axes;             ///< axes of its entries
  std::vector<std::pair<Axis, Entry>> passed_on;  ///< further entries, which pass on pending reductions
  /// Entries that it uses instead of the state's (lowering/gather_before_broadcast.h).
  std::optional<std::vector<std::pair<Axis, Entry>>> instead;
  std::vector<std::vector<std::size_t>> regions;  ///< for control flow: the units of each region
};

/// The uses of each value of a function, ordered by unit.
class ValueUses {
 public:
  struct Use {
    std::size_t unit = 0;
    std::size_t operand = 0;
    friend auto operator<=>(const Use&, const Use&) = default;
  };
  ValueUses() = default;
  ValueUses(const std::vector<Unit>& units, std::size_t values);
  [[nodiscard]] std::span<const Use> of(ValueId v) const {
    return std::span(all_).subspan(begin_[v.index()], begin_[v.index() + 1] - begin_[v.index()]);
  }

 private:
  std::vector<Use> all_;            ///< of all values, concatenated
  std::vector<std::size_t> begin_;  ///< by value: index of its first use in all_; one extra element for the end
};

/// All units of a function, with the numbers that the state gives to its operations.
struct Units {
  std::vector<Unit> all;
  std::vector<std::size_t> body;        ///< units of the function's body
  std::vector<SharedLayout> arguments;  ///< layouts in which arguments arrive
  ValueUses uses;
  std::deque<OpInstance> localized;  ///< device-local operations that are not the state's
};
/// The units of a state, after pending reductions have been passed on (lowering/pass_on.h) and gathers have been moved
/// before broadcasts (lowering/gather_before_broadcast.h). `given`: of the program that the state's was rewritten from.
Units units_of(const State& state, const LazyInfinities& given);

/// The layout that the decisions produce, in their order; those without a dimension do not change it.
Layout layout_of(const std::vector<TileDecision>& decisions, std::size_t rank);

}  // namespace partir
