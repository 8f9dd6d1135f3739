// Recognises gathers and scatters whose indices hold their own position along a dimension, as JAX writes
// x[arange(n), y], and rewrites them on batching dimensions, along which they can be tiled. The session does so when it
// reads a program; verify/certificate/batching.h proves each rewriting.
//
//   gather(x[n, v], indices[n, 2]) with indices[i, 0] = i for every i
//   gather(x[n, v], indices[n, 1], operand_batching_dims = [0], start_indices_batching_dims = [0])
#pragma once

#include <set>

#include "ir/program.h"

namespace partir {

/// The gathers and scatters, by their first result, of which at least one component of the indices is known to be the
/// position along a dimension of the indices. Scatters only if their computation reads no value from
/// outside.
std::set<ValueId> batchable(const Function& function);
/// Returns the function with these operations, of those that batchable() returns, rewritten. All values of `function`
/// keep their ids.
Function with_batching(const Function& function, const std::set<ValueId>& operations);

}  // namespace partir
