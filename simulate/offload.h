// What moving state or activations to the host's memory would do to a simulated step.
//
//   optimizer_state  arrays of the optimizer are in the host's memory between steps. Each is brought in before the kernels
//                    that update it and taken out behind them, both directions of the link at once, beside those
//                    kernels: what of that is longer than they are is added to the step. On the device are the two
//                    largest at most, one that is updated and one on its way.
//   activations      values of the step that nobody reads for a while around the peak are taken out behind the kernel
//                    that last touched them before it, first come first served, and brought in before the next that
//                    reads them: the step waits where they are not out when the peak begins, and where they are not
//                    back when they are read. Again the two largest at most are on their way.
//
// Example: with 53 GB of Adam's moments over a link of 26 GB/s and 0.1 s of updates, a step takes 53 / 26 - 0.1 = 1.9 s more.
#pragma once

#include <string_view>
#include <vector>

#include "simulate/step.h"

namespace partir {

struct OffloadOptions {
  bool optimizer_state = false;
  bool activations = false;
  [[nodiscard]] bool any() const { return optimizer_state || activations; }
};

struct Offloaded {
  double optimizer_state = 0;  ///< bytes in the host's memory
  double activations = 0;
  double seconds = 0;   ///< that the step takes longer
  MemoryByKind peak{};  ///< on the device, arguments included
  std::size_t peak_kernel = 0;
};

/// Of a step whose memory is known by kind. The device's file must have a host link.
Offloaded offloaded(const Function& function, const BlockTiming& step, const ValueKinds& kinds, const Device& device,
                    const OffloadOptions& options);

}  // namespace partir
