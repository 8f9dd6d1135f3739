// Parses types: tensors, tokens, tuples, index ranges, and aliases of types.
#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "ir/text/parser_detail.h"
#include "support/checked.h"

namespace partir::text {
namespace {

constexpr std::size_t kMostLeaves = 10'000;
constexpr std::size_t kMostNested = 100;

struct Extent {
  std::size_t leaves = 1;
  std::size_t depth = 0;
};

Extent extent_of(const Type& type) {
  const TupleType* tuple = type.as<TupleType>();
  if (tuple == nullptr) return {};
  Extent out{1, 0};
  for (const Type& t : tuple->elements) {
    const Extent inner = extent_of(t);
    out.leaves += inner.leaves;
    out.depth = std::max(out.depth, inner.depth);
  }
  ++out.depth;
  return out;
}

}  // namespace

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
  const Place place = here();
  const Depth depth(depth_, place);
  TupleType out;
  expect("<");
  if (accept(">")) return Type(std::move(out));
  do out.elements.push_back(type());
  while (accept(","));
  expect(">");
  Type tuple(std::move(out));
  // Aliases make types that are longer and deeper than their text.
  const Extent extent = extent_of(tuple);
  if (extent.leaves > kMostLeaves || extent.depth > kMostNested)
    fail("type", place, "a tuple of more than 10,000 types, or more than 100 deep", "less");
  return tuple;
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

}  // namespace partir::text
