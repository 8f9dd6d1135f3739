// `partir prove`: decides the claims of .tmr files, or lists the laws of the prover.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "rewrite/json_text.h"
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
Result<ExitStatus> list_laws(const CommandFiles& files, const std::string& json) {
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
  return ExitStatus::done;
}

}  // namespace

Result<ExitStatus> prove_command(const ProveArguments& a, const std::string& json) {
  CommandFiles files;
  for (const std::string& path : a.files) files.reads(path);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  if (a.laws) return list_laws(files, json);
  if (a.files.empty()) return wrong_usage("no file of claims", "partir prove FILE.tmr, or --laws");
  FILE* people = files.people();
  Json list = Json::array();
  auto status = ExitStatus::done;
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
      auto decision = prove::decide(claim, [&] { return seconds() > a.timeout; }, {z3.get(), a.replay, a.both});
      if (!decision) {
        decision.error().file = file;
        return tl::unexpected(decision.error());
      }
      const double milliseconds = 1e3 * seconds();
      // An internal defect in one claim does not affect the verdicts of the others.
      const bool defect = !decision->defect.empty();
      if (defect) status = ExitStatus::defect;
      const std::string answer = defect ? "defect" : std::string(name_of(decision->verdict));
      if (defect) decision->reason = decision->defect + "; please report this with the file";
      ++counts[answer];
      const bool wrong = claim.expected && *claim.expected != answer;
      if (wrong) status = either(status, ExitStatus::refuted);
      if (!claim.expected) status = either(status, exit_status_of(decision->verdict));
      tally.add(*decision);
      std::string second;
      if (decision->second) {
        second = fmt::format("; Z3 confirms {} of {} obligations", decision->second->confirmed,
                             decision->second->confirmed + decision->second->open);
      }
      if (decision->instances) {
        second += fmt::format(", {} of {} small instances", decision->instances->equal,
                              decision->instances->equal + decision->instances->open);
        if (decision->instances->open != 0) second += " (" + decision->instances->why_open + ")";
      }
      if (decision->replayed) {
        second += fmt::format("; {} steps replayed", decision->replayed->steps);
      }
      fmt::print(people, "@{}: {}{}{}{} ({:.1f} ms){}\n", claim.name, answer,
                 decision->scope.empty() ? "" : ", " + decision->scope,
                 decision->reason.empty() ? "" : ": " + decision->reason, second, milliseconds,
                 wrong ? fmt::format(" — EXPECTED {}", *claim.expected) : "");
      if (decision->counterexample && !claim.expected) fmt::print(people, "  {}\n", decision->counterexample->text());
      Json row = {{"name", claim.name},
                  {"verdict", defect ? "unknown" : answer},
                  {"scope", decision->scope},
                  {"reason", decision->reason},
                  {"milliseconds", milliseconds},
                  {"counterexample", decision->counterexample ? to_json(*decision->counterexample) : Json()}};
      if (defect) row["defect"] = decision->defect;
      if (decision->second) row["z3"] = {{"confirmed", decision->second->confirmed}, {"open", decision->second->open}};
      if (decision->instances)
        row["instances"] = {{"equal", decision->instances->equal},
                            {"open", decision->instances->open},
                            {"why_open", decision->instances->why_open}};
      if (decision->replayed)
        row["replay"] = {{"steps", decision->replayed->steps},
                         {"silent", decision->replayed->silent},
                         {"compared", decision->replayed->compared}};
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
  return status;
}

}  // namespace partir
