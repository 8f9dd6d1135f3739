// Which positions of each value, and which devices, are looked at where programs are too large for all of them.
#pragma once

#include <unordered_map>
#include <vector>

#include "verify/validate/digits.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

/// For one function.
struct Plan {
  std::vector<std::int64_t> devices;              ///< ids that are looked at, in order
  std::vector<GridPtr> grids;                     ///< by value
  std::unordered_map<const Op*, Kernel> kernels;  ///< with the samples of their ranges
  /// By collective: what each device that is looked at counts for in its group; empty: one each.
  std::unordered_map<const Op*, std::vector<Element>> weights;
};

struct Plans {
  Plan source;
  Plan partitioned;
};

/// Positions of results: both ends of every tile and one inside, with what they are computed of; of sums as many terms
/// as represent all (digits.h); of devices both ends of each mesh axis and the second, with those they receive from.
/// Throws Unknown where an operation asks for too many.
Plans plan(const Function& source, const Function& partitioned, const Layouts& layouts, Algebra& algebra);

}  // namespace partir::validate
