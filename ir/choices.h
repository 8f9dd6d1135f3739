// Combiners that choose among their arguments by comparing them, such as that of an argmax. Used to decide whether a
// reduction with such a combiner may be computed block by block.
#pragma once

#include <vector>

#include "ir/meaning.h"

namespace partir {

/// True if a fold of several values at once may be computed block by block for all inputs: each block is folded from
/// the initial values, and so are the results of the blocks, in their order. False may mean "unknown".
///
/// Let (+) be `combine`, terms over arguments as in ScalarTerm::combine, and e the initial values. The conditions are
/// that (+) is associative and that e (+) x (+) e equals e (+) x. Result k must be chosen among the arguments for value
/// k, by comparisons that each compare arguments for the same value. It then depends only on the relative order of the
/// arguments, so that all orders of three values can be tested exhaustively. The test includes NaNs and both zeros, so
/// the property holds bit for bit.
///
/// `zeros[k]` is true if initial value k may be a floating-point zero (which has two representations).
bool folds_in_blocks(const Meaning& meaning, const std::vector<ScalarId>& combine, const std::vector<bool>& zeros);

}  // namespace partir
