// The replayer must be able to refuse: correct steps pass, and a wrong step of each kind that the prover could make is
// refused with its rule.
#include "verify/replay/replay.h"

#include <gtest/gtest.h>

#include "verify/replay/match.h"

namespace partir::replay {
namespace {

class Replayer : public ::testing::Test {
 protected:
  using Kind = Term::Kind;

  TermId number(std::int64_t v) { return t_.number(v); }
  TermId size(const char* name) { return t_.add({Kind::size, 0, name, {}, {}, {}}); }
  TermId index(std::int64_t name, TermId extent) { return t_.add({Kind::index, name, "", {}, {}, {extent}}); }
  TermId read(std::int64_t array, std::vector<TermId> at) {
    return t_.add({Kind::read, array, "", {}, {}, std::move(at), array == 2 ? ElementType::i1 : ElementType::f32});
  }
  TermId over(Monoid m, std::vector<TermId> bound, TermId body, std::vector<TermId> where = {}) {
    where.insert(where.begin(), body);
    return t_.add({Kind::over, 0, "", m, std::move(bound), std::move(where), t_.at(body).type});
  }
  TermId sum(std::vector<TermId> args) { return t_.join(Monoid::sum, std::move(args)); }
  TermId times(std::vector<TermId> args) { return t_.join(Monoid::prod, std::move(args)); }
  TermId minus(TermId a, TermId b) { return sum({a, times({number(-1), b})}); }
  TermId not_negative(TermId a) { return t_.add({Kind::at_least_zero, 0, "", {}, {}, {a}}); }
  TermId zero(TermId a) { return t_.add({Kind::is_zero, 0, "", {}, {}, {a}}); }
  TermId quotient(TermId a, TermId b) { return t_.add({Kind::quotient, 0, "", {}, {}, {a, b}}); }
  TermId array(std::vector<TermId> bound, TermId body) {
    return t_.add({Kind::array, 0, "", {}, std::move(bound), {body}});
  }

  Replay run(Rule rule, TermId before, TermId after) {
    const End end{number(0), number(0), 0, {}};
    return replay({t_, {Step{rule, before, after}}, {end}}, trials());
  }
  void expect_held(Rule rule, TermId before, TermId after) {
    const Replay got = run(rule, before, after);
    EXPECT_EQ(got.defect, "");
    EXPECT_EQ(got.silent, 0U) << "no instance says anything";
  }
  void expect_refused(Rule rule, TermId before, TermId after) {
    const Replay got = run(rule, before, after);
    EXPECT_NE(got.defect.find(std::string(name_of(rule))), std::string::npos) << t_.text(before) << "\n" << got.defect;
  }

  static std::vector<Trial> trials() {
    std::vector<Trial> out;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Trial r;
      r.instance.sizes = {{"n", 2 + static_cast<std::int64_t>(seed % 2)},
                          {"c", 1 + static_cast<std::int64_t>(seed % 3)}};
      r.instance.arrays = {ElementType::f32, ElementType::f32, ElementType::i1};
      r.instance.seed = seed;
      r.instance.positive = seed % 2 == 0;
      out.push_back(std::move(r));
    }
    return out;
  }

  Terms t_;
  TermId n_ = size("n");
  TermId c_ = size("c");
};

/// (r * c + l) / c is r only if l < c.
TEST_F(Replayer, TakesADigitOutOfAnIndexBelowTheDivisorOnly) {
  const TermId r = index(0, n_);
  const TermId l = index(1, c_);
  expect_held(Rule::quotient, quotient(sum({times({r, c_}), l}), c_), r);
  expect_refused(Rule::quotient, quotient(sum({times({r, c_}), l, number(1)}), c_), r);
  expect_refused(Rule::quotient, quotient(sum({times({r, c_}), l}), n_), r);
}

TEST_F(Replayer, KnowsSigns) {
  const TermId r = index(0, n_);
  expect_held(Rule::sign, not_negative(minus(minus(n_, number(1)), r)), number(1));
  expect_refused(Rule::sign, not_negative(minus(minus(n_, number(2)), r)), number(1));
}

/// A fold over n * c elements equals one over two digits, if they enumerate every element once.
TEST_F(Replayer, SplitsARangeIntoAllItsDigits) {
  const TermId whole = index(0, times({n_, c_}));
  const TermId r = index(1, n_);
  const TermId k = index(2, c_);
  for (const Monoid m : {Monoid::sum, Monoid::max}) {
    const TermId before = over(m, {whole}, read(0, {whole}));
    expect_held(Rule::splitting, before, over(m, {r, k}, read(0, {sum({times({r, c_}), k})})));
    expect_held(Rule::splitting, before, over(m, {r, k}, read(0, {sum({times({k, n_}), r})})));
    expect_refused(Rule::splitting, before, over(m, {r, k}, read(0, {sum({times({r, n_}), k})})));
  }
  // The mean over the complete range is not the sum of the chunks' means.
  const auto mean = [&](std::vector<TermId> by, TermId at, TermId extent) {
    return times(
        {t_.add({Kind::reciprocal, 0, "", {}, {}, {extent}}), over(Monoid::sum, std::move(by), read(0, {at}))});
  };
  expect_refused(Rule::splitting, mean({whole}, whole, times({n_, c_})), mean({r, k}, sum({times({r, c_}), k}), c_));
}

/// A sum of n terms that each contain an addend contains it n times.
TEST_F(Replayer, DoesNotTakeAnInitialValueForEachDevice) {
  const TermId r = index(0, n_);
  const TermId init = read(1, {});
  const TermId parts = over(Monoid::sum, {r}, read(0, {r}));
  expect_held(Rule::distribution, over(Monoid::sum, {r}, sum({read(0, {r}), init})), sum({parts, times({n_, init})}));
  expect_refused(Rule::distribution, over(Monoid::sum, {r}, sum({read(0, {r}), init})), sum({parts, init}));
}

TEST_F(Replayer, SumsOutAGuardOnlyWhereItsIndexIsInTheRange) {
  const TermId k = index(0, c_);
  const TermId e = minus(n_, number(2));  // 0 or 1: n is 2 or 3 in the trials, and c may be 1
  const TermId before = over(Monoid::sum, {k}, times({zero(minus(k, e)), read(0, {k})}));
  const TermId high = not_negative(minus(minus(c_, number(1)), e));
  expect_held(Rule::simplification, before, times({read(0, {e}), high}));
  expect_refused(Rule::simplification, before, read(0, {e}));
}

/// A range of n + c is split into its first n and its last c elements, which must be read at an offset of n.
TEST_F(Replayer, CutsARangeWithoutLosingItsMiddle) {
  const TermId k = index(0, sum({n_, c_}));
  const TermId low = index(1, n_);
  const TermId high = index(2, c_);
  const TermId before = over(Monoid::sum, {k}, read(0, {k}));
  expect_held(Rule::cut, before,
              sum({over(Monoid::sum, {low}, read(0, {low})), over(Monoid::sum, {high}, read(0, {sum({high, n_})}))}));
  expect_refused(Rule::cut, before,
                 sum({over(Monoid::sum, {low}, read(0, {low})), over(Monoid::sum, {high}, read(0, {high}))}));
}

/// A function moves into a maximum only if it is increasing; exp turns a sum into a product.
TEST_F(Replayer, KnowsWhatRises) {
  const TermId k = index(0, n_);
  const TermId x = read(0, {k});
  const auto through = [&](ScalarFn name, Monoid from, Monoid to) {
    const TermId before = t_.function(name, {over(from, {k}, x)});
    const TermId after = over(to, {k}, t_.function(name, {x}));
    from == to ? expect_held(Rule::function_over_fold, before, after)
               : expect_refused(Rule::function_over_fold, before, after);
  };
  for (const ScalarFn name : {ScalarFn::exponential, ScalarFn::tanh, ScalarFn::logistic}) {
    through(name, Monoid::max, Monoid::max);
    through(name, Monoid::max, Monoid::min);
  }
  for (const ScalarFn name : {ScalarFn::abs, ScalarFn::cosine, ScalarFn::sine})
    expect_refused(Rule::function_over_fold, t_.function(name, {over(Monoid::max, {k}, x)}),
                   over(Monoid::max, {k}, t_.function(name, {x})));
  expect_held(Rule::function_over_fold, t_.function(ScalarFn::exponential, {over(Monoid::sum, {k}, x)}),
              over(Monoid::prod, {k}, t_.function(ScalarFn::exponential, {x})));
  for (const ScalarFn name : {ScalarFn::tanh, ScalarFn::abs, ScalarFn::logistic, ScalarFn::sqrt})
    expect_refused(Rule::linearity, t_.function(name, {over(Monoid::sum, {k}, x)}),
                   over(Monoid::sum, {k}, t_.function(name, {x})));
}

/// A factor moves out of a maximum only if it is positive, and an addend out of a maximum, not out of a sum.
TEST_F(Replayer, TakesOutOfAMaximumWhatIsPositive) {
  const TermId k = index(0, n_);
  const TermId x = read(0, {k});
  const TermId a = read(1, {});
  const TermId positive = t_.function(ScalarFn::exponential, {a});
  const auto of = [&](TermId f) { return over(Monoid::max, {k}, times({f, x})); };
  expect_held(Rule::fold_form, of(positive), times({positive, over(Monoid::max, {k}, x)}));
  expect_refused(Rule::fold_form, of(a), times({a, over(Monoid::max, {k}, x)}));
  expect_refused(Rule::fold_form, of(number(-1)), times({number(-1), over(Monoid::max, {k}, x)}));
  expect_held(Rule::fold_form, over(Monoid::max, {k}, sum({a, x})), sum({a, over(Monoid::max, {k}, x)}));
  expect_refused(Rule::fold_form, over(Monoid::sum, {k}, sum({a, x})), sum({a, over(Monoid::sum, {k}, x)}));
}

/// A maximum over copies of x is x; a sum or a product of them is not.
TEST_F(Replayer, ForgetsAnUnusedIndexOfAnIdempotentFoldOnly) {
  const TermId k = index(0, n_);
  const TermId x = read(0, {});
  expect_held(Rule::fold_form, over(Monoid::max, {k}, x), x);
  expect_refused(Rule::fold_form, over(Monoid::sum, {k}, x), x);
  expect_refused(Rule::fold_form, over(Monoid::prod, {k}, x), x);
}

/// De Morgan's law, and comparisons of a maximum as a disjunction of comparisons.
TEST_F(Replayer, KnowsTruths) {
  const TermId k = index(0, n_);
  const TermId p = read(2, {k});
  const auto is_not = [&](TermId x) { return t_.function(ScalarFn::logical_not, {x}, ElementType::i1); };
  expect_held(Rule::not_over_fold, is_not(over(Monoid::conj, {k}, p)), over(Monoid::disj, {k}, is_not(p)));
  expect_refused(Rule::not_over_fold, is_not(over(Monoid::conj, {k}, p)), over(Monoid::conj, {k}, is_not(p)));
  const auto greater = [&](TermId x) { return t_.function(ScalarFn::compare_gt, {x, read(1, {})}, ElementType::i1); };
  const TermId most = over(Monoid::max, {k}, read(0, {k}));
  expect_held(Rule::comparison_over_fold, greater(most), over(Monoid::disj, {k}, greater(read(0, {k}))));
  expect_refused(Rule::comparison_over_fold, greater(most), over(Monoid::conj, {k}, greater(read(0, {k}))));
}

/// Substituting k for j under a fold over k must rename the bound index.
TEST_F(Replayer, SeesACapturedIndex) {
  const TermId k = index(0, n_);
  const TermId j = index(1, n_);
  const TermId body = over(Monoid::sum, {k}, times({read(0, {k}), read(1, {j})}));
  const auto with_k_for_j = [&] { return t_.add({Kind::with, 0, "", {}, {j}, {body, k}}); };
  const TermId other = index(2, n_);
  expect_held(Rule::substitution, with_k_for_j(), over(Monoid::sum, {other}, times({read(0, {other}), read(1, {k})})));
  expect_refused(Rule::substitution, with_k_for_j(), over(Monoid::sum, {k}, times({read(0, {k}), read(1, {k})})));
}

TEST_F(Replayer, LetsALibraryFunctionBeLinearInEachArrayOnly) {
  const TermId i = index(0, n_);
  const auto f = [&](TermId x) { return t_.opaque("triangular_solve#0", {array({i}, x)}); };
  const TermId x = read(0, {i});
  const TermId y = read(1, {i});
  expect_held(Rule::linearity, f(sum({x, y})), sum({f(x), f(y)}));
  expect_refused(Rule::linearity, f(times({x, y})), times({f(x), f(y)}));
}

/// The final form is also compared with the interpreter's values of the program.
TEST_F(Replayer, ComparesTheEndWithWhatTheProgramHas) {
  const TermId k = index(0, n_);
  const End end{read(0, {k}), read(0, {k}), 0, {k}};
  const Proof proof{t_, {}, {end}};
  std::vector<Trial> all = trials();
  for (Trial& r : all) {
    r.instance.element = [](std::size_t, const std::vector<std::int64_t>& at) { return Number(3.0 * double(at[0])); };
    r.wanted = [](std::size_t, const std::vector<std::int64_t>& at) { return Number(3.0 * double(at[0])); };
  }
  EXPECT_EQ(replay(proof, all).defect, "");
  EXPECT_EQ(replay(proof, all).compared, all.size());
  for (Trial& r : all) r.wanted = [](std::size_t, const std::vector<std::int64_t>&) { return Number(-1); };
  EXPECT_NE(replay(proof, all).defect.find("interpreter"), std::string::npos);
}

/// A proof that ends in two different forms, or in none, is a defect.
TEST_F(Replayer, WantsOneFormAtTheEnd) {
  const TermId k = index(0, n_);
  const End end{read(0, {k}), read(1, {k}), 0, {}};
  EXPECT_NE(replay({t_, {}, {end}}, trials()).defect, "");
  EXPECT_NE(replay({t_, {}, {}}, trials()).defect, "");
}

class Matching : public Replayer {
 protected:
  bool same(TermId a, TermId b) { return same_up_to_names(t_, a, b).value(); }
  TermId i_ = index(0, n_);
  TermId j_ = index(1, c_);
  TermId k_ = index(2, n_);
  TermId l_ = index(3, c_);
};

TEST_F(Matching, RenamesBoundIndicesConsistently) {
  const auto of = [&](TermId a, TermId b, TermId x, TermId y) {
    return over(Monoid::sum, {a, b}, times({read(0, {x, y}), read(1, {y})}));
  };
  EXPECT_TRUE(same(of(i_, j_, i_, j_), of(l_, k_, k_, l_)));
  EXPECT_FALSE(same(of(i_, j_, i_, j_), of(k_, l_, l_, k_)));  // has another extent
  EXPECT_FALSE(same(of(i_, j_, i_, j_), of(k_, l_, k_, k_)));
  EXPECT_FALSE(same(of(i_, j_, i_, i_), of(k_, l_, k_, l_)));
  EXPECT_TRUE(same(times({of(i_, j_, i_, j_), read(2, {i_})}), times({read(2, {i_}), of(k_, l_, k_, l_)})));
  EXPECT_FALSE(same(times({of(i_, j_, i_, j_), read(2, {i_})}), times({read(2, {k_}), of(k_, l_, k_, l_)})));  // free
}

/// Matching backtracks over the pairing of factors.
TEST_F(Matching, TakesAChoiceBackThatFailsLater) {
  const TermId a = index(4, n_);
  const TermId b = index(5, n_);
  // Both factors of the product read array 0, and only one pairing of them renames the indices consistently.
  const TermId left = over(Monoid::sum, {i_, k_}, times({read(0, {i_}), read(0, {k_}), read(1, {i_, k_})}));
  const TermId right = over(Monoid::sum, {a, b}, times({read(0, {a}), read(0, {b}), read(1, {b, a})}));
  EXPECT_TRUE(same(left, right));
  const TermId wrong = over(Monoid::sum, {a, b}, times({read(0, {a}), read(0, {a}), read(1, {b, a})}));
  EXPECT_FALSE(same(left, wrong));
}

TEST_F(Matching, KeepsOrderWhereItCounts) {
  EXPECT_TRUE(same(t_.join(Monoid::max, {read(0, {}), read(1, {})}), t_.join(Monoid::max, {read(1, {}), read(0, {})})));
  EXPECT_FALSE(same(t_.function(ScalarFn::divide, {read(0, {}), read(1, {})}),
                    t_.function(ScalarFn::divide, {read(1, {}), read(0, {})})));
  EXPECT_FALSE(same(read(0, {i_, j_}), read(0, {j_, i_})));
  const auto f = [&](std::vector<TermId> bound) {
    return t_.opaque("f", {array(std::move(bound), read(0, {i_, k_}))});
  };
  EXPECT_FALSE(same(f({i_, k_}), f({k_, i_})));
}

TEST_F(Matching, SeesUnusedIndicesAndConditions) {
  const TermId x = read(0, {});
  EXPECT_TRUE(same(over(Monoid::sum, {i_}, x), over(Monoid::sum, {k_}, x)));
  EXPECT_FALSE(same(over(Monoid::sum, {i_}, x), over(Monoid::sum, {l_}, x)));
  EXPECT_FALSE(same(over(Monoid::sum, {i_, k_}, x), over(Monoid::sum, {i_}, x)));
  const TermId y = read(0, {i_});
  EXPECT_FALSE(same(over(Monoid::sum, {i_}, y, {not_negative(i_)}), over(Monoid::sum, {i_}, y)));
}

}  // namespace
}  // namespace partir::replay
