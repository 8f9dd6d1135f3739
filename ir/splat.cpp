#include "ir/splat.h"

#include <algorithm>

#include "ir/op_decl.h"

namespace partir {
namespace {

/// The maximum size of a last dimension whose positions are analysed.
constexpr std::int64_t kPlaces = 8;

/// The facts about an operand's positions; for a splat, its scalar at every position.
KnownPlaces known_places(const TensorType& type, ValueId v, const Splats& known) {
  const std::size_t n = type.rank() == 0 ? 0 : static_cast<std::size_t>(type.dims.back());
  if (known[v] != nullptr && is_integer(type.element)) return KnownPlaces(n, known[v]->as_int(0));
  return known.places(v).empty() ? KnownPlaces(n) : known.places(v);
}

}  // namespace

LiteralPtr same_splat(const Op& op, const Splats& known) {
  for (const ValueId v : op.operands) {
    if (known[v] == nullptr || !(*known[v] == *known[op.operands[0]])) return nullptr;
  }
  return op.operands.empty() ? nullptr : known[op.operands[0]];
}

LiteralPtr splat_of(const Op& op, const Splats& known) {
  if (op.decl->traits.constant) {
    const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr || !dense->literal->splat) return nullptr;
    auto scalar = std::make_shared<Literal>(*dense->literal);
    scalar->type.dims.clear();
    return scalar;
  }
  if (op.name() == "stablehlo.concatenate") return same_splat(op, known);
  return op.decl->traits.rearranges ? known[op.operands[0]] : nullptr;
}

KnownPlaces places_of(const Function& function, const Op& op, const Splats& known) {
  const TensorType* type = op.results.size() == 1 ? function.type(op.results[0]).as<TensorType>() : nullptr;
  if (type == nullptr || type->rank() == 0 || !is_integer(type->element) || type->dims.back() > kPlaces) return {};
  const auto of = [&](std::size_t k) { return known_places(function.tensor(op.operands[k]), op.operands[k], known); };
  const auto dims = [&] { return find(op.attributes, "broadcast_dimensions")->as<IntsAttr>()->values; };
  const auto last = static_cast<std::int64_t>(type->rank()) - 1;
  const std::string& name = op.name();
  KnownPlaces out;
  if (op.decl->traits.constant) {
    const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
    for (std::int64_t k = 0; dense != nullptr && type->rank() == 1 && k < type->dims[0]; ++k)
      out.emplace_back(dense->literal->as_int(k));
  } else if (name == "stablehlo.broadcast_in_dim") {
    const TensorType& from = function.tensor(op.operands[0]);
    if (from.rank() == 0 || dims().back() != last || from.dims.back() != type->dims.back()) return {};
    out = of(0);
  } else if (name == "stablehlo.concatenate" && find(op.attributes, "dimension")->as<IntAttr>()->value == last) {
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const KnownPlaces part = of(k);
      out.insert(out.end(), part.begin(), part.end());
    }
  } else if (name == "stablehlo.minimum" || name == "stablehlo.clamp") {
    const KnownPlaces low = of(0);
    const KnownPlaces high = of(op.operands.size() - 1);
    out.resize(std::min(low.size(), high.size()));
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!low[k] || !high[k] || *low[k] < 0 || *high[k] < 0) continue;  // includes large unsigned 64-bit values
      if (name == "stablehlo.minimum" || *low[k] == *high[k]) out[k] = std::min(*low[k], *high[k]);
    }
  }
  const bool known_somewhere = std::any_of(out.begin(), out.end(), [](const auto& k) { return k.has_value(); });
  return known_somewhere ? out : KnownPlaces{};
}

}  // namespace partir
