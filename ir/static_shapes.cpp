#include "ir/static_shapes.h"

#include <fmt/format.h>

#include "ir/control_flow.h"
#include "ir/op_decl.h"

namespace partir {

Result<void> require_static(const Function& function) {
  for (const auto* values : {&function.arguments(), &function.returned()}) {
    for (std::size_t k = 0; k < values->size(); ++k) {
      const Type& type = function.type((*values)[k]);
      if (type.is_tensor() || type.str().find('?') == std::string::npos) continue;
      const char* side = values == &function.arguments() ? "argument" : "result";
      return tl::unexpected(
          Diagnostic{"unsupported", "", function.place,
                     fmt::format("dynamic shapes: {} {} of @{} is {}", side, k, function.name, type.str()),
                     "static shapes: lower the function with sizes instead of symbols"});
    }
  }
  const Op* sized = find_op(function.body, [](const Op& op) { return op.name() == "stablehlo.set_dimension_size"; });
  if (sized != nullptr) {
    return tl::unexpected(Diagnostic{"unsupported", "", sized->place, "dynamic shapes: " + sized->name(),
                                     "static shapes: mask what is beyond the size"});
  }
  return {};
}

}  // namespace partir
