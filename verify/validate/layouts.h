// Where the parts of arguments and results lie: read from a file, or from what partitioners write on modules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/distributed_type.h"
#include "ir/program.h"
#include "semantics/interpreter.h"

namespace partir::validate {

/// Which part of a global array each device holds: chunk[d][device] of parts[d] chunks of dimension d. The last chunks
/// reach beyond the array where parts do not divide it; what stands there is padding.
struct Placement {
  std::vector<std::int64_t> parts;
  std::vector<std::vector<std::int64_t>> chunk;
  std::vector<std::pair<Axis, Monoid>> partial;  ///< over axes of the mesh, to be combined
  std::vector<bool> absent;                      ///< devices that hold nothing (maximal shardings); empty: none

  static Placement replicated(std::size_t rank, std::size_t devices);
  static Placement of(const DistributedType& type, const Mesh& mesh);
  [[nodiscard]] bool is_replicated() const;
  /// The shape of the part that a device holds.
  [[nodiscard]] std::vector<std::int64_t> local(const std::vector<std::int64_t>& global) const;
  /// "dimension 0 in 4 chunks".
  [[nodiscard]] std::string str() const;
};

struct Layouts {
  Mesh mesh;
  Devices devices;
  std::vector<Placement> arguments;
  std::vector<Placement> results;
  std::string from;  ///< "--shardings", "partir.sharding", "sdy.sharding", "mhlo.sharding" or "shapes"
};

/// `file` is the JSON text of --shardings, if there is one. The functions are the modules' main functions.
/// Errors: shardings that do not parse or do not fit the types of both programs.
Result<Layouts> layouts_of(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
                           const std::optional<Mesh>& mesh);

/// A mesh of Shardy's: axes, and the device at each of its positions where that is not the position itself.
struct NamedMesh {
  std::string name;
  std::vector<Mesh::AxisInfo> axes;
  std::vector<std::int64_t> device_ids;

  [[nodiscard]] std::int64_t size() const;
};
/// An axis, or of its digits major to minor those behind `before` positions: "x":(before)size.
struct AxisReference {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  ///< 0: all of the axis
};
/// By device: its position along the axes, major to minor. Errors: an axis that the mesh lacks, digits that it has not.
Result<std::vector<std::int64_t>> positions_along(const NamedMesh& mesh, const std::vector<AxisReference>& axes);
std::int64_t size_of(const NamedMesh& mesh, const AxisReference& axis);

/// The meshes that `sdy.mesh @name = <["x"=4, "y"=2]>` declares.
std::vector<NamedMesh> named_meshes(const Module& module);
/// `#sdy.sharding<@mesh, [{"x"}, {"y", ?}], replicated={"z"}>`.
Result<Placement> sdy_placement(const std::string& text, const std::vector<NamedMesh>& meshes, std::size_t rank,
                                std::size_t devices);
/// `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}` and the other forms of HLO; nothing for manual and unknown
/// ones. `shape` gets the dimensions of an iota list, if there is one.
Result<std::optional<Placement>> mhlo_placement(const std::string& text, std::size_t rank, std::size_t devices,
                                                std::vector<std::int64_t>* shape);
/// How many devices the text speaks of; 0 where it does not say.
std::int64_t mhlo_devices(const std::string& text);

/// Writes replica groups that are mesh axes out as lists of devices.
Result<Module> with_listed_groups(Module module);

}  // namespace partir::validate
