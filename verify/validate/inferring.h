// The walk over a partitioned module that infer_certificate makes: which source value each value is a part of.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/by_offsets.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/splat.h"
#include "verify/certificate/conversions.h"
#include "verify/certificate/positions.h"
#include "verify/validate/entry_fit.h"
#include "verify/validate/infer.h"

namespace partir::validate {

/// Ends the inference.
struct Unexplained {
  std::string why;
};

/// Lists of distinct axes, in all orders, whose sizes multiply to `parts`, until `use` takes one; so_far is empty.
void axes_of_parts(const Mesh& mesh, std::int64_t parts, std::vector<Axis>& so_far,
                   const std::function<bool(const std::vector<Axis>&)>& use, bool& done);

class Inferring {
 public:
  Inferring(const Function& source, const Function& target, const Layouts& layouts);
  /// The partitioned function as the certificate has it.
  Function run(Inference& out);

 private:
  struct Part {
    ValueId source;
    Layout type;
  };
  /// What an open value may be.
  struct Alternative {
    ValueId source;
    Layout type;
    friend bool operator==(const Alternative&, const Alternative&) = default;
  };
  struct Origin {
    const Op* op = nullptr;
    OpPath path;
  };
  /// A block that is written, and where it stands.
  struct Into {
    Block* block;
    OpPath path;
    std::size_t number;  ///< of all blocks that were entered; 0 for the body
  };
  using Enclosing = std::vector<const Block*>;  ///< blocks of the source that the one at hand stands in
  [[nodiscard]] ValueId the(ValueId v) const;
  void note_source(const Block& b, const OpPath& path);
  void note_target(const Block& b);
  /// Values that depend on no argument, or whose types several entries fit, are open: they are explained where they are
  /// used.
  [[nodiscard]] bool stays_open(const Op& op) const;
  /// A layout that the certificate can speak of.
  const Layout& wanted(const Layout& layout, const Type& global) const;
  void set_part(ValueId v, ValueId source, Layout type);
  void block(const Block& b, Block& into, const OpPath& path, const Enclosing& around);
  CertificateStep& emit(Op op);
  void returned(const Op& op);
  /// The value as a part of this source value, of this type.
  ValueId as(ValueId v, ValueId source, const Layout& type, const std::string& what);
  bool convert(const Op& op);
  /// A conversion of a value whose type several entries fit: from the first type of which it is a conversion.
  bool convert_open(const Op& op);
  bool convert_from(const Op& op, ValueId x, bool slices);
  bool claimed_step(const Op& op, const Part& from, const Layout& claimed, const Type& global);
  /// What a reduction may give: some pending axes reduced, and for a reduce_scatter tiling its dimension in some order.
  std::vector<Layout> claims(const Op& op, const Layout& from) const;
  [[nodiscard]] std::string not_pending(const Part& from) const;
  [[nodiscard]] static bool stands_around(const Enclosing& around, const Block* block);
  void control(const Op& op, const Enclosing& around);
  /// Whether a loop may carry it as a pending sum: its initial value is zero, and the condition does not read it.
  [[nodiscard]] bool may_be_sum(const Op& loop, const Op& source, std::size_t k) const;
  /// Says what the arguments are that the operation reads and that were left open: what is added to a sum is pending as
  /// the sum is.
  void settle(const Op& op);
  void settle(ValueId sum, std::vector<Pending> pending);
  void barrier(const Op& op, const Op& source);
  Layout type_of_operand(const Op& op, const Op& source, std::size_t k) const;
  /// Of a value that is computed of constants the first type that has the size of its parts.
  Layout type_of_yield(ValueId v, ValueId source) const;
  const Form& form_of(const Op& op);
  /// A local operation, with its operands in either order where it commutes.
  void local(const Op& op, const Enclosing& around);
  void in_order(const Op& op, const Enclosing& around);
  /// The operation on operands of the types that its entries take; nothing where one cannot be.
  std::optional<Op> with_operands(const Op& op, const Op& source, const EntryFit& fit);
  [[nodiscard]] bool regions_agree(const Op& source, const Op& op) const;
  /// What an open value may be: nothing is known of one that depends on no argument.
  const std::vector<Alternative>& alternatives_of(ValueId v);
  /// A copy of the value, and of what it is computed of, as this source value by this type; nothing where it is none.
  std::optional<ValueId> demanded(ValueId v, ValueId source, const Layout& type);
  /// A device's slice of a value computed of constants: of a type with fewer axes.
  std::optional<ValueId> sliced(const Op& op, ValueId source, const Layout& type);
  void annotate(Function& f) const;
  /// Operations of the source that read what the operation at hand reads, and that written in others take an operand
  /// in the chunks in which it is known to come, or give a result in chunks.
  void note_offsets();

 public:
  [[nodiscard]] const std::vector<std::pair<ValueId, ByOffsets>>& offsets() const { return offsets_; }

 private:
  const Function& s_;
  const Function& t_;
  const Layouts& layouts_;
  const Mesh& mesh_;
  Positions positions_;
  FormTable table_;
  std::unordered_map<const Op*, const Form*> forms_;
  Splats splats_;
  std::unordered_map<ValueId, ValueId> same_;
  std::unordered_map<ValueId, std::vector<std::pair<const Op*, std::size_t>>> users_;
  std::unordered_map<ValueId, Origin> origins_;
  std::unordered_map<const Op*, OpPath> paths_;
  std::unordered_map<const Op*, const Block*> block_of_;
  std::vector<const Op*> made_by_;  ///< by value of the partitioned program
  std::deque<Op> swapped_;          ///< operations of it with their operands in the other order
  std::vector<bool> open_;          ///< by value of it: explained where it is used
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, Part> sums_;  ///< arguments of loops, without what may be pending, until that is known
  std::unordered_map<ValueId, std::vector<Alternative>> alternatives_;
  std::map<std::tuple<std::size_t, ValueId, ValueId, Layout>, ValueId> copies_;
  std::size_t entered_ = 0;
  std::vector<Layout> results_;
  std::vector<CertificateStep> steps_;
  std::vector<Into> into_;
  Function* w_ = nullptr;
  const Op* at_ = nullptr;
  std::vector<std::pair<ValueId, ByOffsets>> offsets_;  ///< what may be written by offsets
};

}  // namespace partir::validate
