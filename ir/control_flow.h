// Control flow: operations whose regions run as parts of the function (while, if, case), the values that control flow
// forwards unchanged, and the trip counts of counted loops.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.h"

namespace partir {

/// True if the regions of an operation run as parts of the function: while, if, case.
bool runs_regions(const Op& op);

/// Values that an operation forwards unchanged: each value of `to` holds what one of `from` held. The initial value and
/// the yielded value of a while become the arguments of its regions and its result; the values that branches yield
/// become the result of an if or case; an operand of an optimization_barrier becomes its result.
struct Flow {
  std::vector<ValueId> from;
  std::vector<ValueId> to;
  friend bool operator==(const Flow&, const Flow&) = default;
};

/// Returns one Flow for each result of a while, if, case or optimization_barrier, and none for other operations. For
/// %r = while(%x) with the regions cond(%c), body(%b) and the yielded value %y it is {from = [%x, %y],
/// to = [%c, %b, %r]}.
std::vector<Flow> flows_of(const Op& op);

/// True if the operation forwards its operands: while, optimization_barrier.
bool hands_operands_on(const Op& op);
/// True if the operation forwards the values that this region yields: every region but the condition of a while.
bool hands_on_from(const Op& op, std::size_t region);

/// Calls f(op) for all operations of a block and of the regions that run as parts of it, an operation before those in
/// its regions. Analyses number operations in this order; without control flow the number is the position in the body.
template <class F>
void for_each_op(const Block& block, F&& f) {
  for (const Op& op : block.ops) {
    f(op);
    if (!runs_regions(op)) continue;
    for (const Block& b : op.regions) for_each_op(b, f);
  }
}

/// The first operation of a block, or of any region in it, for which `is` returns true; null if there is none.
template <class F>
const Op* find_op(const Block& block, const F& is) {
  for (const Op& op : block.ops) {
    if (is(op)) return &op;
    for (const Block& b : op.regions) {
      if (const Op* found = find_op(b, is)) return found;
    }
  }
  return nullptr;
}

/// Trip counts of the loops of a function. A while is a counted loop if its condition compares (LT, LE, GT or GE) a
/// loop-carried counter with a constant and its body adds a constant to the counter or subtracts one, as JAX's
/// fori_loop and scan do. The constants may be loop-carried themselves, if they do not change.
class TripCounts {
 public:
  /// Takes time linear in the number of operations. `function` must outlive the object and not change.
  explicit TripCounts(const Function& function);
  /// The number of times the body of `loop` runs; nullopt if it is unknown, or if `loop` is no while.
  [[nodiscard]] std::optional<std::int64_t> of(const Op& loop) const;

 private:
  struct Source {
    const Op* op = nullptr;           ///< the operation that defines the value, or whose region has it as an argument
    std::optional<std::size_t> slot;  ///< for region arguments: the number of the argument
  };
  void read(const Block& block);
  [[nodiscard]] std::optional<std::int64_t> constant(ValueId v) const;
  /// The constant that each iteration adds to argument `slot`; nullopt if it does something else.
  [[nodiscard]] std::optional<std::int64_t> step(const Op& loop, std::size_t slot) const;

  const Function& function_;
  std::vector<Source> sources_;  ///< by ValueId
};

}  // namespace partir
