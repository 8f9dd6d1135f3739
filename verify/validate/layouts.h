// The layouts of a partitioned program's arguments and results: read from a --shardings file, or from the annotations
// that partitioners write on modules (partir.sharding, sdy.sharding, mhlo.sharding). validate_partition calls
// layouts_of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/program.h"
#include "ir/sharding/shardy.h"
#include "semantics/interpreter.h"

namespace partir::validate {

struct Layouts {
  Mesh mesh;
  Devices devices;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  /// The types that these layouts divide among devices: those of the source or, where the partitioned module says that
  /// it pads a value (partir.shape), larger ones.
  std::vector<TensorType> padded_arguments;
  std::vector<TensorType> padded_results;
  std::string from;  ///< "--shardings", "partir.sharding", "sdy.sharding", "mhlo.sharding" or "shapes"
  /// "argument 2 ({manual})": those whose sharding does not say where their parts lie, and whose shape is the source's.
  std::vector<std::string> taken_as_replicated;
};

/// Determines the mesh, the devices and the layouts of the arguments and results of the modules' main functions. `file`
/// is the contents of --shardings (JSON), if given, `file_name` its name in messages, and `mesh` the mesh requested, if
/// any. Errors: shardings that
/// cannot be parsed or do not fit the types in both programs; a mesh with another number of devices.
Result<Layouts> layouts_of(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
                           const std::optional<Mesh>& mesh, const std::string& file_name = "the shardings file");

/// Reads a Shardy sharding, `#sdy.sharding<@mesh, [{"x"}, {"y", ?}], replicated={"z"}>`, as a layout on `mesh`.
Result<Layout> sdy_layout(const std::string& text, const std::vector<NamedMesh>& meshes, std::size_t rank,
                          const Mesh& mesh);
/// Reads an HLO sharding, `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}` or another form, as a layout on
/// `mesh`; nothing for manual and unknown ones. If `shape` is not null, it receives the dimensions of an iota device
/// list, here [4, 2], or is cleared if the sharding lists its devices.
Result<std::optional<Layout>> mhlo_layout(const std::string& text, std::size_t rank, const Mesh& mesh,
                                          std::vector<std::int64_t>* shape);
/// The number of devices in an HLO sharding; 0 if it does not list any.
std::int64_t mhlo_devices(const std::string& text);

/// Replaces replica groups that are given as mesh axes by lists of devices. Errors: axes that cannot be parsed.
Result<Module> with_listed_groups(Module module);

}  // namespace partir::validate
