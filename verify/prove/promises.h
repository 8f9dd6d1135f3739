// Checks promises about indices: the attributes unique_indices and indices_are_sorted of gathers and scatters. If such
// a promise is false the result is undefined, so a promise of the target must be shown to hold, or be made by the
// source for the same indices.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/defined.h"

namespace partir::prove {

/// Returns a description of a promise of `target` that neither `source` makes nor the prover can show; nothing if there
/// is none. Indices of the target that are a chunk of the source's, at the device `target.around[0]`, inherit the
/// source's promises.
std::optional<std::string> not_promised(const Computed& source, const Computed& target, Context& c,
                                        const OutOfTime& out_of_time);

}  // namespace partir::prove
