// Promises of operations (unique or sorted indices, distinct sort keys) that evaluation on elements assumes. Validation
// requires that each promise of the partitioned program follows from one of the source about the same elements, unless
// known indices show that it holds.
#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/program.h"
#include "verify/validate/algebra.h"
#include "verify/validate/array.h"
#include "verify/validate/evaluate.h"

namespace partir::validate {

/// The promises of the operations that ran, except those that are shown to hold.
class Promises {
 public:
  explicit Promises(Algebra& algebra) : algebra_(algebra) {}

  /// Records the promises of an operation on a device: that its indices are unique or sorted, or that an unstable sort
  /// meets no equal keys. Known indices that satisfy a promise are not recorded, nor is a single index.
  /// `used` has the values that the program reads.
  void note(const Op& op, const Kernel& kernel, const std::vector<ArrayPtr>& operands,
            const std::unordered_set<ValueId>& used);
  /// Records an operation whose updates may collide, depending on data, and whose order then matters.
  void note_order(const Op& op, const std::vector<ArrayPtr>& operands);
  /// Describes the promises that do not follow from one of the source, by kind.
  [[nodiscard]] std::vector<std::string> beyond(const Promises& source) const;

 private:
  enum Kind : std::uint8_t { unique, sorted, distinct_keys, no_collisions, kinds };
  using Row = std::vector<Element>;  ///< an index, or the elements that a sort moves together
  using List = std::vector<Row>;     ///< the indices of a batch, or one line of a sort

  struct Promise {
    std::vector<List> lists;
    ElementType type;                 ///< of the indices, or of a sort's first operand
    std::string kind;                 ///< the comparator of a sort; the attributes and windows of a gather or scatter
    std::vector<std::int64_t> sizes;  ///< by component of an index: of the operand's dimension
    /// By result of a sort: whether it is used. Without what it carries along, equal keys make no difference.
    std::vector<bool> used;
    PathCondition path;
    std::size_t line = 0;
  };

  void add(Kind kind, const Op& op, std::vector<List> lists, ElementType type, std::string kind_of_op,
           std::vector<std::int64_t> sizes = {});
  [[nodiscard]] std::vector<List> indices_of(const Op& op, const Array& indices) const;
  [[nodiscard]] bool follows(Kind kind, const Promise& promise, const Promises& source) const;
  /// Whether the promise about `whole` implies that about `part`. Distinct or sorted rows stay so if some are left out,
  /// and distinct indices if the same number is subtracted from all, such that each place of the part's operand is one
  /// of the whole's: nothing is promised of indices that are out of range. (Sorted ones do not, as integers wrap.) No
  /// row may stand for two.
  [[nodiscard]] bool is_part(Kind kind, const Promise& promise, const List& part, const Promise& given,
                             const List& whole) const;
  /// What must be added to `from` to give `to`, an integer for each component; nothing if that depends on inputs.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> shift(const Row& from, const Row& to, ElementType type) const;

  Algebra& algebra_;
  std::array<std::vector<Promise>, kinds> all_;
};

}  // namespace partir::validate
