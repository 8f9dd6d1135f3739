// Claims about programs with size symbols; with numbers for them they become programs.
//
//   entry @name tiles M where M % 2 == 0 (%x: tensor<MxNxf32> #tile<0>) -> (…) { body }
//   rewrite @name axes A, B where … (%x: tensor<A*Mxf32>, %y: tensor<Mxf32> whole) -> (…) { source { … } target { … } }
//
// The device-local program of an entry is the same text with the tiled symbols divided by the size of the axis. A
// rewrite's sides are programs that every device of a mesh runs: array operations, loops and slices of PartIR:Core,
// spmd.* collectives. Axes are symbols for their sizes. Arguments may differ between devices, unless they are `whole`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/action.h"
#include "ir/program.h"
#include "verify/prove/size_expr.h"
#include "verify/prove/sized_text.h"

namespace partir::prove {

struct Claim {
  std::string name;
  std::optional<std::string> expected;  ///< of "// EXPECT: V"
  std::vector<std::string> symbols;     ///< in the order in which they appear
  std::vector<std::string> tiled;
  std::vector<Condition> where;
  std::vector<Action> arguments;
  std::vector<Action> results;
  SizedText program;  ///< without its actions
  Place place;
  bool is_rewrite = false;        ///< then: the axes, which arguments are the same on all devices, and the other side
  std::vector<std::string> axes;  ///< no actions, nothing tiled; `program` is the source
  std::vector<bool> whole;
  SizedText target;

  /// The program at these sizes. Errors are places in the claim's file. Throws UserError where no sizes help: a
  /// collective over an axis that the claim does not name.
  [[nodiscard]] Result<Module> at(const Sizes& sizes) const;
  [[nodiscard]] Result<Module> target_at(const Sizes& sizes) const;
  [[nodiscard]] bool allows(const Sizes& sizes) const;
  /// Whether a condition makes a tiled size 1, so that the axis size can only be 1.
  [[nodiscard]] bool is_for_one_device() const;
};

/// The claims of a file. Errors: code "claim".
Result<std::vector<Claim>> read_claims(const std::string& text, const std::string& file);

}  // namespace partir::prove
