// Verifies that gathers and scatters rewritten on batching dimensions (ir/batching.h) compute what they did.
// check_certificate calls it for the operations that a certificate lists.
#pragma once

#include <set>

#include "ir/program.h"
#include "verify/certificate/local.h"
#include "verify/certificate/rewriting_report.h"

namespace partir {

/// Proves that each of these operations of `source`, given by their first results, equals the one of `batched` that
/// defines the same result. Both are proved with the integer operations that compute their indices; whatever else these
/// read is arbitrary.
RewritingReport check_batching(const Function& source, const Function& batched, const std::set<ValueId>& operations,
                               LocalPrograms& programs);

}  // namespace partir
