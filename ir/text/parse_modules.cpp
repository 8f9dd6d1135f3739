// Parses functions and modules, in the pretty and in the generic form.
#include <fmt/format.h>

#include <algorithm>

#include "ir/text/parser_detail.h"

namespace partir::text {
namespace {

/// A declaration `"sdy.mesh"() <{mesh = #sdy.mesh<…>, sym_name = "mesh"}> …` in Shardy's own form, `sdy.mesh @mesh =
/// <…> …`, which all readers of declarations take; nullopt for any other operation.
std::optional<std::string> mesh_declaration(const Op& op) {
  constexpr std::string_view prefix = "#sdy.mesh";
  const Attribute* name = partir::find(op.attributes, "sym_name");
  const Attribute* mesh = partir::find(op.attributes, "mesh");
  if (op.name() != "sdy.mesh" || name == nullptr || mesh == nullptr) return std::nullopt;
  const StringAttr* named = name->as<StringAttr>();
  const RawAttr* text = mesh->as<RawAttr>();
  if (named == nullptr || text == nullptr || !text->text.starts_with(prefix)) return std::nullopt;
  AttributeList others = op.attributes;
  drop(others, "sym_name");
  drop(others, "mesh");
  const std::string symbol = Attribute{SymbolAttr{named->value}}.str();
  return fmt::format("sdy.mesh {} = {}{}", symbol, text->text.substr(prefix.size()),
                     others.empty() ? "" : " " + Attribute{DictAttr(std::move(others))}.str());
}

}  // namespace

void Parser::function(Module& module) {
  Function f;
  f.place = here();
  expect("func.func");
  f.is_public = true;
  if (accept("private")) {
    f.is_public = false;
  } else {
    accept("public");
  }
  f.name = symbol();
  if (module.find(f.name) != nullptr)
    fail("module", f.place, fmt::format("function @{} twice", f.name), "each name once");
  forget_names();
  std::vector<std::string> locations;
  expect("(");
  if (!accept(")")) {
    do {
      const Place place = here();
      const std::string name = definition();
      expect(":");
      const ValueId value = f.add_value(type());
      f.body.arguments.push_back(value);
      define(name, {value}, place);
      f.argument_attributes.emplace_back();
      optional_dictionary(f.argument_attributes.back());
      locations.push_back(optional_location());
    } while (accept(","));
    expect(")");
  }
  std::vector<Type> results;
  if (accept("->")) {
    if (accept("(")) {
      if (!accept(")")) {
        do {
          results.push_back(type());
          f.result_attributes.emplace_back();
          optional_dictionary(f.result_attributes.back());
        } while (accept(","));
        expect(")");
      }
    } else {
      results.push_back(type());
      f.result_attributes.emplace_back();
    }
  }
  if (accept("attributes")) f.attributes = dictionary();
  expect("{");
  block_body(f, f.body, "}");
  expect("}");
  skip_location();
  const Op& ret = f.body.ops.back();
  if (ret.operands.size() != results.size()) {
    fail("types", ret.place, fmt::format("{} values returned", ret.operands.size()),
         fmt::format("{}, as the function declares", results.size()));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (f.type(ret.operands[i]) != results[i]) {
      fail("types", ret.place, fmt::format("result {} of type {}", i, f.type(ret.operands[i]).str()),
           fmt::format("{}, as the function declares", results[i].str()));
    }
  }
  argument_locations_.push_back(std::move(locations));
  module.functions.push_back(std::move(f));
}

void Parser::generic_function(Module& module, Place place) {
  // "func.func"() <{arg_attrs = […], function_type = …, sym_name = "main", …}> ({ ^bb0(…): … }) {…} : () -> ()
  Function f;
  f.place = place;
  expect("(");
  expect(")");
  AttributeList properties;
  if (accept("<")) {
    properties = dictionary();
    expect(">");
  }
  forget_names();
  std::vector<std::string> locations;
  expect("(");
  f.body = region(f, {}, &locations);
  expect(")");
  optional_dictionary(properties);
  expect(":");
  (void)type_or_list();
  expect("->");
  (void)type_or_list();
  skip_location();
  const Attribute* name = partir::find(properties, "sym_name");
  if (name == nullptr || name->as<StringAttr>() == nullptr)
    fail("parse", place, "a function without sym_name", "its name");
  f.name = name->as<StringAttr>()->value;
  if (module.find(f.name) != nullptr)
    fail("module", place, fmt::format("function @{} twice", f.name), "each name once");
  const Attribute* visibility = partir::find(properties, "sym_visibility");
  f.is_public = visibility == nullptr || visibility->as<StringAttr>() == nullptr ||
                visibility->as<StringAttr>()->value != "private";
  const auto attributes = [&](const char* key, std::size_t count) {
    std::vector<AttributeList> out(count);
    const Attribute* list = partir::find(properties, key);
    const ArrayAttr* array = list != nullptr ? list->as<ArrayAttr>() : nullptr;
    for (std::size_t i = 0; array != nullptr && i < std::min(count, array->items.size()); ++i) {
      if (const DictAttr* dict = array->items[i].as<DictAttr>()) out[i] = dict->entries;
    }
    return out;
  };
  f.argument_attributes = attributes("arg_attrs", f.body.arguments.size());
  f.result_attributes = attributes("res_attrs", f.returned().size());
  for (const char* known : {"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"})
    drop(properties, known);
  f.attributes = std::move(properties);
  argument_locations_.push_back(std::move(locations));
  module.functions.push_back(std::move(f));
}

void Parser::module_body(Module& module, std::string_view end) {
  while (!(end.empty() ? kind() == Token::Kind::end : at(end))) {
    if (at("func.func")) {
      function(module);
    } else if (kind() == Token::Kind::string) {
      const Place place = here();
      const std::size_t begin = lexer_.offset();
      const std::string name = string();
      if (name == "func.func") {
        generic_function(module, place);
        continue;
      }
      Function scratch;
      forget_names();
      Op op(scratch.new_op(), foreign_decl(name));
      op.place = place;
      generic_operation(scratch, op);
      module.declarations.push_back(
          mesh_declaration(op).value_or(std::string(lexer_.text().substr(begin, lexer_.taken_end() - begin))));
      skip_location();
    } else if (kind() == Token::Kind::identifier && lexer_.peek().text.find('.') != std::string_view::npos) {
      // sdy.mesh @mesh = <["x"=4]> {…}: kept as written.
      const std::size_t begin = lexer_.offset();
      take();
      (void)symbol();
      if (accept("=")) (void)balanced("<");
      if (at("{")) lexer_.balanced();
      module.declarations.emplace_back(lexer_.text().substr(begin, lexer_.taken_end() - begin));
      skip_location();
    } else if (kind() == Token::Kind::hash || kind() == Token::Kind::exclamation) {
      aliases();
    } else {
      unexpected(end.empty() ? "a module or a function" : "a function or '}'");
    }
  }
}

Module Parser::module() {
  Module out;
  aliases();
  if (accept("module")) {
    if (kind() == Token::Kind::at) out.name = symbol();
    if (accept("attributes")) out.attributes = dictionary();
    expect("{");
    module_body(out, "}");
    expect("}");
    skip_location();
  } else if (kind() == Token::Kind::string && lexer_.peek().text == "\"builtin.module\"") {
    take();
    expect("(");
    expect(")");
    AttributeList properties;
    if (accept("<")) {
      properties = dictionary();
      expect(">");
    }
    expect("(");
    expect("{");
    if (kind() == Token::Kind::caret) {
      take();
      expect(":");
    }
    module_body(out, "}");
    expect("}");
    expect(")");
    optional_dictionary(out.attributes);
    if (const Attribute* name = partir::find(properties, "sym_name");
        name != nullptr && name->as<StringAttr>() != nullptr) {
      out.name = name->as<StringAttr>()->value;
    }
    expect(":");
    (void)type_or_list();
    expect("->");
    (void)type_or_list();
    skip_location();
  } else {
    module_body(out, "");
  }
  aliases();
  if (kind() != Token::Kind::end) unexpected("the end of the text");
  if (out.functions.empty()) fail("module", {1, 1}, "no function", "a module with a function @main");
  name_arguments_by_location(out);
  for (auto& [text, location] : locations_) *location = location_from(text, 0);
  out.operations = operations_;
  return out;
}

}  // namespace partir::text
