#include "driver/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace partir {
namespace {

constexpr const char* kAnnotations = "annotations";

/// The end of a message: the alternative of ignoring the annotations, if the user has one.
std::string or_ignoring(const PartitionInput& input) { return input.ignoring.empty() ? "" : ", or " + input.ignoring; }

/// Makes a schedule's tactics respect the layouts that the program's annotations request.
class AnnotationFilter {
 public:
  AnnotationFilter(const Annotations& annotations, const Session& session, const PartitionInput& input)
      : annotations_(annotations), session_(session), input_(input) {}

  /// Removes the requests of a tactic that an annotation already meets. Throws UserError if an annotation excludes one.
  void remove_met(ResolvedTactic& tactic) const {
    for (const LayoutRequest& layout : annotations_.layouts) {
      if (layout.of == LayoutRequest::Of::argument) {
        remove_met(tactic.arguments.at(layout.number), layout, tactic.axis, session_.names().arguments[layout.number]);
      } else if (layout.value.result) {
        remove_met(tactic.results.at(*layout.value.result), layout, tactic.axis,
                   session_.names().results[*layout.value.result]);
      }
    }
    std::erase_if(tactic.values, [&](auto& asked) {
      std::optional<PatternRequest> request = asked.second;
      for (const LayoutRequest& layout : annotations_.layouts) {
        const bool same = layout.of != LayoutRequest::Of::argument && !layout.value.result &&
                          layout.of != LayoutRequest::Of::manual && layout.value.value == asked.first.value;
        if (same) remove_met(request, layout, tactic.axis, asked.first.name);
      }
      return !request;
    });
  }

 private:
  void remove_met(std::optional<PatternRequest>& asked, const LayoutRequest& layout, Axis axis,
                  const std::string& name) const {
    if (!asked || asked->request.kind == Request::Kind::unknown) return;
    const Request& request = asked->request;
    const auto tile = std::find_if(layout.tiles.begin(), layout.tiles.end(),
                                   [&](const LayoutRequest::Tile& t) { return t.axis == axis; });
    if (tile != layout.tiles.end()) {
      const bool same = request.kind == Request::Kind::first_divisible ||
                        (request.kind == Request::Kind::dim && request.dim == tile->dim);
      if (!same) excluded(*asked, layout, axis, name);
      asked.reset();
      return;
    }
    const auto closed = std::find_if(layout.closed.begin(), layout.closed.end(),
                                     [&](const LayoutRequest::Closed& c) { return c.axis == axis; });
    if (closed == layout.closed.end() || request.kind == Request::Kind::replicated) return;
    if (request.kind == Request::Kind::first_divisible || (closed->dims >> request.dim & 1) != 0)
      excluded(*asked, layout, axis, name);
  }

  [[noreturn]] void excluded(const PatternRequest& asked, const LayoutRequest& layout, Axis axis,
                             const std::string& name) const {
    const std::string what = asked.request.kind == Request::Kind::dim
                                 ? fmt::format("dimension {}", asked.request.dim)
                                 : fmt::format("\"{}\"", word_of(asked.request.kind));
    throw UserError(Diagnostic{"annotation", input_.schedule_file, asked.place,
                               fmt::format("{} of '{}' along {}, which the program's {} (line {}) excludes", what, name,
                                           session_.mesh().name(axis), layout.text, layout.place.line),
                               "a schedule that keeps the program's annotations" + or_ignoring(input_)});
  }

  const Annotations& annotations_;
  const Session& session_;
  const PartitionInput& input_;
};

std::vector<std::string> descriptions(const Annotations& annotations, const Session& session) {
  std::vector<std::string> out;
  for (const LayoutRequest& layout : annotations.layouts) {
    const std::string& name = layout.of == LayoutRequest::Of::argument ? session.names().arguments[layout.number]
                              : layout.value.result                    ? session.names().results[*layout.value.result]
                                                                       : layout.value.name;
    out.push_back(fmt::format("{}: {}", name.empty() ? fmt::format("line {}", layout.place.line) : name, layout.text));
  }
  return out;
}

Result<Plan> by_annotations(const PartitionInput& input, const std::vector<AxisPart>& parts) {
  std::optional<Mesh> names;
  if (input.mesh) {
    auto mesh = Mesh::parse(*input.mesh);
    if (!mesh) return tl::unexpected(mesh.error());
    names = std::move(*mesh);
  }
  auto session = Session::open_annotated(input, names);
  if (!session) return tl::unexpected(session.error());
  Schedule none;
  Mesh finer = session->mesh();
  auto split = split_sub_axes(none, finer, parts);
  if (!split) return tl::unexpected(split.error());
  if (!parts.empty()) session = Session::open_annotated(input, finer);
  if (!session) return tl::unexpected(session.error());
  auto annotations = session->annotations();
  if (!annotations) return tl::unexpected(annotations.error());
  if (annotations->empty()) {
    return tl::unexpected(Diagnostic{"schedule",
                                     input.file,
                                     {},
                                     "no schedule, and no shardings in the program",
                                     "--schedule S.json, or a program with sdy.sharding or mhlo.sharding"});
  }
  auto words = descriptions(*annotations, *session);
  return Plan{
      std::move(*session), schedule_of(*annotations, input.file), tactics_of(*annotations), std::move(words), false,
      std::move(*split)};
}

/// Inserts the tactics of the annotations before those of the schedule.
Result<void> prepend_annotations(const Annotations& annotations, const PartitionInput& input, Plan& plan) {
  if (!(annotations.mesh == plan.session.mesh())) {
    return tl::unexpected(
        Diagnostic{"annotation",
                   input.file,
                   {},
                   fmt::format("annotations over the axes {}", annotations.mesh.str()),
                   fmt::format("annotations by axes of the mesh {}{}", plan.session.mesh().str(), or_ignoring(input))});
  }
  try {
    const AnnotationFilter filter(annotations, plan.session, input);
    for (ResolvedTactic& tactic : plan.tactics) filter.remove_met(tactic);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
  const std::vector<ResolvedTactic> first = tactics_of(annotations);
  std::vector<Tactic> named(first.size());
  for (std::size_t p = 0; p < first.size(); ++p)
    named[p].name = first.size() == 1 ? kAnnotations : fmt::format("{}/p{}", kAnnotations, annotations.priorities[p]);
  plan.tactics.insert(plan.tactics.begin(), first.begin(), first.end());
  plan.schedule.tactics.insert(plan.schedule.tactics.begin(), named.begin(), named.end());
  plan.annotations = descriptions(annotations, plan.session);
  return {};
}

}  // namespace

Result<Plan> plan(const PartitionInput& input, const std::vector<AxisPart>& parts) {
  if (input.by_annotations) return by_annotations(input, parts);
  auto schedule = input.given_schedule ? Result<Schedule>(*input.given_schedule)
                                       : read_schedule(input.schedule, input.schedule_file);
  if (!schedule) return tl::unexpected(schedule.error());
  auto mesh = mesh_of(input, *schedule);
  if (!mesh) return tl::unexpected(mesh.error());
  auto split = split_sub_axes(*schedule, *mesh, parts);
  if (!split) return tl::unexpected(split.error());
  auto session = Session::open(input, *mesh);
  if (!session) return tl::unexpected(session.error());
  auto tactics = resolve(*schedule, *mesh, session->names(), session->main());
  if (!tactics) return tl::unexpected(tactics.error());
  Plan out{std::move(*session), std::move(*schedule), std::move(*tactics), {}, false, std::move(*split)};
  if (!out.session.has_annotations()) return out;
  auto annotations = out.session.annotations();
  if (!annotations) {
    Diagnostic error = annotations.error();
    error.wanted += or_ignoring(input);
    if (!input.ignore_annotations) return tl::unexpected(std::move(error));
    out.annotations_ignored = true;
    out.annotations = {"not read: " + error.found};
    return out;
  }
  if (input.ignore_annotations) {
    // The shardings of manual computations are kept, because they affect the result.
    std::vector<std::string> words = descriptions(*annotations, out.session);
    std::erase_if(annotations->layouts, [](const LayoutRequest& l) { return l.of != LayoutRequest::Of::manual; });
    if (!annotations->empty()) {
      if (auto ok = prepend_annotations(*annotations, input, out); !ok) return tl::unexpected(ok.error());
    }
    out.annotations_ignored = true;
    out.annotations = std::move(words);
    return out;
  }
  if (annotations->empty()) return out;
  if (auto ok = prepend_annotations(*annotations, input, out); !ok) return tl::unexpected(ok.error());
  return out;
}

}  // namespace partir
