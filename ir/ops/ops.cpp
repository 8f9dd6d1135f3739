#include "ir/ops/ops.h"

#include <iterator>

namespace partir::ops {

std::vector<OpDecl> all() {
  std::vector<OpDecl> out = {compare(),          select(),        clamp(),
                             convert(),          constant(),      iota(),
                             broadcast_in_dim(), reshape(),       transpose(),
                             reverse(),          slice(),         pad(),
                             concatenate(),      dynamic_slice(), dynamic_update_slice(),
                             reduce(),           dot_general(),   convolution(),
                             gather(),           scatter()};
  for (auto list : {elementwise(), collectives(), core(), spmd(), host(), known_without_meaning()}) {
    std::move(list.begin(), list.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace partir::ops
