// What an operation does beyond giving results that follow from its operands, and whether its results differ between
// devices. The checker's own list: it does not believe what declarations say for the partitioner's sake.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Why an operation is no function of its operands: it has effects, draws numbers from a hidden state, speaks of
/// devices, or holds such an operation in a region, at any depth. Nothing where it is one. `sort` whose comparator
/// reads partition_id: "stablehlo.partition_id in it depends on the device".
std::optional<std::string> depends_on_device_or_has_effects(const Op& op);

/// Whether running an operation does more than give its results; control flow does what is inside it. Such operations
/// stand in the partitioned program as in the source: each once, in order, in the block that stands for theirs.
bool has_effects(const Op& op);

/// Whether an operation has a body that may run any number of times (while, if, case, scan, map with control flow in
/// it): these correspond one to one between source and partitioned program.
bool is_control_flow(const Op& op);

/// What is wrong with how a partitioned module takes its arguments: one that it may overwrite (donates:
/// tf.aliasing_output, jax.buffer_donor), which the source leaves to its caller. "argument 2 is donated, which the
/// source's is not". Nothing where all are the source's to give.
std::optional<std::string> donates_more(const Function& source, const Function& partitioned);

/// The operations with effects of a block, in order, and which of them have been met in the block that stands for it.
class EffectSequence {
 public:
  explicit EffectSequence(const Block& source);

  /// The next operation with effects is met. What is wrong, if it is not this one.
  std::optional<std::string> meets(const Op& source);
  /// What is wrong at the end of the block: one that was never met.
  [[nodiscard]] std::optional<std::string> ends() const;

 private:
  std::vector<const Op*> operations_;
  std::size_t met_ = 0;
};

}  // namespace partir
