// The work of operations, from their meanings: floating-point operations, elements touched.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"

namespace partir {

/// What one run of an operation does.
struct Work {
  double flops = 0;
  std::vector<double> read;  ///< elements touched of each operand, at most all of them
  bool known = false;        ///< whether the operation has a meaning here; else flops is 0 and everything is read
  bool folds = false;        ///< it combines elements over a range (reductions, contractions, windows), or is a library
                             ///< function: what it reads and writes is not element by element
};

/// Equal operations of a program (layers repeat) are worked out once.
class WorkTable {
 public:
  explicit WorkTable(const Function& function) : f_(function) {}
  /// Of one run, without regions that run as programs (those of while, case, if). The reference stays valid.
  const Work& of(const Op& op);

 private:
  const Function& f_;
  std::unordered_map<std::string, Work> known_;
  std::string key_;
};

}  // namespace partir
