// Verifies, by means of a certificate, that a partitioned module computes what its source does for all inputs. The
// checker does not trust the partitioner: it shares only the declarations of operations and the certificate's data type
// with the lowering. The driver, the command line and verify/validate call check_certificate.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "lowering/certificate.h"
#include "verify/prove/cross_check_tally.h"
#include "verify/verdict.h"

namespace partir {

struct CertificateReport {
  Verdict verdict = Verdict::unknown;  ///< proved, refuted (a step does not hold) or unknown (a step has no proof)
  std::string step;                    ///< the first step that is not proved, printed; empty if proved
  std::string reason;
  std::size_t local = 0;                    ///< device-local operations
  std::size_t proofs = 0;                   ///< entries proved at an operation's attributes
  std::map<std::string, std::size_t> laws;  ///< conversions by the law that justifies them
  std::size_t unknown = 0;                  ///< steps without a proof
  prove::CrossCheckTally tally;             ///< what the cross-checks (Z3, replay) reported on the proofs
  std::vector<bool> over_reals;             ///< by result: equal over the reals, reassociated; else bit by bit
  std::set<std::string> jumps;              ///< operations that jump (ir/continuity.h) and read reassociated values
  std::set<std::string> declared;           ///< targets of calls whose sharding rule is assumed (ir/declared_calls.h)

  /// The scope of a proof: "all inputs; jumps of stablehlo.floor; over the reals, reassociated", or
  /// "all inputs; bit-exact", or with "the sharding rule of @f is assumed; " before the arithmetic.
  [[nodiscard]] std::string scope() const;
};

/// Checks by induction over the partitioned module that every value is, on each device, the part of a source value
/// that its layout describes: arguments by partir.sharding, local operations by proved entries, conversions by their
/// laws, and loops and branches because entering, yielded and resulting values have the same layouts. The returned
/// values are then the source's results, in the layouts that partir.sharding declares (proofs_notes/certificates.md).
CertificateReport check_certificate(const Module& sequential, const Module& partitioned, const Certificate& certificate,
                                    const prove::CrossChecks& cross_checks = {});

}  // namespace partir
