// ./run hunt SECONDS [SEED]: generates random claims that are nearly laws, over all types, and attacks whatever the
// prover proves. A claim that falls is written to hunt.tmr, and the exit status is 1.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>

#include "support/check.h"
#include "tests/hunt/attack.h"
#include "tests/hunt/certificates.h"
#include "tests/hunt/entries.h"
#include "tests/hunt/near_laws.h"

namespace partir::hunt {
namespace {

/// Returns a rewrite of a random tree into what one to three near-laws make of it. In a quarter of the rewrites both
/// sides depend on an equality test of an argument (put_behind_a_gate).
std::string some_rewrite(Random& random) {
  while (true) {
    NodePtr source = some_tree(some_type(random), 1 + static_cast<int>(below(random, 3)), false, random);
    NodePtr target = source;
    std::size_t steps = 0;
    for (std::size_t k = 0; k < 12 && steps < 1 + below(random, 3); ++k) {
      if (auto next = nearly_the_same(target, random)) {
        target = *next;
        ++steps;
      }
    }
    if (steps == 0 || nodes_of(target).size() > 40) continue;
    if (below(random, 4) == 0) put_behind_a_gate(source, target, random);
    return rewrite_text("hunted", source, target);
  }
}

int hunt(double seconds, std::uint64_t seed, std::uint64_t most) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Random random(seed);
  std::map<std::string, std::size_t> counts;
  std::size_t claims = 0;
  std::size_t exact = 0;
  std::ofstream file;
  const auto caught = [&](const std::string& text, const std::string& why) {
    if (!file.is_open()) file.open("hunt.tmr");
    std::string comment = "// " + why.substr(0, 400);
    for (auto at = comment.find('\n'); at != std::string::npos; at = comment.find('\n', at + 3))
      comment.replace(at, 1, "\n// ");
    file << comment << "\n// EXPECT: refuted\n" << text << "\n" << std::flush;
    fmt::print("a false proof:\n{}{}\n", text, why);
    ++counts["false"];
  };
  const auto over = [&] { return elapsed() >= seconds || claims >= most; };
  while (!over()) {
    if (claims % 400 == 399) {  // takes as long as a hundred claims
      for (const std::string& wrong : hunted_certificates(random, counts)) caught(wrong, "a certificate");
    }
    const bool entry = below(random, 4) == 0;
    const std::string text = entry ? some_entry(random) : some_rewrite(random);
    ++claims;
    const auto read = prove::read_claims(text, "hunted.tmr");
    if (!read) {
      ++counts["ill-formed"];
      continue;
    }
    const prove::Claim& claim = read->front();
    const double before = elapsed();
    Result<prove::Decision> verdict = prove::Decision{};
    try {
      verdict = prove::decide(claim, [&] { return elapsed() - before > 2; });
    } catch (const DefectError& defect) {
      caught(text, defect.what());
      continue;
    }
    if (!verdict) {
      ++counts["ill-formed"];
      continue;
    }
    if (!verdict->defect.empty()) {
      caught(text, verdict->defect);
      continue;
    }
    ++counts[std::string(name_of(verdict->verdict))];
    if (verdict->verdict != Verdict::proved) continue;
    exact += verdict->reach.arithmetic == prove::Arithmetic::bits ? 1 : 0;
    if (const auto why = attacked(claim, *verdict, random())) caught(text, *why);
  }
  fmt::print("seed {}: {} claims in {:.0f} s:", seed, claims, elapsed());
  for (const auto& [what, count] : counts) fmt::print(" {} {}", count, what);
  fmt::print(" ({} of the proofs bit-exact)\n", exact);
  return counts["false"] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace partir::hunt

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::strtod(argv[1], nullptr) : 60;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::uint64_t most = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : ~std::uint64_t{0};
  return partir::hunt::hunt(seconds, seed, most);
}
