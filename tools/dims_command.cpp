// `partir dims`: lists the dimensions that are sharded alike, their conflicts, and the decisions that remain.
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/json_text.h"
#include "search/classes.h"
#include "search/patterns.h"
#include "support/file.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"

namespace partir {
namespace {

/// Formats the dimension analysis of a session without tactics.
class DimensionReport {
 public:
  explicit DimensionReport(const Session& session)
      : session_(session), dimensions_(session.state()), classes_(session.state(), dimensions_) {}

  [[nodiscard]] std::string text() const {
    const auto& groups = dimensions_.groups();
    std::size_t reaching = 0;
    for (const DimensionGroup& g : groups) reaching += g.arguments.empty() ? 0 : 1;
    std::string out =
        fmt::format("{}: {} operations, {} dimensions of values in {} groups; {} reach arguments, in {} classes{}\n",
                    session_.name(), session_.operations(), dimensions_.dimensions(), groups.size(), reaching,
                    classes_.reaching_arguments(), likeness_text());
    for (std::size_t c = 0; c < classes_.reaching_arguments(); ++c) out += class_text(c);
    const std::size_t inside = classes_.classes().size() - classes_.reaching_arguments();
    if (inside != 0) out += fmt::format("  {} more classes are of internal values alone\n", inside);
    out += fmt::format("{} conflicts in {} resolution sets of {} classes\n", dimensions_.conflicts().size(),
                       dimensions_.sets().size(), classes_.resolutions().size());
    for (std::size_t r = 0; r < classes_.resolutions().size(); ++r) out += resolution_text(r);
    out += fmt::format("{} decisions: {} classes of dimensions and {} of resolutions\n", decisions(),
                       classes_.reaching_arguments(), choices());
    return out;
  }

  [[nodiscard]] Json json() const {
    Json groups = Json::array();
    for (std::size_t g = 0; g < dimensions_.groups().size(); ++g) {
      const DimensionGroup& group = dimensions_.groups()[g];
      groups.push_back({{"group", g},
                        {"class", classes_.class_of(GroupId(g)).index()},
                        {"divisor", group.divisor},
                        {"occurrences", group.occurrences},
                        {"arguments", places_json(group.arguments, session_.names().arguments)},
                        {"results", places_json(group.results, session_.names().results)}});
    }
    Json classes = Json::array();
    for (std::size_t c = 0; c < classes_.classes().size(); ++c) {
      const DimensionClass& one = classes_.classes()[c];
      classes.push_back({{"class", c},
                         {"groups", one.groups.size()},
                         {"divisor", one.divisor},
                         {"argument_bytes", one.argument_bytes},
                         {"arguments", argument_patterns(one)}});
    }
    Json conflicts = Json::array();
    for (const DimensionConflict& c : dimensions_.conflicts()) {
      conflicts.push_back({{"value", value_text(c.value)},
                           {"line", line_of(c.value)},
                           {"type", session_.state().function().type(c.value).str()},
                           {"dimensions", {c.first, c.second}},
                           {"group", c.group.index()},
                           {"set", c.set.index()}});
    }
    Json resolutions = Json::array();
    for (const ResolutionClass& r : classes_.resolutions()) {
      Json sets = Json::array();
      for (const ResolutionId s : r.sets) sets.push_back(s.index());
      resolutions.push_back(
          {{"sets", std::move(sets)}, {"symmetric", dimensions_.sets()[r.sets[0].index()].symmetric}});
    }
    return {{"program", session_.name()},
            {"operations", session_.operations()},
            {"dimensions", dimensions_.dimensions()},
            {"decisions", decisions()},
            {"groups", std::move(groups)},
            {"classes", std::move(classes)},
            {"classes_reaching_arguments", classes_.reaching_arguments()},
            {"conflicts", std::move(conflicts)},
            {"resolution_sets", dimensions_.sets().size()},
            {"resolutions", std::move(resolutions)}};
  }

 private:
  [[nodiscard]] std::string likeness_text() const {
    switch (classes_.likeness()) {
      case Likeness::itself: return "";
      case Likeness::sizes: return " of equal operations and sizes";
      case Likeness::operations: return " of equal operations, whatever their sizes";
      case Likeness::arguments: return " of equal places in arguments";
    }
    return "";
  }

  [[nodiscard]] std::size_t choices() const {
    return static_cast<std::size_t>(
        std::count_if(classes_.resolutions().begin(), classes_.resolutions().end(),
                      [&](const ResolutionClass& r) { return !dimensions_.sets()[r.sets[0].index()].symmetric; }));
  }
  [[nodiscard]] std::size_t decisions() const { return classes_.reaching_arguments() + choices(); }

  [[nodiscard]] std::vector<std::string> argument_patterns(const DimensionClass& c) const {
    std::vector<std::string> out;
    for (const GroupId g : c.groups) {
      for (const auto& [argument, dim] : dimensions_.group(g).arguments) {
        std::string place = fmt::format("{}:{}", generalized(session_.names().arguments[argument]), dim);
        if (std::find(out.begin(), out.end(), place) == out.end()) out.push_back(std::move(place));
      }
    }
    return out;
  }

  [[nodiscard]] std::string class_text(std::size_t c) const {
    const DimensionClass& one = classes_.classes()[c];
    std::vector<std::string> patterns = argument_patterns(one);
    const std::size_t shown = std::min<std::size_t>(patterns.size(), 6);
    const std::size_t more = patterns.size() - shown;
    patterns.resize(shown);
    return fmt::format("  class {:<3} {:>4} group{}  size {}{:<7} {:>9.3f} GB of arguments  {}{}\n", c,
                       one.groups.size(), one.groups.size() == 1 ? " " : "s", one.groups.size() == 1 ? "" : "k*",
                       one.divisor, one.argument_bytes / 1e9, fmt::join(patterns, " "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }

  [[nodiscard]] std::string resolution_text(std::size_t r) const {
    const ResolutionClass& one = classes_.resolutions()[r];
    const ResolutionSet& set = dimensions_.sets()[one.sets[0].index()];
    std::size_t conflicts = 0;
    for (const ResolutionId s : one.sets) conflicts += dimensions_.sets()[s.index()].conflicts.size();
    const DimensionConflict& first = dimensions_.conflicts()[set.conflicts[0]];
    return fmt::format(
        "  resolutions {:<3} {} set{}, {} conflicts; the first: {}, {}, dimension {} or {} (class {}){}\n", r,
        one.sets.size(), one.sets.size() == 1 ? "" : "s", conflicts, value_text(first.value),
        session_.state().function().type(first.value).str(), first.first, first.second,
        classes_.class_of(set.group).index(), set.symmetric ? "; symmetric, so that nothing is to choose" : "");
  }

  [[nodiscard]] std::uint32_t line_of(ValueId v) const {
    const auto site = session_.state().defining_site(v);
    return site ? session_.state().op(*site).place.line : 0;
  }

  [[nodiscard]] std::string value_text(ValueId v) const {
    const State& state = session_.state();
    if (const auto argument = state.argument_number(v)) return "argument " + session_.names().arguments[*argument];
    const auto site = state.defining_site(v);
    return site ? fmt::format("line {}: {}", state.op(*site).place.line, state.op(*site).name()) : "an internal value";
  }

  static Json places_json(const std::vector<std::pair<std::size_t, Dim>>& places,
                          const std::vector<std::string>& names) {
    Json out = Json::array();
    for (const auto& [number, dim] : places) out.push_back({{"name", names[number]}, {"dim", dim}});
    return out;
  }

  const Session& session_;
  Dimensions dimensions_;
  DimensionClasses classes_;
};

}  // namespace

Result<ExitStatus> dims_command(const DimsArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads_program(a.program, a.names);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  auto program = read_program(a.program, a.names);
  if (!program) return tl::unexpected(program.error());
  const auto session = Session::open(*program, Mesh());
  if (!session) return tl::unexpected(session.error());
  const DimensionReport report(*session);
  fmt::print(files.people(), "{}", report.text());
  if (!json.empty()) {
    if (auto ok = write_file(json, report.json().dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return ExitStatus::done;
}

}  // namespace partir
