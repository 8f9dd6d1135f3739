// Compares a program with a device-local module that another partitioner wrote: by proof for all inputs, or by running
// both. Called by engine.cpp for partir.validate and for the fuzzer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "verify/rules/judge.h"
#include "verify/validate/validate.h"

namespace partir::python {

/// A device-local module, and how global arrays map to its arguments and results.
struct Local {
  std::string text;                    ///< StableHLO
  std::string mesh;                    ///< "batch=4,model=2"
  std::vector<std::string> arguments;  ///< layouts such as "[{batch}, {}]", one for each argument of main
  std::vector<std::string> results;
};

struct Comparison {
  double largest_difference = 0;     ///< relative to the range of its result
  std::vector<std::size_t> differs;  ///< results off by more than 1e-4 of their range (16 bits: 5e-2)
};

/// Validates the module for all inputs (verify/validate), in at most `seconds`. Errors: a module or sharding that
/// cannot be parsed.
Result<validate::Validation> validate_local(const std::string& program, const Local& local,
                                            const std::vector<std::string>& result_names, double seconds,
                                            bool evaluate);

/// Runs both in double precision on the same inputs, which the seed determines. Errors: a program that cannot be
/// parsed, contains an operation without a meaning, or is too large to run.
Result<Comparison> compare(const std::string& program, const Local& local, std::uint64_t seed);

/// Judges the sharding rules on a module's operations (verify/rules), in at most `seconds` for each claim.
Result<rules::RulesTable> judged_rules(const std::string& program, double seconds);

/// Returns the module with the attributes partir.mesh and partir.sharding, for `partir run` and `partir validate`.
Result<std::string> with_shardings(const Local& local);

}  // namespace partir::python
