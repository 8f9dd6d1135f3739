// A lower bound on the time of every schedule of a program on a mesh, by the simulator's model. Reported by partir
// search.
#pragma once

#include "driver/session.h"
#include "simulate/device.h"
#include "simulate/software.h"

namespace partir {

/// Returns the total time in seconds of kernels that no schedule avoids. Every matrix product and convolution is
/// computed; each device computes its part along the axes that some entry of the operation accepts, at the best
/// efficiency of any such part; arguments are read from memory at each use. Kernels run one after another
/// (simulate/step.h), so their times add up. Communication, memory traffic between kernels, and the effects of a memory
/// limit are not included. The gap to this bound is therefore an upper bound on what a better schedule can save.
///
/// Example: a product of 2e12 FLOPs on 8 devices of 1e14 FLOP/s at an efficiency of 0.8 takes 2e12 / 8 / 0.8e14 = 3.1
/// ms. A dimension of size 5 counts as divided by an axis of size 2, as a tactic may pad it; one of size 3 does not.
double lower_bound_seconds(const State& state, const Device& device, const Software& software);

}  // namespace partir
