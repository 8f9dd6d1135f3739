// Verifies that a function on padded values (rewrite/padding.h) computes what its source does. check_certificate calls
// it for certificates that pad dimensions which the devices do not divide.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "ir/program.h"
#include "verify/certificate/local.h"

namespace partir {

struct PaddingReport {
  std::string unproved;                      ///< the first operation without a proof, and why; empty if there is none
  std::unordered_set<ValueId> reassociated;  ///< results that were proved over the reals
  std::set<std::string> jumps;               ///< operations that jump and read reassociated values
};

/// Checks by induction over the source that every value of it is the beginning of the value of `padded` with the same
/// ValueId, whatever the padding of the arguments holds. Each operation is either executed unchanged on unpadded
/// values, or is proved for all contents of the padding, infinities and NaN included. Throws Refused if `padded` does
/// not correspond to the source.
PaddingReport check_padding(const Function& source, const Function& padded, LocalPrograms& programs);

}  // namespace partir
