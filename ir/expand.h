// Replaces operations by the same written in others (OpDecl::by_offsets).
#pragma once

#include <vector>

#include "ir/program.h"

namespace partir {

/// An operation, by a result that it has, and what it is written out for.
struct ByOffsets {
  ValueId result;
  std::size_t operand = 0;   ///< comes tiled
  Dim dim = 0;               ///< along this dimension
  std::int64_t devices = 1;  ///< in so many chunks
};

/// The function with these operations written in others. Other values, and what the operations gave, keep their
/// numbers. An operation that cannot be written so is left.
Function written_by_offsets(const Function& function, const std::vector<ByOffsets>& list);

}  // namespace partir
