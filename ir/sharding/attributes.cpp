#include "ir/sharding/attributes.h"

#include <unordered_map>

#include "ir/declared_calls.h"
#include "ir/op_decl.h"

namespace partir {
namespace {

void drop_constraints_in(Block& block, std::unordered_map<ValueId, ValueId>& instead) {
  std::erase_if(block.ops, [&](Op& op) {
    for (ValueId& v : op.operands) {
      if (const auto it = instead.find(v); it != instead.end()) v = it->second;
    }
    for (Block& inner : op.regions) drop_constraints_in(inner, instead);
    const bool constrains = is_sharding_constraint(op);
    if (constrains) instead[op.results[0]] = op.operands[0];
    return constrains;
  });
}

}  // namespace

void drop_shardings(Block& block) {
  for (Op& op : block.ops) {
    const bool placed = op.decl->kind == OpDecl::Kind::opaque || op.decl->kind == OpDecl::Kind::host;
    for (const char* name : {"sdy.sharding", "mhlo.sharding"}) {
      if (!placed) drop(op.attributes, name);
    }
    if (!placed && !is_declared_call(*op.decl)) drop(op.attributes, "sdy.sharding_rule");
    for (Block& region : op.regions) drop_shardings(region);
  }
}

bool is_sharding_constraint(const Op& op) { return op.name() == "sdy.sharding_constraint"; }

void drop_sharding_constraints(Function& function) {
  std::unordered_map<ValueId, ValueId> instead;
  drop_constraints_in(function.body, instead);
}

}  // namespace partir
