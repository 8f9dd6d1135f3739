// Memory over a block: buffers live from the kernel that writes them to the last that reads them.
//
// Arguments are the caller's and live throughout. A result that a donated argument aliases (tf.aliasing_output) is
// written into the argument's buffer when nobody reads that later. A loop kernel, or an all_reduce, writes into an
// operand of the same size that dies with it; dynamic_update_slice and scatter write in place (simulate/kernels.h).
#pragma once

#include <array>
#include <string_view>

#include "rewrite/names.h"
#include "simulate/kernels.h"

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
};

/// The result that a donated argument aliases.
std::optional<std::size_t> aliased_result(const Function& function, std::size_t argument);

struct LiveBuffer {
  ValueId value;
  double bytes = 0;
};

struct BlockMemory {
  MemoryByKind arguments{};  ///< the caller's
  MemoryByKind peak{};       ///< arguments included
  std::size_t peak_kernel = 0;
  std::vector<MemoryByKind> by_kernel;  ///< while it runs
  std::vector<LiveBuffer> live;         ///< at the peak beside the arguments, largest first
};

/// `inner`: for control kernels, what their regions take beside the values of this block. `into`: per argument, the
/// returned value that is to be written into its buffer.
BlockMemory memory_of(const Function& function, const Block& block, const FusedBlock& fused, const ValueKinds& kinds,
                      const std::vector<std::optional<std::size_t>>& into,
                      const std::vector<const BlockMemory*>& inner);

}  // namespace partir
