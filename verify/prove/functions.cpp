// Choices, reciprocals and unary functions on canonical forms: moves them into sums, products and folds where a law
// allows.
#include <algorithm>
#include <optional>
#include <utility>

#include "ir/ops/common.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// If a branch of a choice is a bitwise fold over one range, and the other is one over an equal range or no fold at
/// all, returns the fold of the choices.
std::optional<Expr> choose_inside(const Expr& condition, const Expr& then, const Expr& otherwise, Context& c) {
  const auto bitwise = [](const Expr& e) -> const Factor* {
    const Factor* f = single_fold(e);
    const bool one = f != nullptr && f->args.size() == 1 && f->ranges[0].size() == 1 && f->conditions[0].empty() &&
                     (f->monoid == Monoid::conj || f->monoid == Monoid::disj);
    return one ? f : nullptr;
  };
  const Factor* a = bitwise(then);
  const Factor* b = bitwise(otherwise);
  const Factor* of = a != nullptr ? a : b;
  if (of == nullptr) return std::nullopt;
  const AtomId r = c.range(c.at(of->ranges[0][0]).extent);
  const auto at_range = [&](const Factor* f, const Expr& e) -> std::optional<Expr> {
    if (f != nullptr && f->monoid == of->monoid && c.at(f->ranges[0][0]).extent == c.at(r).extent)
      return substitute(*f->args[0], {{f->ranges[0][0], Poly::atom(r)}}, c);
    if (f == nullptr && never_empty(*of, c)) return e;
    return std::nullopt;
  };
  const auto x = at_range(a, then);
  const auto y = at_range(b, otherwise);
  if (!x || !y) return std::nullopt;
  return fold(of->monoid, {r}, {}, choose(condition, *x, *y, c), c);
}

Expr chosen_between(const Expr& condition, const Expr& then, const Expr& otherwise, Context& c) {
  if (condition.terms.empty()) return otherwise;
  if (condition.key(c) == number(1).key(c)) return then;
  if (auto inside = choose_inside(condition, then, otherwise, c)) return *inside;
  if (is_number(then.type)) {
    const Expr outside = simplified(add(number(1), condition, -1), c);
    return add(multiply(condition, then, c), multiply(outside, otherwise, c));
  }
  return factor(applied(Symbol::choose, then.type, {condition, then, otherwise}));
}

Factor reciprocal_factor(const Expr& e) { return applied(Symbol::reciprocal, e.type, {e}); }

Expr reciprocal_of(const Expr& e, Context& c) {
  const bool product = e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() &&
                       !e.terms[0].factors.empty() && c.may(Law::reciprocal_of_product, e.type);
  if (!product) return factor(reciprocal_factor(e));
  Expr out = number(1, e.type);
  for (const Factor& f : e.terms[0].factors) {
    Expr one;
    if (is(f, Symbol::reciprocal)) {
      one = *f.args[0];
    } else if (f.kind == Factor::Kind::fold && f.monoid == Monoid::prod) {
      one = number(1, e.type);
      for (std::size_t k = 0; k < f.args.size(); ++k)
        one = multiply(one, fold(Monoid::prod, f.ranges[k], f.conditions[k], reciprocal(*f.args[k], c), c), c);
    } else {
      one = factor(reciprocal_factor(retyped(factor(f), e.type)));
    }
    out = multiply(out, one, c);
  }
  return out;
}

/// Applies exp to a sum: the result is the product of the addends' exps.
Expr exponential_of_sum(const Expr& x, Context& c) {
  Expr out = number(1, x.type);
  for (const Term& t : x.terms) {
    const Expr one = apply_through(ScalarFn::exponential, x.type, {x.type, {{t.coefficient, {}, t.factors}}}, c);
    out = multiply(out, t.ranges.empty() ? one : fold(Monoid::prod, t.ranges, {}, one, c), c);
  }
  return out;
}

/// Applies a function to a product over ranges: |ab| = |a| |b|; log |ab| = log |a| + log |b|. Nothing if no law allows
/// it.
std::optional<Expr> of_product(ScalarFn fn, const Factor& product, ElementType type, Context& c) {
  if (real_laws_of(fn).multiplicative && c.may(Law::multiplicative_function, type))
    return fold_members(Monoid::prod, product, c, [&](const Expr& m) { return apply_through(fn, type, m, c); });
  const auto unconditional = [](const auto& g) { return g.empty(); };
  if (fn != ScalarFn::log || !std::all_of(product.conditions.begin(), product.conditions.end(), unconditional) ||
      !c.may(Law::logarithm_of_product, type))
    return std::nullopt;
  Expr out{type, {}};
  for (std::size_t k = 0; k < product.args.size(); ++k)
    out = add(out, sum_over(product.ranges[k], factor(applied(fn, type, {*product.args[k]}))));
  return out;
}

Expr through(ScalarFn fn, ElementType to, const Expr& x, Context& c) {
  const auto plain = [&](const Expr& arg) { return factor(applied(fn, to, {arg})); };
  const bool converts = fn == ScalarFn::convert;
  if (fn == ScalarFn::exponential && !x.terms.empty() && (x.terms.size() > 1 || !x.terms[0].ranges.empty()) &&
      c.may(Law::exponential_of_sum, x.type))
    return exponential_of_sum(x, c);
  const Factor* f = single_fold(x);
  if (f == nullptr) return plain(x);
  if (f->monoid == Monoid::prod && !converts) {
    if (auto out = of_product(fn, *f, to, c)) return *out;
  }
  const RealLaws::Order order = converts ? RealLaws::Order::rises : real_laws_of(fn).order;
  // The maximum of no members is the lowest number, and tanh of that is not.
  if (order == RealLaws::Order::none || !is_extremum(*f) || !never_empty(*f, c)) return plain(x);
  const bool holds = converts ? ops::converts_monotonically(x.type, to) && c.may(Law::widening_of_extremum, x.type)
                              : c.may(Law::rising_function, x.type);
  if (!holds) return plain(x);
  const Monoid dual = f->monoid == Monoid::max ? Monoid::min : Monoid::max;
  return fold_members(order == RealLaws::Order::rises ? f->monoid : dual, *f, c,
                      [&](const Expr& member) { return apply_through(fn, to, member, c); });
}

}  // namespace

Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, Context& c) {
  return noted(
      replay::Rule::choice, c,
      [&](Recorder& r) {
        return r.apply(Symbol::choose, then.type, {r.term(condition), r.term(then), r.term(otherwise)});
      },
      chosen_between(condition, then, otherwise, c));
}

Expr reciprocal(const Expr& e, Context& c) {
  return noted(
      replay::Rule::reciprocal, c, [&](Recorder& r) { return r.apply(Symbol::reciprocal, e.type, {r.term(e)}); },
      reciprocal_of(e, c));
}

Expr apply_linear(ScalarFn fn, ElementType to, const Expr& e, Context& c) {
  Expr out{to, {}};
  for (const Term& t : e.terms) {
    Term next;
    next.coefficient = residue(t.coefficient, to);
    next.ranges = t.ranges;
    Term inside;
    for (const Factor& f : t.factors) (is_guard(f) ? next : inside).factors.push_back(f);
    next.factors.push_back(applied(fn, to, {{e.type, {std::move(inside)}}}));
    out.terms.push_back(std::move(next));
  }
  return noted(
      replay::Rule::linearity, c, [&](Recorder& r) { return r.apply(fn, to, {r.term(e)}); }, std::move(out));
}

Expr apply_through(ScalarFn fn, ElementType to, const Expr& x, Context& c) {
  return noted(
      replay::Rule::function_over_fold, c, [&](Recorder& r) { return r.apply(fn, to, {r.term(x)}); },
      through(fn, to, x, c));
}

}  // namespace partir::prove
