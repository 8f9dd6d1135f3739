// One trial of a claim: small values, and how results are compared and shown.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "verify/prove/claim.h"

namespace partir::prove {

/// Trials of more work than this are too large.
constexpr double kMostWork = 1e6;

const Domain& trial_domain();

/// Small numbers whose sums and products are exact: by `kind` whole, positive (for the domains of roots and
/// logarithms), halves, or at the ends of what integers hold (for those that wrap).
Tensor drawn(const TensorType& type, std::mt19937_64& random, std::uint64_t kind);
bool is_finite(const Tensor& t);
bool is_near(const Tensor& got, const Tensor& wanted);
std::string text_of(const Tensor& t);

}  // namespace partir::prove
