// Element types and tensor types of StableHLO (specification, section "Types").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partir {

enum class ElementType : std::uint8_t {
  i1,
  i2,
  i4,
  i8,
  i16,
  i32,
  i64,
  ui2,
  ui4,
  ui8,
  ui16,
  ui32,
  ui64,
  f4E2M1FN,
  f6E2M3FN,
  f6E3M2FN,
  f8E3M4,
  f8E4M3,
  f8E4M3B11FNUZ,
  f8E4M3FN,
  f8E4M3FNUZ,
  f8E5M2,
  f8E5M2FNUZ,
  f8E8M0FNU,
  bf16,
  f16,
  f32,
  f64,
  c64,
  c128,
  index,
  opaque,  ///< a type without meaning here (tokens, tuples, dynamic or quantized tensors); `Type::text` holds it
};

/// The name as StableHLO prints it ("f32", "complex<f32>").
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_from(std::string_view name);

bool is_float(ElementType type);
bool is_complex(ElementType type);
bool is_signed(ElementType type);    ///< i2 to i64 (i1 is boolean)
bool is_unsigned(ElementType type);  ///< ui2 to ui64
bool is_integer(ElementType type);   ///< signed or unsigned, without i1
/// The type of a complex type's parts; others as they are.
ElementType real_part(ElementType type);
/// Bytes of one element as a hex blob stores it (i1 and narrower integers take one).
std::size_t byte_width(ElementType type);
/// Bits of the value (1 for i1).
unsigned bit_width(ElementType type);

/// A ranked tensor with static shape, or an opaque type kept as text.
struct TensorType {
  ElementType element = ElementType::opaque;
  std::vector<std::int64_t> dims;
  std::string text;  ///< only when opaque

  [[nodiscard]] std::size_t rank() const { return dims.size(); }
  [[nodiscard]] bool is_tensor() const { return element != ElementType::opaque; }
  /// Number of elements; the reader guarantees that it fits.
  [[nodiscard]] std::int64_t elements() const;
  [[nodiscard]] std::int64_t bytes() const;
  /// "tensor<4x8xf32>".
  [[nodiscard]] std::string str() const;
  [[nodiscard]] TensorType with_dims(std::vector<std::int64_t> new_dims) const;

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

}  // namespace partir
