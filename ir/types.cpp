#include "ir/types.h"

#include <fmt/format.h>

#include <array>

#include "support/check.h"

namespace partir {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  unsigned bits;
};

constexpr std::array kRows = {
    Row{ElementType::i1, "i1", 1},
    Row{ElementType::i2, "i2", 2},
    Row{ElementType::i4, "i4", 4},
    Row{ElementType::i8, "i8", 8},
    Row{ElementType::i16, "i16", 16},
    Row{ElementType::i32, "i32", 32},
    Row{ElementType::i64, "i64", 64},
    Row{ElementType::ui2, "ui2", 2},
    Row{ElementType::ui4, "ui4", 4},
    Row{ElementType::ui8, "ui8", 8},
    Row{ElementType::ui16, "ui16", 16},
    Row{ElementType::ui32, "ui32", 32},
    Row{ElementType::ui64, "ui64", 64},
    Row{ElementType::f4E2M1FN, "f4E2M1FN", 4},
    Row{ElementType::f6E2M3FN, "f6E2M3FN", 6},
    Row{ElementType::f6E3M2FN, "f6E3M2FN", 6},
    Row{ElementType::f8E3M4, "f8E3M4", 8},
    Row{ElementType::f8E4M3, "f8E4M3", 8},
    Row{ElementType::f8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8},
    Row{ElementType::f8E4M3FN, "f8E4M3FN", 8},
    Row{ElementType::f8E4M3FNUZ, "f8E4M3FNUZ", 8},
    Row{ElementType::f8E5M2, "f8E5M2", 8},
    Row{ElementType::f8E5M2FNUZ, "f8E5M2FNUZ", 8},
    Row{ElementType::f8E8M0FNU, "f8E8M0FNU", 8},
    Row{ElementType::bf16, "bf16", 16},
    Row{ElementType::f16, "f16", 16},
    Row{ElementType::f32, "f32", 32},
    Row{ElementType::f64, "f64", 64},
    Row{ElementType::c64, "complex<f32>", 64},
    Row{ElementType::c128, "complex<f64>", 128},
    Row{ElementType::index, "index", 64},
};

const Row& element_row(ElementType type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name_of(ElementType type) { return element_row(type).name; }

std::optional<ElementType> element_type_from(std::string_view name) {
  for (const Row& r : kRows) {
    if (r.name == name) return r.type;
  }
  return std::nullopt;
}

bool is_float(ElementType type) { return type >= ElementType::f4E2M1FN && type <= ElementType::f64; }
bool is_complex(ElementType type) { return type == ElementType::c64 || type == ElementType::c128; }
bool is_signed(ElementType type) { return type >= ElementType::i2 && type <= ElementType::i64; }
bool is_unsigned(ElementType type) { return type >= ElementType::ui2 && type <= ElementType::ui64; }
bool is_integer(ElementType type) { return is_signed(type) || is_unsigned(type); }
ElementType part_of(ElementType type) {
  return type == ElementType::c64 ? ElementType::f32 : type == ElementType::c128 ? ElementType::f64 : type;
}
unsigned bit_width(ElementType type) { return element_row(type).bits; }
std::size_t byte_width(ElementType type) { return (element_row(type).bits + 7) / 8; }

std::int64_t TensorType::bytes() const { return elements() * static_cast<std::int64_t>(byte_width(element)); }

std::string TensorType::str() const {
  std::string out = "tensor<";
  for (const std::int64_t d : dims) {
    out += fmt::format_int(d).c_str();
    out += 'x';
  }
  out += name_of(element);
  out += '>';
  return out;
}

TensorType TensorType::with_dims(std::vector<std::int64_t> new_dims) const {
  return TensorType{element, std::move(new_dims)};
}

bool operator==(const TupleType& a, const TupleType& b) { return a.elements == b.elements; }

std::string Type::str() const {
  if (const auto* tensor = as<TensorType>()) return tensor->str();
  if (const auto* range = as<IndexRange>()) return fmt::format("range<{}>", range->extent);
  if (const auto* foreign = as<ForeignType>()) return foreign->text;
  const auto* tuple = as<TupleType>();
  if (tuple == nullptr) return "!stablehlo.token";
  std::string out = "tuple<";
  for (const Type& element : tuple->elements) out += (out.size() > 6 ? ", " : "") + element.str();
  return out + ">";
}

void Type::no_tensor() const { defect(__FILE__, __LINE__, "a tensor type is needed, not " + str()); }

}  // namespace partir
