#include "ir/text/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "ir/text/read.h"
#include "ir/text/recognize.h"
#include "support/check.h"
#include "support/checked.h"

namespace partir::text {
namespace {

constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxRank = 64;

/// Counts nesting while in scope.
class Depth {
 public:
  Depth(int& depth, Place place) : depth_(depth) {
    if (++depth_ > kMaxDepth) {
      --depth_;
      fail("parse", place, "nesting more than 100 deep", "less");
    }
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  int& depth_;
};

/// The value of a number's text; nothing where 64 bits do not hold it. Hexadecimal text stands for bits.
std::optional<std::int64_t> integer_value(bool negative, std::string_view text, bool is_unsigned) {
  const bool hex = text.starts_with("0x");
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data() + (hex ? 2 : 0), last, value, hex ? 16 : 10);
  if (ec != std::errc() || end != last) return std::nullopt;
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  if (negative) return value > limit ? std::nullopt : std::optional(static_cast<std::int64_t>(~value + 1));
  if (!hex && !is_unsigned && value >= limit) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// Elements of narrow types in a blob: one byte each, whose upper bits repeat the sign or are zero.
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

/// An enumeration's case: letters, digits and _.
bool is_case(std::string_view text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_word);
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  return fmt::format("'{}'", token.text.substr(0, 60));
}

}  // namespace

// --- Primitives
// ---------------------------------------------------------------------------------------------------------

bool Parser::at(std::string_view text) const {
  const Token& t = lexer_.peek();
  return t.text == text && t.kind != Token::Kind::string && t.kind != Token::Kind::end;
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  lexer_.take();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) unexpected(fmt::format("'{}'", text));
}

void Parser::unexpected(std::string wanted) { fail("parse", here(), shown(lexer_.peek()), std::move(wanted)); }

std::int64_t Parser::integer() {
  const bool negative = accept("-");
  if (kind() != Token::Kind::number) unexpected("an integer");
  const auto value = integer_value(negative, lexer_.peek().text, false);
  if (!value) unexpected("an integer of 64 bits");
  lexer_.take();
  return *value;
}

std::string_view Parser::balanced(std::string_view open) {
  if (!at(open)) unexpected(fmt::format("'{}'", open));
  return lexer_.balanced();
}

std::string Parser::identifier() {
  if (kind() != Token::Kind::identifier) unexpected("a name");
  return std::string(take().text);
}

std::string Parser::string() {
  if (kind() != Token::Kind::string) unexpected("a string");
  return unquoted(take().text);
}

std::string Parser::symbol() {
  if (kind() != Token::Kind::at) unexpected("a symbol such as @main");
  const std::string_view text = take().text.substr(1);
  return text.starts_with('"') ? unquoted(text) : std::string(text);
}

std::string Parser::keyword() {
  if (kind() != Token::Kind::identifier || !is_case(lexer_.peek().text)) unexpected("an enumeration's case");
  return std::string(take().text);
}

std::vector<std::int64_t> Parser::int_list() {
  std::vector<std::int64_t> out;
  expect("[");
  if (accept("]")) return out;
  do out.push_back(integer());
  while (accept(","));
  expect("]");
  return out;
}

// --- Types
// --------------------------------------------------------------------------------------------------------------

Type Parser::type_from(std::string_view text, Place place) {
  TensorType out;
  const auto carried = [&] { return Type(ForeignType{"tensor" + std::string(text)}); };
  std::string_view rest = text.substr(1, text.size() - 2);
  std::int64_t elements = 1;
  while (!rest.empty() && (std::isdigit(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '?')) {
    std::int64_t dim = 0;
    if (rest[0] == '?') return carried();
    const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), dim);
    if (ec != std::errc()) fail("type", place, fmt::format("'tensor{}'", text), "dimensions of 64 bits");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('x')) {
      fail("type", place, fmt::format("'tensor{}'", text), "dimensions and an element type such as tensor<2x3xf32>");
    }
    rest.remove_prefix(1);
    const auto product = checked_multiply(std::max<std::int64_t>(elements, 1), dim);
    if (!product || *product > std::numeric_limits<std::int64_t>::max() / 16) {
      fail("type", place, fmt::format("'tensor{}'", text), "fewer than 2^59 elements");
    }
    elements = *product;
    out.dims.push_back(dim);
    if (out.dims.size() > kMaxRank) fail("type", place, "a tensor of more than 64 dimensions", "fewer");
  }
  const auto element = element_type_from(rest);
  if (element) {
    out.element = *element;
    return out;
  }
  if (rest.starts_with('!') || rest.find(',') != std::string_view::npos || rest.starts_with("tuple") ||
      rest == "none") {
    return carried();
  }
  fail("type", place, fmt::format("'tensor{}'", text), "an element type of StableHLO such as f32");
}

Type Parser::type() {
  const Place place = here();
  if (accept("tensor")) return type_from(balanced("<"), place);
  if (accept("tuple")) return tuple_type();
  if (kind() != Token::Kind::exclamation && kind() != Token::Kind::identifier) unexpected("a type");
  std::string text(take().text);
  if (text == "!stablehlo.token") return Type(TokenType{});
  if (text == "range" && accept("<")) {
    const std::int64_t extent = kind() == Token::Kind::number ? integer() : 0;
    if (extent < 1 || !accept(">")) fail("core", place, "no size in range<…>", "range<n> with n of at least 1");
    return Type(IndexRange{extent});
  }
  if (at("<")) text += lexer_.balanced();
  const auto alias = type_aliases_.find(text);
  return alias == type_aliases_.end() ? Type(ForeignType{std::move(text)}) : alias->second;
}

TensorType Parser::tensor_type(std::string_view code) {
  const Place place = here();
  Type out = type();
  if (!out.is_tensor()) fail(std::string(code), place, out.str(), "a tensor type of static shape");
  return std::move(*out);
}

Type Parser::tuple_type() {
  TupleType out;
  expect("<");
  if (accept(">")) return Type(std::move(out));
  do out.elements.push_back(type());
  while (accept(","));
  expect(">");
  return Type(std::move(out));
}

std::vector<Type> Parser::type_or_list() {
  std::vector<Type> out;
  if (!accept("(")) {
    out.push_back(type());
    return out;
  }
  if (accept(")")) return out;
  do out.push_back(type());
  while (accept(","));
  expect(")");
  return out;
}

std::vector<Type> Parser::types_until_end() {
  std::vector<Type> out;
  do out.push_back(type());
  while (accept(","));
  return out;
}

// --- Attributes
// ---------------------------------------------------------------------------------------------------------

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
  // The type stands behind the values, so the values are kept as text first.
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
  // One spelling for what is the same: a scalar is a splat, and no elements have no bytes.
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

// --- Values
// -------------------------------------------------------------------------------------------------------------

ValueId Parser::use() {
  const Place place = here();
  if (kind() != Token::Kind::percent) unexpected("a value such as %0");
  const std::string name(take().text);
  const auto it = names_.find(name);
  if (it == names_.end()) fail("parse", place, fmt::format("{} before it is defined", name), "a value defined above");
  const std::vector<ValueId>& values = it->second.values;
  std::size_t number = 0;
  if (kind() == Token::Kind::hash) {
    const std::string_view digits = take().text.substr(1);
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (ec != std::errc() || end != digits.data() + digits.size()) number = values.size();
  }
  if (number >= values.size()) {
    fail("parse", place, fmt::format("result {} of {}", number, name), fmt::format("one of its {}", values.size()));
  }
  return values[number];
}

std::vector<ValueId> Parser::uses() {
  std::vector<ValueId> out;
  do out.push_back(use());
  while (accept(","));
  return out;
}

std::string Parser::definition() {
  if (kind() != Token::Kind::percent) unexpected("a value such as %0");
  return std::string(take().text);
}

void Parser::define(std::string_view name, std::vector<ValueId> values, Place place) {
  const std::string key(name);
  const auto it = names_.find(key);
  Undo undo{key, it != names_.end(), {}};
  if (undo.existed) {
    // A region of an operation isolated from above may use a name again; a region's own names are used once.
    if (it->second.scope == scope_) fail("parse", place, fmt::format("{} twice", key), "each name once");
    undo.old = it->second;
  }
  undo_.push_back(std::move(undo));
  names_[key] = {std::move(values), scope_};
}

void Parser::unwind(std::size_t mark) {
  while (undo_.size() > mark) {
    Undo& undo = undo_.back();
    if (undo.existed) {
      names_[undo.name] = std::move(undo.old);
    } else {
      names_.erase(undo.name);
    }
    undo_.pop_back();
  }
}

void Parser::forget_names() {
  names_.clear();
  undo_.clear();
}

// --- Operations
// ---------------------------------------------------------------------------------------------------------

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

/// An empty list of a structured property (offset_dims = []) says what its absence says: forms differ in what they
/// write.
void drop_empty_fields(Op& op) {
  for (const AttrSpec& spec : op.decl->attributes) {
    if (spec.group.empty()) continue;
    const Attribute* field = partir::find(op.attributes, spec.name);
    const IntsAttr* list = field != nullptr ? field->as<IntsAttr>() : nullptr;
    if (list != nullptr && list->values.empty()) drop(op.attributes, spec.name);
  }
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
    const std::string name = string();
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
  } else {
    if (kind() != Token::Kind::identifier) unexpected("an operation");
    std::string name(lexer_.peek().text);
    if (name == "return" || name == "call") name = "func." + name;
    if (name == "loop" || name == "slice" || name == "yield") name = "partir." + name;
    op.decl = find_decl(name);
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
    auto& known = locations_[std::move(location)];  // aliases may stand behind the functions: filled in at the end
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

// --- Properties
// ---------------------------------------------------------------------------------------------------------

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
  // Structured properties become their fields.
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

// --- Locations
// ----------------------------------------------------------------------------------------------------------

std::string Parser::optional_location() {
  if (!at("loc")) return "";
  take();
  return std::string(balanced("("));
}

void Parser::aliases() {
  while (kind() == Token::Kind::hash || kind() == Token::Kind::exclamation) {
    const bool is_type = kind() == Token::Kind::exclamation;
    const std::string name(take().text);
    expect("=");
    if (is_type && !at("(")) {
      type_aliases_[name] = type();
    } else if (at("loc")) {
      location_aliases_[name] = optional_location();
    } else {
      Attribute value = attribute(true);
      const bool nests = value.as<ArrayAttr>() != nullptr || value.as<DictAttr>() != nullptr;
      if (!is_type && !nests) attribute_aliases_[name] = std::move(value);
    }
  }
}

SourceLocation Parser::location_from(std::string_view text, int depth) const {
  constexpr int kDeepest = 32;  // aliases may go round in circles
  SourceLocation out;
  if (depth > kDeepest || text.size() < 2) return out;
  text = text.substr(1, text.size() - 2);
  if (text.starts_with("#")) {
    const auto it = location_aliases_.find(std::string(text));
    return it == location_aliases_.end() ? out : location_from(it->second, depth + 1);
  }
  if (text.starts_with("callsite(")) {  // callsite(#callee at #caller)
    const auto end = text.find(" at ");
    if (end == std::string_view::npos) return out;
    return location_from(fmt::format("({})", text.substr(9, end - 9)), depth + 1);
  }
  if (!text.starts_with("\"")) return out;
  std::size_t close = 1;
  while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
  if (close >= text.size()) return out;
  const std::string quoted = unquoted(text.substr(0, close + 1));
  const std::string_view rest = text.substr(close + 1);
  if (rest.starts_with(":")) {  // "file":line:column
    out.source = quoted + std::string(rest.substr(0, rest.find(' ')));
  } else {
    out = location_from(rest, depth + 1);
    out.name = quoted;
  }
  return out;
}

void Parser::name_arguments_by_location(Module& module) const {
  const auto plain = [](std::string_view text) -> std::string {  // ("a") -> a
    if (text.size() > 4 && text.starts_with("(\"") && text.ends_with("\")"))
      return unquoted(text.substr(1, text.size() - 2));
    return "";
  };
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    for (const std::string& location : argument_locations_[f]) {
      std::string text = location;
      if (text.starts_with("(#")) {
        const auto it = location_aliases_.find(text.substr(1, text.size() - 2));
        text = it == location_aliases_.end() ? "" : it->second;
      }
      module.functions[f].argument_locations.push_back(plain(text));
    }
  }
}

// --- Functions and modules
// ----------------------------------------------------------------------------------------------

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
      module.declarations.emplace_back(lexer_.text().substr(begin, lexer_.taken_end() - begin));
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

namespace partir {

Result<Module> read_module(std::string_view text, const std::string& file) {
  if (auto other = recognized_otherwise(text, file)) return tl::unexpected(std::move(*other));
  try {
    text::Parser parser(without_mark(text));
    return parser.module();
  } catch (const UserError& error) {
    Diagnostic out = error.diagnostic();
    out.file = file;
    return tl::unexpected(std::move(out));
  }
}

}  // namespace partir
