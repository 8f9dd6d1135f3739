// Custom calls whose program declares how they can be sharded: JAX's custom_partitioning prints Shardy's attribute
// sdy.sharding_rule on them. The declaration is an assumption, about code that nobody here sees; each verdict names it.
//
//   custom_call @f(%x, %w) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=16, k=4}
//                                                                     need_replication={j}, custom>}
//   tiles %x and the result along i, or %w and the result along k
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "ir/op_decl.h"
#include "ir/program.h"

namespace partir {

/// The first word of the library function (ScalarTerm::library) that stands for such a call; the second is its target.
inline constexpr std::string_view kDeclaredCall = "declared_call";

/// The declaration of `op` as an unknown function of its operands, slice by slice along each pass-through factor of its
/// rule, with an entry for each. A factor counts if it is a whole dimension, occurs in all results and is not blocked;
/// the others are whole in each slice, as factors that need replication are, and reductions, which would need a
/// combination that the rule does not name. Null if it is no custom_call with such a rule, or has side effects, or if the
/// rule's sizes are not those of the types. Throws UserError if the rule is malformed.
const OpDecl* declared_call_decl(const Function& function, const Op& op);

/// Whether it is a declaration of declared_call_decl.
bool is_declared_call(const OpDecl& decl);

/// The targets of the function's declared calls: "the proof assumes the sharding rule of custom_call @f".
std::set<std::string> declared_calls(const Function& function);

/// Returns "the sharding rules of @f, @g are assumed; ". Returns "" if there are none.
std::string text_of_declared_calls(const std::set<std::string>& targets);

}  // namespace partir
