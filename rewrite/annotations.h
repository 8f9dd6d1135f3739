// Shardings in a program's text as its schedule: sdy.sharding, mhlo.sharding and the operations that carry them.
//
// Shardy's sharding of a value is tile actions on it, by axis, major to minor. An open dimension ({"x", ?}) may be
// tiled further by propagation; a closed one ({"x"}) may not, nor may an axis that is listed as replicated tile it.
// Priorities are tactics in order: all layouts are in place from the first one on, and those of priority k propagate
// with tactic k.
//
// Each axis is made of digits of the device's position (ir/sharding/digits.h), so parts of axes, meshes with other orders
// of devices and HLO's lists of devices are axes of one refined mesh. Positions are ids, or those of the order that most
// shardings have: where all say device_ids=[3, 2, 1, 0], so does the mesh. An argument or result in still another order
// is permuted where it comes in or goes out.
#pragma once

#include <optional>
#include <vector>

#include "ir/mesh.h"
#include "ir/program.h"
#include "rewrite/schedule.h"

namespace partir {

struct Annotations {
  Mesh mesh;  ///< refined so that its axes say all layouts
  std::vector<LayoutRequest> layouts;
  std::vector<std::size_t> priorities = {0};  ///< that layouts have, ascending: tiles name them by position

  [[nodiscard]] bool empty() const { return layouts.empty(); }
};

/// What the text says of the arguments, results and operations of `main`, a function of `module` without calls.
/// `mesh`, where it is given, names the axes; else the text's sdy.mesh does, else they are axis_0, ….
/// Errors: shardings that do not read or do not fit the types; "unsupported": arguments and results that their axes do
/// not divide, unreduced axes, meshes of one device among others, manual computations in another order of devices than
/// the mesh's.
Result<Annotations> read_annotations(const Module& module, const Function& main, const std::optional<Mesh>& mesh);

/// One tactic for each priority: p0, p1, …. `along` orders axes so that major ones of a dimension come first.
Schedule schedule_of(const Annotations& annotations, const std::string& file);
std::vector<ResolvedTactic> tactics_of(const Annotations& annotations);

}  // namespace partir
