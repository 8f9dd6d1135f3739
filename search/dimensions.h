// Named Dimension Analysis (TOAST): which dimensions of a program's values are sharded alike, and where one name stands
// twice on a value, so that something must be chosen.
//
// Every dimension of every value gets a name. An entry of an operation tiles some of them together, so that they have
// one name; what has one name is a group (TOAST's colour). For x[M, K] · w[K, N], of which the entries are
// (#tile<0>, any) -> #tile<0>, (any, #tile<1>) -> #tile<1> and (#tile<1>, #tile<0>) -> #sum, the groups are
// {x.0, out.0}, {w.1, out.1} and {x.1, w.0}. Nothing here knows an operation: all is read from the registry's entries.
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
  std::vector<std::pair<std::size_t, Dim>> arguments;  ///< by number, in order
  std::vector<std::pair<std::size_t, Dim>> results;
  std::int64_t divisor = 0;     ///< greatest common divisor of its sizes: an axis that divides it divides all
  std::size_t occurrences = 0;  ///< dimensions of values
  double argument_bytes = 0;    ///< of the arguments that it reaches
};

/// A group on two dimensions of one value, as the sequence on both of attention's S x S: one of them keeps the tile.
struct DimensionConflict {
  ValueId value;
  Dim first = 0;
  Dim second = 0;
  GroupId group;
  ResolutionId set;
  bool swapped = false;  ///< resolution 0 of the set keeps `second` here
};

/// Conflicts for which the choice at one decides the choice at all, because operations carry it from one to the other.
struct ResolutionSet {
  GroupId group;
  std::vector<std::size_t> conflicts;  ///< by number, in program order
  /// The two resolutions are the same up to a transpose within the set: there is no choice that holds for all.
  bool symmetric = false;
};

class Dimensions {
 public:
  /// Of a state that no tactic has changed. Cost: linear in the operations' entries. Dimensions of size 0 and 1 have no
  /// group.
  explicit Dimensions(const State& state);

  [[nodiscard]] const std::vector<DimensionGroup>& groups() const { return groups_; }
  [[nodiscard]] const DimensionGroup& group(GroupId id) const { return groups_[id.index()]; }
  [[nodiscard]] std::optional<GroupId> group_of(ValueId v, Dim dim) const;
  [[nodiscard]] const std::vector<DimensionConflict>& conflicts() const { return conflicts_; }
  [[nodiscard]] const std::vector<ResolutionSet>& sets() const { return sets_; }
  /// Dimensions that have a name.
  [[nodiscard]] std::size_t dimensions() const { return named_; }

 private:
  void number_groups(const State& state);
  void find_conflicts(const State& state);
  void join_resolutions(const State& state);

  std::vector<std::size_t> first_;                ///< by ValueId: number of its dimension 0
  std::vector<std::optional<GroupId>> group_of_;  ///< by number of a dimension
  std::vector<DimensionGroup> groups_;
  std::vector<DimensionConflict> conflicts_;
  std::vector<ResolutionSet> sets_;
  std::size_t named_ = 0;
};

/// The dimensions that an entry of a site tiles together.
std::vector<DimensionOf> tiled_together(const State& state, std::size_t site, const Entry& entry);

/// Those of them that have one name: all where their sizes agree, or where the operation only rearranges elements (the
/// major factor of a reshape), else those of the first one's size.
std::vector<DimensionOf> named_alike(const State& state, std::size_t site, const Entry& entry);

}  // namespace partir
