// What an entry claims, tried: the operation on global operands against its local program on the devices' parts.
//
// Shares nothing with the interpreters' own slicing and joining (semantics/tensor.h): parts are cut and combined here.
#pragma once

#include <cstdint>
#include <string>

#include "ir/op_decl.h"
#include "semantics/tensor.h"

namespace partir::testing {

struct Outcome {
  enum class Kind : std::uint8_t {
    holds,
    not_divisible,  ///< n does not divide a tiled size: nothing is claimed
    ill_formed,     ///< the local program is not well-formed at local sizes, or reads outside
    differs,
  };
  Kind kind = Kind::holds;
  std::string detail;
};

/// Elements over the whole range of a type; half of the integers are small, as indices are.
Tensor varied_tensor(const TensorType& type, std::uint64_t seed, const Domain& domain);

/// The operation's results, by its meaning.
std::vector<Tensor> evaluate(const OpInstance& op, const std::vector<Tensor>& operands, const Domain& domain);

/// Tries the claim on n devices for operands drawn from the seed; operands known to be splats are these splats. Exact.
Outcome try_claim(const OpInstance& op, const Entry& entry, std::int64_t n, std::uint64_t seed);

/// The first outcome that is neither `holds` nor `not_divisible`, of `trials` seeds; else the last.
Outcome try_claim_often(const OpInstance& op, const Entry& entry, std::int64_t n, int trials);

}  // namespace partir::testing
