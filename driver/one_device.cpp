#include "driver/one_device.h"

#include <algorithm>

namespace partir {
namespace {

/// Collectives and Core operations, which a program for one device must not contain. The output of a partitioning is
/// therefore rejected as input. Collectives inside a manual computation are allowed.
bool is_distributed(const Op& op) {
  return op.decl->kind == OpDecl::Kind::collective || op.decl->kind == OpDecl::Kind::core;
}

/// The first manual computation inside another one that divides an operand or a result, which would have to be sliced
/// or gathered inside the outer one; null if there is none. (jax.lax.axis_index in a shard_map over some of the mesh's
/// axes is one that divides nothing.)
const Op* first_dividing_again(const Function& f, const Block& block, bool in_manual = false) {
  for (const Op& op : block.ops) {
    const bool is_manual = is_manual_computation(op);
    if (is_manual && in_manual) {
      const Block& body = op.regions[0];
      const auto same = [&](ValueId a, ValueId b) { return f.type(a) == f.type(b); };
      if (!std::equal(op.operands.begin(), op.operands.end(), body.arguments.begin(), body.arguments.end(), same) ||
          !std::equal(op.results.begin(), op.results.end(), body.ops.back().operands.begin(),
                      body.ops.back().operands.end(), same))
        return &op;
    }
    for (const Block& region : op.regions) {
      if (const Op* found = first_dividing_again(f, region, in_manual || is_manual)) return found;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Diagnostic> not_for_one_device(const Function& function) {
  if (const Op* op = find_outside_manual(function.body, is_distributed)) {
    return Diagnostic{"unsupported", "", op->place, op->name() + " in a program to partition",
                      "a program for one device, not one that is partitioned already"};
  }
  if (const Op* op = first_dividing_again(function, function.body)) {
    return Diagnostic{"unsupported", "", op->place,
                      "a manual computation inside another one, with a sharding of its own",
                      "one over the axes of both"};
  }
  return std::nullopt;
}

}  // namespace partir
