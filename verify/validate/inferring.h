// The walk over a partitioned module behind infer_certificate. It records for each value of which source value it is a
// part, and writes the certificate's steps along with a copy of the function to which they refer. Only the infer*.cpp
// files use this header.
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

/// Thrown to end the inference: an operation that no entry and no conversion explains.
struct Unexplained {
  std::string why;
};

/// Enumerates the lists of distinct mesh axes, in every order, whose sizes multiply to `parts`, until `use` returns
/// true for one; `done` is set then. Call with `so_far` empty. On x=2, y=2 and parts = 4: [x, y], then [y, x].
void axes_of_parts(const Mesh& mesh, std::int64_t parts, std::vector<Axis>& so_far,
                   const std::function<bool(const std::vector<Axis>&)>& use, bool& done);

class Inferring {
 public:
  Inferring(const Function& source, const Function& target, const Layouts& layouts);
  /// Infers the steps into `out` and returns the partitioned function to which they refer.
  Function run(Inference& out);

 private:
  struct Part {
    ValueId source;
    Layout type;
  };
  /// A source value and layout that an open value may have.
  struct Alternative {
    ValueId source;
    Layout type;
    friend bool operator==(const Alternative&, const Alternative&) = default;
  };
  struct Origin {
    const Op* op = nullptr;
    OpPath path;
  };
  /// A block that is being written, and its path.
  struct Into {
    Block* block;
    OpPath path;
    std::size_t number;  ///< in the order in which blocks were entered; 0 for the body
  };
  using Enclosing = std::vector<const Block*>;  ///< source blocks that enclose the current one
  [[nodiscard]] ValueId resolved(ValueId v) const;
  void note_source(const Block& b, const OpPath& path);
  void note_target(const Block& b);
  /// Whether the results of an operation stay open: computed from open values alone, and without effects. An open value
  /// depends on no argument, or has several possible layouts; it is explained at each of its uses.
  [[nodiscard]] bool stays_open(const Op& op) const;
  /// Returns the layout if a certificate can express it; throws Unexplained otherwise.
  const Layout& expressible(const Layout& layout, const Type& global) const;
  void set_part(ValueId v, ValueId source, Layout type);
  void block(const Block& b, Block& into, const OpPath& path, const Enclosing& around);
  CertificateStep& emit(Op op);
  void returned(const Op& op);
  /// Returns a value that is the part of `source` in layout `type`: `v` itself or, if `v` is open, a copy of it. Throws
  /// Unexplained, with `what` as the subject, if there is none.
  ValueId require_part(ValueId v, ValueId source, const Layout& type, const std::string& what);
  bool convert(const Op& op);
  /// A conversion of an open value: tries its possible layouts and takes the first from which the operation converts.
  bool convert_open(const Op& op);
  bool convert_from(const Op& op, ValueId x, bool slices);
  bool claimed_step(const Op& op, const Part& from, const Layout& claimed, const Type& global);
  /// Candidates for the layout that a reduction yields: any non-empty set of pending axes reduced and, for a
  /// reduce_scatter, tiling its dimension in any order.
  std::vector<Layout> claims(const Op& op, const Layout& from) const;
  [[nodiscard]] std::string not_pending(const Part& from) const;
  [[nodiscard]] static bool encloses(const Enclosing& around, const Block* block);
  void control(const Op& op, const Enclosing& around);
  /// Whether loop-carried value k may be a pending sum: its initial value is zero and the condition does not read it.
  [[nodiscard]] bool may_be_sum(const Op& loop, const Op& source, std::size_t k) const;
  /// Decides which reductions are pending in the loop-carried values in `sums_` that the operation reads. If it adds to
  /// the sum, these are the addend's pending reductions; otherwise none.
  void decide_pending(const Op& op);
  void decide_pending(ValueId sum, std::vector<Pending> pending);
  void barrier(const Op& op, const Op& source);
  Layout type_of_operand(const Op& op, const Op& source, std::size_t k) const;
  /// The layout of a value; for a value computed from constants, the first layout whose parts have its shape.
  Layout type_of_yield(ValueId v, ValueId source) const;
  const Form& form_of(const Op& op);
  /// Explains a device-local operation, with its operands in either order if it commutes.
  void local(const Op& op, const Enclosing& around);
  void local_in_order(const Op& op, const Enclosing& around);
  /// The operation on operands in the layouts that its entries require; nothing if an operand has no such copy.
  std::optional<Op> with_operands(const Op& op, const Op& source, const EntryFit& fit);
  std::optional<KnownTypes> with_pending_zeros(const Op& source, KnownTypes known);
  [[nodiscard]] bool regions_agree(const Op& source, const Op& op) const;
  /// The source values and layouts that an open value may have; empty for one that depends on no argument.
  const std::vector<Alternative>& alternatives_of(ValueId v);
  /// Copies an open value, and the open values that it is computed from, as the part of `source` in layout `type`. A
  /// value that is not open is returned if it is that part. Nothing if the value does not compute that part.
  std::optional<ValueId> copy_as(ValueId v, ValueId source, const Layout& type);
  /// As above, for a slice by device of a value computed from constants: the operand's layout has fewer axes.
  std::optional<ValueId> copy_slice_as(const Op& op, ValueId source, const Layout& type);
  void annotate(Function& f) const;
  /// Records in `offsets_` the decompositions that may let the inference continue: of source operations that read what
  /// the current operation reads, for an operand tiled as it is known to be, or for a result tiled by one axis.
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
  std::vector<const Op*> made_by_;  ///< defining operation, by value of the partitioned program
  std::deque<Op> swapped_;          ///< copies of its operations with operands in the other order
  std::vector<bool> open_;          ///< by value of it: whether it is open
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, Part> sums_;  ///< loop-carried values whose pending reductions are undecided
  std::unordered_map<ValueId, std::vector<Alternative>> alternatives_;
  std::map<std::tuple<std::size_t, ValueId, ValueId, Layout>, ValueId> copies_;
  std::size_t entered_ = 0;
  std::vector<Layout> results_;
  std::vector<CertificateStep> steps_;
  std::vector<Into> into_;
  Function* w_ = nullptr;
  const Op* at_ = nullptr;
  std::vector<std::pair<ValueId, ByOffsets>> offsets_;  ///< decompositions by shard offset to try
};

}  // namespace partir::validate
