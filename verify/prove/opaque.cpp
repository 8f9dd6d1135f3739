#include "verify/prove/opaque.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace partir::prove {
namespace {

std::string type_text(const Type& t) {
  return t.is_tensor() ? fmt::format("{}/{}", partir::name_of(t->element), t.rank()) : t.str();
}

std::string attributes_text(const AttributeList& attributes) {
  std::string out;
  for (const auto& [name, value] : attributes.sorted()) {
    const DenseAttr* dense = value.as<DenseAttr>();
    out += fmt::format("{} = {}, ", name, dense != nullptr ? record_of(*dense->literal) : value.str());
  }
  return fmt::format("{{{}}}", out);
}

/// Describes a region, with its values numbered in order of first occurrence.
void describe_opaque(const Function& f, const Block& block, std::unordered_map<ValueId, std::size_t>& numbers,
                     std::string& out) {
  const auto number = [&](ValueId v) { return numbers.emplace(v, numbers.size()).first->second; };
  out += "(";
  for (const ValueId v : block.arguments) out += fmt::format("^{}:{}", number(v), f.type(v).str());
  for (const Op& op : block.ops) {
    out += op.name();
    for (const ValueId v : op.operands) out += fmt::format(" {}", number(v));
    out += attributes_text(op.attributes);
    for (const Block& b : op.regions) describe_opaque(f, b, numbers, out);
    for (const ValueId v : op.results) out += fmt::format(">{}:{}", number(v), f.type(v).str());
    out += ";";
  }
  out += ")";
}

/// The attributes, where those that repeat sizes of the types repeat sizes of 1.
AttributeList without_sizes(const OpInstance& op) {
  if (op.decl->repeat_sizes == nullptr) return op.attributes;
  OpInstance out = op;
  for (auto* types : {&out.operands, &out.results}) {
    for (Type& t : *types) {
      if (t.is_tensor()) std::fill(t->dims.begin(), t->dims.end(), 1);
    }
  }
  op.decl->repeat_sizes(out);
  return out.attributes;
}

}  // namespace

std::string record_of(const OpInstance& op) {
  const auto list = [](const std::vector<Type>& types) {
    std::string text;
    for (const Type& t : types) text += fmt::format("{},", type_text(t));
    return text;
  };
  std::string out = fmt::format("{}({})->({}){}", op.decl->name, list(op.operands), list(op.results),
                                attributes_text(without_sizes(op)));
  std::unordered_map<ValueId, std::size_t> numbers;
  if (op.regions != nullptr && op.function != nullptr) {
    for (const Block& b : *op.regions) describe_opaque(*op.function, b, numbers, out);
  }
  return out;
}

std::string record_of(const Literal& literal) {
  std::string out = literal.type.str() + (literal.splat ? " all " : " ");
  for (const std::uint8_t byte : literal.bytes) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace partir::prove
