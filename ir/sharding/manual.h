// Interprets sdy.manual_computation (JAX's shard_map), whose body every device runs on its parts of global values.
//
//   sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>]
//       manual_axes={"x"} (%part: tensor<4x8xf32>) { … } : (tensor<16x8xf32>) -> tensor<4x8xf32>
//
// All devices of the mesh run the body, numbered as in the mesh; collectives in the body have the meaning of the
// specification. The values that the devices return are the parts of the results. If a result's sharding does not
// mention a manual axis, the devices along that axis must return the same value.
#pragma once

#include <optional>
#include <vector>

#include "ir/layout.h"
#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

bool is_manual_computation(const Op& op);

struct ManualComputation {
  Mesh mesh;                     ///< the devices that run the body
  std::vector<Layout> operands;  ///< the layouts of the body's arguments; along manual axes only
  std::vector<Layout> results;   ///< the layouts of the values that the body returns; along manual axes only
};

/// Interprets an operation whose shardings have inlined meshes (as inline_calls writes them). Errors: malformed
/// shardings, or shardings that do not relate the global types to the body's types; "unsupported": meshes whose device
/// orders are not expressed by digits of each other.
Result<ManualComputation> manual_computation_of(const Function& function, const Op& op);

/// The error "unsupported" for a manual computation inside another one that divides an operand or a result, which would
/// have to be sliced or gathered inside the outer one; nothing if it divides none. (jax.lax.axis_index in a shard_map
/// over some of the mesh's axes is one that divides nothing.)
std::optional<Diagnostic> divides_again(const Function& function, const Op& op);

}  // namespace partir
