// Validation (`partir validate`): decides whether a device-local program computes what a source program does, for all
// inputs on a given mesh, without being given a certificate. It tries to infer a certificate, then evaluates both
// programs on elements that represent all inputs at once (random algebraic evaluation), and tries inputs to refute the
// partition.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "verify/validate/counterexample.h"
#include "verify/validate/explain.h"
#include "verify/validate/field.h"
#include "verify/validate/layouts.h"
#include "verify/verdict.h"

namespace partir::validate {

struct Options {
  std::optional<std::string> shardings;               ///< the contents of the --shardings file, JSON
  std::string shardings_file = "the shardings file";  ///< its name in messages
  std::optional<Mesh> mesh;
  std::function<bool()> stop;  ///< polled; true once time is up
  std::uint64_t seed = 1;      ///< of the inputs that are tried
  bool infer = true;           ///< whether to try to infer a certificate before evaluating
  bool evaluate = true;        ///< whether to evaluate the programs, or try inputs, if there is no certificate
};

struct ResultVerdict {
  std::string name;
  Verdict verdict = Verdict::unknown;
  bool over_reals = false;  ///< if proved: over the reals, reassociated; else bit by bit
};

struct Validation {
  Verdict verdict = Verdict::unknown;
  std::string scope;                    ///< "all inputs" or "all inputs, error below 2^-80"; empty unless proved
  std::string reason;                   ///< what the verdict rests on, or why it is unknown
  std::vector<std::string> conditions;  ///< unproved conditions under which the results agree
  std::optional<Defect> at;             ///< the operation at fault, if one was found
  std::optional<Counterexample> counterexample;
  std::vector<ResultVerdict> results;
  Layouts layouts;
};

/// What the random choices of evaluation are drawn from: a cryptographic hash of both programs, so that no author can
/// fit a program to them, and the verdict is the same each time.
Seed seed_of(const Module& source, const Module& partitioned);

/// Validates `partitioned` as a partition of `source`. `result_names` are the names of the source's results, in order.
/// Errors: modules that are malformed, shardings that cannot be parsed, or a mesh that does not fit.
Result<Validation> validate_partition(const Module& source, const Module& partitioned,
                                      const std::vector<std::string>& result_names, const Options& options);

}  // namespace partir::validate
