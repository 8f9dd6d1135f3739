// Reads the shardings annotated in a program (sdy.sharding, mhlo.sharding and the operations that carry them) as a
// schedule. Called by driver/session.cpp.
//
// Shardy's sharding of a value is a list of tile actions on it, by axis, major to minor. Propagation may tile an open
// dimension ({"x", ?}) further, but not a closed one ({"x"}); an axis listed as replicated may not tile the value at
// all. Each priority is a tactic, in ascending order: all layouts are put into the state before the first one, and
// those of priority k propagate with tactic k.
//
// Each axis is decomposed into digits of the device's position (ir/sharding/digits.h). Parts of axes, meshes with other
// orders of devices, and HLO's device lists therefore all become axes of one refined mesh. Positions are device ids, or
// positions in the order that most shardings use: if all have device_ids=[3, 2, 1, 0], so does the mesh. An argument or
// result in yet another order is permuted where it enters or leaves the program.
#pragma once

#include <optional>
#include <vector>

#include "ir/mesh.h"
#include "ir/program.h"
#include "rewrite/schedule.h"

namespace partir {

struct Annotations {
  Mesh mesh;  ///< refined so that its axes can express all layouts
  std::vector<LayoutRequest> layouts;
  std::vector<std::size_t> priorities = {0};  ///< distinct priorities, ascending; tiles refer to them by index

  [[nodiscard]] bool empty() const { return layouts.empty(); }
};

/// Reads the annotations of the arguments, results and operations of `main`, a function of `module` without calls. The
/// axes are named by `mesh` if it is given, else by the module's sdy.mesh, else axis_0, axis_1, …. Errors: shardings
/// that do not parse or do not fit the types; "unsupported": arguments and results that their axes do not divide,
/// unreduced axes, values placed on a single device, and manual computations whose device order differs from the
/// mesh's.
Result<Annotations> read_annotations(const Module& module, const Function& main, const std::optional<Mesh>& mesh);

/// Returns one tactic for each priority, called p0, p1, …. In `along`, axes that are major in a dimension come first.
Schedule schedule_of(const Annotations& annotations, const std::string& file);
std::vector<ResolvedTactic> tactics_of(const Annotations& annotations);

}  // namespace partir
