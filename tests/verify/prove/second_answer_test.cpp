// The cross-check by Z3 must be able to disagree: it confirms true obligations and returns counterexamples for false
// ones.
#include "verify/prove/second_answer.h"

#include <gtest/gtest.h>

#include "verify/prove/expr.h"

namespace partir::prove {
namespace {

using Kind = Obligation::Kind;

class SecondAnswer : public ::testing::Test {
 protected:
  Poly size(const char* name) { return Poly::atom(c_.size(name)); }
  Poly below(const Poly& extent) { return Poly::atom(c_.range(extent)); }
  SecondAnswers ask(Kind kind, const Poly& a, const Poly& b = {}, const Poly& q = {}) {
    return z3_.ask({{kind, a, b, q}}, c_);
  }
  void expect_confirmed(const SecondAnswers& got) {
    EXPECT_EQ(got.confirmed, 1U) << got.disagreement;
    EXPECT_EQ(got.disagreement, "");
  }
  void expect_disagreement(const SecondAnswers& got) {
    EXPECT_EQ(got.confirmed, 0U);
    EXPECT_NE(got.disagreement.find(" fails at"), std::string::npos) << got.disagreement;
  }

  Context c_;
  SecondAnswerer z3_;
};

TEST_F(SecondAnswer, ConfirmsTheChunkLemma) {
  const Poly n = size("n");
  const Poly chunk = size("c");
  const Poly index = below(n) * chunk + below(chunk);
  expect_confirmed(ask(Kind::non_negative, index));
  expect_confirmed(ask(Kind::non_negative, n * chunk - 1 - index));
}

TEST_F(SecondAnswer, ConfirmsQuotientsAndRefusesWrongOnes) {
  const Poly n = size("n");
  const Poly chunk = size("c");
  const Poly r = below(n);
  const Poly l = below(chunk);
  expect_confirmed(ask(Kind::quotient, r * chunk + l, chunk, r));
  expect_disagreement(ask(Kind::quotient, r * chunk + l, chunk, l));
  expect_disagreement(ask(Kind::quotient, r * chunk + l + 1, chunk, r));
}

TEST_F(SecondAnswer, KnowsDivisionsMinimaAndMaxima) {
  const Poly m = size("M");
  const Poly i = below(m);
  const Poly half = c_.div(i, 2);
  expect_confirmed(ask(Kind::non_negative, i - half - half));
  expect_disagreement(ask(Kind::non_negative, half + half - i));
  expect_confirmed(ask(Kind::non_negative, half + half + 1 - i));
  const Poly least = c_.min(i, 3);
  expect_confirmed(ask(Kind::non_negative, Poly(3) - least));
  expect_disagreement(ask(Kind::non_negative, least - 3));
  const Poly most = c_.max(i, 3);
  expect_confirmed(ask(Kind::non_negative, most - 3));
  expect_disagreement(ask(Kind::equal, most, i));
}

TEST_F(SecondAnswer, SizesAreAtLeastOneAndRangesMayBeAnything) {
  const Poly m = size("M");
  expect_confirmed(ask(Kind::non_negative, m - 1));
  expect_disagreement(ask(Kind::non_negative, m - 2));
  expect_disagreement(ask(Kind::non_negative, below(m) - 1));
  expect_confirmed(ask(Kind::equal, m + m, m * 2));
}

TEST_F(SecondAnswer, WhatTheNormaliserDerivesIsNoted) {
  std::vector<Obligation> noted;
  c_.obligations = &noted;
  const Poly n = size("n");
  const Poly chunk = size("c");
  const Poly r = below(n);
  EXPECT_EQ(c_.div(r * chunk + below(chunk), chunk), r);
  ASSERT_FALSE(noted.empty());
  c_.obligations = nullptr;
  const SecondAnswers got = z3_.ask(noted, c_);
  EXPECT_EQ(got.confirmed, noted.size());
}

}  // namespace
}  // namespace partir::prove
