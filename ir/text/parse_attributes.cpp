// Parses attributes, dictionaries, and the literals of dense<…>.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "ir/text/parser_detail.h"
#include "support/check.h"
#include "support/checked.h"

namespace partir::text {

namespace {

/// Normalises an element of a type narrower than a byte in a hex blob, which takes one byte: the upper bits become the
/// sign extension. Returns false if the upper bits are neither zero nor the sign extension.
bool canonical_narrow(ElementType element, std::uint8_t& byte) {
  if (element == ElementType::i1) {
    byte = byte != 0 ? 1 : 0;
    return true;
  }
  const unsigned bits = bit_width(element);
  if (bits >= 8) return true;
  const unsigned high = byte >> bits;
  const bool sign = is_signed(element) && (byte >> (bits - 1) & 1U) != 0;
  if (high != 0 && !(sign && high == 0xFFU >> bits)) return false;
  if (sign) byte = static_cast<std::uint8_t>(byte | (0xFFU << bits));
  return true;
}

}  // namespace

Attribute Parser::attribute(bool typed) {
  const Depth depth(depth_, here());
  const Place place = here();
  const auto type_suffix = [&]() -> std::string { return typed && accept(":") ? type().str() : std::string(); };
  const auto raw_attribute = [&](std::string text) -> Attribute {
    if (const std::string of = type_suffix(); !of.empty()) text += " : " + of;
    return {RawAttr{std::move(text), place}};
  };
  switch (kind()) {
    case Token::Kind::string: {
      StringAttr out{string()};
      (void)type_suffix();
      return {out};
    }
    case Token::Kind::at: {
      std::string text(lexer_.peek().text);
      std::string name = symbol();
      if (!at(":")) return {SymbolAttr{std::move(name)}};
      while (accept(":")) {  // a nested symbol @a::@b
        expect(":");
        text += "::" + std::string(lexer_.peek().text);
        (void)symbol();
      }
      return {RawAttr{std::move(text)}};
    }
    case Token::Kind::number: break;
    case Token::Kind::hash:
    case Token::Kind::exclamation: {
      std::string text(take().text);
      if (at("<")) text += lexer_.balanced();
      if (const auto alias = attribute_aliases_.find(text); alias != attribute_aliases_.end()) return alias->second;
      return raw_attribute(std::move(text));
    }
    case Token::Kind::identifier: {
      const std::string_view word = lexer_.peek().text;
      if (word == "true" || word == "false") {
        const bool value = word == "true";
        take();
        return {value};
      }
      if (word == "unit") {
        take();
        return {UnitAttr{}};
      }
      if (word == "dense") return {dense()};
      std::string text(take().text);
      if (text == "loc" && at("(")) return {RawAttr{text + std::string(lexer_.balanced())}};
      if (text == "array" && at("<")) {
        const std::string_view raw = lexer_.balanced();
        try {
          Parser inner(raw);
          inner.expect("<");
          if (inner.accept("i64")) {
            IntsAttr ints;
            if (inner.accept(":")) {
              do ints.values.push_back(inner.integer());
              while (inner.accept(","));
            }
            inner.expect(">");
            return {std::move(ints)};
          }
        } catch (const UserError& error) {
          fail("parse", place, fmt::format("array{}", raw.substr(0, 60)), error.diagnostic().wanted);
        }
        return {RawAttr{text + std::string(raw)}};
      }
      if (at("<")) text += lexer_.balanced();
      return raw_attribute(std::move(text));
    }
    case Token::Kind::punctuation: {
      if (at("[")) {
        take();
        ArrayAttr out;
        if (accept("]")) return {std::move(out)};
        do out.items.push_back(attribute(typed));
        while (accept(","));
        expect("]");
        return {std::move(out)};
      }
      if (at("{")) return {DictAttr{dictionary()}};
      if (at("<")) return {RawAttr{std::string(lexer_.balanced())}};
      if (at("(")) {  // a function type
        std::string text(lexer_.balanced());
        expect("->");
        text += " -> ";
        text += at("(") ? std::string(lexer_.balanced()) : type().str();
        return {RawAttr{std::move(text)}};
      }
      if (!at("-")) unexpected("an attribute");
      break;
    }
    default: unexpected("an attribute");
  }
  // A number.
  const bool negative = accept("-");
  if (kind() != Token::Kind::number) unexpected("a number");
  const std::string digits(take().text);
  const std::string text = (negative ? "-" : "") + digits;
  const std::string of = type_suffix();
  const auto element = element_type_from(of);
  const bool real = element ? is_float(*element) : text.find('.') != std::string::npos;
  if (real) return {FloatAttr{text, of}};
  const auto value = integer_value(negative, digits, element == ElementType::ui64);
  if (!value) fail("parse", place, fmt::format("'{}'", text), "an integer of 64 bits");
  return {IntAttr{*value, of}};
}

DenseAttr Parser::dense() {
  const Place place = here();
  expect("dense");
  // The type follows the values, so the values are kept as text first.
  struct Item {
    std::string text;
    std::string imaginary;
  };
  std::vector<Item> items;
  std::vector<std::int64_t> shape;
  bool list = false;
  std::string blob;
  bool is_blob = false;
  const auto number = [&] {
    std::string text = accept("-") ? "-" : "";
    if (kind() != Token::Kind::number && kind() != Token::Kind::identifier) unexpected("a value");
    return text + std::string(take().text);
  };
  const auto scalar = [&] {
    Item item;
    if (accept("(")) {
      item.text = number();
      expect(",");
      item.imaginary = number();
      expect(")");
    } else {
      item.text = number();
    }
    items.push_back(std::move(item));
  };
  const std::function<void(std::size_t)> nested = [&](std::size_t level) {
    const Place from = here();
    if (level == kMaxRank) fail("dense", from, "lists more than 64 deep", "at most 64 dimensions");
    expect("[");
    std::int64_t count = 0;
    if (!accept("]")) {
      do {
        if (at("[")) {
          nested(level + 1);
        } else {
          if (shape.size() > level + 1) unexpected("a list as deep as those before");
          scalar();
        }
        ++count;
      } while (accept(","));
      expect("]");
    }
    if (shape.size() <= level) shape.resize(level + 1, -1);
    if (shape[level] >= 0 && shape[level] != count) {
      fail("dense", from, fmt::format("a list of {}", count), fmt::format("{}, as before", shape[level]));
    }
    shape[level] = count;
  };
  expect("<");
  if (kind() == Token::Kind::string) {
    is_blob = true;
    blob = string();
  } else if (at("[")) {
    list = true;
    nested(0);
  } else if (!at(">")) {
    scalar();
  }
  expect(">");
  expect(":");
  auto literal = std::make_shared<Literal>();
  literal->type = tensor_type("dense");
  TensorType& type = literal->type;
  const std::size_t width = byte_width(type.element);
  const auto wrong = [&](std::string found, std::string wanted) {
    fail("dense", place, std::move(found), std::move(wanted));
  };
  // Canonical form: a scalar is a splat, and a literal without elements has no bytes.
  const auto finished = [&]() -> DenseAttr {
    if (type.rank() == 0) literal->splat = true;
    if (type.elements() == 0) {
      literal->splat = false;
      literal->bytes.clear();
    }
    return {std::move(literal)};
  };
  if (is_blob) {
    if (!blob.starts_with("0x") || blob.size() % 2 != 0) wrong("a blob that is not hexadecimal", "\"0x…\"");
    const auto digit = [&](char c) -> unsigned {
      if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
      if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
      if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
      wrong("a blob that is not hexadecimal", "digits 0 to F");
      return 0;
    };
    const auto bytes = (blob.size() - 2) / 2;
    const auto whole = static_cast<std::size_t>(type.elements()) * width;
    if (bytes != whole && bytes != width)
      wrong(fmt::format("{} bytes", bytes), fmt::format("{} of {}", whole, type.str()));
    literal->splat = bytes != whole;
    literal->bytes.reserve(bytes);
    for (std::size_t i = 2; i < blob.size(); i += 2) {
      auto byte = static_cast<std::uint8_t>(digit(blob[i]) << 4 | digit(blob[i + 1]));
      if (!canonical_narrow(type.element, byte)) {
        wrong(fmt::format("the byte 0x{:02X}", byte), fmt::format("a value of {}", name_of(type.element)));
      }
      literal->bytes.push_back(byte);
    }
    return finished();
  }
  if (list && !(shape == type.dims) && !(items.empty() && type.elements() == 0)) {
    wrong(fmt::format("values of shape {}", ints_text(shape)), fmt::format("the shape of {}", type.str()));
  }
  if (!list && items.empty() && type.elements() != 0) wrong("no values", fmt::format("those of {}", type.str()));
  literal->splat = !list && !items.empty();
  const auto part = [&](ElementType element, const std::string& text) {
    auto bytes = scalar_bytes(element, text);
    if (!bytes) wrong(fmt::format("'{}'", text), fmt::format("a value of {}", name_of(element)));
    literal->bytes.insert(literal->bytes.end(), bytes->begin(), bytes->end());
  };
  for (const Item& item : items) {
    if (is_complex(type.element)) {
      const ElementType real = type.element == ElementType::c64 ? ElementType::f32 : ElementType::f64;
      part(real, item.text);
      part(real, item.imaginary.empty() ? "0.0" : item.imaginary);
    } else {
      if (!item.imaginary.empty()) wrong("a complex value", fmt::format("a value of {}", name_of(type.element)));
      part(type.element, item.text);
    }
  }
  return finished();
}

AttributeList Parser::dictionary() {
  AttributeList out;
  expect("{");
  if (accept("}")) return out;
  do {
    const Place place = here();
    std::string name = kind() == Token::Kind::string ? string() : identifier();
    if (partir::find(out, name) != nullptr)
      fail("parse", place, fmt::format("attribute {} twice", name), "each name once");
    Attribute value = accept("=") ? attribute(true) : Attribute{UnitAttr{}};
    out.emplace_back(std::move(name), std::move(value));
  } while (accept(","));
  expect("}");
  return out;
}

void Parser::optional_dictionary(AttributeList& into) {
  if (!at("{")) return;
  for (auto& [name, value] : dictionary()) set(into, name, std::move(value));
}

}  // namespace partir::text
