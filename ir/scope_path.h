// Derives names of operations from the name stacks that JAX writes into locations.
#pragma once

#include <string>
#include <string_view>

namespace partir {

/// The named scopes and the primitive of a location, without the wrappers that JAX's transformations add:
///   jit(step)/jvp(layers)/0/mlp/dot_general                     layers/0/mlp/dot_general
///   jit(step)/transpose(jvp(vmap(layers)))/0/mlp/dot_general    backward/layers/0/mlp/dot_general
///   jit(step)/transpose(jvp(layers))/0/jvp(layers)/0/checkpoint/rematted_computation/mlp/tanh
///                                                               recomputed/layers/0/mlp/tanh
/// The first part is "backward" for values of the backward pass, and "recomputed" for values that a checkpoint
/// recomputes.
std::string scope_path(std::string_view location);

/// The full location of an operation of a function that is called at location `call`: the scopes of the call, followed
/// by the operation's own, unless the latter are complete already.
///   "jit(f)/jvp(stack)/while/body/closed_call", "mlp/tanh"      "jit(f)/jvp(stack)/while/body/mlp/tanh"
std::string location_within(std::string_view call, std::string_view location);

}  // namespace partir
