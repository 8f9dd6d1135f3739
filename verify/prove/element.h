// Elements of a program's values in normal form: of the whole program, or of what a device runs.
#pragma once

#include <optional>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"

namespace partir::prove {

struct Side {
  const SymbolicProgram& program;
  const std::vector<Action>& actions;  ///< of the arguments
  std::optional<AtomId> device;        ///< its index along the axis; none: the whole program
  AtomId n;
  Context& context;
  const OutOfTime& out_of_time;
};

/// Types whose sums and products are those of a ring.
bool is_number(ElementType type);
/// Integers, of which the order knows nothing of addition.
bool wraps(ElementType type);

/// Throws GiveUp.
Expr element_of(const Side& side, ValueId v, const std::vector<Poly>& at);

}  // namespace partir::prove
