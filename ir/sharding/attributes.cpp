#include "ir/sharding/attributes.h"

#include "ir/op_decl.h"

namespace partir {

void drop_shardings(Block& block) {
  for (Op& op : block.ops) {
    const bool placed = op.decl->kind == OpDecl::Kind::opaque || op.decl->kind == OpDecl::Kind::host;
    for (const char* name : {"sdy.sharding", "sdy.sharding_rule", "mhlo.sharding"}) {
      if (!placed) drop(op.attributes, name);
    }
    for (Block& region : op.regions) drop_shardings(region);
  }
}

}  // namespace partir
