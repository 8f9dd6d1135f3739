// Rules of particular compilers that make a step use more memory than the general model (simulate/kernels.h,
// simulate/memory.h) assumes. A software file (simulate/software/*.json) names them in "buffers" and cites a source for
// each. simulate/kernels.cpp, simulate/memory.cpp and simulate/single_results.cpp apply them.
#pragma once

#include "ir/program.h"

namespace partir {

struct BufferRules {
  /// Common subexpressions are eliminated across the whole block, however far apart they are: a broadcast that both the
  /// forward and the backward pass compute is computed once and kept in between. Collectives are not merged.
  bool common_once = false;
  /// Every kernel has exactly one result. A value that several kernels read is recomputed in each of them or, if it is
  /// expensive, stored (simulate/single_results.cpp). Multi-output kernels would compute it once and store it.
  bool one_result = false;
  /// Operands of matrix products are laid out as the library requires: batch, then the rows and columns of the product;
  /// those of convolutions with features last (see ordered_operands). Operands in any other layout are copied.
  bool ordered_operands = false;
  /// Independent all_reduces over the same devices run as one, whatever operations are between them. Requires
  /// `one_result`.
  bool combines_first = false;
  /// A kernel runs as soon as its operands are ready, in first-in-first-out order, even if its result is needed much
  /// later.
  bool breadth_first = false;
  /// A donated argument is copied at the start of the step if some reader of it is not ordered before the result that
  /// takes over its buffer.
  bool copied_donations = false;
  /// A kernel writes its result into an operand whose last use it is only if both have the same type and the kernel
  /// does not reorder elements.
  bool same_shape_reuse = false;

  /// True if the rules rewrite the program itself before kernels are formed (as_compiled).
  [[nodiscard]] bool changes() const { return common_once || ordered_operands; }
};

/// Returns the function with a transpose inserted before each operand of a dot_general that is laid out neither as
/// [batch, rows, depth] nor as [batch, depth, columns], and around convolutions other than [b, spatial, f] x [spatial,
/// i, o] -> [b, spatial, f]. Operands of dot_general of rank 2 are left alone: libraries read them in either order.
/// Example:
///
///   %d = dot_general %x, %w contracting [2] x [2] : (8x8x16, 4x4x16) -> 8x8x4x4
///   becomes  %t = transpose %w, [2, 0, 1]  and  %d = dot_general %x, %t contracting [2] x [0]
Function ordered_operands(const Function& function);

/// Returns the function after common subexpression elimination within each block (BufferRules::common_once).
Function common_once(const Function& function);

/// Returns the function that is simulated under these rules: common_once and ordered_operands applied where requested.
Function as_compiled(const Function& function, const BufferRules& rules);

}  // namespace partir
