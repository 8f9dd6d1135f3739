// What memory is for: parameters, optimizer state, gradients, activations or inputs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "rewrite/names.h"

namespace partir {

/// What memory is for. Told apart by the names of arguments, by donation, and by what flows where (memory.cpp).
enum class MemoryKind : std::uint8_t { parameters, optimizer_state, gradients, activations, inputs };
constexpr std::size_t kMemoryKinds = 5;
std::string_view name_of(MemoryKind kind);
using MemoryByKind = std::array<double, kMemoryKinds>;
double total(const MemoryByKind& bytes);

/// The kind of each value of a function.
///   arguments     by name: a part "params" or "parameters"; "opt_state", "optimizer", "mu" or "nu"; without such
///   names,
///                 donated arguments that reach a matrix product are parameters, other donated ones optimizer state
///   parameters    also what collectives, views, conversions and slices make of them alone
///   gradients     what flows, element by element and through collectives, into results that take over parameters or
///                 optimizer state, back to the product or fold that made it
///   activations   the rest
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

/// By argument: the result that is written into its buffer. tf.aliasing_output says which; an argument marked
/// jax.buffer_donor gives its buffer to the first result of its type that no other has.
std::vector<std::optional<std::size_t>> donations(const Function& function);

}  // namespace partir
