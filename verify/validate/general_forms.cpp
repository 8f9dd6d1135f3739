#include "verify/validate/general_forms.h"

#include "ir/op_decl.h"

namespace partir::validate {
namespace {

/// Attributes of other dialects that say nothing about what the operation computes.
bool is_annotation(const std::string& name) {
  return name.starts_with("sdy.") || name == "mhlo.sharding" || name == "mhlo.frontend_attributes";
}

/// How a comparison that does not say so compares: floats as such, integers by their sign.
void name_comparison(const Function& f, Op& op) {
  const Type& type = f.type(op.operands[0]);
  if (!type.is_tensor() || find(op.attributes, "compare_type") != nullptr) return;
  const char* how = is_float(type->element) || is_complex(type->element) ? "FLOAT"
                    : is_signed(type->element)                           ? "SIGNED"
                                                                         : "UNSIGNED";
  set(op.attributes, "compare_type", {KeywordAttr{how}});
}

/// `dot x, y` sums over the last dimension of x and the first of y.
void generalize_dot(const Function& f, Op& op) {
  const auto last = static_cast<std::int64_t>(f.type(op.operands[0]).rank()) - 1;
  op.decl = find_decl("stablehlo.dot_general");
  set(op.attributes, "lhs_batching_dimensions", {IntsAttr{}});
  set(op.attributes, "rhs_batching_dimensions", {IntsAttr{}});
  set(op.attributes, "lhs_contracting_dimensions", {IntsAttr{{last}}});
  set(op.attributes, "rhs_contracting_dimensions", {IntsAttr{{0}}});
}

void walk(const Function& f, Block& block) {
  for (Op& op : block.ops) {
    AttributeList kept;
    for (const auto& [name, value] : op.attributes) {
      if (!is_annotation(name)) set(kept, name, value);
    }
    op.attributes = std::move(kept);
    if (op.name() == "stablehlo.dot") generalize_dot(f, op);
    if (op.name() == "stablehlo.compare") name_comparison(f, op);
    for (Block& inner : op.regions) walk(f, inner);
  }
}

}  // namespace

Module with_general_forms(Module module) {
  for (Function& f : module.functions) walk(f, f.body);
  return module;
}

}  // namespace partir::validate
