// Element types and tensor types of StableHLO (specification, section "Types"), and the few other types that a value
// can have: tokens, tuples, loop indices, and types that are kept as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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
};

/// The name as StableHLO prints it ("f32", "complex<f32>").
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_from(std::string_view name);

bool is_float(ElementType type);
bool is_complex(ElementType type);
bool is_signed(ElementType type);    ///< i2 to i64 (i1 is boolean)
bool is_unsigned(ElementType type);  ///< ui2 to ui64
bool is_integer(ElementType type);   ///< signed or unsigned, without i1
/// The type of the real part: f32 for complex<f32>, f64 for complex<f64>. Returns any other type unchanged.
ElementType part_of(ElementType type);
/// Bytes of one element as a hex blob stores it (1 for i1 and other types narrower than a byte).
std::size_t byte_width(ElementType type);
/// Bits of one element (1 for i1).
unsigned bit_width(ElementType type);

/// A ranked tensor of static shape.
struct TensorType {
  ElementType element = ElementType::f32;
  std::vector<std::int64_t> dims;

  [[nodiscard]] std::size_t rank() const { return dims.size(); }
  /// Number of elements; the parser guarantees that it fits in 64 bits.
  [[nodiscard]] std::int64_t elements() const {
    std::int64_t count = 1;
    for (const std::int64_t d : dims) count *= d;
    return count;
  }
  [[nodiscard]] std::int64_t bytes() const;
  /// "tensor<4x8xf32>".
  [[nodiscard]] std::string str() const;
  [[nodiscard]] TensorType with_dims(std::vector<std::int64_t> new_dims) const;

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

class Type;

/// "!stablehlo.token", which orders side effects.
struct TokenType {
  friend bool operator==(TokenType, TokenType) = default;
};
/// "tuple<tensor<4xf32>, !stablehlo.token>".
struct TupleType {
  std::vector<Type> elements;
};
bool operator==(const TupleType& a, const TupleType& b);
/// "range<4>", the type of the index of a PartIR:Core loop: from 0 to extent - 1.
struct IndexRange {
  std::int64_t extent = 1;
  friend bool operator==(IndexRange, IndexRange) = default;
};
/// An uninterpreted type (a dynamic or quantized tensor, a type of another dialect), kept as written.
struct ForeignType {
  std::string text;
  friend bool operator==(const ForeignType&, const ForeignType&) = default;
};

/// The type of a value. Nearly all types are tensors, so a Type dereferences to its TensorType: `type->dims`.
/// Dereferencing another kind is an internal error; check is_tensor() where other kinds can occur.
class Type {
 public:
  Type() = default;
  Type(TensorType tensor) : kind_(std::move(tensor)) {}  // NOLINT: a tensor type is a type
  explicit Type(TokenType token) : kind_(token) {}
  explicit Type(TupleType tuple) : kind_(std::move(tuple)) {}
  explicit Type(IndexRange range) : kind_(range) {}
  explicit Type(ForeignType foreign) : kind_(std::move(foreign)) {}

  [[nodiscard]] bool is_tensor() const { return std::holds_alternative<TensorType>(kind_); }
  /// Null when the type is of another kind.
  template <class Kind>
  [[nodiscard]] const Kind* as() const {
    return std::get_if<Kind>(&kind_);
  }
  const TensorType& operator*() const { return tensor(); }
  const TensorType* operator->() const { return &tensor(); }
  TensorType& operator*() { return const_cast<TensorType&>(tensor()); }
  TensorType* operator->() { return const_cast<TensorType*>(&tensor()); }
  /// Number of dimensions of a tensor; 0 for other kinds, which no axis tiles.
  [[nodiscard]] std::size_t rank() const { return is_tensor() ? tensor().rank() : 0; }
  /// Bytes of a tensor; 0 for other kinds.
  [[nodiscard]] std::int64_t bytes() const { return is_tensor() ? tensor().bytes() : 0; }
  /// As MLIR prints it.
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Type& a, const Type& b) { return a.kind_ == b.kind_; }

 private:
  [[nodiscard]] const TensorType& tensor() const {
    const auto* t = std::get_if<TensorType>(&kind_);
    if (t == nullptr) no_tensor();
    return *t;
  }
  [[noreturn]] void no_tensor() const;

  std::variant<TensorType, TokenType, TupleType, IndexRange, ForeignType> kind_ = ForeignType{};
};

}  // namespace partir
