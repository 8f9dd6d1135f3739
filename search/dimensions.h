// Named Dimension Analysis (TOAST): finds the dimensions of a program's values that are sharded alike, and the values
// of which two dimensions have the same name, so that one of them must be chosen.
//
// Every dimension of every value gets a name. Dimensions that an entry of some operation tiles together have the same
// name, and all dimensions of one name form a group (TOAST's colour). For x[M, K] · w[K, N], with the entries
// (#tile<0>, any) -> #tile<0>, (any, #tile<1>) -> #tile<1> and (#tile<1>, #tile<0>) -> #sum, the groups are
// {x.0, out.0}, {w.1, out.1} and {x.1, w.0}. The analysis knows no operation by name: it reads the registry's entries
// only.
#pragma once

#include <compare>
#include <optional>
#include <utility>
#include <vector>

#include "rewrite/state.h"

namespace partir {

using GroupId = Id<struct GroupTag>;            ///< Dimensions that are sharded alike.
using ResolutionId = Id<struct ResolutionTag>;  ///< Conflicts that are resolved together.

/// A dimension of a value.
struct DimensionOf {
  ValueId value;
  Dim dim = 0;
  friend auto operator<=>(const DimensionOf&, const DimensionOf&) = default;
};

struct DimensionGroup {
  std::vector<std::pair<std::size_t, Dim>> arguments;  ///< (argument, dimension), in order
  std::vector<std::pair<std::size_t, Dim>> results;
  std::int64_t divisor = 0;     ///< greatest common divisor of its sizes: an axis that divides it divides all of them
  std::size_t occurrences = 0;  ///< number of dimensions of values in the group
  double argument_bytes = 0;    ///< total size of the arguments that have a dimension in the group
};

/// A group that contains two dimensions of one value, such as the sequence in both dimensions of attention's S x S
/// matrix. Only one of the two can be tiled.
struct DimensionConflict {
  ValueId value;
  Dim first = 0;
  Dim second = 0;
  GroupId group;
  ResolutionId set;
  bool swapped = false;  ///< whether the set's first resolution keeps `second` here, not `first`
};

/// Conflicts that must be resolved alike, because operations carry the choice at one to all others.
struct ResolutionSet {
  GroupId group;
  std::vector<std::size_t> conflicts;  ///< indices in program order
  /// The two resolutions are equal up to a transpose within the set, so no choice is consistent for all its conflicts.
  bool symmetric = false;
};

class Dimensions {
 public:
  /// Analyses a state to which no tactic was applied. Cost: linear in the entries of the operations. Dimensions of size
  /// 0 and 1 belong to no group.
  explicit Dimensions(const State& state);

  [[nodiscard]] const std::vector<DimensionGroup>& groups() const { return groups_; }
  [[nodiscard]] const DimensionGroup& group(GroupId id) const { return groups_[id.index()]; }
  [[nodiscard]] std::optional<GroupId> group_of(ValueId v, Dim dim) const;
  [[nodiscard]] const std::vector<DimensionConflict>& conflicts() const { return conflicts_; }
  [[nodiscard]] const std::vector<ResolutionSet>& sets() const { return sets_; }
  /// Number of dimensions that have a name.
  [[nodiscard]] std::size_t dimensions() const { return named_; }

 private:
  void number_groups(const State& state);
  void find_conflicts(const State& state);
  void join_resolutions(const State& state);

  std::vector<std::size_t> first_;                ///< by ValueId: index of its dimension 0 in group_of_
  std::vector<std::optional<GroupId>> group_of_;  ///< by index of a dimension
  std::vector<DimensionGroup> groups_;
  std::vector<DimensionConflict> conflicts_;
  std::vector<ResolutionSet> sets_;
  std::size_t named_ = 0;
};

/// The dimensions that an entry of a site tiles together.
std::vector<DimensionOf> tiled_together(const State& state, std::size_t site, const Entry& entry);

/// Those of tiled_together that get the same name: all of them if the operation only rearranges elements (the major
/// factor of a reshape), otherwise those with the size of the first one.
std::vector<DimensionOf> named_alike(const State& state, std::size_t site, const Entry& entry);

}  // namespace partir
