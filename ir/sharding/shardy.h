// Shardy's meshes and shardings, as their text says them.
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

/// A mesh of Shardy's: axes, and the device at each of its positions where that is not the position itself. Without
/// axes it is maximal: one device has it all.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  std::vector<std::int64_t> device_ids;
};

/// The meshes that `sdy.mesh @name = <["x"=4, "y"=2]>` declares.
std::vector<NamedMesh> named_meshes(const Module& module);
/// Null: none of that name.
const NamedMesh* mesh_named(const std::vector<NamedMesh>& meshes, std::string_view name);

/// An axis, or of its digits major to minor those behind `before` positions: "x":(before)size.
struct AxisReference {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  ///< 0: all of the axis
};
/// Errors: an axis that the mesh lacks, digits that it has not.
Result<Factor> factor_of(const NamedMesh& mesh, const AxisReference& axis);
/// By device: its position along the factors, major to minor. Errors: device_ids that are none.
Result<std::vector<std::int64_t>> positions_along(const NamedMesh& mesh, const std::vector<Factor>& factors);

/// How one dimension is sharded.
struct ShardyDim {
  std::vector<AxisReference> axes;  ///< major to minor
  bool open = false;                ///< propagation may shard it further
  std::size_t priority = 0;         ///< p1 propagates behind p0
};
struct ShardySharding {
  NamedMesh mesh;
  std::vector<ShardyDim> dims;
  std::vector<AxisReference> replicated;  ///< stay so, open dimensions or not
  std::vector<AxisReference> unreduced;
};

/// `#sdy.sharding<@mesh, [{"x"}, {"y", ?}]>`, with or without what stands before the `<`.
/// Errors: another form, a mesh that is none of `meshes`.
Result<ShardySharding> read_shardy_sharding(std::string_view text, const std::vector<NamedMesh>& meshes);
/// `#sdy.sharding_per_value<[<@mesh, [{"x"}]>, …]>`: one for each result of an operation.
Result<std::vector<ShardySharding>> read_shardy_shardings(std::string_view text, const std::vector<NamedMesh>& meshes);

/// The same text with `@mesh` replaced by what the mesh is: `#sdy.sharding<mesh<["x"=4]>, [{"x"}]>`. Names that are not
/// among the meshes stay.
std::string with_inlined_meshes(std::string_view text, const std::vector<NamedMesh>& meshes);

}  // namespace partir
