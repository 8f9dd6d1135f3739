// Simulates a step of which the optimizer state or activations are kept in the host's memory (`--offload`). Called by
// simulate/simulate.cpp after the step has been timed.
//
//   optimizer_state  optimizer arrays are in the host's memory between steps. Each is loaded before the kernels that
//                    update it and stored after them, in both directions of the link at the same time, concurrently
//                    with those kernels; transfer time beyond their time is added to the step. At most the two
//                    largest arrays are on the device: one being updated and one in transfer.
//   activations      values that no kernel uses around the peak are stored after their last use before the peak, in
//                    that order, and loaded before their next use. The step waits if they are not yet out when the
//                    peak begins, or not yet back when they are read. Again at most the two largest are in transfer.
//
// Example: 53 GB of Adam moments over a link of 26 GB/s with 0.1 s of updates add 53 / 26 - 0.1 = 1.9 s to a step.
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
  double seconds = 0;   ///< by which the step gets longer
  MemoryByKind peak{};  ///< on the device, including arguments
  std::size_t peak_kernel = 0;
};

/// Applies the options to a step whose memory was computed by kind. The device must have a host_bandwidth.
Offloaded offloaded(const Function& function, const BlockTiming& step, const ValueKinds& kinds, const Device& device,
                    const OffloadOptions& options);

}  // namespace partir
