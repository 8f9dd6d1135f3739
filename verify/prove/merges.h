// Laws by which an operation over a whole dimension is computed block by block: folds by selection (ir/choices.h, such
// as argmax) and top_k. proofs_notes/steps.md has the arguments.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/expr.h"

namespace partir::prove {

/// Simplifies a fold whose blocks may be folded separately: elements at the end that equal the initial values are
/// dropped, a fold of folds from the same initial values becomes one fold, and two ranges that are read only as the
/// digits of one index, major before minor, become that index.
Factor merged_folds(const Factor& fold, Context& c);

/// Simplifies an element of top_k: drops elements at the end that are least in the order, if k others are left, and
/// returns an element of top_k over the blocks' top_k as one of top_k over all blocks. The position of a result within
/// its block, read at a position among the blocks' results, becomes its position in the whole array minus the
/// start of the block.
Expr merged_top_k(const Factor& top_k, Context& c);

/// Returns the record of result `number` of top_k (0: values, 1: positions). Its array and indices are not part of it.
std::string top_k_record(std::size_t number);

/// If the integer element is a position in an array, returns the array's extent, which bounds it; otherwise nothing.
std::optional<Poly> extent_of_places(const Expr& e, Context& c);

}  // namespace partir::prove
