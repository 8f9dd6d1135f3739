// Test programs: files of modules split by "// -----" whose check operations say what must come out.
#pragma once

#include <string>

#include "semantics/domain.h"

namespace partir {

/// Whether the text is split, or names an operation of the dialects "check" or "interpreter".
bool is_test_file(const std::string& text);

/// Runs `main` of each module, or without one every public function without arguments, and prints how many checks held.
/// 0 when all did, 1 when one did not, 3 when an operation has no meaning here and no check failed. With `json`, writes
/// what was printed there.
Result<int> run_tests(const std::string& text, const std::string& file, const Domain& domain, const std::string& json);

}  // namespace partir
