#include "ir/literal.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/attribute.h"
#include "ir/float_format.h"
#include "support/check.h"

namespace partir {
namespace {

template <class T>
T load(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
std::vector<std::uint8_t> store(T value) {
  std::vector<std::uint8_t> out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

std::vector<std::uint8_t> store_int(std::uint64_t value, std::size_t width) {
  std::vector<std::uint8_t> out(width);
  for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<std::uint8_t>(value >> (8 * i));
  return out;
}

bool narrow_float(ElementType type) { return is_float(type) && bit_width(type) <= 8; }

std::string hex_bits(const std::uint8_t* bytes, std::size_t width) {
  std::string out = "0x";
  for (std::size_t i = width; i-- > 0;) out += fmt::format("{:02X}", bytes[i]);
  return out;
}

std::string float_text(const std::uint8_t* bytes, ElementType type) {
  if (narrow_float(type)) return hex_bits(bytes, 1);
  std::string text;
  if (type == ElementType::f64) {
    const auto v = load<double>(bytes);
    if (!std::isfinite(v)) return hex_bits(bytes, 8);
    text = fmt::format("{:e}", v);
    if (std::strtod(text.c_str(), nullptr) != v) text = fmt::format("{:.16e}", v);
  } else {
    const double v = type == ElementType::f32 ? load<float>(bytes) : from_float_bits(load<std::uint16_t>(bytes), type);
    if (!std::isfinite(v)) return hex_bits(bytes, byte_width(type));
    text = fmt::format("{:e}", static_cast<float>(v));
    if (std::strtof(text.c_str(), nullptr) != static_cast<float>(v)) text = fmt::format("{:.8e}", v);
  }
  return text;
}

std::string element_text(const std::uint8_t* bytes, ElementType type) {
  if (type == ElementType::i1) return bytes[0] != 0 ? "true" : "false";
  if (is_complex(type)) {
    const ElementType part = part_of(type);
    return fmt::format("({},{})", float_text(bytes, part), float_text(bytes + byte_width(part), part));
  }
  if (is_float(type)) return float_text(bytes, type);
  std::uint64_t raw = 0;
  const std::size_t width = byte_width(type);
  for (std::size_t i = 0; i < width; ++i) raw |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  if (is_unsigned(type)) return fmt::format("{}", raw);
  const unsigned shift = 64 - 8 * static_cast<unsigned>(width);
  return fmt::format("{}", static_cast<std::int64_t>(raw << shift) >> shift);
}

void nested_text(const Literal& literal, std::size_t dim, std::int64_t& position, std::string& out) {
  if (dim == literal.type.rank()) {
    out += element_text(literal.element(position++), literal.type.element);
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < literal.type.dims[dim]; ++i) {
    if (i != 0) out += ", ";
    nested_text(literal, dim + 1, position, out);
  }
  out += ']';
}

std::optional<std::vector<std::uint8_t>> hex_scalar(ElementType type, std::string_view digits) {
  std::uint64_t bits = 0;
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (ec != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  const unsigned width = is_complex(type) ? 0 : bit_width(type);
  if (width == 0 || (width < 64 && (bits >> width) != 0)) return std::nullopt;
  if (is_signed(type) && width < 8 && (bits >> (width - 1)) != 0) bits |= ~std::uint64_t{0} << width;
  return store_int(bits, byte_width(type));
}

}  // namespace

std::optional<double> value_of(const FloatAttr& attribute) {
  const ElementType type = element_type_from(attribute.type).value_or(ElementType::f64);
  const auto bytes = is_float(type) ? scalar_bytes(type, attribute.text) : std::nullopt;
  return bytes ? std::optional(Literal{{type, {}}, true, *bytes}.as_double(0)) : std::nullopt;
}

std::optional<std::vector<std::uint8_t>> scalar_bytes(ElementType type, std::string_view text) {
  if (type == ElementType::i1) {
    if (text == "true" || text == "1" || text == "-1") return store_int(1, 1);
    if (text == "false" || text == "0") return store_int(0, 1);
    return std::nullopt;
  }
  const bool hex = text.starts_with("0x");
  if (is_float(type)) {
    if (hex) return hex_scalar(type, text.substr(2));
    if (text.starts_with("-0x")) return std::nullopt;
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (copy.empty() || *end != '\0' ||
        !(std::isdigit(static_cast<unsigned char>(copy.back())) || copy.back() == '.')) {
      return std::nullopt;
    }
    if (type == ElementType::f64) return store(value);
    if (type == ElementType::f32) return store(static_cast<float>(value));  // rounded twice, as MLIR does
    return store_int(to_float_bits(value, type), byte_width(type));
  }
  if (is_complex(type)) return std::nullopt;
  if (hex) return hex_scalar(type, text.substr(2));
  const unsigned bits = bit_width(type);
  if (is_unsigned(type)) {
    if (text.starts_with('-')) return std::nullopt;
    std::uint64_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (bits < 64 && (value >> bits) != 0) return std::nullopt;
    return store_int(value, byte_width(type));
  }
  std::int64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (bits < 64 && (value < -(std::int64_t{1} << (bits - 1)) || value >= (std::int64_t{1} << (bits - 1)))) {
    return std::nullopt;
  }
  return store_int(static_cast<std::uint64_t>(value), byte_width(type));
}

const std::uint8_t* Literal::element(std::int64_t position) const {
  return bytes.data() + (splat ? 0 : static_cast<std::size_t>(position) * byte_width(type.element));
}

std::int64_t Literal::as_int(std::int64_t position) const {
  const std::uint8_t* at = element(position);
  const std::size_t width = byte_width(type.element);
  std::uint64_t raw = 0;
  for (std::size_t i = 0; i < width; ++i) raw |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  if (!is_signed(type.element) && type.element != ElementType::index) return static_cast<std::int64_t>(raw);
  const unsigned shift = 64 - 8 * static_cast<unsigned>(width);
  return static_cast<std::int64_t>(raw << shift) >> shift;
}

double Literal::as_double(std::int64_t position) const {
  if (!is_float(type.element)) return static_cast<double>(as_int(position));
  std::uint64_t bits = 0;
  std::memcpy(&bits, element(position), byte_width(type.element));  // assumes a little-endian host
  return from_float_bits(bits, type.element);
}

std::complex<double> Literal::as_complex(std::int64_t position) const {
  const std::uint8_t* at = element(position);
  if (type.element == ElementType::c128) return {load<double>(at), load<double>(at + 8)};
  PARTIR_CHECK(type.element == ElementType::c64, "as_complex of a type that is not complex");
  return {load<float>(at), load<float>(at + 4)};
}

std::string Literal::str() const {
  if (type.elements() == 0) return "dense<>";
  if (splat || type.rank() == 0) return "dense<" + element_text(bytes.data(), type.element) + ">";
  const bool has_text = !is_complex(type.element) || type.elements() <= 100;
  if (has_text && type.elements() <= 100) {
    std::string out = "dense<";
    std::int64_t position = 0;
    nested_text(*this, 0, position, out);
    return out + ">";
  }
  std::string out = "dense<\"0x";
  out.reserve(out.size() + 2 * bytes.size() + 2);
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const std::uint8_t b : bytes) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out + "\">";
}

LiteralPtr int_splat(TensorType type, std::int64_t value) {
  const std::size_t width = byte_width(type.element);
  return std::make_shared<Literal>(Literal{std::move(type), true, store_int(static_cast<std::uint64_t>(value), width)});
}

LiteralPtr splat(TensorType type, std::int64_t number) {
  if (!is_float(type.element) && !is_complex(type.element)) return int_splat(std::move(type), number);
  auto bytes = scalar_bytes(part_of(type.element), fmt::format("{}.0", number));
  PARTIR_CHECK(bytes.has_value(), "a number that the type does not have");
  if (is_complex(type.element)) bytes->resize(2 * bytes->size(), 0);
  return std::make_shared<Literal>(Literal{std::move(type), true, std::move(*bytes)});
}

LiteralPtr splat_of(const Literal& scalar, std::vector<std::int64_t> dims) {
  auto out = std::make_shared<Literal>(scalar);
  out->type.dims = std::move(dims);
  out->splat = true;
  return out;
}

LiteralPtr identity_splat(TensorType type, Monoid monoid) {
  const ElementType element = type.element;
  const bool bitwise = monoid == Monoid::conj || monoid == Monoid::disj;
  const bool ordered = monoid == Monoid::max || monoid == Monoid::min;
  if (is_complex(element) ? bitwise || ordered : is_float(element) && bitwise) return nullptr;
  if (monoid == Monoid::sum || monoid == Monoid::disj) return splat(std::move(type), 0);
  if (monoid == Monoid::prod) return splat(std::move(type), 1);
  if (is_float(element)) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::uint64_t bits = to_float_bits(monoid == Monoid::max ? -infinity : infinity, element);
    if (!std::isinf(from_float_bits(bits, element))) return nullptr;
    return std::make_shared<Literal>(Literal{std::move(type), true, store_int(bits, byte_width(element))});
  }
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bit_width(element));
  const std::uint64_t top = is_signed(element) ? ones / 2 + 1 : 0;  // the bits of the smallest number
  const std::uint64_t bits = monoid == Monoid::max ? top : monoid == Monoid::min ? ones - top : ones;
  return std::make_shared<Literal>(Literal{std::move(type), true, store_int(bits, byte_width(element))});
}

LiteralPtr least_splat(TensorType type) {
  const ElementType element = type.element;
  if (!is_float(element)) return is_complex(element) ? nullptr : identity_splat(std::move(type), Monoid::max);
  const FloatFormat& format = float_format(element);
  if (format.special != FloatFormat::Special::ieee || !format.has_sign) return nullptr;
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bit_width(element));
  return std::make_shared<Literal>(Literal{std::move(type), true, store_int(ones, byte_width(element))});
}

LiteralPtr int_literal(TensorType type, const std::vector<std::int64_t>& values) {
  PARTIR_CHECK(type.elements() == static_cast<std::int64_t>(values.size()), "literal size");
  Literal out{type, false, {}};
  for (const std::int64_t v : values) {
    const auto bytes = store_int(static_cast<std::uint64_t>(v), byte_width(type.element));
    out.bytes.insert(out.bytes.end(), bytes.begin(), bytes.end());
  }
  return std::make_shared<Literal>(std::move(out));
}

LiteralPtr int_matrix(const std::vector<std::vector<std::int64_t>>& rows) {
  std::vector<std::int64_t> flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  const auto count = static_cast<std::int64_t>(rows.size());
  return int_literal({ElementType::i64, {count, static_cast<std::int64_t>(rows.at(0).size())}}, flat);
}

Literal double_literal(double value) { return {{ElementType::f64, {}}, true, store(value)}; }

Literal complex_literal(std::complex<double> value) {
  Literal out{{ElementType::c128, {}}, true, store(value.real())};
  const auto imaginary = store(value.imag());
  out.bytes.insert(out.bytes.end(), imaginary.begin(), imaginary.end());
  return out;
}

}  // namespace partir
