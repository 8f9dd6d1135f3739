// `partir prove`: decides the claims of .tmr files, or lists the laws of the prover.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "tools/clock.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/counterexample_json.h"
#include "verify/prove/cross_check_tally.h"
#include "verify/prove/laws.h"
#include "verify/prove/prove.h"

namespace partir {
namespace {
using Json = nlohmann::ordered_json;

std::string types_text(unsigned kinds) {
  std::string out;
  const auto name = [&](unsigned kind, const char* text) {
    if ((kinds & kind) != 0) out += (out.empty() ? "" : ", ") + std::string(text);
  };
  name(prove::types::kIntegers, "integers");
  name(prove::types::kBooleans, "booleans");
  name(prove::types::kFloats, "floats");
  name(prove::types::kComplex, "complex");
  return out.empty() ? "none" : out;
}

/// Lists the laws that proofs may use.
Result<int> list_laws(const CommandFiles& files, const std::string& json) {
  FILE* people = files.people();
  Json list = Json::array();
  for (std::size_t k = 0; k <= static_cast<std::size_t>(prove::kLastLaw); ++k) {
    const prove::LawRow& row = prove::row_of(static_cast<prove::Law>(k));
    fmt::print(people, "{}: {} = {}\n  of {}; bit by bit of {}; needs {}\n", row.name, row.left, row.right,
               types_text(row.types), types_text(row.exactly), fmt::join(row.premises, ", "));
    list.push_back({{"name", row.name},
                    {"left", row.left},
                    {"right", row.right},
                    {"types", types_text(row.types)},
                    {"bit_exact", types_text(row.exactly)},
                    {"premises", row.premises}});
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, list.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return 0;
}

}  // namespace

Result<int> prove_command(const ProveArguments& a, const std::string& json) {
  CommandFiles files;
  for (const std::string& path : a.files) files.reads(path);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  if (a.laws) return list_laws(files, json);
  if (a.files.empty())
    return tl::unexpected(Diagnostic{"usage", "", {}, "no file of claims", "partir prove FILE.tmr, or --laws"});
  FILE* people = files.people();
  Json list = Json::array();
  bool surprised = false;
  bool defective = false;
  bool refuted = false;
  bool unknown = false;
  std::map<std::string, std::size_t> counts;
  const auto z3 = a.both ? std::make_unique<prove::SecondAnswerer>() : nullptr;
  prove::CrossCheckTally tally;
  for (const std::string& file : a.files) {
    const auto text = read_file(file);
    if (!text) return tl::unexpected(text.error());
    const auto claims = prove::read_claims(*text, file);
    if (!claims) return tl::unexpected(claims.error());
    for (const prove::Claim& claim : *claims) {
      const double start = seconds_now();
      const auto seconds = [&] { return seconds_now() - start; };
      auto verdict = prove::decide(claim, [&] { return seconds() > a.timeout; }, {z3.get(), a.replay, a.both});
      if (!verdict) {
        verdict.error().file = file;
        return tl::unexpected(verdict.error());
      }
      const double milliseconds = 1e3 * seconds();
      // An internal defect in one claim does not affect the verdicts of the others.
      const bool defect = !verdict->defect.empty();
      defective = defective || defect;
      const std::string answer = defect ? "defect" : std::string(name_of(verdict->answer));
      if (defect) verdict->reason = verdict->defect + "; please report this with the file";
      ++counts[answer];
      const bool wrong = claim.expected && *claim.expected != answer;
      surprised = surprised || wrong;
      if (!claim.expected) {
        refuted = refuted || verdict->answer == prove::Answer::refuted;
        unknown = unknown || verdict->answer == prove::Answer::unknown;
      }
      tally.add(*verdict);
      std::string second;
      if (verdict->second) {
        second = fmt::format("; Z3 confirms {} of {} obligations", verdict->second->confirmed,
                             verdict->second->confirmed + verdict->second->open);
      }
      if (verdict->instances) {
        second += fmt::format(", {} of {} small instances", verdict->instances->equal,
                              verdict->instances->equal + verdict->instances->open);
        if (verdict->instances->open != 0) second += " (" + verdict->instances->why_open + ")";
      }
      if (verdict->replayed) {
        second += fmt::format("; {} steps replayed", verdict->replayed->steps);
      }
      fmt::print(people, "@{}: {}{}{}{} ({:.1f} ms){}\n", claim.name, answer,
                 verdict->scope.empty() ? "" : ", " + verdict->scope,
                 verdict->reason.empty() ? "" : ": " + verdict->reason, second, milliseconds,
                 wrong ? fmt::format(" — EXPECTED {}", *claim.expected) : "");
      if (verdict->counterexample && !claim.expected) fmt::print(people, "  {}\n", verdict->counterexample->text());
      Json row = {{"name", claim.name},
                  {"verdict", defect ? "unknown" : answer},
                  {"scope", verdict->scope},
                  {"reason", verdict->reason},
                  {"milliseconds", milliseconds},
                  {"counterexample", verdict->counterexample ? to_json(*verdict->counterexample) : Json()}};
      if (defect) row["defect"] = verdict->defect;
      if (verdict->second) row["z3"] = {{"confirmed", verdict->second->confirmed}, {"open", verdict->second->open}};
      if (verdict->instances)
        row["instances"] = {{"equal", verdict->instances->equal},
                            {"open", verdict->instances->open},
                            {"why_open", verdict->instances->why_open}};
      if (verdict->replayed)
        row["replay"] = {{"steps", verdict->replayed->steps},
                         {"silent", verdict->replayed->silent},
                         {"compared", verdict->replayed->compared}};
      list.push_back(std::move(row));
    }
  }
  std::string summary;
  for (const auto& [answer, count] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, answer);
  fmt::print(people, "{}\n", summary.empty() ? "no claims" : summary);
  fmt::print(people, "{}", tally.text());
  if (!json.empty()) {
    if (auto ok = write_file(json, list.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return defective ? 70 : surprised || refuted ? 1 : unknown ? 3 : 0;
}

}  // namespace partir
