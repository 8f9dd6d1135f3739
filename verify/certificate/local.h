// Device-local operations: instances of entries that are proved at the operation's real attributes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"
#include "lowering/certificate.h"
#include "verify/prove/doubt_tally.h"
#include "verify/verdict.h"

namespace partir {

/// What an operation's entries make of it on one device.
struct LocalProgram {
  OpInstance instance;
  std::vector<Layout> operands;
  std::vector<Layout> results;
  prove::Reach reach;                 ///< of the entries' proofs
  Verdict verdict = Verdict::proved;  ///< or refuted: no local program; or unknown: an entry without a proof
  std::string reason;
};

/// Follows entries from operations to their local programs. Operations that are alike are worked out once.
class LocalPrograms {
 public:
  LocalPrograms(const Mesh& mesh, const prove::Doubts& doubts) : mesh_(mesh), doubts_(doubts) {}

  /// `source` by the entries of a step, outermost first.
  const LocalProgram& of(const OpInstance& source, const std::vector<CertificateStep::Along>& along);
  /// Whether an operation, without known splats, is the same written in others for this.
  const prove::Verdict& by_offsets(const OpInstance& source, const ByOffsets& how, const Function& others);
  /// Whether two functions of the same arguments give the same results.
  const prove::Verdict& same(const Function& one, const Function& other);
  /// Entries proved so far, each at one operation's attributes.
  [[nodiscard]] std::size_t proofs() const { return proofs_; }
  /// What was said of them by those who were asked.
  [[nodiscard]] const prove::DoubtTally& tally() const { return tally_; }

 private:
  LocalProgram followed(const OpInstance& source, const std::vector<CertificateStep::Along>& along);

  const Mesh& mesh_;
  prove::Doubts doubts_;
  prove::DoubtTally tally_;
  std::unordered_map<std::string, std::unique_ptr<LocalProgram>> known_;
  std::unordered_map<std::string, prove::Verdict> known_by_offsets_;
  std::unordered_map<std::string, prove::Verdict> known_same_;
  std::size_t proofs_ = 0;
};

/// Whether two blocks say the same up to the names of their values; `same` is asked about values from outside.
bool same_block(const Function& f, const Block& a, const Function& g, const Block& b,
                const std::function<bool(ValueId, ValueId)>& same);

}  // namespace partir
