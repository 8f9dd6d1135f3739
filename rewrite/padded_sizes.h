// Which dimensions of a program go on behind their ends, where some are wanted in parts that do not divide them.
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

namespace partir {

/// A dimension of an operand, or behind the operands of a result.
struct Slot {
  std::size_t number;
  Dim dim;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};
/// The dimensions that an entry tiles; none of one with partial operands, which says nothing of elements.
std::vector<Slot> tiled_slots(const Entry& entry);

/// The dimensions that were asked for, and those that operations compute of them element by element, by their entries,
/// through loops and branches. All that belong together are called a group.
class PaddedSizes {
 public:
  using Sizes = std::vector<std::int64_t>;

  /// Both outlive this.
  PaddedSizes(const Function& function, const Splats& splats);

  void add(const UnevenDim& wanted);
  /// Of a value, its sizes with padding.
  [[nodiscard]] Sizes of(ValueId v) const;
  /// Whether its parts are as large as those of the value by itself would be.
  [[nodiscard]] bool in_own_parts(ValueId v) const;

 private:
  using Place = std::pair<ValueId, Dim>;
  struct Group {
    std::int64_t size;  ///< of the dimension that was asked for
    std::int64_t parts;
    [[nodiscard]] std::int64_t padded() const { return (size + parts - 1) / parts * parts; }
  };
  /// A dimension of a group has `times` / `over` as many elements, with padding, as the one that was asked for: 2 / 1 of
  /// [2 d] that a reshape makes, 1 / 1 of the 14 windows over 16 elements, 1 / 2 of 7 of stride 2.
  struct Member {
    std::size_t group = 0;
    std::int64_t times = 1;
    std::int64_t over = 1;
  };

  /// Into the group of the first place, as many times as long with padding as it.
  void join(const Place& place, const Place& from, std::int64_t times, std::int64_t over, std::deque<Place>& queue);
  /// The same where sizes say how many times.
  void join(const Place& place, const Place& from, std::deque<Place>& queue);
  void join(const Place& place, const Member& as, std::deque<Place>& queue);
  void windows(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue);
  [[nodiscard]] std::int64_t size_of(const Place& place) const;
  void visit(const Place& place, std::deque<Place>& queue);
  void through(const Op& op, ValueId v, Dim d, std::deque<Place>& queue);
  [[nodiscard]] OpInstance instance(const Op& op) const;

  const Function& f_;
  const Splats& splats_;
  std::vector<std::vector<const Op*>> uses_;              ///< by value, and what defines it
  std::unordered_map<ValueId, std::vector<Flow>> flows_;  ///< of loops and branches
  std::unordered_map<const Op*, std::vector<Flow>> flows_of_barrier_;
  std::unordered_set<ValueId> read_inside_;  ///< by regions that are no part of the function
  std::vector<Group> groups_;
  std::map<Place, Member> group_;
};

}  // namespace partir
