// Computations that choose among their arguments by comparing them: what an argmax combines by.
#pragma once

#include <vector>

#include "ir/meaning.h"

namespace partir {

/// Whether a fold of several values at once may be taken block by block, blocks in their order, whatever the values are:
/// each block from the initial values on, and what blocks give from these on, too.
///
/// With (+) for `combine`, terms over arguments as in ScalarTerm::combine, and e for the initial values: (+) is
/// associative, and e (+) x (+) e is e (+) x. Every result must be a choice among the arguments of its own number, by
/// comparisons of arguments of one number each; what it gives then depends only on how these are ordered, and three
/// values have few orders, which are tried all. NaNs and both zeros are among them, so it holds bit by bit. False may
/// mean "not known".
///
/// `zeros[k]`: whether initial value k may be a zero (of floats, of which there are two).
bool folds_in_blocks(const Meaning& meaning, const std::vector<ScalarId>& combine, const std::vector<bool>& zeros);

}  // namespace partir
