// Verifies that a function on padded values (rewrite/padding.h) computes what its source does.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "ir/program.h"
#include "verify/certificate/local.h"

namespace partir {

struct PaddingReport {
  std::string unproved;                      ///< the first operation without a proof, and why; empty where all have one
  std::unordered_set<ValueId> reassociated;  ///< results that were proved over the reals
  std::set<std::string> jumps;               ///< operations that jump and read what was reassociated on the way
};

/// By induction over the source: every value of it stands at the beginning of the value of `padded` with the same
/// number, whatever the arguments hold behind their ends. Each operation either is the same on values cut to their own
/// sizes, or is proved: for all values, infinities and NaN behind the ends among them. Throws Refused.
PaddingReport check_padding(const Function& source, const Function& padded, LocalPrograms& programs);

}  // namespace partir
