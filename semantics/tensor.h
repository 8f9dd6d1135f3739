// Tensors of a domain's scalars, row-major. Tokens are tensors without data.
#pragma once

#include <vector>

#include "ir/layout.h"
#include "semantics/domain.h"

namespace partir {

struct Tensor {
  Type type;
  std::vector<Scalar> data;
  std::vector<Tensor> parts = {};  ///< of a tuple
};

/// Values of argument `number` that a seed stands for: the same for a program and its partition.
Tensor random_tensor(const TensorType& type, std::uint64_t seed, std::size_t number, const Domain& domain);
Tensor from_literal(const Literal& literal, const Domain& domain);
/// Elements rounded to their types; the domain must be one whose floats are doubles.
LiteralPtr to_literal(const Tensor& tensor);

/// The part of a global tensor that a device holds. Partial axes: device 0 along them holds the value, the others the
/// combination's identity.
Tensor scatter_to(const Tensor& global, const Layout& type, const Mesh& mesh, DeviceId device, const Domain& domain);

/// Joins the devices' parts; `disagreement` is set when devices that hold the same part differ.
Tensor gather_from(const std::vector<const Tensor*>& parts, const TensorType& global, const Layout& type,
                   const Mesh& mesh, const Domain& domain, bool& disagreement);

/// The tensor with something behind the ends of its dimensions, up to this type. What it is follows from the type
/// alone.
Tensor padded_to(const Tensor& tensor, const TensorType& type, const Domain& domain);
/// What stands at the beginnings of its dimensions, of this type.
Tensor cut_to(const Tensor& padded, const TensorType& type);

/// How far two results are apart.
struct Difference {
  double largest = 0;         ///< absolute
  double range = 0;           ///< largest magnitude of the wanted values
  std::int64_t elements = 0;  ///< that are not equal
  [[nodiscard]] double relative() const { return largest == 0 ? 0 : range > 0 ? largest / range : largest; }
};
Difference difference(const Tensor& got, const Tensor& wanted, const Domain& domain);

}  // namespace partir
