// Propagation of one axis: what is known of values along it, and the worklists. Used by propagate.cpp alone, in parts:
// requests (propagation_requests.cpp), which entry fits (propagation_match.cpp), what is said (propagation_conflicts.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/schedule.h"
#include "rewrite/state.h"

namespace partir {

class Propagation {
 public:
  /// Knows what tactics did along this axis so far. Layouts in place whose turn comes later are kept, and say nothing yet.
  /// `uneven`: padding was tried where the axis does not divide, so what it does not divide now is a conflict, no error.
  Propagation(State& state, Axis axis, bool uneven = false);

  /// Starts from the layouts along this axis whose turn it is (rewrite/pin_layouts.h).
  void ask_layouts();

  // --- What a tactic asks for. Errors, as UserError: a size that the axis does not divide ----------------------------
  void request_argument(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file);
  void request_result(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file);
  /// At the identity that stands behind the value. Its operation is tiled alike if that follows; else the value is
  /// converted there.
  void request_value(const NamedValue& value, const PatternRequest& r, const std::string& file);

  /// To a fixed point.
  void run();
  /// Asks again operations that no entry fitted along this axis and that have become smaller.
  void ask_again(const std::vector<std::size_t>& smaller);

  std::vector<Conflict> conflicts;
  std::vector<std::size_t> joined;  ///< sites, in order

 private:
  /// Sites in the order in which the program runs.
  using Worklist = std::set<std::pair<std::size_t, std::size_t>>;

  struct Candidate {
    const Entry* entry = nullptr;
    const Form* local = nullptr;
    bool by_operands = false;
    bool by_demand = false;
  };
  struct Match {
    std::vector<Candidate> candidates;  ///< nothing contradicts them, and something known asks for them
    bool operand_tiled = false;
    std::optional<Conflict> obstacle;  ///< why an entry that something asks for does not hold here
  };
  /// Whether operands may decide for the results of a site, and uses for its operands.
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
  /// What is asked to stay whole stays so under the names by which control flow hands it on.
  void pass_on_requests();
  /// Operands decide first: a value that control flow hands on is decided by its uses only when nothing else moves,
  /// since what the regions yield is not known before.
  void visit(std::size_t site, bool waited);
  void join_if_one(std::size_t site, const Match& m);
  /// The one dimension along which every use slices the value.
  std::optional<Dim> sliced_by_all_uses(ValueId v);
  /// Constants and what is computed from them alone: computed in parts where all uses slice alike, last first, else
  /// sliced where they are used. They never decide anything for others.
  void tile_constants();
  /// An argument that is not atomic and whose uses all slice one dimension becomes tiled along it.
  void tile_arguments();
  [[nodiscard]] bool is_constant(std::size_t site) const;

  // --- propagation_requests.cpp ---------------------------------------------------------------------------------------
  /// Whether the axis tiles another dimension of it, which is reported.
  bool tiled_otherwise(ValueId v, Dim dim, const std::string& name);
  std::optional<Dim> requested_dim(ValueId v, const std::vector<TileDecision>& placed, const PatternRequest& r,
                                   const std::string& name, const std::string& file);
  /// Sizes of a value's dimensions after the tiles placed on it so far.
  [[nodiscard]] std::int64_t local_size(ValueId v, const std::vector<TileDecision>& placed, Dim d) const;
  /// Whether the axis divides a size. A dimension without elements has nothing to divide, and XLA gathers none.
  [[nodiscard]] bool splits(std::int64_t size) const { return size > 0 && size % n_ == 0; }

  // --- propagation_match.cpp ------------------------------------------------------------------------------------------
  [[nodiscard]] Passes passes_of(std::size_t site) const;
  Match match(std::size_t site);
  /// Of a carried value that comes tiled along the dimension that its loop steps through (rewrite/microbatches.h), where
  /// each iteration would be one device's: the dimension beside it, which keeps all devices at work.
  [[nodiscard]] std::optional<Dim> tiled_microbatches(std::size_t site) const;
  /// The type of the elements that an entry leaves to a combination which no collective has.
  [[nodiscard]] std::optional<ElementType> without_collective(std::size_t site, const Entry& entry) const;
  /// The combination that a value is over the axis before it is reduced: its operation's result, or what passes it on
  /// (looked for through a few operations only). It must have one use, or its reduction is shared here.
  [[nodiscard]] std::optional<Monoid> partial(ValueId v, int depth = 0) const;
  /// What becomes of an operation's result when its partial operands are passed on.
  [[nodiscard]] std::optional<Monoid> partial_by_operands(std::size_t site, int depth) const;
  /// A sum of several partial values is left for one reduction: slicing it by demand would reduce each of them apart.
  [[nodiscard]] bool merges_partial_values(std::size_t site) const;

  // --- propagation_conflicts.cpp --------------------------------------------------------------------------------------
  void report(Conflict conflict) { conflicts.push_back(std::move(conflict)); }
  /// A conflict about an argument, a result or an internal value.
  [[nodiscard]] Conflict about(Conflict::Reason reason, const std::string& name) const;
  /// A conflict about an operation or a loop-carried value.
  [[nodiscard]] Conflict about(Conflict::Reason reason, std::size_t site) const;
  void explain(std::size_t site);
  /// A loop-carried value that is yielded tiled otherwise is converted each time.
  void explain_conversion(std::size_t site);

  State& s_;
  const Function& f_;
  Axis axis_;
  std::int64_t n_;
  bool uneven_;
  std::vector<std::optional<Dim>> defined_;  ///< the dimension along which a value is tiled where it is defined
  std::vector<bool> atomic_;
  std::vector<std::uint64_t> closed_;  ///< dimensions along which a value may not be tiled where it is defined
  std::vector<std::uint64_t> demand_;  ///< dimensions along which uses slice a value
  Worklist queue_;
  Worklist waiting_;    ///< values that control flow hands on, which only uses ask for
  Worklist constants_;  ///< operations on constants alone that uses slice
  Worklist touched_;
  bool again_ = false;
};

}  // namespace partir
