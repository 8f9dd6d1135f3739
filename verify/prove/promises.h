// What operations promise of their indices: that they are unique, or sorted. Where that is false the result is
// undefined, so what a target promises must be shown, or promised by the source of the same indices.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/defined.h"

namespace partir::prove {

/// A promise of `target` that `source` does not make, as text; nothing where there is none. Indices of the target that
/// are a chunk of the source's, at the device `target.around[0]`, are as unique and as sorted as those.
std::optional<std::string> not_promised(const Computed& source, const Computed& target, Context& c,
                                        const OutOfTime& out_of_time);

}  // namespace partir::prove
