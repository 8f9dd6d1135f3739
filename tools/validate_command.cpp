// `partir validate`: decides without a certificate whether a partitioned module computes its source.
#include <fmt/format.h>

#include "rewrite/json_text.h"
#include "rewrite/names.h"
#include "support/file.h"
#include "tools/clock.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/counterexample_json.h"
#include "tools/inputs.h"
#include "verify/validate/validate.h"

namespace partir {
namespace {

std::string position_text(const std::vector<std::int64_t>& position) {
  std::string out;
  for (const std::int64_t i : position) out += fmt::format("{}{}", out.empty() ? "" : ", ", i);
  return "[" + out + "]";
}

}  // namespace

Result<ExitStatus> validate_command(const ValidateArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads_program(a.source, std::nullopt);
  files.reads(a.partitioned);
  files.reads(a.shardings);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  const double start = seconds_now();
  const auto seconds = [&] { return seconds_now() - start; };
  const auto in_file = [](Diagnostic d, const std::string& file) {
    if (d.file.empty()) d.file = file;
    return tl::unexpected(std::move(d));
  };
  const auto source = module_in(a.source);
  if (!source) return tl::unexpected(source.error());
  const auto partitioned = module_in(a.partitioned);
  if (!partitioned) return tl::unexpected(partitioned.error());
  validate::Options options;
  if (a.shardings) {
    auto text = read_file(*a.shardings);
    if (!text) return tl::unexpected(text.error());
    options.shardings = std::move(*text);
    options.shardings_file = *a.shardings;
  }
  if (a.mesh) {
    auto mesh = Mesh::parse(*a.mesh);
    if (!mesh) return tl::unexpected(mesh.error());
    options.mesh = std::move(*mesh);
  }
  if (a.timeout) options.stop = [&] { return seconds() > *a.timeout; };

  const auto main = source->main();
  if (!main) return in_file(main.error(), a.source);
  const auto beside = names_text(a.source, std::nullopt);
  if (!beside) return tl::unexpected(beside.error());
  auto names = names_of(**main, beside->text, beside->file);
  if (!names && beside->text) names = names_of(**main, std::nullopt, "");  // the JSON file is not a names file
  const auto validation =
      validate::validate_partition(*source, *partitioned, names ? names->results : std::vector<std::string>{}, options);
  if (!validation) return in_file(validation.error(), a.partitioned);

  const validate::Validation& v = *validation;
  FILE* people = files.people();
  fmt::print(people, "{}{}: {}\n", name_of(v.verdict), v.scope.empty() ? "" : " (" + v.scope + ")", v.reason);
  fmt::print(people, "  {} results on {} ({} devices), shardings from {}\n", v.results.size(), v.layouts.mesh.str(),
             v.layouts.devices.count(), v.layouts.from);
  for (const std::string& what : v.layouts.taken_as_replicated)
    fmt::print(people, "  {} is taken as replicated: its sharding does not say where its parts lie\n", what);
  for (const std::string& condition : v.conditions) fmt::print(people, "  where {}\n", condition);
  if (v.counterexample) {
    const auto& c = *v.counterexample;
    if (c.note.empty()) {
      fmt::print(people,
                 "  counterexample: device {} holds {:g} at {} of result {}, the source has {:g}; replayed by both "
                 "interpreters\n",
                 c.device, c.found, position_text(c.position), v.results[c.result].name, c.expected);
    } else {
      fmt::print(people, "  counterexample: {}\n", c.note);
    }
  }
  if (v.at) fmt::print(people, "  at line {}: {}: {}\n", v.at->place.line, v.at->operation, v.at->why);
  if (!json.empty()) {
    Json results = Json::array();
    Json over_reals = Json::array();
    for (const auto& r : v.results) {
      results.push_back({{"name", r.name}, {"verdict", name_of(r.verdict)}});
      if (r.over_reals) over_reals.push_back(r.name);
    }
    const Json out = {
        {"verdict", name_of(v.verdict)},
        {"scope", v.scope},
        {"reason", v.reason},
        {"conditions", v.conditions},
        {"at", v.at ? Json{{"line", v.at->place.line}, {"operation", v.at->operation}, {"why", v.at->why}} : Json()},
        {"counterexample", v.counterexample ? to_json(*v.counterexample, v.results) : Json()},
        {"results", std::move(results)},
        {"over_the_reals", std::move(over_reals)},
        {"mesh", v.layouts.mesh.str()},
        {"shardings", v.layouts.from},
        {"taken_as_replicated", v.layouts.taken_as_replicated},
        {"seconds", seconds()}};
    if (auto ok = write_file(json, out.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return exit_status_of(v.verdict);
}

}  // namespace partir
