// Parses operations in the pretty and in the generic form, including their regions.
#include <fmt/format.h>

#include "ir/declared_calls.h"
#include "ir/linear_algebra.h"
#include "ir/text/parser_detail.h"

namespace partir::text {

Block Parser::region(Function& function, const std::vector<std::pair<std::string, Type>>& arguments,
                     std::vector<std::string>* locations) {
  const Depth depth(depth_, here());
  const std::size_t mark = undo_.size();
  const std::size_t outer = scope_;
  scope_ = ++scopes_;
  Block block;
  const auto argument = [&](const std::string& name, Type type, Place place) {
    const ValueId value = function.add_value(std::move(type));
    block.arguments.push_back(value);
    define(name, {value}, place);
  };
  for (const auto& [name, type] : arguments) argument(name, type, here());
  expect("{");
  if (kind() == Token::Kind::caret) {
    take();
    if (accept("(")) {
      do {
        const Place place = here();
        const std::string name = definition();
        expect(":");
        Type t = type();
        argument(name, std::move(t), place);
        std::string location = optional_location();
        if (locations != nullptr) locations->push_back(std::move(location));
      } while (accept(","));
      expect(")");
    }
    expect(":");
  }
  block_body(function, block, "}");
  expect("}");
  unwind(mark);
  scope_ = outer;
  return block;
}

void Parser::block_body(Function& function, Block& block, std::string_view end) {
  while (!at(end)) {
    if (kind() == Token::Kind::end) unexpected(fmt::format("an operation or '{}'", end));
    if (!block.ops.empty() && block.ops.back().decl->kind == OpDecl::Kind::terminator) {
      unexpected(fmt::format("'{}' behind the terminator", end));
    }
    operation(function, block);
  }
  if (block.ops.empty() || block.ops.back().decl->kind != OpDecl::Kind::terminator) unexpected("a return");
}

namespace {

/// Removes empty lists from structured properties: offset_dims = [] is equivalent to its absence, and the forms differ
/// in which they write.
void drop_empty_fields(Op& op) {
  for (const AttrSpec& spec : op.decl->attributes) {
    if (spec.group.empty()) continue;
    const Attribute* field = partir::find(op.attributes, spec.name);
    const IntsAttr* list = field != nullptr ? field->as<IntsAttr>() : nullptr;
    if (list != nullptr && list->values.empty()) drop(op.attributes, spec.name);
  }
}

/// Operations of MHLO that are left when jaxlib converts HLO to StableHLO, by the operation that does the same. A copy
/// is a reshape to the operand's own shape.
std::string_view without_mhlo(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"mhlo.copy", "stablehlo.reshape"}, {"mhlo.erf", "chlo.erf"}, {"mhlo.topk", "chlo.top_k"}};
  for (const auto& [mhlo, other] : same) {
    if (name == mhlo) return other;
  }
  return name;
}

/// Drops what only MHLO's form of an operation has; fails if it changes the meaning.
void drop_mhlo_attributes(Op& op) {
  drop(op.attributes, "cross_program_prefetch_index");
  const Attribute* largest = partir::find(op.attributes, "largest");
  if (largest == nullptr) return;
  if (largest->as<bool>() == nullptr || !*largest->as<bool>())
    fail("unsupported", op.place, "mhlo.topk of the smallest elements", "largest = true");
  drop(op.attributes, "largest");
}

}  // namespace

void Parser::operation(Function& function, Block& block) {
  const Depth depth(depth_, here());
  struct Named {
    std::string name;
    std::size_t count;
    Place place;
  };
  std::vector<Named> named;
  std::size_t count = 0;
  if (kind() == Token::Kind::percent) {
    do {
      const Place place = here();
      std::string name = definition();
      std::int64_t pack = 1;
      if (accept(":")) pack = integer();
      if (pack < 1 || pack > 100000) fail("parse", place, fmt::format("{} results", pack), "1 to 100000");
      named.push_back({std::move(name), static_cast<std::size_t>(pack), place});
      count += static_cast<std::size_t>(pack);
    } while (accept(","));
    expect("=");
  }
  Op op(function.new_op());
  op.place = here();
  if (kind() == Token::Kind::string) {
    const std::string written = string();
    const std::string name(without_mhlo(written));
    op.decl = find_decl(name);
    if (op.decl == nullptr) {
      if (name.starts_with("stablehlo.") || name.starts_with("chlo.")) {
        fail("operation", op.place, fmt::format("'{}'", name), "an operation of the specification");
      }
      op.decl = foreign_decl(name);
    }
    if (op.decl->kind == OpDecl::Kind::core) {
      fail("core", op.place, fmt::format("\"{}\" in the generic form", name), "loops and slices in their own forms");
    }
    generic_operation(function, op);
    if (written != name) drop_mhlo_attributes(op);
  } else {
    if (kind() != Token::Kind::identifier) unexpected("an operation");
    std::string name(lexer_.peek().text);
    if (name == "return" || name == "call") name = "func." + name;
    if (name == "loop" || name == "slice" || name == "yield") name = "partir." + name;
    op.decl = find_decl(without_mhlo(name));
    if (op.decl == nullptr) {
      fail("operation", op.place, fmt::format("'{}'", name),
           name.starts_with("stablehlo.") || name.starts_with("chlo.")
               ? "an operation of the specification"
               : "an operation of StableHLO; operations of other dialects in the generic form \"name\"(…)");
    }
    take();
    if (op.decl->parse != nullptr) {
      op.decl->parse(*this, function, op);
    } else {
      items(op);
      if (at("{")) fail("parse", here(), "a region", "the generic form of an operation with regions");
      types(function, op);
    }
  }
  if (std::string location = optional_location(); !location.empty()) {
    auto& known = locations_[std::move(location)];  // filled in at the end, because aliases may follow the functions
    if (known == nullptr) known = std::make_shared<SourceLocation>();
    op.location = known;
  }
  if (op.results.size() != count && !(named.empty())) {
    fail("parse", op.place, fmt::format("{} names for {} results", count, op.results.size()), "a name for each result");
  }
  std::size_t next = 0;
  for (const Named& n : named) {
    define(n.name,
           {op.results.begin() + static_cast<std::ptrdiff_t>(next),
            op.results.begin() + static_cast<std::ptrdiff_t>(next + n.count)},
           n.place);
    next += n.count;
  }
  if (op.decl->kind != OpDecl::Kind::terminator) ++operations_;
  drop_empty_fields(op);
  if (const OpDecl* decl = linear_algebra_decl(function, op)) op.decl = decl;
  if (const OpDecl* decl = declared_call_decl(function, op)) op.decl = decl;
  if (auto ok = verify_op(instance_of(function, op)); !ok) throw UserError(ok.error());
  block.ops.push_back(std::move(op));
}

void Parser::generic_operation(Function& function, Op& op) {
  expect("(");
  if (!accept(")")) {
    op.operands = uses();
    expect(")");
  }
  if (at("[")) unexpected("an operation without successors");
  if (accept("<")) {
    op.attributes = dictionary();
    expect(">");
  }
  if (accept("(")) {
    do op.regions.push_back(region(function));
    while (accept(","));
    expect(")");
  }
  optional_dictionary(op.attributes);
  normalize(op);
  functional_type(function, op);
}

void Parser::items(Op& op) {
  const OpDecl& decl = *op.decl;
  const bool parenthesized = accept("(");
  bool first = true;
  while (!at(":") && !at("{") && !at(")")) {
    if (!first) expect(",");
    first = false;
    if (kind() == Token::Kind::percent) {
      op.operands.push_back(use());
      continue;
    }
    const Place place = here();
    const std::string key = identifier();
    const AttrSpec* spec = nullptr;
    for (const AttrSpec& s : decl.attributes) {
      if (s.pretty == key) {
        spec = &s;
        break;
      }
    }
    if (spec == nullptr) {
      fail("parse", place, fmt::format("'{}'", key), fmt::format("an operand or an attribute of {}", decl.name));
    }
    expect("=");
    set(op.attributes, spec->name, pretty_value(*spec));
  }
  if (parenthesized) expect(")");
  optional_dictionary(op.attributes);
  normalize(op);
}

Attribute Parser::pretty_value(const AttrSpec& spec) {
  switch (spec.kind) {
    case AttrSpec::Kind::integer: return {IntAttr{integer(), ""}};
    case AttrSpec::Kind::ints: return {IntsAttr{int_list()}};
    case AttrSpec::Kind::boolean:
      if (accept("true")) return {true};
      expect("false");
      return {false};
    case AttrSpec::Kind::keyword: return {KeywordAttr{keyword()}};
    case AttrSpec::Kind::keywords: {
      ArrayAttr out;
      expect("[");
      if (accept("]")) return {std::move(out)};
      do out.items.push_back({KeywordAttr{keyword()}});
      while (accept(","));
      expect("]");
      return {std::move(out)};
    }
    case AttrSpec::Kind::raw: return attribute(false);
  }
  return {};
}

void Parser::functional_type(Function& function, Op& op) {
  expect(":");
  if (!at("(")) unexpected("a type such as (tensor<2xf32>) -> tensor<2xf32>");
  const std::vector<Type> operands = type_or_list();
  expect("->");
  finish(function, op, operands, type_or_list());
}

void Parser::types(Function& function, Op& op) {
  const std::size_t n = op.operands.size();
  expect(":");
  if (at("(")) {
    const std::vector<Type> operands = type_or_list();
    expect("->");
    finish(function, op, operands, type_or_list());
    return;
  }
  const Place place = here();
  const std::vector<Type> list = types_until_end();
  if (accept("->")) {
    finish(function, op, list, type_or_list());
    return;
  }
  switch (op.decl->types) {
    case OpDecl::TypeForm::select:
      if (list.size() != 2 || n != 3) fail("parse", place, "other types", "a predicate's type and a value's type");
      finish(function, op, {list[0], list[1], list[1]}, {list[1]});
      return;
    case OpDecl::TypeForm::list: finish(function, op, list, list); return;
    case OpDecl::TypeForm::complex: {
      if (list.size() != 1 || !list[0].is_tensor())
        fail("parse", place, fmt::format("{} types", list.size()), "one type");
      TensorType part = *list[0];
      part.element = part.element == ElementType::c128 ? ElementType::f64 : ElementType::f32;
      finish(function, op, std::vector<Type>(n, part), {list[0]});
      return;
    }
    default:
      if (list.size() != 1) fail("parse", place, fmt::format("{} types", list.size()), "one type, or a function type");
      finish(function, op, std::vector<Type>(n, list[0]), {list[0]});
  }
}

void Parser::finish(Function& function, Op& op, const std::vector<Type>& operands, const std::vector<Type>& results) {
  if (operands.size() != op.operands.size()) {
    fail("types", op.place, fmt::format("{} operands and {} operand types", op.operands.size(), operands.size()),
         "a type for each operand");
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (function.type(op.operands[i]) != operands[i]) {
      fail("types", op.place, fmt::format("operand {} written as {}", i, operands[i].str()),
           fmt::format("{}, its type where it is defined", function.type(op.operands[i]).str()));
    }
  }
  for (const Type& t : results) op.results.push_back(function.add_value(t));
}

}  // namespace partir::text
