// Internal values that schedules can name: where the text has a name for them, or marks them.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace partir {

struct NamedValue {
  std::string name;
  ValueId value;
};

/// What the operations of the body and of loops and branches in it compute, in program order. A value's name is its location's
/// (as_text(debug_info=True) has the named scopes and the primitive) without the jit(…) parts:
/// "layers/0/mlp/dot_general". Without a location a sharding constraint is "constraint/K", the K-th of the program, and
/// anything else "line/N", by its line in the text. Where an operation has several results, "/k" follows. Names need
/// not be unique.
std::vector<NamedValue> named_values(const Function& function);

/// The function with an identity behind each of these values (a sharding constraint with partir.name) that everything
/// else reads instead: what a tactic asks for the value holds there. Ids of values stay.
Function with_identities(Function function, const std::vector<NamedValue>& values);

/// A constraint that with_identities put behind a value.
bool names_value(const Op& op);

}  // namespace partir
