// What the proofs of a rewriting of the source established, before any device is considered: batching dimensions, padding
// and decompositions report so, and check_certificate adds the reports up.
#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "ir/program.h"
#include "verify/prove/prove.h"

namespace partir {

struct RewritingReport {
  std::string unproved;                      ///< the first operation without a proof, and why; empty if there is none
  std::unordered_set<ValueId> reassociated;  ///< results that were proved over the reals
  std::set<std::string> jumps;               ///< operations that jump and read reassociated values

  /// Adds the verdict on one rewritten operation; `how` says how it is written: "by offsets".
  void note(const Op& op, const std::string& how, const prove::Decision& verdict) {
    if (verdict.verdict != Verdict::proved && unproved.empty())
      unproved = op.name() + " " + how + ": " + verdict.reason;
    if (verdict.reach.arithmetic == prove::Arithmetic::reals) reassociated.insert(op.results.begin(), op.results.end());
    jumps.insert(verdict.reach.jumps.begin(), verdict.reach.jumps.end());
  }
  /// Adds the report of a later rewriting.
  void add(RewritingReport later) {
    if (unproved.empty()) unproved = std::move(later.unproved);
    reassociated.merge(later.reassociated);
    jumps.merge(later.jumps);
  }
};

}  // namespace partir
