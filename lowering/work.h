// The work of operations, derived from their meanings: floating-point operations and elements touched. Used by the
// counts in program.h and by the simulator.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"

namespace partir {

/// The work of one execution of an operation.
struct Work {
  double flops = 0;
  std::vector<double> read;  ///< elements touched in each operand, at most all of them
  bool known = false;        ///< whether the operation has a meaning; if not, flops is 0 and everything is read
  /// Whether it combines elements over a range (reductions, contractions, windows) or is a library function, so that it
  /// is not elementwise.
  bool folds = false;
};

/// Caches the work of operations; equal operations (layers repeat) are computed once.
class WorkTable {
 public:
  explicit WorkTable(const Function& function) : f_(function) {}
  /// The work of one execution, without regions that run as programs (those of while, case, if). The reference stays
  /// valid.
  const Work& of(const Op& op);

 private:
  const Function& f_;
  std::unordered_map<std::string, Work> known_;
  std::string key_;
};

}  // namespace partir
