#include "semantics/splat_function.h"

#include <array>

#include "semantics/domain_native.h"

namespace partir {

std::optional<Tensor> applied_to_splats(ScalarFn fn, const Function& function, const Op& op, const Splats& known) {
  if (op.operands.empty() || op.operands.size() != static_cast<std::size_t>(arity_of(fn))) return std::nullopt;
  const ElementType in = function.tensor(op.operands[0]).element;
  std::array<Scalar, 3> scalars;
  std::array<const Scalar*, 3> pointers{};
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const LiteralPtr& splat = known[op.operands[k]];
    if (splat == nullptr || splat->type.element != in) return std::nullopt;
    scalars[k] = native_domain().from_literal(*splat, 0);
    pointers[k] = &scalars[k];
  }
  const ElementType to = function.tensor(op.results[0]).element;
  Tensor out{TensorType{to, {}}, {Scalar{}}};
  native_domain().apply(fn, in, to, pointers.data(), 1, out.data.data());
  return out;
}

}  // namespace partir
