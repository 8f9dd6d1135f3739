// Computes the padded sizes of all dimensions of a program, given the dimensions requested in a number of parts that
// does not divide them. Used by rewrite/padding.cpp.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/splat.h"
#include "rewrite/padding.h"
#include "semantics/infinities.h"

namespace partir {

/// A dimension of an operand, or of result k if `number` is the number of operands + k.
struct Slot {
  std::size_t number;
  Dim dim;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
/// The dimensions that an entry tiles. Empty for an entry with pending operands, which is no statement about elements.
std::vector<Slot> tiled_slots(const Entry& entry);

/// The form of an operation on a longer dimension of operand 0 (OpDecl::padded): on twice its size or, if strides do not
/// divide that, on another multiple. Nothing if there is none.
std::optional<Function> longer_form(const OpInstance& op, Dim dim);

/// The requested dimensions, and all dimensions that operations compute from them element by element, according to
/// their entries, also through loops and branches. The dimensions connected in this way form a group and are padded
/// together.
class PaddedSizes {
 public:
  using Sizes = std::vector<std::int64_t>;

  /// Both must outlive this object.
  PaddedSizes(const Function& function, const Splats& splats);

  void add(const UnevenDim& wanted);
  /// The sizes of a value, padding included.
  [[nodiscard]] Sizes of(ValueId v) const;
  /// Whether each padded dimension has the size that it would have if the value were padded by itself.
  [[nodiscard]] bool in_own_parts(ValueId v) const;

 private:
  using Place = std::pair<ValueId, Dim>;
  struct Group {
    std::int64_t size;  ///< of the requested dimension
    std::int64_t parts;
    std::int64_t multiple;  ///< of the padded size: parts, or more where strides must divide each part
    [[nodiscard]] std::int64_t padded() const { return (size + multiple - 1) / multiple * multiple; }
  };
  /// A dimension of a group has `times` / `over` times as many elements, padding included, as the requested one.
  /// Examples: 2/1 for the dimension [2 d] that a reshape makes of d, 1/1 for the 14 windows over 16 elements, 1/2 for
  /// the 7 windows of stride 2.
  struct Member {
    std::size_t group = 0;
    std::int64_t times = 1;
    std::int64_t over = 1;
  };

  /// Adds `place` to the group of `from`; its padded size is `times` / `over` times that of `from`.
  void join(const Place& place, const Place& from, std::int64_t times, std::int64_t over, std::deque<Place>& queue);
  /// The same, with the ratio taken from the two sizes; does nothing if they do not determine one.
  void join(const Place& place, const Place& from, std::deque<Place>& queue);
  void join(const Place& place, const Member& as, std::deque<Place>& queue);
  void together(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue);
  void joined(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue);
  [[nodiscard]] std::optional<ValueId> sliced(ValueId v) const;
  void nearly_whole(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue);
  void windows(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue);
  [[nodiscard]] std::int64_t size_of(const Place& place) const;
  void visit(const Place& place, std::deque<Place>& queue);
  void through(const Op& op, ValueId v, Dim d, std::deque<Place>& queue);
  [[nodiscard]] OpInstance instance(const Op& op) const;

  const Function& f_;
  const Splats& splats_;
  LazyInfinities infinities_;
  std::deque<Op> fused_;                      ///< the select_and_scatters that slices are fused with (ir/by_offsets.h)
  std::vector<std::vector<const Op*>> uses_;  ///< by value: operations that read it, and its definition
  std::unordered_map<ValueId, std::vector<Flow>> flows_;  ///< flows of loops and branches
  std::unordered_map<const Op*, std::vector<Flow>> flows_of_barrier_;
  std::unordered_set<ValueId> read_inside_;  ///< values captured by regions that do not run as part of the function
  std::vector<Group> groups_;
  std::map<Place, Member> group_;
};

}  // namespace partir
