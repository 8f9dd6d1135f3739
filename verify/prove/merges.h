// What looks through all of a dimension, and what it gives of each block: laws of folds by choices (ir/choices.h) and of
// top_k. proofs_notes/steps.md has the arguments.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/expr.h"

namespace partir::prove {

/// Of a fold whose blocks may be folded each by itself: a fold of folds from the same initial values is one fold, and
/// two ranges that are read as the digits of one index, in their order, are that index.
Factor merged_folds(const Factor& fold, Context& c);

/// An element of top_k, of the largest of blocks: of all of them. The place of one within its block is its place among
/// all, less those before the block, where it is read at a place among the largest of blocks.
Expr merged_top_k(const Factor& top_k, Context& c);

/// The record of result `number` of top_k, which its array and indices decide.
std::string top_k_record(std::size_t number);

/// An integer element that is a place in an array: below this. Nothing where it is none.
std::optional<Poly> extent_of_places(const Expr& e, Context& c);

}  // namespace partir::prove
