// Sub-axes in schedules. A tactic may tile along a part of an axis, "x:(1)2": of the digits of the coordinate along x,
// the one of size 2 that is minor to digits of size 1 in total (Shardy's notation). Each part of an axis that a tactic
// names becomes an axis of its own: on x=8, tactics on "x:(1)2" and "x:(2)4" are tactics on x_0 and x_1 of the mesh
// x_0=2,x_1=4, whose devices have the same positions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rewrite/schedule.h"

namespace partir {

/// An axis, or its digit of size `size` minor to digits of size `before` in total.
struct AxisPart {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  ///< 0: the complete axis
};

/// Splits the axes of which tactics name parts, or of which parts are in `further`, and rewrites the tactics for the
/// mesh that results. A tactic along more than one of the new axes becomes a tactic for each, major to minor; the last
/// one keeps its name. Returns the parts that the new axes are. Without parts the schedule stays as it is. Errors: a
/// malformed sub-axis, one that the axis does not have, parts of one axis neither of which refines the other (2x3 and
/// 3x2), an axis of the mesh that already has the new name.
Result<std::map<std::string, AxisPart>> split_sub_axes(Schedule& schedule, Mesh& mesh,
                                                       const std::vector<AxisPart>& further = {});

}  // namespace partir
