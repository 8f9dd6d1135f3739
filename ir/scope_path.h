// Names of operations, from the name stacks that JAX writes into locations.
#pragma once

#include <string>
#include <string_view>

namespace partir {

/// The named scopes and the primitive, without what JAX's transformations put around them:
///   jit(step)/jvp(layers)/0/mlp/dot_general                     layers/0/mlp/dot_general
///   jit(step)/transpose(jvp(vmap(layers)))/0/mlp/dot_general    backward/layers/0/mlp/dot_general
///   jit(step)/transpose(jvp(layers))/0/jvp(layers)/0/checkpoint/rematted_computation/mlp/tanh
///                                                               recomputed/layers/0/mlp/tanh
/// A value of the backward pass is told apart by its first part, "backward", one that a checkpoint computes again by
/// "recomputed".
std::string scope_path(std::string_view location);

/// The location of an operation of a function that is called at `call`: the scopes of the call, then its own, unless
/// these are complete already.
///   "jit(f)/jvp(stack)/while/body/closed_call", "mlp/tanh"      "jit(f)/jvp(stack)/while/body/mlp/tanh"
std::string location_within(std::string_view call, std::string_view location);

}  // namespace partir
