// Shardy's notation for how an operation can be partitioned: the attribute #sdy.op_sharding_rule.
//
//   #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>
//
// Each dimension of each operand and result is a list of factors, the major one first; a factor that several dimensions
// carry is sharded in all of them alike. Source: Shardy's attrs.td (OpShardingRule) with its parser and verifier.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op_decl.h"

namespace partir::rules {

/// What a rule says of a factor.
enum class FactorKind : std::uint8_t {
  pass_through,      ///< no communication when all tensors that carry it are sharded alike
  reduction,         ///< the devices' results are combined
  need_replication,  ///< stays whole
  permutation,       ///< sharded with the help of collective permutes
};
std::string_view name_of(FactorKind kind);

using FactorIndex = std::size_t;
using DimFactors = std::vector<FactorIndex>;    ///< of a dimension, the major one first
using TensorFactors = std::vector<DimFactors>;  ///< of a tensor, by dimension

struct ShardingRule {
  std::vector<std::int64_t> sizes;  ///< of each factor
  std::vector<TensorFactors> operands;
  std::vector<TensorFactors> results;
  std::vector<FactorIndex> reduction;
  std::vector<FactorIndex> need_replication;
  std::vector<FactorIndex> permutation;
  std::vector<FactorIndex> blocked_propagation;
  bool custom = false;  ///< written by a user

  [[nodiscard]] FactorKind kind(FactorIndex factor) const;
  [[nodiscard]] bool is_blocked(FactorIndex factor) const;
  /// As Shardy prints it, with the sizes or without: "([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}".
  [[nodiscard]] std::string str(bool with_sizes = true) const;
};

/// "i" to "z", then "z_1", "z_2", …
std::string factor_name(FactorIndex factor);

/// Reads the attribute's text, which stands at `place`. Errors: code "sharding_rule", at the place of the mistake.
Result<ShardingRule> read_sharding_rule(std::string_view text, Place place);

/// The constraints of Shardy's verifier on a rule of an operation. Errors: code "sharding_rule", at `place`.
Result<void> verify_sharding_rule(const ShardingRule& rule, const OpInstance& op, Place place);

}  // namespace partir::rules
