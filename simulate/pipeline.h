// Pipelines as GSPMD writes them: a loop's state has the stages in a tiled dimension and moves on by a stage in each
// iteration, which devices do by a collective_permute to their neighbour (docs/cookbook/pipelines.md).
#pragma once

#include <optional>

#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

struct Stages {
  Axis axis;
  std::int64_t count = 1;  ///< of the state's dimension: as many on each device as it has of them
};

/// The axis along which every device but the last sends to the next, or to the one before it. Nothing: other exchanges,
/// also those in which the last sends to the first. Example: [[0, 1], [1, 2], [2, 3]] on an axis of 4.
std::optional<Axis> shifted_axis(const Op& permute, const Mesh& mesh);

/// Whether the operation at a position of a loop's body moves a state that the loop carries on by a stage: it sends one
/// of the stages that a device has, or the only one, and what it receives takes the place of one, so that the state
/// stays as large as it is. (Rows that a window reads of its neighbours come on top.)
std::optional<Stages> moved_on(const Op& loop, const Block& body, std::size_t position, const Mesh& mesh,
                               const Function& function);

}  // namespace partir
