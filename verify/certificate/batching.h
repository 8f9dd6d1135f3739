// Verifies that gathers and scatters rewritten on batching dimensions (ir/batching.h) compute what they did.
// check_certificate calls it for the operations that a certificate lists.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "ir/program.h"
#include "verify/certificate/local.h"

namespace partir {

/// Proves that an operation of `source` equals the one of `batched` that defines the same result. Both are proved with
/// the integer operations that compute their indices; whatever else these read is arbitrary.
const prove::Verdict& check_batching(const Function& source, const Function& batched, ValueId result,
                                     LocalPrograms& programs);

}  // namespace partir
