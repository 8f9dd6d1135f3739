// Helpers for PartIR:Core operations, which are declared in ir/ops/core.cpp.
#pragma once

#include <optional>
#include <vector>

#include "ir/action.h"
#include "ir/program.h"

namespace partir {

/// The actions of a partir.loop, one per result.
std::vector<Action> loop_actions(const AttributeList& attributes);

}  // namespace partir
