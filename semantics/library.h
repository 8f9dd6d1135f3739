// Functions of whole arrays that index notation does not fit; a meaning names them and they are mapped over the
// dimensions that they do not mix. They compute by the domain's own functions, so they run in every domain.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semantics/tensor.h"

namespace partir {

struct LibraryCall {
  std::string name;  ///< "sort", "top_k", "fft RFFT", "cholesky lower", "triangular_solve left upper unit ADJOINT",
                     ///< "rng UNIFORM", "rng_bit_generator PHILOX"
  std::size_t number = 0;      ///< which result
  std::vector<Tensor> arrays;  ///< arguments
  TensorType result;
  std::function<bool(const std::vector<const Scalar*>&)> compare;  ///< of two elements of each array, in turn
  const Domain& domain;
};

Tensor call_library(const LibraryCall& call);

}  // namespace partir
