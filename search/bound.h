// A time that no schedule of a program on a mesh goes below, in the simulator's terms.
#pragma once

#include "driver/session.h"
#include "simulate/device.h"
#include "simulate/software.h"

namespace partir {

/// Seconds of the kernels that no schedule saves: every matrix product and convolution is computed, each device its
/// part along the axes that some entry of the operation takes, at the fastest that a part of any such size runs;
/// weights are read at each use. Kernels run one after another (simulate/step.h), so these add up. Communication,
/// memory traffic between kernels and what a memory limit forces are not in it, so that the gap to it is an upper bound
/// of what a better schedule can save.
///
/// Example: a product of 2e12 FLOPs on 8 devices of 1e14 FLOP/s that reach 0.8 of it is 2e12 / 8 / 0.8e14 = 3.1 ms;
/// along a dimension of 3, an axis of 2 does not help.
double lower_bound_seconds(const State& state, const Device& device, const Software& software);

}  // namespace partir
