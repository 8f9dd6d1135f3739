// Whether somebody else's device-local module computes what a program does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "verify/rules/judge.h"
#include "verify/validate/validate.h"

namespace partir::python {

/// A device-local module, and how global arrays map to it.
struct Local {
  std::string text;                    ///< StableHLO
  std::string mesh;                    ///< "batch=4,model=2"
  std::vector<std::string> arguments;  ///< "[{batch}, {}]"; one an argument of main
  std::vector<std::string> results;
};

struct Comparison {
  double largest_difference = 0;     ///< relative to the range of its result
  std::vector<std::size_t> differs;  ///< results off by more than 1e-4 of their range (16 bits: 5e-2)
};

/// For all inputs (verify/validate); `seconds` at most. Errors: modules or shardings that do not read.
Result<validate::Validation> validate_local(const std::string& program, const Local& local,
                                            const std::vector<std::string>& result_names, double seconds);

/// Runs both in double precision on the same inputs, drawn by the seed. Errors: what does not read, has no meaning
/// here, or is too large to run.
Result<Comparison> compare(const std::string& program, const Local& local, std::uint64_t seed);

/// The sharding rules on a module's operations (verify/rules); `seconds` at most for each claim.
Result<rules::RulesTable> judged_rules(const std::string& program, double seconds);

/// The module with partir.mesh and partir.sharding attributes, as `partir run` and `partir validate` read them.
Result<std::string> with_shardings(const Local& local);

}  // namespace partir::python
