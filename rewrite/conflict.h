// What propagation left alone, and why, as data; the text is made when it is shown.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "support/ids.h"

namespace partir {

class State;

struct Conflict {
  enum class Reason : std::uint8_t {
    decided_before,     ///< an earlier tactic decided this axis for the value
    tiled_otherwise,    ///< a result is computed tiled along `dim` already
    indivisible,        ///< the axis divides no dimension, or not `dim`, which padding that was tried does not change
    several_entries,    ///< `entries` match, and nothing chooses between them
    kept_replicated,    ///< an operand, or without `operand` the result, stays replicated by request
    closed,             ///< the program's own sharding of the result excludes the axis
    entry_indivisible,  ///< the entry that is asked for, `entries[0]`, needs sizes that the axis divides
    no_collective,      ///< elements of `type` would be left to a combination, `entries[0]`, that no collective has
    no_entries,         ///< the operation has no entries: it takes its operands replicated
    no_match,           ///< no entry takes the operands as they are tiled: `tiled`
    other_order,        ///< the layout that is asked for has another order of devices than the mesh
    converted,          ///< a loop-carried value is `actions[0]` here and tiled along `dim` where it comes from
  };
  Reason reason = Reason::no_match;
  Axis axis;
  /// The operation; nothing when the conflict is about the argument, result or value of this name.
  std::optional<OpId> op;
  std::string name;
  std::optional<std::size_t> carried;  ///< of an operation: the loop-carried value, by its number
  std::optional<std::size_t> operand;
  std::optional<Dim> dim;
  std::vector<Entry> entries;
  std::vector<std::pair<std::size_t, Dim>> tiled;  ///< operands, and the dimension along which each is tiled
  std::vector<Action> actions;
  std::string type;  ///< of the value of this name, or of the elements to combine

  friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// A conflict as people read it.
struct ConflictText {
  std::string operation;  ///< as printed, with its line; or the value's name
  std::string axis;
  std::string reason;
};
ConflictText text_of(const Conflict& conflict, const State& state);

}  // namespace partir
