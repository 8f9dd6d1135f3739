// The space that a search explores: the program's classes of dimensions, its families of arguments, and the translation
// of a plan's steps to tactics.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/session.h"
#include "search/classes.h"
#include "search/exchange.h"
#include "search/plan.h"

namespace partir {

/// Arguments whose dimensions have the same classes, such as the weights of one kind in all layers with their optimizer
/// state.
struct ArgumentFamily {
  std::vector<std::size_t> arguments;
  std::size_t rank = 0;
  double bytes = 0;
  bool has_state = false;  ///< whether some members are read by updates only
};

/// Where a resolution is requested: at a named value that has a conflict although its operands have none.
struct ResolutionSite {
  NamedValue value;
  Dim first = 0;  ///< the dimension that resolution 1 keeps tiled
  /// The dimension that resolution 2 keeps tiled.
  Dim second = 0;
};

/// Parts of the analysis that the space uses. All are on by default; they are turned off to measure their benefit.
struct SpaceOptions {
  bool names = true;    ///< decide dimensions that are sharded alike together, not each dimension of an argument
  bool sharing = true;  ///< repeated layers, and their conflicts, are decided together
};

class SearchSpace {
 public:
  /// `session` must have no tactics. `axes`: the axes that the search may use.
  SearchSpace(const Session& session, std::vector<Axis> axes, const SpaceOptions& options = {});

  /// If names are off, each family is one argument, and plan steps tile or keep one argument.
  [[nodiscard]] bool by_argument() const { return by_argument_; }

  [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }
  [[nodiscard]] const DimensionClasses& classes() const { return classes_; }
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] const std::vector<ArgumentFamily>& families() const { return families_; }
  /// The classes that some axis can tile, those with the smallest arguments first. Plans decide them in this order.
  [[nodiscard]] const std::vector<ClassId>& order() const { return order_; }
  /// Whether an axis divides some dimension of the class.
  [[nodiscard]] bool divides(Axis axis, ClassId c) const;
  /// Whether it divides some, or can tile some that are padded. Dimensions with less than two positions for each device
  /// are not padded: half of the work or more would be padding.
  [[nodiscard]] bool can_tile(Axis axis, ClassId c) const;
  /// By resolution class: where its resolution is requested; empty if that is not possible.
  [[nodiscard]] const std::vector<std::vector<ResolutionSite>>& resolution_sites() const { return sites_; }
  /// The resolution classes with sites that concern groups of this class.
  [[nodiscard]] std::vector<std::size_t> resolutions_of(ClassId c) const;
  [[nodiscard]] const std::vector<Exchange>& exchanges() const { return exchanges_; }
  /// The internal values for which a plan requests something.
  [[nodiscard]] std::vector<NamedValue> values_of(const Plan& plan) const;

  /// The families for which ZeRO is worthwhile, as bits: those with most of the bytes, and all.
  [[nodiscard]] std::uint64_t large_families() const { return large_; }
  [[nodiscard]] std::uint64_t all_families() const { return all_; }

  /// The tactic that realises the step in the session's state. Nothing if it would have no effect: the axis divides no
  /// dimension, or earlier steps have decided all of them.
  [[nodiscard]] std::optional<ResolvedTactic> realized(const PlanStep& step, const Session& session) const;

  /// A readable name: "layers/*/qkv[2] over model".
  [[nodiscard]] std::string name_of(const PlanStep& step) const;

 private:
  /// Whether a step tiles dimensions that its axis does not divide: those of classes in which it divides none.
  [[nodiscard]] bool pads(const PlanStep& step) const {
    return step.kind == PlanStep::Kind::shard && !divides(step.axis, ClassId(step.what));
  }
  [[nodiscard]] std::string subject_of(const PlanStep& step) const;  ///< the name without the axis
  [[nodiscard]] std::string class_name(ClassId c) const;
  [[nodiscard]] std::string family_name(std::size_t family) const;
  void find_families(const Session& session);
  void find_order();
  void find_resolution_sites(const Session& session);
  [[nodiscard]] bool is_decided(const Session& session, std::size_t argument, Axis axis) const;
  [[nodiscard]] bool tiles(const Session& session, std::size_t argument, Dim dim, Axis axis, bool padded = false) const;
  /// Requests a tile of an argument unless it is requested or decided already, or cannot be tiled so.
  void request_argument(std::size_t argument, Dim dim, Axis axis, const Session& session, ResolvedTactic& out,
                        bool padded = false) const;
  void request_tile(FamilyTile tile, const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_class(ClassId c, const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_zero(const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_exchange(const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_value(const ValueTile& tile, const PlanStep& step, const Session& session, ResolvedTactic& out) const;
  void request_resolutions(const PlanStep& step, const Session& session, ResolvedTactic& out) const;

  Mesh mesh_;
  std::vector<Axis> axes_;
  bool by_argument_;
  std::vector<std::string> names_;  ///< of the arguments
  Dimensions dimensions_;
  DimensionClasses classes_;
  std::vector<std::set<std::int64_t>> sizes_;  ///< by class: sizes of its dimensions in arguments
  std::vector<bool> computes_;                 ///< by argument: whether anything but its own update reads it
  std::vector<ArgumentFamily> families_;
  std::vector<ClassId> order_;
  std::vector<std::vector<ResolutionSite>> sites_;
  std::vector<Exchange> exchanges_;
  std::uint64_t large_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace partir
