// Whether a device-local program computes what a source program says, for all inputs at a mesh: decided by running both
// on elements that stand for all inputs at once (random algebraic evaluation), without a certificate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "verify/validate/counterexample.h"
#include "verify/validate/explain.h"
#include "verify/validate/layouts.h"
#include "verify/verdict.h"

namespace partir::validate {

struct Options {
  std::optional<std::string> shardings;  ///< the JSON text of --shardings
  std::optional<Mesh> mesh;
  std::function<bool()> stop;  ///< asked now and then: whether time is up
  std::uint64_t seed = 1;
  bool infer = true;  ///< a certificate, before anything is evaluated
};

struct ResultVerdict {
  std::string name;
  Verdict verdict = Verdict::unknown;
  bool over_reals = false;  ///< of a proof: over the reals, reassociated; else bit by bit
};

struct Validation {
  Verdict verdict = Verdict::unknown;
  std::string scope;                    ///< "all inputs" or "all inputs, error below 2^-80"; empty unless proved
  std::string reason;                   ///< what the verdict rests on, or what is not known
  std::vector<std::string> conditions;  ///< under which results agree, where it is not shown that they hold
  std::optional<Defect> at;
  std::optional<Counterexample> counterexample;
  std::vector<ResultVerdict> results;
  Layouts layouts;
};

/// Names of the results are those of the source. Errors: modules or shardings that cannot be read as such.
Result<Validation> validate_partition(const Module& source, const Module& partitioned,
                                      const std::vector<std::string>& result_names, const Options& options);

}  // namespace partir::validate
