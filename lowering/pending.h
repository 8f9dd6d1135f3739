// Pending reductions: how long a value stays pending over mesh axes, and where it is reduced. Laws:
//
//   reduce-late     a pending value stays so through operations with an entry from pending to pending that do not
//   enlarge
//                   it, when this is its only use; so sums of pending values are reduced once, where smallest
//   reduce-shared   otherwise it is reduced once, over all its axes together, for all its uses
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

  /// The value, pending only over the axes in `stay`; without those it is made once for all uses.
  std::pair<ValueId, Layout> reduced(ValueId v, const std::vector<Axis>& stay);

  /// The axes over which a unit lets its operands stay pending, and the entries by which it does.
  [[nodiscard]] std::vector<std::pair<Axis, Entry>> passed_on(std::size_t unit) const;

 private:
  /// The dimension by which all uses slice a value of this type along an axis, directly behind what tiles it already.
  [[nodiscard]] std::optional<Dim> sliced_by_all(const LoweredValue& value, const Layout& type, Axis axis) const;
  ValueId reduce_scatter(ValueId x, const Type& global, Axis axis, Dim dim, Monoid monoid, const Layout& type);
  ValueId all_reduce(ValueId x, const Type& global, const std::vector<Axis>& axes, Monoid monoid, const Layout& type);

  LoweringContext& c_;
  std::map<std::pair<Monoid, std::vector<Axis>>, AttributeList> attributes_;  ///< of all_reduces
};

}  // namespace partir
