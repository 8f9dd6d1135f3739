// Constant tensors: MLIR's dense elements, stored as little-endian bytes.
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

/// A constant tensor, row-major. A splat stores the bytes of one element. Shared literals (LiteralPtr) are immutable.
struct Literal {
  TensorType type;
  bool splat = false;
  std::vector<std::uint8_t> bytes;

  /// The bytes of the element at a row-major position.
  [[nodiscard]] const std::uint8_t* element(std::int64_t position) const;
  /// An integer or boolean element; signed types are sign-extended.
  [[nodiscard]] std::int64_t as_int(std::int64_t position) const;
  /// A real element. Exact for all types but 64-bit integers.
  [[nodiscard]] double as_double(std::int64_t position) const;
  [[nodiscard]] std::complex<double> as_complex(std::int64_t position) const;
  /// "dense<…>" without the type; reading it back gives the same bits.
  [[nodiscard]] std::string str() const;

  /// Bit by bit. Literals without elements are equal if their types are.
  friend bool operator==(const Literal& a, const Literal& b) {
    return a.type == b.type && (a.type.elements() == 0 || (a.splat == b.splat && a.bytes == b.bytes));
  }
};

using LiteralPtr = std::shared_ptr<const Literal>;

/// A splat of an integer or boolean.
LiteralPtr int_splat(TensorType type, std::int64_t value);
/// A splat of an integer in any element type that represents it exactly.
LiteralPtr splat(TensorType type, std::int64_t number);
/// A tensor of these dimensions, all of whose elements are the scalar or splat.
LiteralPtr splat_of(const Literal& scalar, std::vector<std::int64_t> dims);
/// A splat of the identity of the monoid (-inf for max of f32); null if the element type has none.
LiteralPtr identity_splat(TensorType type, Monoid monoid);
/// A splat of the least element in the order by which top_k compares: the least integer, or for IEEE floats, in their
/// total order, the NaN whose bits are all ones. Null for other types.
LiteralPtr least_splat(TensorType type);
/// A literal with one integer per element (i64 vectors such as replica groups).
LiteralPtr int_literal(TensorType type, const std::vector<std::int64_t>& values);
/// A matrix of i64 (replica groups, pairs of devices). There is at least one row, and all have the same length.
LiteralPtr int_matrix(const std::vector<std::vector<std::int64_t>>& rows);

/// A scalar of type f64 or complex<f64>.
Literal double_literal(double value);
Literal complex_literal(std::complex<double> value);

struct FloatAttr;
/// The number that a float attribute states, rounded to its type; its bits may be written ("0x3F800000 : f32"). Nullopt
/// if it states none.
std::optional<double> value_of(const FloatAttr& attribute);

/// The bytes of a scalar written as text ("1.5", "-3", "true", "0x7FC00000"); nullopt if the type does not represent
/// it.
std::optional<std::vector<std::uint8_t>> scalar_bytes(ElementType type, std::string_view text);

}  // namespace partir
