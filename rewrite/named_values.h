// Internal values that schedules can name: where the text has a name for them, or marks them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace partir {

struct NamedValue {
  std::string name;
  std::vector<std::string> others;  ///< what it is called, too
  ValueId value;
  std::uint32_t line = 0;                            ///< of the program's text
  std::optional<std::size_t> result = std::nullopt;  ///< as the function returns it here, not as others read it
};

/// What the operations of the body and of loops and branches in it compute, in program order. A value's name is its
/// location's (as_text(debug_info=True) has the named scopes and the primitive) without what transformations put around
/// them (ir/scope_path.h): "layers/0/mlp/dot_general", in the backward pass "backward/layers/0/mlp/dot_general". A
/// sharding constraint is also "constraint/K", the K-th of the program, every value "line/N", by its line in the text,
/// and the location as it is written. Where an operation has several results, "/k" follows. Names need not be unique.
std::vector<NamedValue> named_values(const Function& function);

/// Whether a pattern means a value: by its name, or by another that the pattern's first part spells ("line/7").
bool is_called(const NamedValue& value, std::string_view pattern);

/// Whether the program's text names any operation.
bool has_names_inside(const Function& function);

/// The function with an identity behind each of these values (a sharding constraint with partir.name) that everything
/// else reads instead, or for results the return alone: what a tactic asks for the value holds there. Ids of values
/// stay.
Function with_identities(Function function, const std::vector<NamedValue>& values);

/// A constraint that with_identities put behind a value.
bool names_value(const Op& op);
/// One that it put before the function's return.
bool names_result(const Op& op);

}  // namespace partir
