// Entries that hold for sizes which the axis size does not divide:
//
//   entry @add tiles M uneven (%x: tensor<MxN> #tile<0>, …) -> (tensor<MxN> #tile<0>) { body }
//
// Each device then holds ceil(M / n) elements; what the last devices hold beyond the end is padding, which may be
// anything. Such an entry is the entry at the padded size, a multiple of n, and the padding law: the program on padded
// arguments has the results of the program, and further elements behind the end of what is tiled. (A sum that counts
// the padding violates the law.)
#pragma once

#include "verify/prove/claim.h"

namespace partir::prove {

/// Returns the padding law of an uneven entry as a rewrite for one device. Its symbols are those of the entry, and for
/// each tiled symbol M the length of its padding, called M_padding.
Claim padding_law(const Claim& entry);

/// The two sides of the padding law at these sizes, both on padded arguments: the program on the arguments without
/// their padding, and the program at the padded sizes, whose results are cut off at the end.
Result<Module> without_padding(const Claim& law, const Sizes& sizes);
Result<Module> with_padding(const Claim& law, const Sizes& sizes);

}  // namespace partir::prove
