// Where the parts of arguments and results lie: read from a file, or from what partitioners write on modules.
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
  std::string from;  ///< "--shardings", "partir.sharding", "sdy.sharding", "mhlo.sharding" or "shapes"
};

/// `file` is the JSON text of --shardings, if there is one. The functions are the modules' main functions.
/// Errors: shardings that do not parse or do not fit the types of both programs.
Result<Layouts> layouts_of(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
                           const std::optional<Mesh>& mesh);

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
