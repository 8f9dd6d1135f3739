#include "ir/splat.h"

#include "ir/op_decl.h"

namespace partir {

LiteralPtr splat_of(const Op& op, const Splats& known) {
  if (op.decl->traits.constant) {
    const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr || !dense->literal->splat) return nullptr;
    auto scalar = std::make_shared<Literal>(*dense->literal);
    scalar->type.dims.clear();
    return scalar;
  }
  return op.decl->traits.rearranges ? known[op.operands[0]] : nullptr;
}

}  // namespace partir
