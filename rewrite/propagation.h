// Propagation of tiles along one axis: the facts inferred about values, and the worklists. Used by propagate.cpp only.
// The implementation is split into requests (propagation_requests.cpp), matching of entries (propagation_match.cpp) and
// reporting (propagation_conflicts.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/microbatches.h"
#include "rewrite/schedule.h"
#include "rewrite/state.h"

namespace partir {

class Propagation {
 public:
  /// Starts from what tactics did along this axis so far. Layouts that belong to a later tactic are protected from
  /// changes but do not propagate yet. `uneven`: padding was already tried, so a request that the axis does not divide
  /// is a conflict, not an error.
  Propagation(State& state, Axis axis, bool uneven = false);

  /// Seeds the worklist from the layouts along this axis that belong to the current tactic (rewrite/pin_layouts.h).
  /// Where these alone leave a choice between entries, the first tiled operand decides: annotations are written for
  /// partitioners that choose so, and cannot be completed by a tactic.
  void ask_layouts();

  // --- Requests of a tactic. They throw a UserError for a size that the axis does not divide, unless `uneven` --------
  void request_argument(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file);
  void request_result(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file);
  /// Tiles the identity inserted after the value. The operation that computes the value gets the same tiling if
  /// propagation infers it; otherwise the value is converted at the identity.
  void request_value(const NamedValue& value, const PatternRequest& r, const std::string& file);

  /// Propagates to a fixed point.
  void run();
  /// Revisits operations that no entry matched along this axis and that have become smaller since.
  void ask_again(const std::vector<std::size_t>& smaller);

  std::vector<Conflict> conflicts;
  std::vector<std::size_t> joined;  ///< sites that joined an entry, in order

 private:
  /// Sites, sorted by program order (State::order).
  using Worklist = std::set<std::pair<std::size_t, std::size_t>>;

  struct Candidate {
    const Entry* entry = nullptr;
    const Form* local = nullptr;
    bool by_operands = false;
    bool by_demand = false;
  };
  struct Match {
    std::vector<Candidate> candidates;  ///< entries that a fact or demand supports and no operand contradicts
    bool operand_tiled = false;
    std::optional<Conflict> obstacle;  ///< why an entry that is supported does not hold here
  };
  /// Directions in which a site propagates: from its operands to its results, and from uses to its operands.
  struct Passes {
    bool forward = true;
    bool backward = true;
  };

  static std::uint64_t bit(Dim d) { return std::uint64_t{1} << d; }

  // --- propagate.cpp --------------------------------------------------------------------------------------------------
  void enqueue(std::size_t site);
  void enqueue_users(ValueId v);
  void demand(ValueId v, Dim d);
  void record(std::size_t site, const Entry& entry);
  /// A value requested to stay replicated stays so under all names by which control flow forwards it.
  void forward_replicated_requests();
  /// Visits a site of the worklist. Operands decide first: a flow site is decided by its uses only once the main
  /// worklist is empty (`waited`), because the tiling of the values that its regions yield is not known earlier.
  void visit(std::size_t site, bool waited);
  void join_if_one(std::size_t site, const Match& m);
  /// Visits sites until no more is inferred.
  void infer();
  /// Joins an entry at the first site where the tiles of operands allow several. Returns false if there is no such
  /// site.
  bool choose();
  /// The one dimension along which every use slices the value; nothing if there is none.
  std::optional<Dim> sliced_by_all_uses(ValueId v);
  /// Decides constants and what is computed from them alone: tiled where all uses slice them along the same dimension,
  /// last ones first; otherwise replicated and sliced at each use. They never influence other operations.
  void tile_constants();
  /// Tiles each argument that is not requested to stay replicated and that all uses slice along the same dimension.
  void tile_arguments();
  [[nodiscard]] bool is_constant(std::size_t site) const;

  // --- propagation_requests.cpp ---------------------------------------------------------------------------------------
  /// Reports a conflict and returns true if the axis already tiles the value along another dimension.
  bool tiled_otherwise(ValueId v, Dim dim, const std::string& name);
  std::optional<Dim> requested_dim(ValueId v, const std::vector<TileDecision>& placed, const PatternRequest& r,
                                   const std::string& name, const std::string& file);
  /// Local size of dimension d of a value, given the tiles placed on the value so far.
  [[nodiscard]] std::int64_t local_size(ValueId v, const std::vector<TileDecision>& placed, Dim d) const;
  /// Whether the axis divides a size. Empty dimensions are excluded: there is nothing to divide, and XLA does not
  /// gather them.
  [[nodiscard]] bool splits(std::int64_t size) const { return size > 0 && size % n_ == 0; }

  // --- propagation_match.cpp ------------------------------------------------------------------------------------------
  [[nodiscard]] Passes passes_of(std::size_t site) const;
  Match match(std::size_t site);
  /// The same, without what the operands in `ignored` (by number) are tiled along.
  Match match(std::size_t site, const std::vector<bool>& ignored);
  /// The operands that are broadcasts, which may as well be computed with other tiles, where the operation's operands
  /// contradict each other; empty if there is no such operand. If all tiled operands are, the first one is left out.
  [[nodiscard]] std::vector<bool> recomputable(std::size_t site) const;
  /// For a carried value that arrives tiled along the dimension that its loop steps through, or a value of which slices
  /// take single positions of it (rewrite/microbatches.h), so that each step would use the data of one device only:
  /// returns the batch dimension next to it, by which all devices work in every step.
  [[nodiscard]] std::optional<Dim> tiled_microbatches(std::size_t site) const;
  [[nodiscard]] bool moves_for_slices(const Microbatches& m, std::int64_t steps) const;
  /// The element type of a pending reduction that the entry would create and for which no collective exists, if any.
  [[nodiscard]] std::optional<ElementType> without_collective(std::size_t site, const Entry& entry) const;
  /// The pending reduction of a value over the axis: created by its operation, or passed on by it from its operands
  /// (followed through at most a few operations). Nothing if the value has several uses, because one reduction
  /// here then serves all of them.
  [[nodiscard]] std::optional<Monoid> partial(ValueId v, int depth = 0) const;
  /// The pending reduction of an operation's result if the pending reductions of its operands are passed on.
  [[nodiscard]] std::optional<Monoid> partial_by_operands(std::size_t site, int depth) const;
  /// True if the operation combines several pending values, so that one reduction after it serves all. Slicing its
  /// result by demand would reduce each operand separately.
  [[nodiscard]] bool merges_partial_values(std::size_t site) const;

  // --- propagation_conflicts.cpp --------------------------------------------------------------------------------------
  void report(Conflict conflict) { conflicts.push_back(std::move(conflict)); }
  /// Starts a conflict about an argument, a result or an internal value.
  [[nodiscard]] Conflict about(Conflict::Reason reason, const std::string& name) const;
  /// Starts a conflict about an operation or a loop-carried value.
  [[nodiscard]] Conflict about(Conflict::Reason reason, std::size_t site) const;
  /// Reports why a visited site was left alone, if it was.
  void explain(std::size_t site);
  /// Reports yielded values of a loop that are tiled otherwise than the carried value and so are converted in each
  /// iteration.
  void explain_conversion(std::size_t site);

  State& s_;
  const Function& f_;
  Axis axis_;
  std::int64_t n_;
  bool uneven_;
  std::vector<std::optional<Dim>> defined_;  ///< the dimension along which a value is tiled where it is defined
  /// Values that are requested to stay replicated.
  std::vector<bool> atomic_;
  std::vector<std::uint64_t> closed_;  ///< dimensions along which a value may not be tiled where it is defined
  std::vector<std::uint64_t> demand_;  ///< dimensions along which uses slice a value
  Worklist queue_;
  Worklist waiting_;    ///< flow sites that only uses could decide
  Worklist constants_;  ///< sites computed from constants alone that uses slice
  Worklist touched_;
  Worklist open_;  ///< sites at which operands' tiles allow several entries
  bool again_ = false;
  bool chooses_ = false;
};

}  // namespace partir
