// `partir rules`: judges the sdy.sharding_rule of each operation of a module, factor by factor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "rewrite/json_text.h"
#include "support/file.h"
#include "tools/clock.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/counterexample_json.h"
#include "tools/inputs.h"
#include "verify/rules/judge.h"

namespace partir {
namespace {

void print(FILE* people, const rules::FactorRow& row) {
  fmt::print(people, "{} {} {}: {}{}{}, {} operation{}\n", row.operation, row.rule, row.factor, name_of(row.verdict),
             row.scope.empty() ? "" : ", " + row.scope, row.reason.empty() ? "" : ": " + row.reason, row.count,
             row.count == 1 ? "" : "s");
  if (!row.entry.empty()) fmt::print(people, "  read as {}\n", row.entry);
  if (!row.left.empty()) fmt::print(people, "  left to the lowering: {}\n", fmt::join(row.left, "; "));
  if (row.counterexample) fmt::print(people, "  {}\n  in the claim\n{}", row.counterexample->text(), row.claim);
}

}  // namespace

Result<ExitStatus> rules_command(const RulesArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads(a.program);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  FILE* people = files.people();
  const auto module = module_in(a.program);
  if (!module) return tl::unexpected(module.error());
  const auto start_clock = [&] {
    return [start = seconds_now(), limit = a.timeout] { return seconds_now() - start > limit; };
  };
  auto table = rules::judge_rules(*module, start_clock);
  if (!table) {
    table.error().file = input_name(a.program);
    return tl::unexpected(table.error());
  }
  auto status = ExitStatus::done;
  Json list = Json::array();
  std::map<Verdict, std::pair<std::size_t, std::size_t>> totals;  // numbers of distinct factors, and of all factors
  for (const rules::FactorRow& row : table->rows) {
    print(people, row);
    list.push_back(to_json(row));
    status = either(status, exit_status_of(row.verdict));
    ++totals[row.verdict].first;
    totals[row.verdict].second += row.count;
  }
  fmt::print(people, "{} operations with rules, {} of them without factors; {} claims decided\n", table->operations,
             table->without_factors, table->distinct_claims);
  Json sums = Json::object();
  for (const Verdict verdict : {Verdict::proved, Verdict::refuted, Verdict::unknown, Verdict::skipped}) {
    const auto [distinct, all] = totals[verdict];
    fmt::print(people, "{}: {} factors of {} distinct rules\n", name_of(verdict), all, distinct);
    sums[name_of(verdict)] = {{"distinct", distinct}, {"factors", all}};
  }
  if (!json.empty()) {
    const Json report = {{"operations", table->operations},
                         {"without_factors", table->without_factors},
                         {"claims", table->distinct_claims},
                         {"totals", sums},
                         {"factors", list}};
    if (auto ok = write_file(json, report.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return status;
}

}  // namespace partir
