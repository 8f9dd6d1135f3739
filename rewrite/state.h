// What tactics have done so far to a program: for each operation the entries it has joined, for each argument and
// result its tiling. The Core program is written from it (rewrite/materialize.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/mesh.h"
#include "ir/op_decl.h"
#include "ir/program.h"

namespace partir {

/// Why propagation left something alone.
struct Conflict {
  std::string operation;  ///< as printed, with its place; or a value's name
  std::string axis;
  std::string reason;
  friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// An operation joined this entry along this axis; steps nest outermost first.
struct Step {
  Axis axis;
  Entry entry;
  std::size_t tactic = 0;  ///< by which it joined
};

/// An argument's or result's tiling, or that it stays whole (no dimension).
struct Placement {
  Axis axis;
  std::optional<Dim> dim;
  std::size_t tactic = 0;  ///< that made it
  bool asked = false;      ///< for; else it follows from all uses
};

class State {
 public:
  /// `function` outlives the state. Its operations must have been checked.
  State(const Function& function, const Mesh& mesh);

  [[nodiscard]] const Function& function() const { return *function_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }

  [[nodiscard]] const std::vector<Step>& steps(std::size_t op) const { return steps_[op]; }
  [[nodiscard]] const Step* step(std::size_t op, Axis axis) const;
  /// The operation inside the loops of its steps.
  [[nodiscard]] const OpInstance& local(std::size_t op);
  void join(std::size_t op, Axis axis, const Entry& entry, OpInstance local);

  /// Of arguments and results, by position, in the order in which they were made.
  std::vector<std::vector<Placement>> arguments;
  std::vector<std::vector<Placement>> results;
  /// Internal values that a tactic asked to stay whole along an axis.
  std::vector<std::pair<Axis, ValueId>> whole;
  /// Number of the tactic at work.
  std::size_t tactic = 0;

  /// How a value comes out of its operation, or in as an argument: the tiles, outermost first.
  [[nodiscard]] std::vector<Placement> natural(ValueId v) const;

  // --- The program, as a graph ---------------------------------------------------------------------------------------
  struct Use {
    std::size_t op;                      ///< position in the body; the return's is ops.size() - 1
    std::optional<std::size_t> operand;  ///< none: read inside a region
  };
  [[nodiscard]] std::optional<std::size_t> defining_op(ValueId v) const { return defined_by_[v.index()]; }
  [[nodiscard]] std::optional<std::size_t> argument_number(ValueId v) const { return argument_of_[v.index()]; }
  [[nodiscard]] const std::vector<Use>& uses(ValueId v) const { return uses_[v.index()]; }
  /// Position of a value among the results of its operation.
  [[nodiscard]] std::size_t result_number(ValueId v) const { return result_number_[v.index()]; }
  /// Computed from constants and iota alone.
  [[nodiscard]] bool is_constant(ValueId v) const { return constant_[v.index()]; }
  /// The scalar that all elements of a value are known to be, or null.
  [[nodiscard]] const LiteralPtr& splat(ValueId v) const { return splats_[v.index()]; }
  [[nodiscard]] OpInstance global(std::size_t op) const;

 private:
  const Function* function_;
  Mesh mesh_;
  std::vector<std::vector<Step>> steps_;
  std::vector<std::unique_ptr<OpInstance>> local_;
  std::vector<std::optional<std::size_t>> defined_by_;
  std::vector<std::optional<std::size_t>> argument_of_;
  std::vector<std::size_t> result_number_;
  std::vector<std::vector<Use>> uses_;
  std::vector<bool> constant_;
  std::vector<LiteralPtr> splats_;
};

/// The function without operations whose results nobody reads.
Function without_dead_code(const Function& function);

}  // namespace partir
