// What a compiler does that costs memory beside what all do (simulate/kernels.h, simulate/memory.h): rules that a
// software file names in "buffers". Each is a fact about one compiler, with its source in that file.
#pragma once

#include "ir/program.h"

namespace partir {

struct BufferRules {
  /// Equal operations of a block are one, however far apart: a broadcast that the forward pass and the backward pass
  /// make is kept between them. Collectives are not merged.
  bool common_once = false;
  /// A kernel has one result. What several kernels read is computed again in each, or, where that is expensive, stored
  /// (simulate/single_results.cpp); a kernel of several results would compute it once and store it for the others.
  bool one_result = false;
  /// Operands of matrix products lie in memory as the library wants them: batch, then rows and columns of the product
  /// (ordered_operands); what lies otherwise is copied.
  bool ordered_operands = false;
  /// All_reduces over the same devices that do not depend on each other run as one, whatever lies between them. Needs `one_result`.
  bool combines_first = false;
  /// A kernel runs as soon as its operands are there, first come first served, whether or not its result is needed soon.
  bool breadth_first = false;
  /// A donated argument that somebody reads who need not come before the result that takes its buffer is copied at the
  /// start of the step.
  bool copied_donations = false;
  /// A kernel writes its result into an operand that dies with it only where the two have the same type and the kernel
  /// does not put elements in another order.
  bool same_shape_reuse = false;

  /// Whether the program is another before kernels are looked for (as_compiled).
  [[nodiscard]] bool changes() const { return common_once || ordered_operands; }
};

/// The function with a transpose before each operand of a dot_general that does not lie as [batch, rows, depth] or
/// [batch, depth, columns]. Matrices, operands of rank 2, are read either way, as libraries do.
///
///   %d = dot_general %x, %w contracting [2] x [2] : (8x8x16, 4x4x16) -> 8x8x4x4
///   becomes  %t = transpose %w, [2, 0, 1]  and  %d = dot_general %x, %t contracting [2] x [0]
Function ordered_operands(const Function& function);

/// The function without operations that give what an earlier one of their block gives.
Function common_once(const Function& function);

/// What is simulated under these rules: the function after those of them that change it.
Function as_compiled(const Function& function, const BufferRules& rules);

}  // namespace partir
