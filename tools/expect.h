// Whether results are the wanted ones: within the error bounds of the run, or, where those say too little, as near to a
// run in double precision as the wanted ones are.
#pragma once

#include <functional>
#include <vector>

#include "semantics/tensor.h"

namespace partir {

struct Expectation {
  double largest_difference = 0;  ///< relative to the range of its result
  std::size_t worst = 0;          ///< the result it is found in
  double largest_bound = 0;       ///< likewise; infinite where nothing is known
  std::size_t by_bound = 0;       ///< results held to their bounds, integers to equality
  std::size_t by_f64 = 0;         ///< results compared, as the wanted ones, with double precision
  std::vector<std::size_t> over;  ///< results that are not the wanted ones
};

/// `got` are results of the error domain. A bound is of use below 1e-3 of the range (5e-2 for 16 bits and fewer): both
/// sides may be off by it. Elsewhere `in_f64` gives the results in double precision, from which both sides may be 1e-4
/// of the range away (5e-2).
Result<Expectation> expect_results(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted,
                                   const std::function<Result<std::vector<Tensor>>()>& in_f64);

/// `got` of any other domain: within 1e-4 of the range (5e-2).
Expectation expect_near(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted, const Domain& domain);

}  // namespace partir
