#include "ir/ops/ops.h"

#include <iterator>

namespace partir::ops {

std::vector<OpDecl> all() {
  std::vector<OpDecl> out = {compare(),
                             select(),
                             clamp(),
                             convert(),
                             constant(),
                             iota(),
                             broadcast_in_dim(),
                             reshape(),
                             transpose(),
                             reverse(),
                             slice(),
                             pad(),
                             concatenate(),
                             dynamic_slice(),
                             dynamic_update_slice(),
                             reduce(),
                             dot_general(),
                             dot(),
                             convolution(),
                             gather(),
                             scatter(),
                             bitcast_convert(),
                             reduce_precision(),
                             map(),
                             sharding_constraint(),
                             scan(),
                             ragged_dot(),
                             reduce_window(),
                             select_and_scatter()};
  for (auto list : {elementwise(), dynamic_forms(), batch_norm(), library_ops(), collectives(), core(), spmd(), host(),
                    shardy(), known_without_meaning()}) {
    std::move(list.begin(), list.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace partir::ops
