// Classifies the values of a step by what their memory is used for: parameters, optimizer state, gradients, activations
// or inputs. simulate/memory.h reports the peak by these kinds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "rewrite/names.h"

namespace partir {

/// The use of a piece of memory, as ValueKinds infers it.
enum class MemoryKind : std::uint8_t { parameters, optimizer_state, gradients, activations, inputs };
constexpr std::size_t kMemoryKinds = 5;
std::string_view name_of(MemoryKind kind);
using MemoryByKind = std::array<double, kMemoryKinds>;
double total(const MemoryByKind& bytes);

/// The kind of each value of a function, inferred from argument names, donation and data flow.
///   arguments     by a component of the name: "params" or "parameters"; "opt_state", "optimizer", "mu" or "nu"; others
///                 are inputs. If no name matches, donated arguments that reach a matrix product are parameters,
///                 the other donated ones optimizer state
///   parameters    also what collectives, views, conversions and slices compute from parameters
///   gradients     values that flow, through elementwise operations and collectives, into results that take over
///                 parameters or optimizer state, back to the product or fold that computes them
///   activations   all other values
class ValueKinds {
 public:
  ValueKinds(const Function& function, const Names& names);
  [[nodiscard]] MemoryKind of(ValueId v) const { return kinds_[v.index()]; }

 private:
  void arguments(const Names& names);
  void forward(const Block& block);
  void backward(const Block& block, std::vector<ValueId> from);
  const Function& f_;
  std::vector<MemoryKind> kinds_;
  std::vector<std::optional<std::size_t>> donated_;
};

/// By argument: the index of the result that is written into its buffer. tf.aliasing_output names the result; an
/// argument with jax.buffer_donor gives its buffer to the first result of the same type that takes over no other
/// argument.
std::vector<std::optional<std::size_t>> donations(const Function& function);

}  // namespace partir
