// Decides whether the source's and the target's results of one trial agree, differ as rounding explains, or are a
// counterexample. Used by both searches for counterexamples (refute.cpp, rewrite.cpp).
#pragma once

#include <functional>
#include <vector>

#include "semantics/interpreter.h"

namespace partir::prove {

/// One side of a trial: a program that was run in double precision, and what of its results is compared.
struct TrialSide {
  using Results = std::vector<std::vector<Tensor>>;  ///< by device, then by result
  const Function& function;
  const std::vector<std::vector<Tensor>>& inputs;  ///< by device, then by argument
  Devices devices;
  std::vector<Tensor> seen;                                     ///< compared; the k-th of both sides with each other
  std::function<std::vector<Tensor>(const Results&)> in_types;  ///< the same of results in the error domain
};

enum class Difference : std::uint8_t {
  /// There is none, or rounding, overflow or a source that is undefined in its own types explains it.
  explained,
  outside,  ///< the source leaves its domain: the trial makes no statement
  fails,    ///< a counterexample
};

/// What the differences between two sides mean. `unbounded`: differences without a bound on their rounding error fail.
/// Precondition: the source's tensors are finite.
Difference judge(const TrialSide& source, const TrialSide& target, bool unbounded);

}  // namespace partir::prove
