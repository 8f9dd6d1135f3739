#include "rewrite/offsets.h"

#include <map>

namespace partir {

OperationsByOffsets to_write_by_offsets(const State& state) {
  OperationsByOffsets out;
  for (std::size_t site = 0; site < state.operations(); ++site) {
    const Op& op = state.op(site);
    if (op.decl->by_offsets == nullptr || op.results.empty() || state.is_constant(op.results[0])) continue;
    std::map<std::pair<std::size_t, Dim>, std::int64_t> chunks;  // by operand and dimension
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      for (const Placement& p : state.natural(op.operands[k])) {
        if (!p.dim || state.step(site, p.axis) != nullptr) continue;
        chunks.try_emplace({k, *p.dim}, 1).first->second *= state.mesh().size(p.axis);
      }
    }
    for (const auto& [place, n] : chunks) {
      const auto& [operand, dim] = place;
      if (n == 1 || !op.decl->by_offsets(instance_of(state.function(), op), operand, dim, n)) continue;
      out.emplace(op.results[0], ByOffsets{operand, dim, n});
      break;
    }
  }
  return out;
}

}  // namespace partir
