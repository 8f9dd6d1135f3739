// Index arithmetic on random terms: what the prover makes of quotients, minima, maxima, signs and substitutions is
// noted step by step, and the replayer finds the same numbers on both sides of each.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/lowering/random_types.h"  // pick
#include "verify/prove/record.h"
#include "verify/replay/replay.h"

namespace partir::prove {
namespace {

class Terms {
 public:
  Terms() : recorder_(c_) {
    for (const char* name : {"n", "M", "N"}) sizes_.push_back(Poly::atom(c_.size(name)));
    const Poly& n = sizes_[0];
    const Poly& m = sizes_[1];
    for (const Poly& extent : {n, m, Poly(3), n * m, m + 2, Poly(2) * sizes_[2]}) {
      ranges_.push_back(c_.range(extent));
      pool_.push_back(Poly::atom(ranges_.back()));
    }
    c_.recorder = &recorder_;
  }

  /// One more term, from those that are there.
  void step() {
    const Poly p = some_sum();
    switch (pick(0, 6)) {
      case 0:
      case 1: pool_.push_back(c_.div(p, some_divisor())); break;
      case 2: pool_.push_back(c_.min(p, some_sum())); break;
      case 3: pool_.push_back(c_.max(p, some_sum())); break;
      case 4: c_.non_negative(p); break;
      default: {
        const AtomId r = ranges_[pick<std::size_t>(0, ranges_.size())];
        const Substitution s{{r, some_sum()}};
        const Poly out = c_.substitute(p, s);
        recorder_.step(replay::Rule::substitution, recorder_.with(recorder_.term(p), s), recorder_.term(out));
      }
    }
  }

  [[nodiscard]] replay::Replay replayed() {
    c_.recorder = nullptr;
    const replay::TermId one = recorder_.proof.terms.number(1);
    recorder_.proof.ends.push_back({one, one, 0, {}});
    std::vector<replay::Trial> trials(8);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      trials[t].instance.seed = pick<std::uint64_t>(0, 1000);
      for (const char* name : {"n", "M", "N"}) trials[t].instance.sizes[name] = pick<std::int64_t>(1, 5);
    }
    return replay::replay(recorder_.proof, trials);
  }

 private:
  Poly some_sum() const {
    Poly out(pick<std::int64_t>(-3, 4));
    for (int k = pick(1, 4); k > 0; --k) {
      Poly term = pool_[pick<std::size_t>(0, pool_.size())];
      if (pick(0, 3) == 0) term = term * sizes_[pick<std::size_t>(0, sizes_.size())];
      out = out + Poly(pick<std::int64_t>(-2, 4)) * term;
    }
    return out;
  }
  Poly some_divisor() const {
    const auto k = pick<std::size_t>(0, sizes_.size());
    switch (pick(0, 4)) {
      case 0: return sizes_[k];
      case 1: return Poly(2) * sizes_[k];
      case 2: return sizes_[k] * sizes_[pick<std::size_t>(0, sizes_.size())];
      default: return pick<std::int64_t>(1, 5);
    }
  }

  Context c_;
  Recorder recorder_;
  std::vector<Poly> sizes_;
  std::vector<AtomId> ranges_;
  std::vector<Poly> pool_;
};

TEST(IndexArithmetic, KeepsTheNumberInEachStep) {
  std::size_t steps = 0;
  EXPECT_TRUE(rc::check("steps on indices", [&] {
    Terms terms;
    for (int k = pick(1, 12); k > 0; --k) terms.step();
    const replay::Replay got = terms.replayed();
    RC_LOG() << got.defect << "\n";
    RC_ASSERT(got.defect.empty());
    steps += got.steps - got.silent;
  }));
  EXPECT_GT(steps, 200U);
}

}  // namespace
}  // namespace partir::prove
