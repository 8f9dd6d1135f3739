#include "verify/certificate/bits.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "ir/op_decl.h"

namespace partir {

bool only_moves(const Op& op) {
  static const std::set<std::string, std::less<>> movers = {"stablehlo.select",
                                                            "stablehlo.scatter",
                                                            "stablehlo.gather",
                                                            "stablehlo.reshape",
                                                            "stablehlo.transpose",
                                                            "stablehlo.slice",
                                                            "stablehlo.dynamic_slice",
                                                            "stablehlo.dynamic_update_slice",
                                                            "stablehlo.concatenate",
                                                            "stablehlo.broadcast_in_dim",
                                                            "stablehlo.reverse",
                                                            "stablehlo.pad",
                                                            "stablehlo.optimization_barrier"};
  return movers.contains(op.name()) &&
         std::all_of(op.regions.begin(), op.regions.end(), [](const Block& b) { return b.ops.size() == 1; });
}

bool is_data(const Op& op, std::size_t k) {
  const std::string& name = op.name();
  if (name == "stablehlo.gather" || name == "stablehlo.dynamic_slice") return k == 0;
  if (name == "stablehlo.dynamic_update_slice") return k <= 1;
  if (name == "stablehlo.scatter") return k != op.operands.size() / 2;  // m inputs, the indices, m updates
  return name != "stablehlo.select" || k != 0;
}

}  // namespace partir
