// Shows the sharding of each argument and result: as a table, as JSON, as JAX's PartitionSpecs, and drawn as tiles.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driver/partition.h"
#include "semantics/interpreter.h"
#include "tools/style.h"

namespace partir {

/// Returns the sharding as a PartitionSpec, "P('batch', None, ('model', 'seq'))": for each dimension its axes, major to
/// minor, or None.
std::string partition_spec(const Layout& type, const Mesh& mesh);

/// {"arguments": [{"name", "type", "sharding", "partition_spec", "local_type"}], "results": […]}.
nlohmann::ordered_json shardings_json(const ModuleLayout& layout, const Names& names);

/// A table of all arguments and results, then each distinct sharding as tiles of devices.
std::string shardings_text(const Partition& partition, const Style& style);

/// Draws the tiles of a value with the devices that hold each of them. The last tiled dimension makes the columns (a
/// single one only if it is the value's last dimension), the others the rows. For [{a}, {b}] on a=2,b=2:
///   ┌───┬───┐
///   │ 0 │ 1 │
///   ├───┼───┤
///   │ 2 │ 3 │
///   └───┴───┘
std::string drawn_tiles(const Layout& type, const Mesh& mesh, const Style& style);

}  // namespace partir
