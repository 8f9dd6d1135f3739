// Random numbers: rng_bit_generator by the counter-based generators Threefry-2x32 and Philox-4x32 (Salmon et al., SC
// 2011), with XLA's assignment of counters to elements, so that the numbers equal those of JAX; and rng, whose numbers
// are not specified.
#pragma once

#include "semantics/library.h"

namespace partir {

/// Result 0 is the new state, result 1 the bits. The state is a key and a counter of one or two 64-bit words.
Tensor random_bits(const LibraryCall& call, bool philox);
/// Numbers from the uniform distribution between the two arguments, or from the normal distribution with the arguments
/// as mean and standard deviation. Always returns the same numbers.
Tensor random_numbers(const LibraryCall& call, bool normal);

}  // namespace partir
