// sdy.manual_computation (JAX's shard_map): a body that every device runs on its parts of global values.
//
//   sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>]
//       manual_axes={"x"} (%part: tensor<4x8xf32>) { … } : (tensor<16x8xf32>) -> tensor<4x8xf32>
//
// The meaning is that of the specification of collectives: all devices of the mesh run the body, numbered as the mesh
// numbers them, and what they return are the parts of the results. Where a result's sharding leaves manual axes out,
// the devices along them must return the same.
#pragma once

#include <vector>

#include "ir/layout.h"
#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

bool is_manual_computation(const Op& op);

struct ManualComputation {
  Mesh mesh;                     ///< all devices that run the body
  std::vector<Layout> operands;  ///< parts that the body takes; along manual axes alone
  std::vector<Layout> results;   ///< parts that it returns
};

/// Of an operation whose shardings have their meshes written out (inline_calls). Errors: shardings that do not read, or
/// do not make the body's types of the global ones; "unsupported": shardings whose meshes have orders of devices that are
/// not digits of each other.
Result<ManualComputation> manual_computation_of(const Function& function, const Op& op);

}  // namespace partir
