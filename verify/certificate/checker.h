// The walk over a partitioned module that check_certificate makes: which source value each value is a part of.
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
#include "verify/certificate/check.h"
#include "verify/certificate/conversions.h"
#include "verify/certificate/effects.h"
#include "verify/certificate/local.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Ends the check: a step that does not hold.
struct Refused {
  std::string reason;
};

/// An attribute of mhlo.frontend_attributes; null where there is none.
const std::string* frontend(const AttributeList& attributes, std::string_view name);

/// How near a value is to the source's.
struct Exactness {
  bool over_reals = false;  ///< sums on the way were reassociated
  bool are_bits = false;    ///< it has the bits of floats, as integers: these may move, and be floats again

  [[nodiscard]] Exactness with(const Exactness& other) const {
    return {over_reals || other.over_reals, are_bits || other.are_bits};
  }
};

/// The source in other operations, as it is before any device comes in.
struct Rewritten {
  std::size_t own_values;                             ///< that many values are the source's, others of what is written
  std::unordered_set<ValueId> reassociated;           ///< results that are given over the reals only
  std::unordered_map<ValueId, std::string> computed;  ///< results of what does not only move, by its name
};

class Checker {
 public:
  Checker(const Function& source, const Function& target, const Mesh& mesh, const Certificate& certificate,
          LocalPrograms& programs, const Rewritten& rewritten);

  CertificateReport run();

 private:
  /// A value of the partitioned module: which source value it is a part of, and which part.
  struct Part {
    ValueId source;
    Layout layout;
    Exactness exactness = {};
  };
  struct Source {
    const Op* op;
    const Block* block;
  };
  /// A source block that a block of the partitioned module stands for, and its effects so far.
  struct Standing {
    const Block* source;
    EffectSequence effects;
  };
  /// The one at hand last, those around it before.
  using Blocks = std::vector<Standing>;

  // Parts of values (checker_parts.cpp).
  void note_source(const Block& block, const OpPath& path);
  [[nodiscard]] LiteralPtr splat_of(const Op& op) const;
  [[nodiscard]] ValueId the(ValueId v) const;
  [[nodiscard]] const Part& part(ValueId v) const;
  void set_part(ValueId v, ValueId source, Layout layout, Exactness exactness);
  [[nodiscard]] Layout parsed(const std::string& text, ValueId source) const;
  void arguments();
  void returned(const Op& op);

  // Operations (checker.cpp).
  void block(const Block& b, const OpPath& path, Blocks& sources);
  void stands_for(const Source& source, const Op& op, const CertificateStep& step, const OpPath& path, Blocks& sources);
  void convert(const Op& op, const CertificateStep& step);

  // Manual computations (checker_manual.cpp).
  void note_manual(const Op& op, const Block& home);
  /// The block that the body of a manual computation runs in; another block is its own.
  [[nodiscard]] const Block* home_of(const Block* block) const;
  void boundary(const Op& source, const Op& op);

  void local(const Op& source, const Op& op, const CertificateStep& step);
  /// Place i of the result is place i - by of the operand, or the one as far from the end.
  struct Moved {
    Dim dim;
    std::int64_t by;
    bool reversed;
  };
  [[nodiscard]] Moved moved(const Op& source) const;
  void shift(const Op& source, const Op& op, const CertificateStep& step);
  void control(const Op& source, const Op& op, const CertificateStep& step, const OpPath& path, Blocks& sources);
  [[nodiscard]] bool enters_as_zeros(const Part& held, const Layout& type);
  void require_same_shape(const Op& source, const Op& op) const;
  void require_operand(const Op& source, const Op& op, std::size_t k) const;
  Exactness exactness_of(const Op& source, const Op& op, const LocalProgram& p);
  [[nodiscard]] bool moves_bits(const Op& source, std::size_t k) const;
  Continuity continuity(const OpInstance& op);
  void sees(const std::string& operation, const char* what, bool over_reals);
  void not_proved(const std::string& reason);
  [[nodiscard]] std::string at_text() const;

  const Function& s_;
  const Function& t_;
  const Mesh& mesh_;
  Positions positions_;
  LocalPrograms& programs_;
  const Rewritten& rewritten_;
  Splats splats_;
  std::map<OpPath, const CertificateStep*> steps_;
  std::map<OpPath, Source> sources_;
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, ValueId> same_;  ///< results of sharding constraints, which are their operands
  std::unordered_set<const Op*> entered_;      ///< control flow of the source that an operation stands for
  std::unordered_map<const Block*, const Block*> manual_;  ///< bodies of manual computations, and where these stand
  std::unordered_set<ValueId> own_;                        ///< values in them: each device has its own
  std::size_t used_ = 0;
  Exactness least_;                               ///< of all values of the control flow at hand
  std::size_t loops_ = 0;                         ///< around the operation at hand
  std::optional<std::string> in_loops_;           ///< what looks at bits there that were exact when it was met
  std::set<std::string> jumps_in_loops_;          ///< what jumps there, of what was exact when it was met
  std::map<std::string, Continuity> continuity_;  ///< of operations without regions, by name and element types
  std::pair<const Op*, OpPath> at_{nullptr, {}};
  CertificateReport report_;
};

}  // namespace partir
