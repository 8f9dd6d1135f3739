// Prepares a device-local module for XLA, which merges a dynamic_slice of a dynamic_slice into one without the clamp of
// the outer position (openxla/xla#49121), and expands gathers and scatters into dynamic slices first. The slice that a
// device takes of a replicated value is such an inner one:
//
//   %0 = dynamic_slice %x, %offset            %0 = dynamic_slice %x, %offset
//   %1 = scatter %0, %i, %u             ->    %b = optimization_barrier %0
//                                             %1 = scatter %b, %i, %u
#pragma once

#include "ir/program.h"

namespace partir {

/// The module with a barrier between each dynamic_slice and the operations that read or write its result at computed
/// positions, and the loops that carry it.
Module for_xla(Module module);

}  // namespace partir
