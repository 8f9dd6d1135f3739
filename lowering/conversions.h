// Converts values to the layouts that operations need. Used by lower.cpp. Laws:
//
//   argument-gather  an argument (or a transpose or reshape of it) is gathered at each operation that uses it: ZeRO-3
//   shared           every other conversion of a value is emitted once, in a region or before it; so are its steps
//   normal-form      a conversion gathers nothing that it slices or moves (lowering/redistribute.h)
//   loop-invariant   a value from outside a loop is reduced, or moved if it does not grow, before the loop; gathers
//                    stay inside, since the replicated value would be live as long as the loop
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

  /// Returns the value in layout `needed`, after carrying out the pending reductions that `needed` does not have. A
  /// value that is not pending stays so even if `needed` is pending.
  ValueId converted(ValueId v, const Layout& needed);

  /// Law loop-invariant: converts the values that the regions of control flow capture, before the operation. `end`: one
  /// past the last unit in the regions.
  void prepare(const Op& op, std::size_t unit, std::size_t end);

  /// Marks a point in the list of cached conversions. At the end of a region, forget_since drops those made since the
  /// mark, because they are not available after the region.
  [[nodiscard]] std::size_t mark() const { return made_.size(); }
  void forget_since(std::size_t mark);

 private:
  ValueId redistributed(ValueId v, ValueId local, const Layout& from, const Layout& needed, bool share);
  /// The plan from a layout to the dimensions of `needed`, with the same pending reductions.
  const std::vector<PlannedConversion>& plan(const Layout& from, const Layout& needed);
  ValueId applied(const PlannedConversion& step, ValueId x, const Type& global);
  [[nodiscard]] bool only_moves(const Layout& from, const Layout& to);

  LoweringContext& c_;
  PendingReductions& pending_;
  Redistributions& plans_;
  std::vector<ValueId> made_;  ///< the source value of each cached conversion, in order
};

}  // namespace partir
