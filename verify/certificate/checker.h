// The Checker: the walk over a partitioned module behind check_certificate. For each value of the module it records
// which source value it is a part of, in which layout and how exactly, and it refuses the first step of the certificate
// that does not hold. Only the files of this folder use this header.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/continuity.h"
#include "ir/splat.h"
#include "semantics/infinities.h"
#include "verify/certificate/check.h"
#include "verify/certificate/conversions.h"
#include "verify/certificate/effects.h"
#include "verify/certificate/local.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Thrown to end the check: a step of the certificate does not hold, so the verdict is `refuted`.
struct Refused {
  std::string reason;
};

/// Returns the string attribute `name` of mhlo.frontend_attributes, or null if there is none.
const std::string* frontend(const AttributeList& attributes, std::string_view name);

/// How closely a value of the partitioned module agrees with the source's: bit by bit by default.
struct Exactness {
  bool over_reals = false;  ///< equal over the reals only: sums it depends on were reassociated
  bool are_bits = false;    ///< integers that hold the bits of floats: may only move, and be bitcast to floats again

  /// The exactness of a value computed from values of both kinds: each flag is set if either has it.
  [[nodiscard]] Exactness with(const Exactness& other) const {
    return {over_reals || other.over_reals, are_bits || other.are_bits};
  }
};

/// Facts about the source as the checker walks it: on padded values, with some operations decomposed using the shard
/// offset (ir/by_offsets.h).
struct Rewritten {
  const Function& given;                     ///< before it was padded and decomposed; its values keep their ids
  std::size_t own_values;                    ///< values below this index are the source's, others are added
  std::unordered_set<ValueId> reassociated;  ///< results that the rewriting preserves over the reals only
  std::unordered_map<ValueId, std::string> computed;  ///< result -> name of a decomposed operation that computes
};

/// The scalar that all elements of the operation's result equal, or null. The checker's own analysis: it follows
/// constants through operations that only move elements.
LiteralPtr checked_splat(const Op& op, const Splats& known);

class Checker {
 public:
  Checker(const Function& source, const Function& target, const Mesh& mesh, const Certificate& certificate,
          LocalPrograms& programs, const Rewritten& rewritten);

  CertificateReport run();

 private:
  /// For a value of the partitioned module: the source value of which it is a part, and which part.
  struct Part {
    ValueId source;
    Layout layout;
    Exactness exactness = {};
  };
  struct Source {
    const Op* op;
    const Block* block;
  };
  /// The source block that a block of the partitioned module corresponds to, and its effects met so far.
  struct MatchedBlock {
    const Block* source;
    EffectSequence effects;
  };
  /// The stack of enclosing blocks, outermost first; the block being checked is the last.
  using Blocks = std::vector<MatchedBlock>;

  // Parts of values (checker_parts.cpp).
  void note_source(const Block& block, const OpPath& path);
  [[nodiscard]] ValueId the(ValueId v) const;
  [[nodiscard]] const Part& part(ValueId v) const;
  void set_part(ValueId v, ValueId source, Layout layout, Exactness exactness);
  [[nodiscard]] Layout parsed(const std::string& text, ValueId source) const;
  void arguments();
  void returned(const Op& op);

  // Operations (checker.cpp).
  void block(const Block& b, const OpPath& path, Blocks& sources);
  void check_step(const Source& source, const Op& op, const CertificateStep& step, const OpPath& path, Blocks& sources);
  void convert(const Op& op, const CertificateStep& step);

  // Manual computations (checker_manual.cpp).
  void note_manual(const Op& op, const Block& home);
  /// For the body of a manual computation, the block that contains the computation; any other block is returned as is.
  [[nodiscard]] const Block* home_of(const Block* block) const;
  void boundary(const Op& source, const Op& op);

  void local(const Op& source, const Op& op, const CertificateStep& step);
  /// Along `dim`, element i of the result is element i - by of the operand or, if reversed, element size - 1 - i.
  struct ChunkMove {
    Dim dim;
    std::int64_t by;
    bool reversed;
  };
  [[nodiscard]] ChunkMove chunk_move_of(const Op& source) const;
  void shift(const Op& source, const Op& op, const CertificateStep& step);
  void control(const Op& source, const Op& op, const CertificateStep& step, const OpPath& path, Blocks& sources);
  [[nodiscard]] bool enters_as_zeros(const Part& held, const Layout& type);
  void require_same_shape(const Op& source, const Op& op) const;
  void require_operand(const Op& source, const Op& op, std::size_t k) const;
  [[nodiscard]] bool needs_finite_operands(const Op& source, const LocalProgram& p);
  Exactness exactness_of(const Op& source, const Op& op, const LocalProgram& p);
  [[nodiscard]] bool moves_bits(const Op& source, std::size_t k) const;
  Continuity continuity(const OpInstance& op);
  Continuity continuity_without_meaning(const OpInstance& op);
  void expect_exact(const std::string& operation, const char* what, bool over_reals);
  void not_proved(const std::string& reason);
  [[nodiscard]] std::string at_text() const;

  const Function& s_;
  const Function& t_;
  const Mesh& mesh_;
  Positions positions_;
  LocalPrograms& programs_;
  const Rewritten& rewritten_;
  Splats splats_;
  LazyInfinities given_infinities_;
  RewrittenInfinities infinities_;
  std::map<OpPath, const CertificateStep*> steps_;
  std::map<OpPath, Source> sources_;
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, ValueId> same_;  ///< result of a sharding constraint -> its operand
  std::unordered_set<const Op*> entered_;      ///< control flow of the source already matched by an operation
  std::unordered_map<const Block*, const Block*> manual_;  ///< body of a manual computation -> block that holds it
  std::unordered_set<ValueId> manual_values_;              ///< values in these bodies: they differ between devices
  std::size_t used_ = 0;
  Exactness exactness_within_;                    ///< join over all values of the current control flow
  std::size_t loops_ = 0;                         ///< number of loops around the current operation
  std::optional<std::string> bit_use_in_loops_;   ///< why a loop is unproved if it carries inexact values
  std::set<std::string> jumps_in_loops_;          ///< operations in a loop that jump at values exact so far
  std::map<std::string, Continuity> continuity_;  ///< cache, for operations without regions: by name and element types
  std::pair<const Op*, OpPath> at_{nullptr, {}};
  CertificateReport report_;
};

}  // namespace partir
