#include "ir/linear_algebra.h"

#include "ir/op_decl.h"
#include "ir/ops/common.h"

namespace partir {

bool calls_linear_algebra(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return false;
  const Attribute* target = find(op.attributes, "call_target_name");
  const StringAttr* name = target != nullptr ? target->as<StringAttr>() : nullptr;
  if (name == nullptr || ops::is_set(op.attributes, "has_side_effect") || !name->value.ends_with("_ffi")) return false;
  return name->value.starts_with("lapack_") || name->value.starts_with("cusolver_") ||
         name->value.starts_with("hipsolver_");
}

}  // namespace partir
