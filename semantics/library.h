// Functions of complete arrays that index notation cannot express, such as sort and fft. A meaning refers to them by
// name (ScalarTerm::Kind::library), and the evaluation maps them over the other dimensions. They compute with the
// functions of the domain, so they run in every domain.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semantics/tensor.h"

namespace partir {

struct LibraryCall {
  std::string name;  ///< "sort", "top_k", "fft RFFT", "cholesky lower", "triangular_solve left upper unit ADJOINT",
                     ///< "rng UNIFORM", "rng_bit_generator PHILOX"
  std::size_t number = 0;      ///< the number of the result
  std::vector<Tensor> arrays;  ///< the arguments
  TensorType result;
  std::function<bool(const std::vector<const Scalar*>&)> compare;  ///< takes two elements of each array, in turn
  const Domain& domain;
};

/// Returns result `number` of the function.
Tensor call_library(const LibraryCall& call);

}  // namespace partir
