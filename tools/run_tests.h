// Runs test programs (`partir run` on StableHLO's own tests): files of modules separated by "// -----", whose check
// operations state the expected results.
#pragma once

#include <string>

#include "semantics/domain.h"
#include "tools/exit_status.h"

namespace partir {

/// True if the text has such separators, or an operation of the dialects "check" or "interpreter".
bool is_test_file(const std::string& text);

/// Runs `main` of each module, or without one every function that has no arguments, and prints how many checks hold.
/// Returns the exit status: 0 if all hold; 1 if a check fails; otherwise 3 if operations are unsupported, or 2 for any
/// other error. With `json`, also writes a JSON report there.
Result<ExitStatus> run_tests(const std::string& text, const std::string& file, const Domain& domain,
                             const std::string& json);

}  // namespace partir
