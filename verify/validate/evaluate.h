// Evaluates the meaning of an operation over elements. Whatever index notation says is evaluated, whichever operation
// it is of; indices that depend on data are case distinctions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/meaning.h"
#include "verify/validate/algebra.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// What an evaluation cannot say; the verdict is then unknown.
struct Unknown {
  std::string reason;
};

/// What a bound variable of a meaning runs over: all values, or some, each of which counts for as many as its weight.
struct Sample {
  std::vector<std::int64_t> at;  ///< empty: all
  std::vector<Element> weights;  ///< plain; empty: ones
};

/// Where elements of an operand are, for all points that are evaluated: made once, used by all devices.
struct Access;

/// An operation made ready for evaluation on any device.
struct Kernel {
  Meaning meaning;
  std::vector<Type> operands;
  std::vector<Type> results;
  LiteralPtr value;              ///< the dense attribute "value"
  std::vector<bool> reads_data;  ///< by index term: whether it depends on what is read
  std::vector<Sample> samples;   ///< by range; empty: all values of all
  std::shared_ptr<Access> access;
};
Kernel kernel_of(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value);

/// The results at the positions of their grids (all, where there are none). The grids of operands and results are the
/// same at each call for one kernel. Throws Unknown.
std::vector<ArrayPtr> evaluate(Kernel& kernel, const std::vector<ArrayPtr>& operands, const std::vector<GridPtr>& grids,
                               Algebra& algebra);

/// Evaluation of many points at once, of what reads at positions that no data decides; false where it is something
/// else.
bool evaluate_points(Kernel& kernel, std::size_t result, const std::vector<ArrayPtr>& operands, const GridPtr& grid,
                     Algebra& algebra, Array& out);

}  // namespace partir::validate
