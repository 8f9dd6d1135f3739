#include "ir/operation_key.h"

#include "ir/op_decl.h"

namespace partir {
namespace {

void add_number(std::int64_t n, std::string& key) { key.append(reinterpret_cast<const char*>(&n), sizeof n); }

void add_type(const Type& type, std::string& key) {
  if (!type.is_tensor()) {
    key += type.str();
    return;
  }
  const std::vector<std::int64_t>& dims = type->dims;
  const char head[2] = {static_cast<char>(type->element), static_cast<char>(dims.size())};
  key.append(head, 2);
  key.append(reinterpret_cast<const char*>(dims.data()), dims.size() * sizeof(std::int64_t));
}

void add_attribute(const std::string& name, const Attribute& value, std::string& key) {
  if (const auto* number = value.as<IntAttr>()) {
    key += name;
    add_number(number->value, key);
  } else if (const auto* numbers = value.as<IntsAttr>()) {
    key += name;
    add_number(static_cast<std::int64_t>(numbers->values.size()), key);
    for (const std::int64_t n : numbers->values) add_number(n, key);
  } else if (const auto* dense = value.as<DenseAttr>()) {
    if (name != "padding") return;
    key += name;
    key.append(reinterpret_cast<const char*>(dense->literal->bytes.data()), dense->literal->bytes.size());
    key += dense->literal->splat ? 's' : 'd';
  } else if (const auto* raw = value.as<RawAttr>()) {
    key += name + raw->text;
  } else if (const auto* text = value.as<StringAttr>()) {
    if (name == "call_target_name") key += name + text->value;
  } else if (const auto* word = value.as<KeywordAttr>()) {
    key += name + word->value;
  } else if (const auto* list = value.as<ArrayAttr>()) {
    if (name != "precision_config") return;
    for (const Attribute& item : list->items) key += item.str();
  } else if (const auto* flag = value.as<bool>()) {
    key += name + (*flag ? "1" : "0");
  }
}

void add_names(const Block& block, std::string& key) {
  for (const Op& op : block.ops) {
    key += op.name();
    for (const Block& inner : op.regions) add_names(inner, key);
  }
}

}  // namespace

void write_operation_key(const Function& function, const Op& op, std::string& key) {
  key.clear();
  const OpDecl* decl = op.decl;
  key.append(reinterpret_cast<const char*>(&decl), sizeof decl);
  for (const ValueId v : op.operands) add_type(function.type(v), key);
  key += '>';
  for (const ValueId v : op.results) add_type(function.type(v), key);
  for (const auto& [name, value] : op.attributes) add_attribute(name, value, key);
  for (const Block& b : op.regions) add_names(b, key);
}

}  // namespace partir
