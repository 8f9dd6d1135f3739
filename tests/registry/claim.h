// Tests what a registry entry claims: that the operation on global operands agrees with its local program on the
// devices' chunks.
//
// This code shares nothing with the slicing and joining of the interpreters (semantics/tensor.h); it cuts and combines
// chunks itself.
#pragma once

#include <cstdint>
#include <string>

#include "ir/op_decl.h"
#include "semantics/tensor.h"

namespace partir::testing {

struct Outcome {
  enum class Kind : std::uint8_t {
    holds,
    not_divisible,  ///< n does not divide a tiled size, so that nothing is claimed
    ill_formed,     ///< the local program is ill-formed at local sizes, or reads out of bounds
    differs,
  };
  Kind kind = Kind::holds;
  std::string detail;
};

/// Returns a tensor with elements over the full range of its type; half of the integers are small, as indices are.
Tensor varied_tensor(const TensorType& type, std::uint64_t seed, const Domain& domain);

/// Evaluates the operation by its meaning.
std::vector<Tensor> evaluate(const OpInstance& op, const std::vector<Tensor>& operands, const Domain& domain);

/// Tries the claim once on n devices, with operands drawn from the seed. Operands known to be splats have their value.
/// Results are compared exactly.
Outcome try_claim(const OpInstance& op, const Entry& entry, std::int64_t n, std::uint64_t seed);

/// Tries the claim with `trials` seeds. Returns the first outcome other than `holds` and `not_divisible`, or else the
/// last one.
Outcome try_claim_often(const OpInstance& op, const Entry& entry, std::int64_t n, int trials);

}  // namespace partir::testing
