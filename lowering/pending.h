// Carries out pending reductions that are not passed on (lowering/pass_on.h). Used by conversions.cpp. Laws:
//
//   reduce-shared   a value is reduced once, over all its axes together, for all its uses
//   reduce-scatter  an all_reduce whose uses all slice the same dimension along the axis
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "lowering/lowered_value.h"

namespace partir {

class PendingReductions {
 public:
  explicit PendingReductions(LoweringContext& context) : c_(context) {}

  /// Returns the value with only the reductions in `stays` pending. If `stays` is empty, the reduction is emitted once
  /// and shared by all uses.
  std::pair<ValueId, SharedLayout> reduced(ValueId v, const std::vector<Pending>& stays);

 private:
  /// The dimension that all uses slice along an axis, directly minor to the axes that tile it in `type`; nothing if
  /// they disagree.
  [[nodiscard]] std::optional<Dim> sliced_by_all(ValueId v, const Layout& type, Axis axis) const;
  ValueId reduce_scatter(ValueId x, const Type& global, Axis axis, Dim dim, Monoid monoid, const Layout& type);
  ValueId all_reduce(ValueId x, const Type& global, const std::vector<Axis>& axes, Monoid monoid, const Layout& type);

  LoweringContext& c_;
  std::map<std::pair<Monoid, std::vector<Axis>>, AttributeList> attributes_;  ///< cached, for all_reduces
};

}  // namespace partir
