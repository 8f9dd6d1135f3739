// What a state says of each operation on the way down to a device: the operation at local sizes, and the distributed
// types in which it takes its operands and gives its results.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ir/layout.h"
#include "rewrite/state.h"

namespace partir {

struct Unit {
  struct Operand {
    ValueId value;  ///< of the source
    Layout needed;  ///< pending over what it stays pending over, if it comes so
  };
  const Op* op = nullptr;             ///< of the source
  const OpInstance* local = nullptr;  ///< on one device; null for control flow and terminators
  std::optional<Shift> shift;         ///< chunks of operand 0 are sent, instead of the operation
  std::vector<Operand> operands;      ///< also the values that a region which is no part of the function reads
  std::vector<Layout> results;        ///< as the entries make them, and as reductions are passed on
  std::vector<Axis> axes;             ///< of the entries
  std::vector<std::pair<Axis, Entry>> passed_on;  ///< entries by which it passes pending reductions on, as well
  std::vector<std::vector<std::size_t>> regions;  ///< of control flow: the units of each region
};

/// Who uses each value of a function, in the order of units.
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
  std::vector<Use> all_;            ///< of all values, one behind the other
  std::vector<std::size_t> begin_;  ///< by value, and the end
};

/// All units of a function, numbered as the state numbers operations.
struct Units {
  std::vector<Unit> all;
  std::vector<std::size_t> body;  ///< of the function
  std::vector<Layout> arguments;  ///< as they come in
  ValueUses uses;
};
/// With what is passed on (lowering/pass_on.h).
Units units_of(const State& state);

/// The type that placements make, in their order; those without a dimension leave it as it is.
Layout layout_of(const std::vector<TileDecision>& decisions, std::size_t rank);

}  // namespace partir
