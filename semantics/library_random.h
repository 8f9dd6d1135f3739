// Random numbers: rng_bit_generator by the counter-based generators Threefry-2x32 and Philox-4x32 (Salmon et al., SC
// 2011) as XLA counts and places them, so that the numbers are those that JAX gets; and rng, whose numbers no
// specification says.
#pragma once

#include "semantics/library.h"

namespace partir {

/// Result 0: the state afterwards; result 1: the bits. The state is a key and a counter of one or two words.
Tensor random_bits(const LibraryCall& call, bool philox);
/// Uniform between the two arguments, or normal with their mean and deviation; always the same numbers.
Tensor random_numbers(const LibraryCall& call, bool normal);

}  // namespace partir
