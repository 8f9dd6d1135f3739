// Evaluates the meaning of an operation over elements. Whatever index notation says is evaluated, whichever operation
// it is of; indices that depend on data are case distinctions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/continuity.h"
#include "ir/meaning.h"
#include "verify/validate/algebra.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// Where elements of an operand are, for all points that are evaluated: made once, used by all devices.
struct Access;

/// An operation made ready for evaluation on any device.
struct Kernel {
  Meaning meaning;
  std::vector<Type> operands;
  std::vector<Type> results;
  LiteralPtr value;              ///< the dense attribute "value"
  std::vector<bool> reads_data;  ///< by index term: whether it depends on what is read
  std::shared_ptr<Access> access;
  Continuity continuity = Continuity::continuous;  ///< of the meaning
  /// Set by evaluate: data decided which members of a fold counted, and their order may count.
  bool depends_on_order = false;
};
Kernel kernel_of(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value);

/// Throws Unknown.
std::vector<ArrayPtr> evaluate(Kernel& kernel, const std::vector<ArrayPtr>& operands, Algebra& algebra);

/// Evaluation of many points at once, of what reads at positions that no data decides; false where it is something
/// else.
bool evaluate_points(Kernel& kernel, std::size_t result, const std::vector<ArrayPtr>& operands, Algebra& algebra,
                     Array& out);

}  // namespace partir::validate
