// Mutation test of the checker of certificates. A partitioned module or a certificate is altered in one place at
// random; what the checker still proves must still compute what the source does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "tests/verify/certificate/alterations.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir::certificate_mutants_test {
namespace {

using namespace testing;

struct Count {
  std::size_t altered = 0;
  std::size_t refused = 0;
  std::size_t unproved = 0;
  std::size_t equal = 0;  ///< proved, and the values agree
};

class Mutants : public ::testing::Test {
 protected:
  /// Counts the verdict; if it is "proved", values must agree with the source's.
  void judge(const std::string& kind, const Subject& s, const Module& partitioned, const Certificate& certificate) {
    Count& count = counts_[kind];
    ++count.altered;
    const auto report = check_certificate(s.source, partitioned, certificate);
    if (report.verdict == Verdict::refuted) {
      ++count.refused;
      EXPECT_FALSE(report.step.empty());
    } else if (report.verdict == Verdict::unknown) {
      ++count.unproved;
    } else {
      const Judgement values = check_values(s.source, partitioned);
      EXPECT_EQ(values.verdict, Verdict::passed)
          << kind << " is proved, yet " << values.reason << "\n"
          << print_module(s.source) << print_module(partitioned) << to_json(certificate);
      ++count.equal;
    }
  }

  void TearDown() override {
    for (const auto& [kind, c] : counts_) {
      fmt::print("{:<18} {:>5} altered: {:>5} refused, {:>3} without a proof, {:>3} proved and equal\n", kind,
                 c.altered, c.refused, c.unproved, c.equal);
      EXPECT_GT(c.refused, 10) << kind;
    }
  }

  std::map<std::string, Count> counts_;
};

TEST_F(Mutants, OfModulesAreRefusedOrEqual) {
  Random random(11);
  for (int i = 0; i < 1000 && !HasFailure(); ++i) {
    const auto s = subject(random);
    if (!s || s->partitioned.functions[0].body.ops.size() < 2) continue;
    for (const auto& [kind, alter] : alterations()) {
      Module mutant = s->partitioned;
      Function& f = mutant.functions[0];
      Block& block = some_block(f, random);
      // In a region, the terminator may be altered as well.
      const std::size_t at = below(random, block.ops.size() - (&block == &f.body ? 1 : 0));
      if (!alter(f, block, at, random)) continue;
      const auto again = read_module(print_module(mutant), "mutant.mlir");
      if (again) judge(kind, *s, *again, s->certificate);
    }
  }
}

TEST_F(Mutants, OfCertificatesAreRefusedOrTrue) {
  Random random(12);
  for (int i = 0; i < 1000 && !HasFailure(); ++i) {
    const auto s = subject(random);
    if (!s || s->certificate.steps.empty()) continue;
    const Mesh mesh = value_or_throw(Mesh::parse(s->certificate.mesh));
    for (const auto& [kind, alter] : certificate_alterations()) {
      Certificate mutant = s->certificate;
      if (alter(mutant, below(random, mutant.steps.size()), mesh, random)) judge(kind, *s, s->partitioned, mutant);
    }
  }
}

}  // namespace
}  // namespace partir::certificate_mutants_test
