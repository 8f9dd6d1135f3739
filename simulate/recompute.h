// Rewrites a train step such that its backward pass recomputes activations (`--remat`), so that the rewritten step can
// be simulated. same_expressions proves that the rewritten step computes the same results.
//
// The forward pass is everything that the loss depends on, where the loss is the scalar results that take over no
// donated argument. A policy decides which of its values are kept for the backward pass. All other values that the
// backward pass needs are recomputed from the kept values and the arguments, right before their first use there; so are
// values that differentiation computed early, during the forward pass. Recomputed operations read kept values through
// an optimization_barrier; without it a compiler would eliminate the recomputation as a common subexpression.
//
//   selective   keeps the results of products without batch dimensions and of reductions over devices (JAX's policy
//               checkpoint_dots_with_no_batch_dims; arXiv 2205.05198, section 5)
//   full        keeps the narrow points of the forward pass, where a single activation is live: in a transformer the
//               residual stream, once per sublayer (arXiv 1604.06174)
//
// With %p = %x · %w and selective recomputation:
//
//   before      %h = tanh(%p)  …  %g = %d * (1 - %h * %h)
//   after       %h = tanh(%p)  …  %k = optimization_barrier(%p), %h' = tanh(%k), %g = %d * (1 - %h' * %h')
//
// Loops and branches are not changed: a forward pass inside a loop (microbatches, scanned layers) is not recomputed.
// The backward loop would have to read the values it recomputes from, at its own index, out of what the forward loop
// stacked, and that these are the same values follows from what both loops do at all indices, not from equal
// expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/program.h"
#include "rewrite/names.h"

namespace partir {

enum class Recomputation : std::uint8_t { none, selective, full };
/// nullopt if no policy has this name.
std::optional<Recomputation> recomputation_named(std::string_view name);

struct Recomputed {
  Function function;
  std::size_t again = 0;  ///< operations that are executed a second time
  std::size_t loops = 0;  ///< loops of the forward pass, which are not changed
  std::size_t kept = 0;   ///< values of the forward pass that the backward pass still reads
  std::string note;       ///< what was done, for people
};

/// Returns the rewritten step, each of whose results is the same expression of the arguments. Errors: no result that
/// could be a loss; other expressions, which is a defect of the rewriting.
Result<Recomputed> recompute(const Function& function, const Names& names, Recomputation policy);

/// True if each result of the two functions is the same expression of their arguments, bit for bit: the same operations
/// with the same attributes on the same values, up to barriers. Operations with effects, or whose results may differ
/// from one execution to the next, must be equally many and in the same order. True is a proof; false means only that
/// the expressions differ, not that the values do.
bool same_expressions(const Function& a, const Function& b);

}  // namespace partir
