// Values in the types in which operations need them. Laws:
//
//   argument-gather  an argument (through transposes and reshapes) is gathered at each operation that uses it: ZeRO-3
//   shared           other equal conversions of a value are made once, in a region or before it, and steps on the way
//   normal-form      a conversion gathers nothing that it slices or moves (lowering/redistribute.h)
//   loop-invariant   a value from outside a loop is reduced, and moved without growing, before it; gathers stay inside,
//                    since the replicated value would live as long as the loop
#pragma once

#include <utility>
#include <vector>

#include "lowering/pending.h"
#include "lowering/redistribute.h"

namespace partir {

class Conversions {
 public:
  Conversions(LoweringContext& context, PendingReductions& pending, Redistributions& plans)
      : c_(context), pending_(pending), plans_(plans) {}

  /// The value as `needed`, if it comes pending over what `needed` is; else without that.
  ValueId converted(ValueId v, const Layout& needed);

  /// Law loop-invariant: converts what the regions of control flow read from outside. `end`: the unit behind them.
  void prepare(const Op& op, std::size_t unit, std::size_t end);

  /// A point before which conversions are known everywhere; forgetting those made since, at the end of a region.
  [[nodiscard]] std::size_t mark() const { return made_.size(); }
  void forget_since(std::size_t mark);

 private:
  ValueId redistributed(ValueId v, ValueId local, const Layout& from, const Layout& needed, bool share);
  ValueId applied(const PlannedConversion& step, ValueId x, const Type& global);
  [[nodiscard]] bool only_moves(const Layout& from, const Layout& to);

  LoweringContext& c_;
  PendingReductions& pending_;
  Redistributions& plans_;
  std::vector<ValueId> made_;  ///< source values of all shared conversions, in order
};

}  // namespace partir
