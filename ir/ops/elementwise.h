// The table of elementwise operations: one scalar function each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/meaning.h"
#include "ir/op_decl.h"
#include "ir/scalar_fn.h"

namespace partir::ops {

/// In which operands the function is additive, which decides its entries over partial operands.
enum class Linearity : std::uint8_t {
  none,
  jointly,  ///< f(x1 + x2, y1 + y2) = f(x1, y1) + f(x2, y2): add, subtract, negate
  each,     ///< in one operand when the other is whole: multiply
  first,    ///< in the first when the second is whole: divide (real and complex only)
  own,      ///< combines by its own monoid: maximum of maxima
};

struct ElementwiseRow {
  std::string_view name;
  ScalarFn fn;
  int arity;
  Linearity linearity = Linearity::none;
};

const std::vector<ElementwiseRow>& elementwise_rows();
/// EQ, NE, LT, LE, GT, GE.
std::optional<ScalarFn> comparison_fn(std::string_view direction);
/// What `compare` with these attributes says of two elements.
Term comparison(const AttributeList& attributes, Term a, Term b, MeaningBuilder& builder);

/// All operands and results tiled alike, for every dimension; operands of rank 0 beside higher ones are whole.
std::vector<Entry> tiled_alike(const OpInstance& op);
/// Types with arithmetic, and nothing that the specification leaves open.
bool covers_elementwise(const OpInstance& op);

}  // namespace partir::ops
