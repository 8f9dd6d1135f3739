// Side effects, dependence on the device, control flow and donation, as the certificate checker (and verify/validate)
// classifies them. The lists are the checker's own: it does not trust what the declarations state for the partitioner's
// use.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Returns why an operation is not a function of its operands: it has effects, draws numbers from a hidden state,
/// depends on the device, or holds such an operation in a region, at any depth. Returns nothing if it is a function.
/// For a `sort` whose comparator reads partition_id: "stablehlo.partition_id in it depends on the device".
std::optional<std::string> depends_on_device_or_has_effects(const Op& op);

/// Whether an operation has side effects or may have them; control flow has the effects of its regions. Such operations
/// must occur in the partitioned program as in the source: each once, in order, in the corresponding block.
bool has_effects(const Op& op);

/// Whether an operation has a body that may run any number of times (while, if, case, scan, map with control flow in
/// it). These must correspond one to one between the source and the partitioned program.
bool is_control_flow(const Op& op);

/// Returns an error if the partitioned module donates an argument (tf.aliasing_output, jax.buffer_donor,
/// mhlo.input_output_alias) that the source does not donate: "argument 2 is donated, which the source's is not"; or if
/// tf.aliasing_output names a result that another argument has, or of another type. Returns nothing otherwise. Both
/// must have a main function.
std::optional<std::string> donates_more(const Module& source, const Module& partitioned);

/// The operations of a source block that have effects, in order, and how many of them the corresponding block of the
/// partitioned module has already executed.
class EffectSequence {
 public:
  explicit EffectSequence(const Block& source);

  /// Records that `source` is executed next. Returns an error if another operation with effects is due.
  std::optional<std::string> meets(const Op& source);
  /// Called at the end of the block. Returns an error if an operation with effects was left out.
  [[nodiscard]] std::optional<std::string> ends() const;

 private:
  std::vector<const Op*> operations_;
  std::size_t met_ = 0;
};

}  // namespace partir
