// Evaluates the meaning of an operation (index notation, ir/meaning.h) over elements, independently of which operation
// it belongs to. Indices that depend on data become case distinctions. Program calls it for each array operation.
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

/// The positions in the operands that each point reads, cached for all devices (points.cpp).
struct Access;

/// An operation prepared for evaluation on any device.
struct Kernel {
  Meaning meaning;
  std::vector<Type> operands;
  std::vector<Type> results;
  LiteralPtr value;              ///< the dense attribute "value"
  std::string operation;         ///< name and attributes
  std::vector<bool> reads_data;  ///< by index term: whether it depends on operands' elements
  std::shared_ptr<Access> access;
  Continuity continuity = Continuity::continuous;  ///< of the functions that it applies
  /// Set by evaluate if data decides which members of a fold count, and their order may matter.
  bool depends_on_order = false;
};
Kernel kernel_of(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value,
                 std::string operation);

/// Evaluates all results on the given operands. Throws Unknown.
std::vector<ArrayPtr> evaluate(Kernel& kernel, const std::vector<ArrayPtr>& operands, Algebra& algebra);

/// Evaluates one result for many points at once, if no position that it reads depends on data. Returns false, and
/// leaves `out` unchanged, if the meaning is not of that form.
bool evaluate_points(Kernel& kernel, std::size_t result, const std::vector<ArrayPtr>& operands, Algebra& algebra,
                     Array& out);

}  // namespace partir::validate
