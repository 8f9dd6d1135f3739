// `partir registry`: lists every entry of the tile-mapping registry with its verdict.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/op_decl.h"
#include "support/file.h"
#include "support/near.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "verify/prove/cross_check_tally.h"
#include "verify/prove/registry.h"

namespace partir {

Result<ExitStatus> registry_command(const RegistryArguments& a, const std::string& json) {
  CommandFiles files;
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  FILE* people = files.people();
  const auto z3 = a.both ? std::make_unique<prove::SecondAnswerer>() : nullptr;
  prove::CrossCheckTally tally;
  const prove::RegistryTable table = prove::registry(a.operation, a.derive, {z3.get(), a.replay});
  if (table.rows.empty() && table.without.empty() && table.whole.empty()) {
    std::vector<std::string> known;
    for (const OpDecl* d : all_decls()) known.push_back(d->name.substr(d->name.find('.') + 1));
    return wrong_usage("the operation " + a.operation, meant(a.operation, known, "one with entries, as dot_general"));
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string last;
  std::map<Verdict, std::size_t> counts;
  std::size_t more = 0;
  auto status = ExitStatus::done;
  for (const prove::RegistryRow& row : table.rows) {
    const std::string head = row.operation + " " + row.pattern;
    if (head != last) fmt::print(people, "{}\n", head);
    last = head;
    if (row.declared) {
      ++counts[row.decision.verdict];
      status = either(status, exit_status_of(row.decision.verdict));
    } else {
      ++more;
    }
    fmt::print(people, "  {}  {}{}{}\n", row.text(), name_of(row.decision.verdict),
               row.declared ? "" : ", not declared", row.decision.reason.empty() ? "" : ": " + row.decision.reason);
    tally.add(row.decision);
    if (!row.decision.defect.empty()) {
      status = ExitStatus::defect;
      fmt::print(people, "    a defect of ours: {}\n", row.decision.defect);
    }
    if (row.decision.counterexample) fmt::print(people, "    {}\n", row.decision.counterexample->text());
    list.push_back({{"operation", row.operation},
                    {"pattern", row.pattern},
                    {"entry", row.text()},
                    {"declared", row.declared},
                    {"verdict", name_of(row.decision.verdict)},
                    {"scope", row.decision.scope},
                    {"reason", row.decision.reason}});
  }
  fmt::print(people, "{} entries proved, {} refuted, {} unknown{}\n", counts[Verdict::proved], counts[Verdict::refuted],
             counts[Verdict::unknown], a.derive ? fmt::format("; {} more hold that are not declared", more) : "");
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
  return status;
}

}  // namespace partir
