// Verifies that a partitioned module computes what its source does, for all inputs, by a certificate. Shares nothing
// with the lowering but the declarations and the form of certificates.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "lowering/certificate.h"
#include "verify/prove/doubt_tally.h"
#include "verify/verdict.h"

namespace partir {

struct CertificateReport {
  Verdict verdict = Verdict::unknown;  ///< proved, refuted (a step does not hold) or unknown (a step has no proof)
  std::string step;                    ///< the first step that is not proved, as text; empty when proved
  std::string reason;
  std::size_t local = 0;                    ///< device-local operations
  std::size_t proofs = 0;                   ///< entries proved at an operation's attributes
  std::map<std::string, std::size_t> laws;  ///< conversions by the law that justifies them
  std::size_t unknown = 0;                  ///< steps without a proof
  prove::DoubtTally tally;                  ///< what those said of the proofs who were asked
  std::vector<bool> over_reals;             ///< of each result: over the reals, reassociated; else bit by bit
  std::set<std::string> jumps;              ///< operations that jump (ir/continuity.h) and read what was reassociated

  /// Of a proof: "all inputs; jumps of stablehlo.floor; over the reals, reassociated" or "all inputs; bit-exact".
  [[nodiscard]] std::string scope() const;
};

/// By induction over the partitioned module every value is, on each device, the part of a source value that its
/// layout says: arguments by partir.sharding, local operations by proved entries, conversions by their laws,
/// loops and branches because what enters, repeats and leaves has one type. The returned values are the source's, of
/// the types that partir.sharding says (proofs_notes/certificates.md).
CertificateReport check_certificate(const Module& sequential, const Module& partitioned, const Certificate& certificate,
                                    const prove::Doubts& doubts = {});

}  // namespace partir
