// What a program to partition may contain: it is written for one device, except inside manual computations (shard_map).
#pragma once

#include <optional>

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/sharding/manual.h"

namespace partir {

/// The first operation that satisfies `is`, except inside manual computations; null if there is none.
template <class Is>
const Op* find_outside_manual(const Block& block, const Is& is) {
  for (const Op& op : block.ops) {
    if (is(op)) return &op;
    if (is_manual_computation(op)) continue;
    for (const Block& region : op.regions) {
      if (const Op* found = find_outside_manual(region, is)) return found;
    }
  }
  return nullptr;
}

/// Returns an error for a collective or Core operation outside of manual computations, and for a manual computation
/// inside another one with a sharding of its own. Returns nothing if there is neither.
std::optional<Diagnostic> not_for_one_device(const Function& function);

}  // namespace partir
