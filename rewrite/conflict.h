// Conflicts: what propagation left alone, and why. They are kept as data; the text is produced when they are shown.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "ir/op_decl.h"
#include "ir/program.h"
#include "support/ids.h"

namespace partir {

class State;

struct Conflict {
  enum class Reason : std::uint8_t {
    decided_before,     ///< an earlier tactic decided this axis for the value
    tiled_otherwise,    ///< a result is already computed tiled along `dim`
    indivisible,        ///< the axis divides no dimension, or not `dim` even though padding was tried
    several_entries,    ///< `entries` match, and nothing decides between them
    kept_replicated,    ///< an operand, or the result if `operand` is not set, stays replicated by request
    closed,             ///< the program's own sharding of the result excludes the axis
    entry_indivisible,  ///< the supported entry, `entries[0]`, needs sizes that the axis divides
    no_collective,      ///< `entries[0]` would leave a reduction of elements of `type` that no collective computes
    no_entries,         ///< the operation has no entries: it takes its operands replicated
    no_match,           ///< no entry accepts the operands as they are tiled (`tiled`)
    other_order,        ///< the requested layout has another order of devices than the mesh
    converted,          ///< a loop-carried value is `actions[0]` in the loop but yielded tiled along `dim`
  };
  Reason reason = Reason::no_match;
  Axis axis;
  /// The operation; not set if the conflict is about the argument, result or value called `name`.
  std::optional<OpId> op;
  std::string name;
  std::optional<std::size_t> carried;  ///< index of the operation's loop-carried value
  std::optional<std::size_t> operand;
  std::optional<Dim> dim;
  std::vector<Entry> entries;
  std::vector<std::pair<std::size_t, Dim>> tiled;  ///< operands, with the dimension along which each is tiled
  std::vector<Action> actions;
  std::string type;  ///< type of the value called `name`, or of the elements to reduce
  /// If the axis does not divide the sizes of an entry: the size of the largest part of the axis that divides them.
  std::int64_t part = 1;

  friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// A conflict in readable form.
struct ConflictText {
  std::string operation;  ///< as printed, with its line; or the value's name
  std::string axis;
  std::string reason;
  std::int64_t part = 1;                ///< Conflict::part
  const OpDecl* declaration = nullptr;  ///< of the operation; null for a value that is only named
  Place place;                          ///< of the operation
  bool requested = false;               ///< a request of the schedule causes it
};
ConflictText text_of(const Conflict& conflict, const State& state);

/// "line 12: stablehlo.add %a, %b : …", shortened.
std::string described_operation(const Function& function, const Op& op);

}  // namespace partir
