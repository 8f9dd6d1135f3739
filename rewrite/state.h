// The state of a partially partitioned program: the entries that each operation has joined so far, and the tiling of
// each argument, result and value forwarded by control flow. Tactics change it through propagation
// (rewrite/propagation.h); the Core program (rewrite/materialize.h) and the device-local program (lowering/lower.h) are
// derived from it. Every change can be undone.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "ir/control_flow.h"
#include "ir/mesh.h"
#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/splat.h"
#include "rewrite/form.h"
#include "support/small_vector.h"

namespace partir {

/// An entry that an operation joined along an axis. The steps of an operation are nested loops, outermost first.
struct Step {
  Axis axis;
  Entry entry;
  std::size_t tactic = 0;  ///< the tactic by which it joined
};

/// The tiling of an argument or result along an axis; without `dim` it stays replicated.
struct TileDecision {
  Axis axis;
  std::optional<Dim> dim;
  std::size_t tactic = 0;  ///< the tactic that decided it
  bool requested = false;  ///< whether the tactic requested it; otherwise it was inferred from all uses
};

/// A site is anything that can join entries. The first sites are the operations, numbered by for_each_op (without
/// control flow, the number is the position in the body). After them comes one site for each value forwarded by control
/// flow (ir/control_flow.h), so that its initial value, the block arguments, the yielded values and the result share
/// one tiling. Such a flow site behaves like the identity: each of its entries tiles all of these along one dimension.
class State {
 public:
  /// `function` must outlive the state. Its operations must have been verified.
  State(const Function& function, const Mesh& mesh);
  State(State&&) = default;
  State& operator=(State&&) = default;

  [[nodiscard]] const Function& function() const { return *function_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }

  [[nodiscard]] std::size_t operations() const { return ops_.size(); }
  [[nodiscard]] std::size_t sites() const { return ops_.size() + flows_.size(); }
  [[nodiscard]] bool is_flow(std::size_t site) const { return site >= ops_.size(); }
  /// The operation of a site; for a flow site, the control-flow operation that forwards the value.
  [[nodiscard]] const Op& op(std::size_t site) const {
    return *ops_[is_flow(site) ? flows_[site - ops_.size()].op : site].op;
  }
  /// For a flow site: the index among the operation's flows (flows_of), which is that of the result it becomes.
  [[nodiscard]] std::size_t flow_number(std::size_t site) const { return flows_[site - ops_.size()].number; }
  /// The values that a site reads and defines. Values forwarded by control flow belong to the flow sites only, not to
  /// the site of the control-flow operation.
  [[nodiscard]] const std::vector<ValueId>& reads(std::size_t site) const;
  [[nodiscard]] const std::vector<ValueId>& defines(std::size_t site) const;
  /// Sort key that orders sites by program order: flow sites directly after their operation, which precedes the
  /// operations in its regions.
  [[nodiscard]] std::pair<std::size_t, std::size_t> order(std::size_t site) const {
    return {is_flow(site) ? flows_[site - ops_.size()].op : site, site};
  }

  [[nodiscard]] const std::vector<Step>& steps(std::size_t site) const { return steps_[site]; }
  [[nodiscard]] const Step* step(std::size_t site, Axis axis) const;
  /// The device-local operation of the site: the one inside the loops of its steps.
  [[nodiscard]] const Form& form(std::size_t site) const;
  /// The operation of the site at its global sizes, before any step.
  [[nodiscard]] const Form& global_form(std::size_t site) const;
  /// How devices compute a site's operation in the current state.
  struct Computation {
    SmallVector<const Step*, 4> steps;  ///< without those that hold in blocks only, unless chunks are sent
    const Form* form = nullptr;         ///< the device-local operation inside the loops of `steps`
    std::optional<Shift> shift;         ///< set if whole chunks are sent along this dimension instead
  };
  [[nodiscard]] Computation computed(std::size_t site) const;

  // --- Changes made by tactics, and queries on them. Each change can be undone. --------------------------------------
  /// Joins an entry of the site's form; `local` becomes the new form. The step propagates with the tactic `later`
  /// positions after the current one.
  void join(std::size_t site, Axis axis, const Entry& entry, const Form& local, std::size_t later = 0);
  /// Decisions for argument or result i, in the order in which they were made.
  [[nodiscard]] const std::vector<TileDecision>& argument(std::size_t i) const { return arguments_[i]; }
  [[nodiscard]] const std::vector<TileDecision>& result(std::size_t i) const { return results_[i]; }
  void place_argument(std::size_t i, const TileDecision& placement);
  void place_result(std::size_t i, const TileDecision& placement);
  /// Internal values that a tactic requested to stay replicated along an axis.
  [[nodiscard]] const std::vector<std::pair<Axis, ValueId>>& replicated() const { return replicated_; }
  void keep_replicated(Axis axis, ValueId v);
  /// Dimensions that an axis may not tile where the value is defined; uses may still slice the value along them.
  struct Closed {
    Axis axis;
    ValueId value;
    std::uint64_t dims = 0;  ///< bit d: dimension d
  };
  [[nodiscard]] const std::vector<Closed>& closed() const { return closed_; }
  void close(const Closed& closed);
  /// Device orders of arguments and results that use another order of devices than the mesh, by position.
  struct Orders {
    std::map<std::size_t, std::vector<std::int64_t>> arguments = {};
    std::map<std::size_t, std::vector<std::int64_t>> results = {};
  };
  [[nodiscard]] const Orders& orders() const { return orders_; }
  void order_argument(std::size_t i, std::vector<std::int64_t> device_ids);
  void order_result(std::size_t i, std::vector<std::int64_t> device_ids);
  /// Operations that propagation reached along the axis but for which no entry matched. One may match later, once
  /// another axis has made the operation smaller.
  [[nodiscard]] const std::set<std::size_t>& unfitted(Axis axis) const;
  /// Records such an operation; returns false if it was recorded before.
  bool note_unfitted(Axis axis, std::size_t site);
  /// Number of the current tactic, counted from 1.
  [[nodiscard]] std::size_t tactic() const { return tactic_; }
  void begin_tactic();

  /// A point in the history of changes, for undo_to.
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  /// Undoes all changes since the mark. Cost: proportional to their number.
  void undo_to(std::size_t mark);

  /// The tiles, outermost first, with which a value is computed by its operation or arrives as an argument.
  [[nodiscard]] std::vector<TileDecision> natural(ValueId v) const;
  /// The tiles of returned value i, as far as they are decided: as tactics requested, and along other axes as the value
  /// is computed.
  [[nodiscard]] std::vector<TileDecision> returned(std::size_t i) const;

  // --- The program as a graph ----------------------------------------------------------------------------------------
  struct Use {
    std::size_t site;
    std::optional<std::size_t> operand;  ///< none: captured by a region that does not run as part of the function
  };
  [[nodiscard]] std::optional<std::size_t> defining_site(ValueId v) const { return defined_by_[v.index()]; }
  [[nodiscard]] std::optional<std::size_t> argument_number(ValueId v) const { return argument_of_[v.index()]; }
  [[nodiscard]] const std::vector<Use>& uses(ValueId v) const { return uses_[v.index()]; }
  /// The site of the identity that stands after a value because a schedule names it (with_identities); not that of a
  /// result, which only the return reads.
  [[nodiscard]] std::optional<std::size_t> identity_after(ValueId v) const;
  /// Index of a value among the values that its site defines.
  [[nodiscard]] std::size_t result_number(ValueId v) const { return result_number_[v.index()]; }
  /// True if the value is computed from constants and iota only.
  [[nodiscard]] bool is_constant(ValueId v) const { return constant_[v.index()]; }
  /// The scalar that all elements of a value are known to equal, or null.
  [[nodiscard]] const LiteralPtr& splat(ValueId v) const { return splats_[v]; }
  [[nodiscard]] OpInstance global(std::size_t site) const;
  /// Whether a site is an operation that repeats elements of its operand, so that its result is larger.
  [[nodiscard]] bool enlarges(std::size_t site) const;
  /// The site of an operation of the function, and the operation itself, by id.
  [[nodiscard]] std::size_t site_of(OpId id) const { return site_of_[id.index()]; }
  [[nodiscard]] const Op& op_of(OpId id) const { return *ops_[site_of(id)].op; }

 private:
  struct Change {
    enum class Kind : std::uint8_t {
      join,
      argument,
      result,
      replicated,
      closed,
      ordered_argument,
      ordered_result,
      unfitted,
      tactic
    };
    Kind kind;
    std::size_t index = 0;
    const Form* form = nullptr;  ///< for a join: the form before it
    Axis axis;
  };
  struct OpSite {
    const Op* op;
    bool reads;    ///< its operands; false if control flow forwards them
    bool defines;  ///< its results; false if control flow forwards them
  };
  struct FlowSite {
    std::size_t op;
    std::size_t number;
    Flow flow;
  };
  void number(const Block& block, bool yields);
  void read(std::size_t site);

  const Function* function_;
  Mesh mesh_;
  std::vector<OpSite> ops_;
  std::vector<FlowSite> flows_;
  std::vector<std::size_t> site_of_;  ///< by OpId
  std::vector<std::vector<Step>> steps_;
  std::unique_ptr<FormTable> table_ = std::make_unique<FormTable>();
  mutable std::vector<const Form*> global_forms_;  ///< by site; null until first requested
  std::vector<const Form*> forms_;                 ///< by site; null where nothing was joined
  std::vector<std::vector<TileDecision>> arguments_;
  std::vector<std::vector<TileDecision>> results_;
  std::vector<std::pair<Axis, ValueId>> replicated_;
  std::vector<Closed> closed_;
  Orders orders_;
  std::map<Axis, std::set<std::size_t>> unfitted_;
  std::size_t tactic_ = 0;
  std::vector<Change> trail_;
  std::vector<std::optional<std::size_t>> defined_by_;
  std::vector<std::optional<std::size_t>> argument_of_;
  std::vector<std::size_t> result_number_;
  std::vector<std::vector<Use>> uses_;
  std::vector<bool> constant_;
  Splats splats_;
};

/// The function without pure operations whose results are never read (dead code). `keeps` may name operations that stay
/// nevertheless, with the control flow that contains them.
Function without_dead_code(const Function& function, bool (*keeps)(const Op&) = nullptr);

}  // namespace partir
