// Internal values that schedules can name: values to which the program gives a name (a location) or a marker. A named
// value for which a tactic requests something gets an identity operation after it, where the request is applied.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace partir {

struct NamedValue {
  std::string name;
  std::vector<std::string> others;  ///< further names of the value
  ValueId value;
  std::uint32_t line = 0;                            ///< in the program's source
  std::optional<std::size_t> result = std::nullopt;  ///< set for a result as it is returned, not as others read it
};

/// Returns the results of all operations of the body, and of loops and branches in it, in program order. The name of a
/// value is that of its location (as_text(debug_info=True) has the named scopes and the primitive) without what
/// transformations add around them (ir/scope_path.h): "layers/0/mlp/dot_general", or
/// "backward/layers/0/mlp/dot_general" in the backward pass. Further names are "constraint/K" for the K-th sharding
/// constraint of the program, "line/N" for every value by its line in the source, and the location as written. If an
/// operation has several results, "/k" is appended. Names need not be unique.
std::vector<NamedValue> named_values(const Function& function);

/// The names by which a written schedule may refer to a value: its name, and that of its line.
std::vector<std::string> names_for_requests(const NamedValue& value);

/// Whether a pattern refers to a value: by its name, or by a further name if the pattern is explicit about it
/// ("line/7").
bool is_called(const NamedValue& value, std::string_view pattern);

/// Whether any operation of the program has a named location.
bool has_names_inside(const Function& function);

/// Returns the function with an identity (a sharding constraint with partir.name) inserted after each of these values.
/// All other operations read the identity instead; for a result, only the return does. A tactic's request for the value
/// applies to the identity. Existing values keep their ids.
Function with_identities(Function function, const std::vector<NamedValue>& values);

/// Whether the operation is an identity that with_identities inserted.
bool names_value(const Op& op);
/// Whether it is one that with_identities inserted before the function's return.
bool names_result(const Op& op);

}  // namespace partir
