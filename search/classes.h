// Which groups of dimensions a search decides together: those of repeated layers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/dimensions.h"

namespace partir {

using ClassId = Id<struct ClassTag>;

/// Groups that stand at the same places of the same operations, as the heads of each layer.
struct DimensionClass {
  std::vector<GroupId> groups;  ///< in order
  std::int64_t divisor = 0;     ///< greatest common divisor of theirs
  double argument_bytes = 0;
  std::size_t arguments = 0;  ///< dimensions of arguments
};

/// Resolution sets that stand at the same places of the same operations: one choice for all.
struct ResolutionClass {
  std::vector<ResolutionId> sets;
  std::vector<ClassId> dimension_classes;  ///< whose groups are in conflict; more than one where layers differ
};

/// How alike groups of one class are.
enum class Likeness : std::uint8_t {
  itself,      ///< each group is a class
  sizes,       ///< operations, their attributes and all sizes are the same
  operations,  ///< operations and places are the same
  arguments,   ///< ranks and places of the arguments are the same
};

struct ClassOptions {
  std::size_t small = 12;  ///< up to so many groups that reach arguments are each a class
  std::size_t most = 40;   ///< with more classes that reach arguments, a coarser likeness is taken
  bool shared = true;      ///< else every group and every resolution set is a class by itself
};

/// Groups by class. Groups of one class never stand on one value: a chain of equal layers has two classes, every other
/// group in each, so that the plan that alternates between them can be said.
class DimensionClasses {
 public:
  DimensionClasses(const State& state, const Dimensions& dimensions, const ClassOptions& options = {});

  [[nodiscard]] Likeness likeness() const { return likeness_; }
  /// Those that reach arguments first.
  [[nodiscard]] const std::vector<DimensionClass>& classes() const { return classes_; }
  [[nodiscard]] std::size_t reaching_arguments() const { return reaching_; }
  [[nodiscard]] ClassId class_of(GroupId group) const { return class_of_[group.index()]; }
  [[nodiscard]] const std::vector<ResolutionClass>& resolutions() const { return resolutions_; }

 private:
  using Key = std::vector<std::uint64_t>;
  void classify(const State& state, const Dimensions& dimensions, Likeness likeness);
  void classify_sets(const State& state, const Dimensions& dimensions, bool shared);

  Likeness likeness_ = Likeness::itself;
  std::vector<DimensionClass> classes_;
  std::size_t reaching_ = 0;
  std::vector<ClassId> class_of_;
  std::vector<ResolutionClass> resolutions_;
};

}  // namespace partir
