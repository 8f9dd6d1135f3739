// Converts the attributes of known operations, in whichever form they were written, to the representation that their
// declarations prescribe.
#include <fmt/format.h>

#include <algorithm>

#include "ir/text/parser_detail.h"

namespace partir::text {

Attribute normalized(const AttrSpec& spec, const Attribute& attribute, Place place) {
  const auto wrong = [&](const char* wanted) {
    fail("attributes", place, fmt::format("{} = {}", spec.name, attribute.str().substr(0, 80)), wanted);
  };
  const auto keyword = [&](const Attribute& a) -> Attribute {
    if (a.as<KeywordAttr>() != nullptr) return a;
    const RawAttr* raw = a.as<RawAttr>();
    if (raw == nullptr) wrong("an enumeration's case");
    std::string_view text = raw->text;
    if (text.starts_with('#')) {  // #stablehlo<precision HIGH>
      const auto space = text.find(' ');
      if (space == std::string_view::npos || !text.ends_with('>')) wrong("an enumeration's case");
      text = text.substr(space + 1, text.size() - space - 2);
    }
    if (!is_case(text)) wrong("an enumeration's case");
    return {KeywordAttr{std::string(text)}};
  };
  switch (spec.kind) {
    case AttrSpec::Kind::integer:
      if (const IntAttr* i = attribute.as<IntAttr>()) return {IntAttr{i->value, ""}};
      wrong("an integer");
      break;
    case AttrSpec::Kind::boolean:
      if (attribute.as<bool>() != nullptr) return attribute;
      if (attribute.as<UnitAttr>() != nullptr) return {true};
      wrong("true or false");
      break;
    case AttrSpec::Kind::ints: {
      if (attribute.as<IntsAttr>() != nullptr) return attribute;
      IntsAttr out;
      if (const DenseAttr* dense = attribute.as<DenseAttr>()) {
        const Literal& l = *dense->literal;
        if (l.type.rank() != 1 || is_float(l.type.element) || is_complex(l.type.element)) wrong("a list of integers");
        if (l.type.elements() > 4096) wrong("a shorter list");
        for (std::int64_t i = 0; i < l.type.elements(); ++i) out.values.push_back(l.as_int(i));
        return {std::move(out)};
      }
      const RawAttr* raw = attribute.as<RawAttr>();
      if (raw != nullptr && raw->text.starts_with("array<i32:")) {  // as MLIR writes segment sizes
        Parser inner(std::string_view(raw->text).substr(10));
        do out.values.push_back(inner.integer());
        while (inner.accept(","));
        inner.expect(">");
        return {std::move(out)};
      }
      if (const ArrayAttr* array = attribute.as<ArrayAttr>()) {
        for (const Attribute& item : array->items) {
          if (item.as<IntAttr>() == nullptr) wrong("a list of integers");
          out.values.push_back(item.as<IntAttr>()->value);
        }
        return {std::move(out)};
      }
      wrong("a list of integers");
      break;
    }
    case AttrSpec::Kind::keyword: return keyword(attribute);
    case AttrSpec::Kind::keywords: {
      const ArrayAttr* array = attribute.as<ArrayAttr>();
      if (array == nullptr) wrong("a list of cases");
      ArrayAttr out;
      for (const Attribute& item : array->items) out.items.push_back(keyword(item));
      return {std::move(out)};
    }
    case AttrSpec::Kind::raw: return attribute;
  }
  return attribute;
}

AttributeList struct_fields(std::string_view raw, Place place) {
  const auto open = raw.find('<');
  if (open == std::string_view::npos) fail("attributes", place, std::string(raw), "fields in <>");
  const std::string body = "{" + std::string(raw.substr(open + 1, raw.size() - open - 2)) + "}";
  try {
    Parser inner(body);
    return inner.dictionary();
  } catch (const UserError&) {
    fail("attributes", place, std::string(raw.substr(0, 120)), "fields such as <offset_dims = [1]>");
  }
}

void Parser::normalize(Op& op) {
  for (std::size_t i = 0; i < op.attributes.size(); ++i) {
    const std::string name = op.attributes[i].first;
    for (const AttrSpec& spec : op.decl->attributes) {
      if (spec.name == name) {
        set(op.attributes, name, normalized(spec, op.attributes[i].second, op.place));
        break;
      }
    }
  }
  // Replace structured properties by their fields.
  std::vector<std::string> done;
  for (const AttrSpec& spec : op.decl->attributes) {
    if (spec.group.empty() || std::find(done.begin(), done.end(), spec.group) != done.end()) continue;
    done.push_back(spec.group);
    const Attribute* group = partir::find(op.attributes, spec.group);
    if (group == nullptr) continue;
    const RawAttr* raw = group->as<RawAttr>();
    if (raw == nullptr || !raw->text.starts_with(spec.head)) {
      fail("attributes", op.place, fmt::format("{} = {}", spec.group, group->str().substr(0, 80)), spec.head + "<…>");
    }
    const AttributeList fields = struct_fields(raw->text, op.place);
    drop(op.attributes, spec.group);
    for (const auto& [name, value] : fields) {
      const AttrSpec* field = nullptr;
      for (const AttrSpec& s : op.decl->attributes) {
        if (s.group == spec.group && s.name == name) field = &s;
      }
      if (field == nullptr) fail("attributes", op.place, "field " + name, "a field of " + spec.head);
      set(op.attributes, name, normalized(*field, value, op.place));
    }
  }
}

}  // namespace partir::text
