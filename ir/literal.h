// Constant tensors: MLIR's dense elements, held as little-endian bytes.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/action.h"
#include "ir/types.h"

namespace partir {

/// Immutable. A splat holds the bytes of one element.
struct Literal {
  TensorType type;
  bool splat = false;
  std::vector<std::uint8_t> bytes;

  /// Bytes of the element at a row-major position.
  [[nodiscard]] const std::uint8_t* element(std::int64_t position) const;
  /// Integer and boolean elements, sign-extended.
  [[nodiscard]] std::int64_t as_int(std::int64_t position) const;
  /// Real elements (exact: every format here fits in a double but 64-bit integers).
  [[nodiscard]] double as_double(std::int64_t position) const;
  [[nodiscard]] std::complex<double> as_complex(std::int64_t position) const;
  /// "dense<…>" without the type; reading it back gives the same bits.
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Literal&, const Literal&) = default;
};

using LiteralPtr = std::shared_ptr<const Literal>;

/// A splat of an integer or boolean.
LiteralPtr int_splat(TensorType type, std::int64_t value);
/// A splat of a whole number in any element type that has it exactly.
LiteralPtr splat(TensorType type, std::int64_t number);
/// A splat of what a combination by the monoid leaves as it is; null in a type that has no such element.
LiteralPtr identity_splat(TensorType type, Monoid monoid);
/// One integer per element (i64 vectors such as replica groups).
LiteralPtr int_literal(TensorType type, const std::vector<std::int64_t>& values);
/// A matrix of i64 (replica groups, pairs of devices). Rows of one length, at least one.
LiteralPtr int_matrix(const std::vector<std::vector<std::int64_t>>& rows);

/// A scalar of type f64 or complex<f64>.
Literal double_literal(double value);
Literal complex_literal(std::complex<double> value);

/// Bits of a scalar written as text ("1.5", "-3", "true", "0x7FC00000"); nothing if the text does not fit the type.
std::optional<std::vector<std::uint8_t>> scalar_bytes(ElementType type, std::string_view text);

}  // namespace partir
