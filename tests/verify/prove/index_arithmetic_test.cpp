// Property test of the prover's index arithmetic on random terms. Quotients, minima, maxima, signs and substitutions
// are recorded step by step, and the replayer must find equal values on both sides of each step.
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
    Factor read;  // an integer read from an array may have any value
    read.indices = {pool_[0]};
    pool_.push_back(c_.value(std::make_shared<Expr>(factor(read))));
    c_.recorder = &recorder_;
  }

  /// Derives one more term from those in the pool. Steps that the context records on its own are recorded here again,
  /// in case it fails to record one.
  void step() {
    using replay::Rule;
    const Poly p = some_sum();
    const Poly q = some_sum();
    const auto both = [&] { return std::vector{recorder_.term(p), recorder_.term(q)}; };
    switch (pick(0, 7)) {
      case 0:
      case 1: {
        const Poly divisor = some_divisor();
        is(Rule::quotient, recorder_.quotient(p, divisor), c_.div(p, divisor));
        break;
      }
      case 2: is(Rule::lesser, recorder_.join(Monoid::min, ElementType::index, both()), c_.min(p, q)); break;
      case 3: is(Rule::greater, recorder_.join(Monoid::max, ElementType::index, both()), c_.max(p, q)); break;
      case 4: sign(p); break;
      case 5: {  // near the remainder, whose sign is known
        const Poly divisor = some_divisor();
        const Poly rest = p - divisor * c_.div(p, divisor);
        sign(pick(0, 2) == 0 ? rest - pick<std::int64_t>(0, 3) : divisor - rest - pick<std::int64_t>(0, 3));
        break;
      }
      default: {
        const AtomId r = ranges_[pick<std::size_t>(0, ranges_.size())];
        const Substitution s{{r, q}};
        const auto elsewhere = recorder_.with(recorder_.term(p), s);
        recorder_.step(Rule::substitution, elsewhere, recorder_.term(c_.substitute(p, s)));
        if (!c_.contains(p, r)) recorder_.step(Rule::substitution, elsewhere, recorder_.term(p));
      }
    }
  }

  [[nodiscard]] replay::Replay replayed() {
    c_.recorder = nullptr;
    const replay::TermId one = recorder_.proof.terms.number(1, ElementType::index);
    recorder_.proof.ends.push_back({one, one, 0, {}});
    std::vector<replay::Trial> trials(8);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      trials[t].instance.arrays = {ElementType::i32};
      trials[t].instance.seed = pick<std::uint64_t>(0, 1000);
      for (const char* name : {"n", "M", "N"}) trials[t].instance.sizes[name] = pick<std::int64_t>(1, 5);
    }
    return replay::replay(recorder_.proof, trials);
  }

 private:
  void sign(const Poly& p) {
    if (c_.non_negative(p))
      recorder_.step(replay::Rule::sign, recorder_.at_least_zero(p),
                     recorder_.proof.terms.number(1, ElementType::index));
  }

  void is(replay::Rule rule, replay::TermId before, const Poly& after) {
    recorder_.step(rule, before, recorder_.term(after));
    pool_.push_back(after);
  }

  Poly some_sum() const {
    if (pick(0, 4) == 0) return pool_[pick<std::size_t>(0, pool_.size())];
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
