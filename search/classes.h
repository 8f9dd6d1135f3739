// Classes: groups of dimensions that a search decides together, because they occur in repeated layers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/dimensions.h"

namespace partir {

using ClassId = Id<struct ClassTag>;

/// Groups that occur at the same places of the same operations, such as the heads dimension of each layer.
struct DimensionClass {
  std::vector<GroupId> groups;  ///< in order
  std::int64_t divisor = 0;     ///< greatest common divisor of its groups' divisors
  double argument_bytes = 0;
  std::size_t arguments = 0;  ///< number of dimensions of arguments
};

/// Resolution sets that occur at the same places of the same operations; one choice is made for all.
struct ResolutionClass {
  std::vector<ResolutionId> sets;
  std::vector<ClassId> dimension_classes;  ///< classes of the groups in conflict; more than one where layers differ
};

/// How similar the groups of one class are, from finest to coarsest.
enum class Likeness : std::uint8_t {
  itself,      ///< each group is a class of its own
  sizes,       ///< same operations, attributes and sizes
  operations,  ///< same operations and places
  arguments,   ///< same ranks and places of the arguments
};

struct ClassOptions {
  std::size_t small = 12;  ///< with at most this many groups that reach arguments, each is a class of its own
  std::size_t most = 40;   ///< with more classes that reach arguments than this, a coarser likeness is used
  bool shared = true;      ///< false: every group and every resolution set is a class of its own
};

/// The classes of all groups. Two groups of one class never occur on the same value: a chain of equal layers has two
/// classes, with every other group in each, so that a plan that alternates between them can be expressed.
class DimensionClasses {
 public:
  DimensionClasses(const State& state, const Dimensions& dimensions, const ClassOptions& options = {});

  [[nodiscard]] Likeness likeness() const { return likeness_; }
  /// Classes that reach arguments come first.
  [[nodiscard]] const std::vector<DimensionClass>& classes() const { return classes_; }
  /// Number of classes that reach arguments.
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
