// Where the parts of arguments and results lie: read from a file, or from what partitioners write on modules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/program.h"
#include "semantics/interpreter.h"

namespace partir::validate {

struct Layouts {
  Mesh mesh;
  Devices devices;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  std::string from;  ///< "--shardings", "partir.sharding", "sdy.sharding", "mhlo.sharding" or "shapes"
};

/// `file` is the JSON text of --shardings, if there is one. The functions are the modules' main functions.
/// Errors: shardings that do not parse or do not fit the types of both programs.
Result<Layouts> layouts_of(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
                           const std::optional<Mesh>& mesh);

/// A mesh of Shardy's: axes, and the device at each of its positions where that is not the position itself.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  std::vector<std::int64_t> device_ids;
};
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

/// The meshes that `sdy.mesh @name = <["x"=4, "y"=2]>` declares.
std::vector<NamedMesh> named_meshes(const Module& module);
/// `#sdy.sharding<@mesh, [{"x"}, {"y", ?}], replicated={"z"}>`.
Result<Layout> sdy_layout(const std::string& text, const std::vector<NamedMesh>& meshes, std::size_t rank,
                          const Mesh& mesh);
/// `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}` and the other forms of HLO; nothing for manual and unknown
/// ones. `shape` gets the dimensions of an iota list, if there is one.
Result<std::optional<Layout>> mhlo_layout(const std::string& text, std::size_t rank, const Mesh& mesh,
                                          std::vector<std::int64_t>* shape);
/// How many devices the text speaks of; 0 where it does not say.
std::int64_t mhlo_devices(const std::string& text);

/// Writes replica groups that are mesh axes out as lists of devices.
Result<Module> with_listed_groups(Module module);

}  // namespace partir::validate
