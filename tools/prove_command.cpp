#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "tools/commands.h"
#include "tools/counterexample_json.h"
#include "verify/prove/prove.h"

namespace partir {
namespace {
using Json = nlohmann::ordered_json;
}  // namespace

Result<int> prove_command(const ProveArguments& a, const std::string& json) {
  if (!json.empty()) {
    if (auto ok = check_writable(json); !ok) return tl::unexpected(ok.error());
  }
  FILE* people = json == "-" ? stderr : stdout;
  Json list = Json::array();
  bool surprised = false;
  bool refuted = false;
  bool unknown = false;
  std::map<std::string, std::size_t> counts;
  for (const std::string& file : a.files) {
    const auto text = read_file(file);
    if (!text) return tl::unexpected(text.error());
    const auto claims = prove::read_claims(*text, file);
    if (!claims) return tl::unexpected(claims.error());
    for (const prove::Claim& claim : *claims) {
      const auto start = std::chrono::steady_clock::now();
      const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      };
      auto verdict = prove::decide(claim, [&] { return seconds() > a.timeout; });
      if (!verdict) {
        verdict.error().file = file;
        return tl::unexpected(verdict.error());
      }
      const double milliseconds = 1e3 * seconds();
      const std::string answer(name_of(verdict->answer));
      ++counts[answer];
      const bool wrong = claim.expected && *claim.expected != answer;
      surprised = surprised || wrong;
      if (!claim.expected) {
        refuted = refuted || verdict->answer == prove::Answer::refuted;
        unknown = unknown || verdict->answer == prove::Answer::unknown;
      }
      fmt::print(people, "@{}: {}{}{} ({:.1f} ms){}\n", claim.name, answer,
                 verdict->scope.empty() ? "" : ", " + verdict->scope,
                 verdict->reason.empty() ? "" : ": " + verdict->reason, milliseconds,
                 wrong ? fmt::format(" — EXPECTED {}", *claim.expected) : "");
      if (verdict->counterexample && !claim.expected) fmt::print(people, "  {}\n", verdict->counterexample->text());
      list.push_back({{"name", claim.name},
                      {"verdict", answer},
                      {"scope", verdict->scope},
                      {"reason", verdict->reason},
                      {"milliseconds", milliseconds},
                      {"counterexample", verdict->counterexample ? to_json(*verdict->counterexample) : Json()}});
    }
  }
  std::string summary;
  for (const auto& [answer, count] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, answer);
  fmt::print(people, "{}\n", summary.empty() ? "no claims" : summary);
  if (!json.empty()) {
    if (auto ok = write_file(json, list.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return surprised || refuted ? 1 : unknown ? 3 : 0;
}

}  // namespace partir
