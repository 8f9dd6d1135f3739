// Parses and verifies Shardy's attribute #sdy.op_sharding_rule, which describes how an operation can be partitioned:
//
//   #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>
//
// Each dimension of each operand and result is a list of factors, the major one first. A factor that occurs in several
// dimensions is sharded the same way in all of them. Source: Shardy's attrs.td (OpShardingRule) with its parser and
// verifier.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op_decl.h"

namespace partir::rules {

/// The role of a factor in a rule.
enum class FactorKind : std::uint8_t {
  pass_through,      ///< no communication if all tensors that have it are sharded alike
  reduction,         ///< the devices' results must be combined
  need_replication,  ///< must be replicated
  permutation,       ///< sharded, with collective permutes
};
std::string_view name_of(FactorKind kind);

using FactorIndex = std::size_t;
using DimFactors = std::vector<FactorIndex>;    ///< factors of a dimension, the major one first
using TensorFactors = std::vector<DimFactors>;  ///< factors of a tensor, by dimension

struct ShardingRule {
  std::vector<std::int64_t> sizes;  ///< by factor
  std::vector<TensorFactors> operands;
  std::vector<TensorFactors> results;
  std::vector<FactorIndex> reduction;
  std::vector<FactorIndex> need_replication;
  std::vector<FactorIndex> permutation;
  std::vector<FactorIndex> blocked_propagation;
  bool custom = false;  ///< written by a user

  [[nodiscard]] FactorKind kind(FactorIndex factor) const;
  [[nodiscard]] bool is_blocked(FactorIndex factor) const;
  /// Returns the rule as Shardy prints it, with or without sizes: "([i, k], [k, j])->([i, j]) {i=8, j=16, k=4}
  /// reduction={k}".
  [[nodiscard]] std::string str(bool with_sizes = true) const;
};

/// Returns the factor's name: "i" to "z", then "z_1", "z_2", …
std::string factor_name(FactorIndex factor);

/// Parses the attribute's text, which starts at `place`. Errors: code "sharding_rule", at the place of the mistake.
Result<ShardingRule> read_sharding_rule(std::string_view text, Place place);

/// Checks the constraints that Shardy's verifier puts on the rule of an operation. Errors: code "sharding_rule", at
/// `place`.
Result<void> verify_sharding_rule(const ShardingRule& rule, const OpInstance& op, Place place);

}  // namespace partir::rules
