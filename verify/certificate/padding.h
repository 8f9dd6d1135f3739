// Verifies that a function on padded values (rewrite/padding.h) computes what its source does. check_certificate calls
// it for certificates that pad dimensions which the devices do not divide.
#pragma once

#include "ir/program.h"
#include "verify/certificate/local.h"
#include "verify/certificate/rewriting_report.h"

namespace partir {

/// Checks by induction over the source that every value of it is the beginning of the value of `padded` with the same
/// ValueId, whatever the padding of the arguments holds. Each operation is either executed unchanged on unpadded
/// values, or is proved for all contents of the padding, infinities and NaN included. Throws Refused if `padded` does
/// not correspond to the source.
RewritingReport check_padding(const Function& source, const Function& padded, LocalPrograms& programs);

}  // namespace partir
