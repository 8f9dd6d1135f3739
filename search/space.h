// The space that a search explores: the program's classes of dimensions and families of arguments, and how a step of a
// plan becomes a tactic.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/session.h"
#include "search/classes.h"
#include "search/plan.h"

namespace partir {

/// Arguments with the same classes of dimensions: the weights of one kind in all layers, with their optimizer state.
struct ArgumentFamily {
  std::vector<std::size_t> arguments;
  std::size_t rank = 0;
  double bytes = 0;
  bool has_state = false;  ///< some are read by updates alone
};

/// Where a resolution is asked for: at named values that are computed with a conflict from operands without.
struct ResolutionSite {
  NamedValue value;
  Dim first = 0;  ///< kept by resolution 1
  Dim second = 0;
};

/// What of the analysis a space uses: all of it, but to measure what its parts buy.
struct SpaceOptions {
  bool names = true;    ///< dimensions that are sharded alike are decided together, else each dimension of an argument
  bool sharing = true;  ///< repeated layers are decided together, and so are their conflicts
};

class SearchSpace {
 public:
  /// Of a session without tactics. `axes`: those that the search may use.
  SearchSpace(const Session& session, std::vector<Axis> axes, const SpaceOptions& options = {});

  /// Without names: a family is one argument, and plans are steps that tile or keep one.
  [[nodiscard]] bool by_argument() const { return by_argument_; }

  [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }
  [[nodiscard]] const DimensionClasses& classes() const { return classes_; }
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] const std::vector<ArgumentFamily>& families() const { return families_; }
  /// Classes that some axis can tile, those with the smallest arguments first: the order in which plans decide them.
  [[nodiscard]] const std::vector<ClassId>& order() const { return order_; }
  /// Whether an axis divides some dimension of the class.
  [[nodiscard]] bool divides(Axis axis, ClassId c) const;
  /// By class of resolutions; empty where nothing can be asked.
  [[nodiscard]] const std::vector<std::vector<ResolutionSite>>& resolution_sites() const { return sites_; }
  /// Classes of resolutions about groups of this class for which something can be asked.
  [[nodiscard]] std::vector<std::size_t> resolutions_of(ClassId c) const;
  /// The values that a plan asks something for.
  [[nodiscard]] std::vector<NamedValue> values_of(const Plan& plan) const;

  /// The families that ZeRO is worth for: those with most of the bytes, and all.
  [[nodiscard]] std::uint64_t large_families() const { return large_; }
  [[nodiscard]] std::uint64_t all_families() const { return all_; }

  /// The tactic that does the step in the session's state, or nothing where it would do nothing: no dimension divides,
  /// or earlier steps have decided.
  [[nodiscard]] std::optional<ResolvedTactic> realized(const PlanStep& step, const Session& session) const;

  /// "layers/*/qkv[2] over model".
  [[nodiscard]] std::string name_of(const PlanStep& step) const;

 private:
  [[nodiscard]] std::string subject_of(const PlanStep& step) const;  ///< without the axis
  [[nodiscard]] std::string family_name(std::size_t family) const;
  void find_families(const Session& session);
  void find_order();
  void find_resolution_sites(const Session& session);
  [[nodiscard]] bool is_decided(const Session& session, std::size_t argument, Axis axis) const;
  [[nodiscard]] bool tiles(const Session& session, std::size_t argument, Dim dim, Axis axis) const;
  void request_tile(FamilyTile tile, const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_class(const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_zero(const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_resolutions(const PlanStep& step, const Session& session, ResolvedTactic& out) const;

  Mesh mesh_;
  std::vector<Axis> axes_;
  bool by_argument_;
  std::vector<std::string> names_;  ///< of arguments
  Dimensions dimensions_;
  DimensionClasses classes_;
  std::vector<std::set<std::int64_t>> sizes_;  ///< by class, of arguments
  std::vector<bool> computes_;                 ///< by argument: read by more than an update of its own kind
  std::vector<ArgumentFamily> families_;
  std::vector<ClassId> order_;
  std::vector<std::vector<ResolutionSite>> sites_;
  std::uint64_t large_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace partir
