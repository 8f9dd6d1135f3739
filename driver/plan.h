// Determines the tactics that a run of the pipeline applies: those of a schedule, those that represent the program's
// own sharding annotations, or both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/partition.h"
#include "driver/session.h"
#include "rewrite/annotations.h"
#include "rewrite/sub_axes.h"

namespace partir {

struct Plan {
  Session session;
  Schedule schedule;  ///< the names and places of the tactics
  std::vector<ResolvedTactic> tactics;
  std::vector<std::string> annotations = {};   ///< descriptions, one per layout
  bool annotations_ignored = false;            ///< false: the tactics preserve the annotations
  std::map<std::string, AxisPart> parts = {};  ///< of the given mesh's axes, by the names of the axes that they are now
};

/// With `by_annotations`, the tactics of the annotations (rewrite/annotations.h). Otherwise the tactics of the
/// schedule, preceded by those of the annotations, which the schedule must not contradict, unless the input ignores
/// annotations. Errors: no schedule and no annotations; annotations that need axes which the mesh lacks; a tactic that
/// requests a tiling which an annotation excludes. Tactics and annotations along axes of which `parts` are given become
/// tactics along their parts.
Result<Plan> plan(const PartitionInput& input, const std::vector<AxisPart>& parts = {});

}  // namespace partir
