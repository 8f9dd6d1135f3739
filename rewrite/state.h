// What tactics have done so far to a program: for each operation the entries it has joined, for each value that control
// flow hands on, and for each argument and result, its tiling. The Core program is written from it
// (rewrite/materialize.h).
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

namespace partir {

/// An operation joined this entry along this axis; steps nest outermost first.
struct Step {
  Axis axis;
  Entry entry;
  std::size_t tactic = 0;  ///< by which it joined
};

/// An argument's or result's tiling, or that it stays replicated (no dimension).
struct TileDecision {
  Axis axis;
  std::optional<Dim> dim;
  std::size_t tactic = 0;  ///< that made it
  bool requested = false;  ///< by the tactic; else it follows from all uses
};

/// What joins entries is called a site. First come the operations, numbered by for_each_op (positions in the body,
/// where there is no control flow); behind them each value that control flow hands on (ir/control_flow.h), so that its
/// initial value, the regions' arguments, what is yielded and the result share one tiling. Such a site is the identity:
/// its entries tile everything along one dimension.
class State {
 public:
  /// `function` outlives the state. Its operations must have been checked.
  State(const Function& function, const Mesh& mesh);
  State(State&&) = default;
  State& operator=(State&&) = default;

  [[nodiscard]] const Function& function() const { return *function_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }

  [[nodiscard]] std::size_t operations() const { return ops_.size(); }
  [[nodiscard]] std::size_t sites() const { return ops_.size() + flows_.size(); }
  [[nodiscard]] bool is_flow(std::size_t site) const { return site >= ops_.size(); }
  /// The operation; of a value that is handed on, the one that does so.
  [[nodiscard]] const Op& op(std::size_t site) const {
    return *ops_[is_flow(site) ? flows_[site - ops_.size()].op : site].op;
  }
  /// Of a value that is handed on: which result of the operation it becomes.
  [[nodiscard]] std::size_t flow_number(std::size_t site) const { return flows_[site - ops_.size()].number; }
  /// What a site reads and defines. What control flow hands on is read and defined by those values' own sites.
  [[nodiscard]] const std::vector<ValueId>& reads(std::size_t site) const;
  [[nodiscard]] const std::vector<ValueId>& defines(std::size_t site) const;
  /// Orders sites as the program runs: values that are handed on directly behind their operation, which comes before
  /// those in its regions.
  [[nodiscard]] std::pair<std::size_t, std::size_t> order(std::size_t site) const {
    return {is_flow(site) ? flows_[site - ops_.size()].op : site, site};
  }

  [[nodiscard]] const std::vector<Step>& steps(std::size_t site) const { return steps_[site]; }
  [[nodiscard]] const Step* step(std::size_t site, Axis axis) const;
  /// The site's operation inside the loops of its steps.
  [[nodiscard]] const Form& form(std::size_t site) const;
  /// The same without any steps.
  [[nodiscard]] const Form& global_form(std::size_t site) const;
  /// How devices compute a site's operation as things are.
  struct Computation {
    std::vector<const Step*> steps;  ///< without those whose entries hold in blocks alone
    const Form* form = nullptr;      ///< inside their loops
    std::optional<Shift> shift;      ///< the operation is done by sending whole chunks of this dimension
  };
  [[nodiscard]] Computation computed(std::size_t site) const;

  // --- What tactics did, and what they do. Each of these changes can be undone. --------------------------------------
  /// Joins an entry of the site's form, which becomes `local`.
  /// `later`: it propagates with the tactic that comes so many behind the one at work.
  void join(std::size_t site, Axis axis, const Entry& entry, const Form& local, std::size_t later = 0);
  /// Of arguments and results, by position, in the order in which they were made.
  [[nodiscard]] const std::vector<TileDecision>& argument(std::size_t i) const { return arguments_[i]; }
  [[nodiscard]] const std::vector<TileDecision>& result(std::size_t i) const { return results_[i]; }
  void place_argument(std::size_t i, const TileDecision& placement);
  void place_result(std::size_t i, const TileDecision& placement);
  /// Internal values that a tactic asked to stay replicated along an axis.
  [[nodiscard]] const std::vector<std::pair<Axis, ValueId>>& replicated() const { return replicated_; }
  void keep_replicated(Axis axis, ValueId v);
  /// Dimensions that an axis may not tile where the value is defined; its uses may slice it all the same.
  struct Closed {
    Axis axis;
    ValueId value;
    std::uint64_t dims = 0;  ///< by bit
  };
  [[nodiscard]] const std::vector<Closed>& closed() const { return closed_; }
  void close(const Closed& closed);
  /// Arguments and results that come in and go out on devices in another order than the mesh's: by position.
  struct Orders {
    std::map<std::size_t, std::vector<std::int64_t>> arguments = {};
    std::map<std::size_t, std::vector<std::int64_t>> results = {};
  };
  [[nodiscard]] const Orders& orders() const { return orders_; }
  void order_argument(std::size_t i, std::vector<std::int64_t> device_ids);
  void order_result(std::size_t i, std::vector<std::int64_t> device_ids);
  /// Operations that were asked to join along the axis and that no entry fitted: one may fit once they are smaller by
  /// another axis.
  [[nodiscard]] const std::set<std::size_t>& unfitted(Axis axis) const;
  /// Whether it was not known before.
  bool note_unfitted(Axis axis, std::size_t site);
  /// Number of the tactic at work, from 1.
  [[nodiscard]] std::size_t tactic() const { return tactic_; }
  void begin_tactic();

  /// A point in the history of changes.
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  /// Takes back all changes since the mark. Cost: proportional to their number.
  void undo_to(std::size_t mark);

  /// How a value comes out of its operation, or in as an argument: the tiles, outermost first.
  [[nodiscard]] std::vector<TileDecision> natural(ValueId v) const;

  // --- The program, as a graph ---------------------------------------------------------------------------------------
  struct Use {
    std::size_t site;
    std::optional<std::size_t> operand;  ///< none: read inside a region that is no part of the function
  };
  [[nodiscard]] std::optional<std::size_t> defining_site(ValueId v) const { return defined_by_[v.index()]; }
  [[nodiscard]] std::optional<std::size_t> argument_number(ValueId v) const { return argument_of_[v.index()]; }
  [[nodiscard]] const std::vector<Use>& uses(ValueId v) const { return uses_[v.index()]; }
  /// Position of a value among what its site defines.
  [[nodiscard]] std::size_t result_number(ValueId v) const { return result_number_[v.index()]; }
  /// Computed from constants and iota alone.
  [[nodiscard]] bool is_constant(ValueId v) const { return constant_[v.index()]; }
  /// The scalar that all elements of a value are known to be, or null.
  [[nodiscard]] const LiteralPtr& splat(ValueId v) const { return splats_[v]; }
  [[nodiscard]] OpInstance global(std::size_t site) const;
  /// The site of an operation of the function, and the operation itself.
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
    const Form* form = nullptr;  ///< of a join: the form before
    Axis axis;
  };
  struct OpSite {
    const Op* op;
    bool reads;    ///< its operands; else they are handed on
    bool defines;  ///< its results; else they are handed on
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
  mutable std::vector<const Form*> global_forms_;  ///< by site; null until asked for
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

/// The function without operations whose results nobody reads.
Function without_dead_code(const Function& function);

}  // namespace partir
