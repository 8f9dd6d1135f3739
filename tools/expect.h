// Compares results with expected ones (`partir run --expect`): within the error bounds of the run or, where these are
// too wide to be useful, by the distance of both sides from a run in double precision.
#pragma once

#include <functional>
#include <vector>

#include "semantics/tensor.h"

namespace partir {

struct Expectation {
  double largest_difference = 0;  ///< relative to the range of the result
  std::size_t worst = 0;          ///< index of the result with the largest difference
  double largest_bound = 0;       ///< largest error bound, relative to the range; infinite if unbounded
  std::size_t by_bound = 0;       ///< number of results that are equal or within their bounds (integers: equal)
  /// Number of results compared by a tolerance, with a run in double precision or directly.
  std::size_t by_f64 = 0;
  std::vector<std::size_t> over;  ///< indices of results outside their bound or tolerance
};

/// Compares results `got` of the error domain. A bound is useful up to 1e-3 of the range (5e-2 for types of at most 16
/// bits); then the difference may be at most twice the bound, because both sides may be off by it. For other results
/// that are not equal in each element `in_f64` is called for the results in double precision, from which each side may
/// differ by at most 1e-4 of the range (5e-2 for types of at most 16 bits).
Result<Expectation> expect_results(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted,
                                   const std::function<Result<std::vector<Tensor>>()>& in_f64);

/// Compares results of any other domain: within 1e-4 of the range (5e-2 for types of at most 16 bits).
Expectation expect_near(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted, const Domain& domain);

}  // namespace partir
