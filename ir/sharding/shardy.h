// Parses Shardy's meshes and shardings into structures that mirror their text.
//
//   sdy.mesh @mesh = <["x"=4, "y"=2]>
//   #sdy.sharding<@mesh, [{"x":(1)2, "y"}, {?}p1], replicated={"x":(2)2}>
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

/// A Shardy mesh: its axes, and the device id at each position, or nothing if each device's id is its position. A mesh
/// without axes is maximal: one device holds complete values.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  std::vector<std::int64_t> device_ids;
};

/// The meshes declared by `sdy.mesh @name = <["x"=4, "y"=2]>`.
std::vector<NamedMesh> named_meshes(const Module& module);
/// The mesh `name`; null if there is none.
const NamedMesh* mesh_named(const std::vector<NamedMesh>& meshes, std::string_view name);

/// An axis, or the sub-axis "x":(before)size of pre-size `before`.
struct AxisReference {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  ///< 0: the full axis
};
/// The factor for an axis or sub-axis. Errors: an axis or sub-axis that the mesh lacks.
Result<Factor> factor_of(const NamedMesh& mesh, const AxisReference& axis);
/// For each device, its position along the factors, major to minor. Errors: device_ids that are no permutation.
Result<std::vector<std::int64_t>> positions_along(const NamedMesh& mesh, const std::vector<Factor>& factors);

/// The sharding of one dimension.
struct ShardyDim {
  std::vector<AxisReference> axes;  ///< major to minor
  bool open = false;                ///< propagation may shard it further
  std::size_t priority = 0;         ///< p0 propagates before p1
};
struct ShardySharding {
  NamedMesh mesh;
  std::vector<ShardyDim> dims;
  std::vector<AxisReference> replicated;  ///< explicitly replicated: propagation must not use them
  std::vector<AxisReference> unreduced;
};

/// Parses `#sdy.sharding<@mesh, [{"x"}, {"y", ?}]>`; the text before `<` is optional.
/// Errors: malformed text, a mesh that is not one of `meshes`.
Result<ShardySharding> read_shardy_sharding(std::string_view text, const std::vector<NamedMesh>& meshes);
/// Parses `#sdy.sharding_per_value<[<@mesh, [{"x"}]>, …]>`, which has one sharding per result of an operation.
Result<std::vector<ShardySharding>> read_shardy_shardings(std::string_view text, const std::vector<NamedMesh>& meshes);

/// The text with references to meshes replaced by the meshes themselves: <@mesh, [{"x"}]> becomes
/// <mesh<["x"=4]>, [{"x"}]>. Unknown names are kept.
std::string with_inlined_meshes(std::string_view text, const std::vector<NamedMesh>& meshes);

}  // namespace partir
