// Which tactics a run applies: a schedule's, those that the program's own annotations are, or both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/partition.h"
#include "driver/session.h"
#include "rewrite/annotations.h"

namespace partir {

struct Plan {
  Session session;
  Schedule schedule;  ///< names and places of the tactics
  std::vector<ResolvedTactic> tactics;
  std::vector<std::string> annotations = {};  ///< in words, one for each layout
  bool annotations_ignored = false;           ///< else the tactics keep them
};

/// Without a schedule, the annotations' tactics (rewrite/annotations.h). With one, annotations come first, as a tactic
/// that the others keep, unless the input ignores them. Errors: neither of the two; annotations that the mesh has no
/// axes for; a tactic that asks for what an annotation excludes.
Result<Plan> plan(const PartitionInput& input);

}  // namespace partir
