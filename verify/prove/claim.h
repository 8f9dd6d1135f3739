// Claims: statements for the prover about programs whose sizes are symbols. Substituting numbers for the symbols yields
// ordinary programs, which the interpreters run and from which lift.h recovers the symbolic ones. Two kinds:
//
//   entry @name tiles M where M % 2 == 0 (%x: tensor<MxNxf32> #tile<0>) -> (…) { body }
//   entry @name tiles M uneven (…) -> (…) { body }      also at sizes that the axis size does not divide (uneven.h)
//   rewrite @name axes A, B where … (%x: tensor<A*Mxf32>, %y: tensor<Mxf32> whole) -> (…) { source { … } target { … } }
//
// An entry claims that its program equals the loop over devices of its device-local program, which is the same source
// with each tiled symbol divided by the axis size. A rewrite claims that two programs, run on every device of a mesh,
// are equal; they may contain array operations, loops and slices of PartIR:Core, and spmd.* collectives. Each axis is a
// symbol for its size. Arguments may differ between devices unless they are marked `whole` (replicated).
#pragma once

#include <memory>
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
  std::optional<std::string> expected;  ///< the verdict in a comment "// EXPECT: proved" before the claim
  std::vector<std::string> symbols;     ///< in order of first appearance
  std::vector<std::string> tiled;
  bool uneven = false;  ///< of an entry: the axis size need not divide the tiled symbols
  std::vector<Condition> where;
  std::vector<Action> arguments;
  std::vector<Action> results;
  SizedText program;  ///< source text without the actions
  Place place;
  /// The remaining fields are set for rewrites only. A rewrite has no actions and no tiled symbols; `program` is its
  /// source.
  bool is_rewrite = false;
  std::vector<std::string> axes;
  /// By argument: whether it is replicated.
  std::vector<bool> whole;
  SizedText target;
  /// Set for the padding law of an uneven entry, whose sides are made from the entry.
  std::shared_ptr<const Claim> uneven_entry;

  /// Returns the program at these sizes. Errors carry a place in the claim's file. Throws UserError for an error that
  /// no choice of sizes can avoid, such as a collective over an axis that the claim does not name.
  [[nodiscard]] Result<Module> at(const Sizes& sizes) const;
  [[nodiscard]] Result<Module> target_at(const Sizes& sizes) const;
  [[nodiscard]] bool allows(const Sizes& sizes) const;
  /// True if a condition fixes a tiled size to 1, so that the only possible axis size is 1.
  [[nodiscard]] bool is_for_one_device() const;
};

/// Parses the claims of a file. Errors have the code "claim".
Result<std::vector<Claim>> read_claims(const std::string& text, const std::string& file);

}  // namespace partir::prove
