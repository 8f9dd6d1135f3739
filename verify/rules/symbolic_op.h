// Generalises an operation of a program: its sizes become symbols, one per factor of its sharding rule. The result is
// text for claims (factor_claim.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/sharding/sharding_rule.h"

namespace partir::rules {

/// A symbolic size: coefficient * product of the symbols + offset, written as "2*I*J+1".
struct Size {
  std::int64_t coefficient = 1;
  std::vector<FactorIndex> symbols;
  std::int64_t offset = 0;
};

struct SymbolicOp {
  std::vector<std::vector<Size>> operands;  ///< sizes by operand and dimension
  std::vector<std::vector<Size>> results;
  std::string body;                        ///< constants and the operation on %x0, %x1, …; its results are `values`
  std::vector<std::string> operand_types;  ///< "tensor<Ix2*Jxf32>"
  std::vector<std::string> result_types;
  std::vector<std::string> values;  ///< names of the results in `body`
  std::vector<std::string> where;   ///< conditions on the symbols: "J == I"
  std::vector<bool> is_constant;    ///< by operand: true if it is a constant in `body`
};

/// Returns the operation at symbolic sizes. `factor` must be a symbol, factors in `away` have size 1, the others are
/// symbols if the operation stays well-formed and keep their own sizes otherwise. Symbols of factors with equal sizes
/// are equated (in `where`) if necessary. Returns nothing if no such form is well-formed.
std::optional<SymbolicOp> symbolic_op(const OpInstance& op, const ShardingRule& rule, FactorIndex factor,
                                      const std::vector<FactorIndex>& away);

/// Returns the symbol of a factor in claims: "I" for i, "Z_1" for z_1.
std::string symbol_name(FactorIndex factor);

}  // namespace partir::rules
