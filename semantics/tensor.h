// Tensors of a domain's scalars, and the scattering and gathering of global tensors to and from devices.
#pragma once

#include <vector>

#include "ir/layout.h"
#include "semantics/domain.h"

namespace partir {

/// A row-major tensor. Tokens have no data, tuples have parts.
struct Tensor {
  Type type;
  std::vector<Scalar> data;
  std::vector<Tensor> parts = {};  ///< the elements of a tuple
};

/// Pseudo-random values for argument `number`, determined by the seed: equal for a program and its partition.
Tensor random_tensor(const TensorType& type, std::uint64_t seed, std::size_t number, const Domain& domain);
Tensor from_literal(const Literal& literal, const Domain& domain);
/// The elements rounded to their type; the domain must represent floats as doubles.
LiteralPtr to_literal(const Tensor& tensor);

/// The part of a global tensor that a device holds. For a pending reduction, the devices at position 0 of its factor
/// hold the value and the others hold the identity of the monoid.
Tensor scatter_to(const Tensor& global, const Layout& type, const Mesh& mesh, DeviceId device, const Domain& domain);

/// Assembles the global tensor from the devices' parts and performs pending reductions. Sets `disagreement` if devices
/// that hold the same part hold different values.
Tensor gather_from(const std::vector<const Tensor*>& parts, const TensorType& global, const Layout& type,
                   const Mesh& mesh, const Domain& domain, bool& disagreement);

/// The tensor padded at the end of its dimensions up to `type`. The padding is pseudo-random and depends on the type
/// alone.
Tensor padded_to(const Tensor& tensor, const TensorType& type, const Domain& domain);
/// The tensor of this type at the start of the dimensions of `padded`: the inverse of padded_to.
Tensor cut_to(const Tensor& padded, const TensorType& type);

/// The distance between two results.
struct Difference {
  double largest = 0;         ///< the largest absolute difference
  double range = 0;           ///< the largest finite magnitude of the expected values
  std::int64_t elements = 0;  ///< the number of elements that differ
  [[nodiscard]] double relative() const { return largest == 0 ? 0 : range > 0 ? largest / range : largest; }
};
Difference difference(const Tensor& got, const Tensor& wanted, const Domain& domain);

}  // namespace partir
