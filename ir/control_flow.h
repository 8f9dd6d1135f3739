// Control flow: operations whose regions run as parts of the function (while, if, case), what they hand on, and how
// often counted loops run.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Whether the regions of an operation run as parts of the function: while, if, case.
bool runs_regions(const Op& op);

/// One value that an operation hands on as it is, under other names: the initial value and what the body yields become
/// the regions' argument and the result of a while; what the branches yield becomes the result of an if or case; an
/// operand of an optimization_barrier becomes its result.
struct Flow {
  std::vector<ValueId> from;
  std::vector<ValueId> to;
  friend bool operator==(const Flow&, const Flow&) = default;
};

/// Of a while, if, case or optimization_barrier one for each result; of other operations none.
std::vector<Flow> flows_of(const Op& op);

/// Whether the operands are handed on: while, optimization_barrier.
bool hands_operands_on(const Op& op);
/// Whether what this region of an operation returns is handed on: all but the condition of a while.
bool hands_on_from(const Op& op, std::size_t region);

/// Calls f(op) for all operations of a block and of the regions that run as parts of it, an operation before those in
/// its regions. This order numbers operations; without control flow a number is a position in the body.
template <class F>
void for_each_op(const Block& block, F&& f) {
  for (const Op& op : block.ops) {
    f(op);
    if (!runs_regions(op)) continue;
    for (const Block& b : op.regions) for_each_op(b, f);
  }
}

/// The first operation of a block, or of any region in it, of which `is` holds; null where there is none.
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

/// Trip counts of the loops of a function: a while counts when its condition compares a carried counter with a constant
/// and its body adds a constant to the counter, as JAX's fori_loop and scan do. Constants may be carried unchanged
/// through loops.
class TripCounts {
 public:
  /// Cost linear in the operations. `function` outlives it and stays as it is.
  explicit TripCounts(const Function& function);
  /// How often the body of a while of the function runs; nothing where that is not known.
  [[nodiscard]] std::optional<std::int64_t> of(const Op& loop) const;

 private:
  struct Source {
    const Op* op = nullptr;           ///< defines the value, or carries it
    std::optional<std::size_t> slot;  ///< the value is this argument of a region of a while
  };
  void read(const Block& block);
  [[nodiscard]] std::optional<std::int64_t> constant(ValueId v) const;
  /// What is added to argument `slot` each time: the yielded value is it plus a constant.
  [[nodiscard]] std::optional<std::int64_t> step(const Op& loop, std::size_t slot) const;

  const Function& function_;
  std::vector<Source> sources_;  ///< by ValueId
};

}  // namespace partir
