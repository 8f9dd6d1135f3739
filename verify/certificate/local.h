// Device-local operations: what an operation becomes on one device by the entries of a certificate's step, each proved
// at the operation's real attributes and sizes. The checker compares the partitioned module with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"
#include "lowering/certificate.h"
#include "verify/prove/cross_check_tally.h"
#include "verify/verdict.h"

namespace partir {

/// The device-local form of an operation: its local instance, and the layouts of its operands and results.
struct LocalProgram {
  OpInstance instance;
  std::vector<Layout> operands;
  std::vector<Layout> results;
  prove::Reach reach;                 ///< of the entries' proofs: their arithmetic and jumps
  Verdict verdict = Verdict::proved;  ///< refuted: there is no such local program; unknown: an entry has no proof
  std::string reason;
};

/// Computes local programs and asks the prover about the entries used. Results are cached: operations that differ only
/// in the names of values share one.
class LocalPrograms {
 public:
  LocalPrograms(const Mesh& mesh, const prove::CrossChecks& cross_checks) : mesh_(mesh), cross_checks_(cross_checks) {}

  /// The local program of `source` by the entries of a step, outermost first.
  const LocalProgram& of(const OpInstance& source, const std::vector<CertificateStep::Along>& along);
  /// Whether `others`, the decomposition of an operation by shard offsets as `how` describes, computes the same.
  const prove::Decision& by_offsets(const OpInstance& source, const ByOffsets& how, const Function& others);
  /// Whether two functions of the same arguments yield the same results.
  const prove::Decision& same(const Function& one, const Function& other);
  /// Number of entries that the prover was asked about, each at one operation's attributes.
  [[nodiscard]] std::size_t proofs() const { return proofs_; }
  /// What the cross-checks (Z3, replay) reported on the proofs.
  [[nodiscard]] const prove::CrossCheckTally& tally() const { return tally_; }

 private:
  LocalProgram compute(const OpInstance& source, const std::vector<CertificateStep::Along>& along);

  const Mesh& mesh_;
  prove::CrossChecks cross_checks_;
  prove::CrossCheckTally tally_;
  std::unordered_map<std::string, std::unique_ptr<LocalProgram>> cached_;
  std::unordered_map<std::string, prove::Decision> cached_by_offsets_;
  std::unordered_map<std::string, prove::Decision> cached_same_;
  std::size_t proofs_ = 0;
};

/// Whether two blocks are equal up to the names of their values. `same` decides about values defined outside them.
bool same_block(const Function& f, const Block& a, const Function& g, const Block& b,
                const std::function<bool(ValueId, ValueId)>& same);

}  // namespace partir
