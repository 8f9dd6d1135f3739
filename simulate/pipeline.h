// Recognises pipelines in the form that GSPMD gives them: the stages are a tiled dimension of a loop-carried state that
// shifts by one stage per iteration, which devices do by a collective_permute to their neighbour
// (docs/cookbook/pipelines.md). Used by simulate/simulate.cpp to report stages and bubble.
#pragma once

#include <optional>

#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

struct Stages {
  Axis axis;
  std::int64_t count = 1;  ///< number of stages: the size of the axis times the stages on each device
};

/// The axis along which every device but the last sends to the next one, or every device but the first to the previous
/// one; nullopt for any other exchange, including those in which the last sends to the first. Example: [[0, 1], [1, 2],
/// [2, 3]] on an axis of 4.
std::optional<Axis> shifted_axis(const Op& permute, const Mesh& mesh);

/// Returns the stages if the operation at `position` of a loop body shifts a loop-carried state by one stage: it sends
/// one of the device's stages (or its only one), and the received stage takes its place, so that the state keeps its
/// size. (Halo exchanges, whose received rows are added, do not qualify.)
std::optional<Stages> moved_on(const Op& loop, const Block& body, std::size_t position, const Mesh& mesh,
                               const Function& function);

}  // namespace partir
