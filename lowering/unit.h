// What a state says of each operation on the way down to a device: the operation at local sizes, and the distributed
// types in which it takes its operands and gives its results.
#pragma once

#include <optional>
#include <vector>

#include "ir/layout.h"
#include "rewrite/state.h"

namespace partir {

struct Unit {
  struct Operand {
    ValueId value;  ///< of the source
    Layout needed;
  };
  const Op* op = nullptr;             ///< of the source
  const OpInstance* local = nullptr;  ///< on one device; null for control flow and terminators
  std::optional<Shift> shift;         ///< chunks of operand 0 are sent, instead of the operation
  std::vector<Operand> operands;      ///< also the values that a region which is no part of the function reads
  std::vector<Layout> results;        ///< as the entries make them
  std::vector<Axis> axes;             ///< of the entries
  std::vector<std::vector<std::size_t>> regions;  ///< of control flow: the units of each region
};

/// All units of a function, numbered as the state numbers operations.
struct Units {
  std::vector<Unit> all;
  std::vector<std::size_t> body;  ///< of the function
  std::vector<Layout> arguments;  ///< as they come in
};
Units units_of(const State& state);

/// The type that placements make, in their order; those without a dimension leave it as it is.
Layout layout_of(const std::vector<TileDecision>& decisions, std::size_t rank);

}  // namespace partir
