// An operation of a program with its sizes as symbols of a sharding rule's factors, as text for claims.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/rules/sharding_rule.h"

namespace partir::rules {

/// coefficient * product of the symbols + offset.
struct Size {
  std::int64_t coefficient = 1;
  std::vector<FactorIndex> symbols;
  std::int64_t offset = 0;
};

struct SymbolicOp {
  std::vector<std::vector<Size>> operands;  ///< by operand and dimension
  std::vector<std::vector<Size>> results;
  std::string body;                        ///< constants and the operation, on %x0, %x1, …; results as `values`
  std::vector<std::string> operand_types;  ///< "tensor<Ix2*Jxf32>"
  std::vector<std::string> result_types;
  std::vector<std::string> values;  ///< of the results in `body`
  std::vector<std::string> where;   ///< conditions on the symbols: "J == I"
  std::vector<bool> is_constant;    ///< by operand: written in `body`
};

/// The operation at symbolic sizes: `factor` must be a symbol, those in `away` have size 1, the others are symbols
/// where the operation is well-formed for it and else their own sizes; those of equal sizes have equal symbols where it
/// must be so. Nothing where no such form is well-formed.
std::optional<SymbolicOp> symbolic_op(const OpInstance& op, const ShardingRule& rule, FactorIndex factor,
                                      const std::vector<FactorIndex>& away);

/// The symbol of a factor in claims: "I" for i, "Z_1" for z_1.
std::string symbol_name(FactorIndex factor);

}  // namespace partir::rules
