// `partir check`: verifies a certificate.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "support/file.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"
#include "verify/certificate/check.h"

namespace partir {

Result<ExitStatus> check_command(const CheckArguments& a, const std::string& json) {
  CommandFiles files;
  for (const auto& path : {a.sequential, a.partitioned, a.certificate}) files.reads(path);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  const auto sequential = module_in(a.sequential);
  if (!sequential) return tl::unexpected(sequential.error());
  const auto partitioned = module_in(a.partitioned);
  if (!partitioned) return tl::unexpected(partitioned.error());
  const auto text = read_file(a.certificate);
  if (!text) return tl::unexpected(text.error());
  const auto certificate = read_certificate(*text, a.certificate);
  if (!certificate) return tl::unexpected(certificate.error());

  const auto z3 = a.both ? std::make_unique<prove::SecondAnswerer>() : nullptr;
  const CertificateReport r = check_certificate(*sequential, *partitioned, *certificate, {z3.get(), a.replay});
  FILE* people = files.people();
  const bool proved = r.verdict == Verdict::proved;
  if (proved) {
    const std::string scope = r.scope();
    fmt::print(people, "proved (all inputs): {} local operations by {} proved entries{}\n", r.local, r.proofs,
               scope.substr(scope.find(';')));
    for (const auto& [law, count] : r.laws) fmt::print(people, "  {:>8} by {}\n", count, law);
  } else {
    fmt::print(people, "{}: {}\n  {}\n", name_of(r.verdict), r.step, r.reason);
    if (r.unknown > 1) fmt::print(people, "  and {} more without a proof\n", r.unknown - 1);
  }
  fmt::print(people, "{}", r.tally.text());
  if (!json.empty()) {
    const nlohmann::ordered_json out = {{"verdict", name_of(r.verdict)},
                                        {"scope", proved ? r.scope() : ""},
                                        {"over_the_reals", proved ? r.over_reals : std::vector<bool>()},
                                        {"step", r.step},
                                        {"reason", r.reason},
                                        {"local_operations", r.local},
                                        {"proofs", r.proofs},
                                        {"laws", r.laws},
                                        {"unknown", r.unknown}};
    if (auto ok = write_file(json, out.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return exit_status_of(r.verdict);
}

}  // namespace partir
