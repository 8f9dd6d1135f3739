// Property test of the prover's proof steps on element expressions. On random forms, the replayer must find equal
// values on both sides of each recorded step, and forms with the same key must be the same form.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <map>

#include "tests/lowering/random_types.h"  // pick
#include "tests/random_settings.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"
#include "verify/replay/match.h"
#include "verify/replay/replay.h"

namespace partir::prove {
namespace {

constexpr std::size_t kNumbers = 2;  ///< arrays 0 and 1 hold numbers, the next one truth values
constexpr std::size_t kTruths = 2;

class Forms {
 public:
  Forms() : recorder_(c_) {
    n_ = c_.size("n");
    const Poly n = Poly::atom(n_);
    const Poly m = Poly::atom(c_.size("M"));
    for (const Poly& extent : {n, m, n * m, Poly(2) * m}) ranges_.push_back(c_.range(extent));
    c_.recorder = &recorder_;
    for (int k = 0; k < 4; ++k) {
      numbers_.push_back(read(pick<std::size_t>(0, kNumbers), type_));
      truths_.push_back(read(kTruths, ElementType::i1));
    }
    numbers_.push_back(number(pick<std::int64_t>(-2, 4), type_));
    c_.minima_outside = pick(0, 2) == 0;
  }

  void step() {
    const Expr a = one_of(numbers_);
    const Expr b = one_of(numbers_);
    switch (pick(0, 14)) {
      case 0: keep(add(a, b, pick(0, 2) == 0 ? 1 : -1)); break;
      case 1: keep(multiply(a, b, c_)); break;
      case 2: keep(simplified(multiply(factor(guard()), a, c_), c_)); break;
      case 3: {
        const auto [ranges, body] = bound(a);
        keep(sum_over(ranges, body));
        break;
      }
      case 4: {
        const auto [ranges, body] = bound(a);
        std::vector<Factor> where;
        if (pick(0, 3) == 0) where.push_back(guard());
        keep(fold(some_monoid(), ranges, where, simplified(body, c_), c_));
        break;
      }
      case 5: keep(combine(some_monoid(), simplified(a, c_), simplified(b, c_), c_)); break;
      case 6: keep(choose(condition(), simplified(a, c_), simplified(b, c_), c_)); break;
      case 7:
        if (is_float(type_)) keep(reciprocal(simplified(a, c_), c_));
        break;
      case 8: {
        constexpr ScalarFn fns[] = {ScalarFn::exponential, ScalarFn::log,  ScalarFn::tanh,  ScalarFn::abs,
                                    ScalarFn::sign,        ScalarFn::sqrt, ScalarFn::rsqrt, ScalarFn::erfc,
                                    ScalarFn::cosine,      ScalarFn::cbrt};
        if (is_float(type_)) keep(apply_through(fns[pick(0, 10)], type_, simplified(a, c_), c_));
        break;
      }
      case 9: keep(split_ranges(simplified(a, c_), n_, c_)); break;
      case 11: {  // a sum from which an equality guard selects one index
        const AtomId r = some_range();
        Factor chooses;
        chooses.kind = Factor::Kind::guard_eq;
        chooses.indices = {Poly(*rc::gen::element<std::int64_t>(1, 1, -1, 2)) * Poly::atom(r) - index()};
        const AtomId k = c_.range(c_.at(r).extent);
        const Expr body = substitute(multiply(factor(chooses), a, c_), {{r, Poly::atom(k)}}, c_);
        keep(simplified(sum_over({k}, body), c_));
        break;
      }
      case 12: {  // a product of guards that are nearly equal
        Factor first = guard();
        Factor second = first;
        if (pick(0, 2) == 0) second.kind = Factor::Kind::guard_eq;
        if (pick(0, 2) == 0) second.indices[0] = second.indices[0] + pick<std::int64_t>(-1, 2);
        if (pick(0, 2) == 0) std::swap(first, second);
        const Expr both = simplified(multiply(multiply(factor(first), factor(second), c_), a, c_), c_);
        keep(both);
        keep(simplified(multiply(factor(first), a, c_), c_));
        keep(simplified(multiply(factor(second), a, c_), c_));
        break;
      }
      case 10: keep(substitute(a, {{some_range(), index()}}, c_)); break;
      default: {
        const Monoid m = pick(0, 2) == 0 ? Monoid::conj : Monoid::disj;
        const auto [ranges, body] = bound(one_of(truths_));
        const Expr all = fold(m, ranges, {}, simplified(body, c_), c_);
        truths_.push_back(pick(0, 2) == 0 ? all : combine(m, all, one_of(truths_), c_));
      }
    }
  }

  [[nodiscard]] replay::Replay replayed() {
    c_.recorder = nullptr;
    replay::Proof& proof = recorder_.proof;
    std::map<std::string, replay::TermId> by_key;
    for (const auto* list : {&numbers_, &truths_}) {
      for (const Expr& e : *list) {
        const replay::TermId term = recorder_.term(e);
        const auto [it, fresh] = by_key.try_emplace(e.key(c_), term);
        proof.ends.push_back({it->second, term, 0, {}});
      }
    }
    std::vector<replay::Trial> trials(6);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      replay::Instance& i = trials[t].instance;
      i.arrays = {type_, type_, ElementType::i1};
      i.seed = pick<std::uint64_t>(0, 1000);
      i.positive = t % 2 == 0;
      for (const char* name : {"n", "M"}) i.sizes[name] = pick<std::int64_t>(1, 4);
    }
    return replay::replay(proof, trials);
  }

 private:
  static const Expr& one_of(const std::vector<Expr>& pool) { return pool[pick<std::size_t>(0, pool.size())]; }
  AtomId some_range() const { return ranges_[pick<std::size_t>(0, ranges_.size())]; }
  static Monoid some_monoid() { return *rc::gen::element(Monoid::max, Monoid::min, Monoid::prod); }

  Poly index() {
    const Poly i = Poly::atom(some_range());
    switch (pick(0, 5)) {
      case 0: return i + Poly(pick<std::int64_t>(-1, 2));
      case 1: return i * Poly::atom(n_) + Poly::atom(some_range());
      case 2: return c_.div(i, Poly::atom(n_));
      case 3: return c_.at(some_range()).extent - 1 - i;
      default: return i;
    }
  }

  Expr read(std::size_t array, ElementType type) {
    Factor f;
    f.type = type;
    f.array = array;
    f.indices = {index(), index()};
    return factor(std::move(f));
  }

  Factor guard() {
    Factor f;
    f.kind = pick(0, 3) == 0 ? Factor::Kind::guard_eq : Factor::Kind::guard;
    f.indices = {index() - index()};
    return f;
  }

  Expr condition() {
    if (pick(0, 2) == 0) return simplified(factor(guard()), c_);
    return factor(applied(Symbol::indicator, ElementType::index, {simplified(one_of(truths_), c_)}));
  }

  /// Returns the form with one or two of its free ranges replaced by new, bound ones.
  std::pair<std::vector<AtomId>, Expr> bound(Expr body) {
    std::vector<AtomId> out;
    for (int k = pick(1, 3); k > 0; --k) {
      const AtomId r = some_range();
      out.push_back(c_.range(c_.at(r).extent));
      body = substitute(body, {{r, Poly::atom(out.back())}}, c_);
    }
    return {out, body};
  }

  void keep(const Expr& e) {
    if (e.terms.size() <= 8) numbers_.push_back(e);
  }

  const ElementType type_ = *rc::gen::element(ElementType::f32, ElementType::f32, ElementType::i8, ElementType::ui8,
                                              ElementType::i32, ElementType::ui64);
  Context c_;
  Recorder recorder_;
  AtomId n_;
  std::vector<AtomId> ranges_;
  std::vector<Expr> numbers_;
  std::vector<Expr> truths_;
};

/// Runs enough random cases that rare ones occur; RC_PARAMS from the environment takes precedence.
const bool kManyCases = testing::draw_cases(2000);

TEST(FormSteps, KeepTheValue) {
  EXPECT_TRUE(kManyCases);

  std::size_t steps = 0;
  std::size_t silent = 0;
  EXPECT_TRUE(rc::check("steps on elements", [&] {
    Forms forms;
    for (int k = pick(1, 14); k > 0; --k) {
      try {
        forms.step();
      } catch (const GiveUp&) {  // the form grew too large
      }
    }
    const replay::Replay got = forms.replayed();
    RC_LOG() << got.defect << "\n";
    RC_ASSERT(got.defect.empty());
    steps += got.steps;
    silent += got.silent;
  }));
  EXPECT_GT(steps, 10 * silent) << "most steps have a value";
}

}  // namespace
}  // namespace partir::prove
