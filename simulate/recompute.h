// What recomputing activations in the backward pass would do to a train step: the same step, written so.
//
// The forward pass is what the loss is computed from: the results without dimensions that no donated argument takes. Of
// its values the backward pass reads, a policy keeps some; of the others, what the backward pass needs is computed
// again from those that are kept and from the arguments, right before it is first read there, and so is what
// differentiation computed ahead in the forward pass. What is computed again reads what is kept through an
// optimization_barrier, without which a compiler would find that it has the value already.
//
//   selective   keeps results of products without batch dimensions and of what is reduced over devices (JAX's policy
//               checkpoint_dots_with_no_batch_dims; arXiv 2205.05198, section 5)
//   full        keeps the narrow points of the forward pass, where a single activation leads on: of a transformer its
//               residual stream, once a sublayer (arXiv 1604.06174)
//
// With %p = %x · %w and selective recomputation:
//
//   before      %h = tanh(%p)  …  %g = %d * (1 - %h * %h)
//   after       %h = tanh(%p)  …  %k = optimization_barrier(%p), %h' = tanh(%k), %g = %d * (1 - %h' * %h')
//
// Loops and branches stay as they are: a forward pass inside a loop (microbatches, scanned layers) is not taken apart.
// What the backward loop would compute again it would have to read at its own index of what the forward loop stacked up,
// and whether those are the same values follows from what both loops do at all indices, not from equal expressions.
#pragma once

#include <optional>
#include <string_view>

#include "ir/program.h"
#include "rewrite/names.h"

namespace partir {

enum class Recomputation : std::uint8_t { none, selective, full };
/// Nothing: no policy of this name.
std::optional<Recomputation> recomputation_named(std::string_view name);

struct Recomputed {
  Function function;
  std::size_t again = 0;  ///< operations that are computed a second time
  std::size_t loops = 0;  ///< of the forward pass, which stay as they are
  std::size_t kept = 0;   ///< values of the forward pass that the backward pass still reads
};

/// Errors: no result that could be a loss.
Result<Recomputed> recompute(const Function& function, const Names& names, Recomputation policy);

/// Whether each result of two functions is the same expression of their arguments, bit for bit: the same operations
/// with the same attributes on the same values, up to barriers. Effects, and operations that may give another value
/// each time, are the same only if they are as many and in the same order. A proof, not a test; false where the
/// expressions differ, whether or not the values do.
bool same_expressions(const Function& a, const Function& b);

}  // namespace partir
