// `partir registry`: lists every entry of the tile-mapping registry with its verdict.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "verify/prove/cross_check_tally.h"
#include "verify/prove/registry.h"

namespace partir {

Result<int> registry_command(const RegistryArguments& a, const std::string& json) {
  using prove::Answer;
  CommandFiles files;
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  FILE* people = files.people();
  const auto z3 = a.both ? std::make_unique<prove::SecondAnswerer>() : nullptr;
  prove::CrossCheckTally tally;
  const prove::RegistryTable table = prove::registry(a.operation, a.derive, {z3.get(), a.replay});
  if (table.rows.empty() && table.without.empty() && table.whole.empty()) {
    return tl::unexpected(
        Diagnostic{"usage", "partir", {}, "the operation " + a.operation, "one with entries, as dot_general"});
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string last;
  std::size_t counts[3] = {0, 0, 0};
  std::size_t more = 0;
  std::size_t defects = 0;
  for (const prove::RegistryRow& row : table.rows) {
    const std::string head = row.operation + " " + row.pattern;
    if (head != last) fmt::print(people, "{}\n", head);
    last = head;
    if (row.declared) {
      ++counts[static_cast<std::size_t>(row.verdict.answer)];
    } else {
      ++more;
    }
    fmt::print(people, "  {}  {}{}{}\n", row.text(), name_of(row.verdict.answer), row.declared ? "" : ", not declared",
               row.verdict.reason.empty() ? "" : ": " + row.verdict.reason);
    tally.add(row.verdict);
    if (!row.verdict.defect.empty()) {
      ++defects;
      fmt::print(people, "    a defect of ours: {}\n", row.verdict.defect);
    }
    if (row.verdict.counterexample) fmt::print(people, "    {}\n", row.verdict.counterexample->text());
    list.push_back({{"operation", row.operation},
                    {"pattern", row.pattern},
                    {"entry", row.text()},
                    {"declared", row.declared},
                    {"verdict", name_of(row.verdict.answer)},
                    {"scope", row.verdict.scope},
                    {"reason", row.verdict.reason}});
  }
  fmt::print(people, "{} entries proved, {} refuted, {} unknown{}\n", counts[0], counts[1], counts[2],
             a.derive ? fmt::format("; {} more hold that are not declared", more) : "");
  fmt::print(people, "{}", tally.text());
  if (!table.derived_by_one_monoid.empty())
    fmt::print(people, "derived with one monoid at a time: {}\n", fmt::join(table.derived_by_one_monoid, "; "));
  if (!table.not_derived.empty())
    fmt::print(people, "too many candidates to derive from: {}\n", fmt::join(table.not_derived, "; "));
  if (!table.whole.empty()) fmt::print(people, "no entries, never tiled: {}\n", fmt::join(table.whole, ", "));
  if (!table.without.empty()) {
    fmt::print(people, "no pattern yet for {} operations: {}\n", table.without.size(), fmt::join(table.without, ", "));
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, list.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return defects != 0 ? 70 : counts[1] != 0 ? 1 : counts[2] != 0 ? 3 : 0;
}

}  // namespace partir
