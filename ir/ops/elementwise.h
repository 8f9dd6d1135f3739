// The table of elementwise operations, each of which is given by one scalar function, and what their declarations share
// with other operations that work element by element. ir/ops/common.cpp uses the table to read regions as terms.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/meaning.h"
#include "ir/op_decl.h"
#include "ir/scalar_fn.h"

namespace partir::ops {

/// In which operands the function is additive. This decides its entries for operands with pending reductions.
enum class Linearity : std::uint8_t {
  none,
  jointly,  ///< f(x1 + x2, y1 + y2) = f(x1, y1) + f(x2, y2): add, subtract, negate
  each,     ///< in either operand if the other is replicated: multiply
  first,    ///< in the first operand if the second is replicated: divide (floats and complex only)
  own,      ///< commutes with reductions by its own monoid: maximum of maxima
};

struct ElementwiseRow {
  std::string_view name;
  ScalarFn fn;
  int arity;
  Linearity linearity = Linearity::none;
};

const std::vector<ElementwiseRow>& elementwise_rows();
/// Returns the function of a comparison_direction: EQ, NE, LT, LE, GT or GE; nothing for other words.
std::optional<ScalarFn> comparison_fn(std::string_view direction);
/// Returns the result, of type i1, of `compare` with these attributes on two elements.
Term comparison(const AttributeList& attributes, Term a, Term b, MeaningBuilder& builder);

/// Returns an entry for each dimension of the result: result and operands are tiled along it. Operands of another rank
/// (scalars) stay replicated.
std::vector<Entry> tiled_alike(const OpInstance& op);
/// True if all element types have arithmetic and the specification defines the operation on them.
bool covers_elementwise(const OpInstance& op);

}  // namespace partir::ops
