// Helpers for PartIR:Core operations (declared in ir/ops/core.cpp).
#pragma once

#include <optional>
#include <vector>

#include "ir/action.h"
#include "ir/program.h"

namespace partir {

/// Actions of a partir.loop, one a result.
std::vector<Action> loop_actions(const AttributeList& attributes);

/// The type of a loop's index, "range<4>".
TensorType range_type(std::int64_t size);
std::optional<std::int64_t> range_size(const TensorType& type);

}  // namespace partir
