// Combinations by a monoid other than sum, and functions over them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

struct Member {
  std::vector<AtomId> ranges;
  std::vector<Factor> conditions;
  Expr body;
  bool wraps = false;
};

/// The members of a combination: of a factor by the same monoid its own, else the expression itself.
std::vector<Member> members_of(Monoid monoid, const Expr& e) {
  if (e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() &&
      e.terms[0].factors.size() == 1) {
    const Factor& f = e.terms[0].factors[0];
    if (f.kind == Factor::Kind::fold && f.monoid == monoid) {
      std::vector<Member> out;
      for (std::size_t k = 0; k < f.args.size(); ++k)
        out.push_back({f.ranges[k], f.conditions[k], *f.args[k], f.wraps});
      return out;
    }
  }
  return {{{}, {}, e, false}};
}

bool is_idempotent(Monoid m) { return m != Monoid::sum && m != Monoid::prod; }

/// Terms that hold none of the members' ranges and that all members share: max of a + b_k is a + max of b_k.
Expr take_common_addends(std::vector<Member>& members, Context& c) {
  Expr common;
  if (members.empty()) return common;
  for (const Term& t : std::vector<Term>(members[0].body.terms)) {
    if (!t.ranges.empty() && t.factors.empty()) continue;
    const Expr alone{{t}};
    const std::string key = alone.key(c);
    bool shared = true;
    for (const Member& m : members) {
      const bool free = std::none_of(m.ranges.begin(), m.ranges.end(), [&](AtomId r) { return contains(alone, r, c); });
      const bool there =
          std::any_of(m.body.terms.begin(), m.body.terms.end(), [&](const Term& u) { return Expr{{u}}.key(c) == key; });
      shared = shared && free && there && m.conditions.empty() && m.body.terms.size() > 1;
    }
    if (!shared) continue;
    for (Member& m : members) {
      const auto it = std::find_if(m.body.terms.begin(), m.body.terms.end(),
                                   [&](const Term& u) { return Expr{{u}}.key(c) == key; });
      m.body.terms.erase(it);
    }
    common.terms.push_back(t);
  }
  return common;
}

/// Positive factors that hold none of the members' ranges and that all terms share: max of exp(a) b_k is exp(a) max of
/// b_k.
std::vector<Factor> take_positive_factors(std::vector<Member>& members, Context& c) {
  std::vector<Factor> out;
  if (members.empty() || members[0].body.terms.empty()) return out;
  for (const Factor& f : std::vector<Factor>(members[0].body.terms[0].factors)) {
    const bool positive = f.kind == Factor::Kind::apply &&
                          (f.name == "exponential" || f.name == "logistic" || f.name.starts_with("positive "));
    if (!positive) continue;
    const std::string key = factor(f).key(c);
    const auto same = [&](const Factor& g) { return g.kind == f.kind && g.name == f.name && factor(g).key(c) == key; };
    const bool shared = std::all_of(members.begin(), members.end(), [&](const Member& m) {
      return !m.body.terms.empty() && (!m.ranges.empty() || members.size() > 1) &&
             std::none_of(m.ranges.begin(), m.ranges.end(), [&](AtomId r) { return contains(f, r, c); }) &&
             std::all_of(m.body.terms.begin(), m.body.terms.end(), [&](const Term& t) {
               return std::none_of(t.ranges.begin(), t.ranges.end(), [&](AtomId r) { return contains(f, r, c); }) &&
                      std::any_of(t.factors.begin(), t.factors.end(), same);
             });
    });
    if (!shared) continue;
    for (Member& m : members) {
      for (Term& t : m.body.terms) t.factors.erase(std::find_if(t.factors.begin(), t.factors.end(), same));
    }
    out.push_back(f);
  }
  return out;
}

/// A factor of a member that is 0 or 1 and that no range of a member touches.
const Factor* choice_of(const std::vector<Member>& members, const Context& c) {
  for (const Member& m : members) {
    for (const Term& t : m.body.terms) {
      for (const Factor& f : t.factors) {
        if (!is_guard(f) && !(f.kind == Factor::Kind::apply && f.name == "indicator")) continue;
        const auto touches = [&](AtomId r) { return contains(f, r, c); };
        if (std::any_of(t.ranges.begin(), t.ranges.end(), touches)) continue;
        if (std::none_of(members.begin(), members.end(),
                         [&](const Member& o) { return std::any_of(o.ranges.begin(), o.ranges.end(), touches); }))
          return &f;
      }
    }
  }
  return nullptr;
}

/// An expression where a factor that is 0 or 1 is that.
Expr chosen(const Expr& e, const std::string& key, bool one, Context& c) {
  Expr out;
  for (const Term& t : e.terms) {
    Term next = t;
    next.factors.clear();
    bool has = false;
    for (const Factor& f : t.factors) {
      if ((is_guard(f) || f.kind == Factor::Kind::apply) && factor(f).key(c) == key) {
        has = true;
      } else {
        next.factors.push_back(f);
      }
    }
    if (one || !has) out.terms.push_back(std::move(next));
  }
  return simplified(out, c);
}

Expr built(Monoid monoid, std::vector<Member> members, Context& c, int choices = 0) {
  const bool orders = monoid == Monoid::max || monoid == Monoid::min;
  const bool wraps = std::any_of(members.begin(), members.end(), [](const Member& m) { return m.wraps; });
  // By cases: max of (p ? x : y) is p ? max of x : max of y.
  if (const Factor* f = (orders || monoid == Monoid::prod) && choices < 4 ? choice_of(members, c) : nullptr) {
    const Expr choice = factor(*f);
    const std::string key = choice.key(c);
    std::vector<Member> then = members;
    std::vector<Member> otherwise = members;
    for (Member& m : then) m.body = chosen(m.body, key, true, c);
    for (Member& m : otherwise) m.body = chosen(m.body, key, false, c);
    const Expr a = built(monoid, std::move(then), c, choices + 1);
    const Expr b = built(monoid, std::move(otherwise), c, choices + 1);
    return simplified(add(multiply(choice, a, c), multiply(add(number(1), choice, -1), b, c)), c);
  }
  Expr common;
  std::int64_t scale = 1;
  if (orders && !wraps) {
    common = take_common_addends(members, c);
    scale = 0;  // max of 2 x is 2 max of x
    for (const Member& m : members) {
      for (const Term& t : m.body.terms) scale = std::gcd(scale, t.coefficient);
    }
    if (scale > 1) {
      for (Member& m : members) {
        for (Term& t : m.body.terms) t.coefficient /= scale;
      }
    } else {
      scale = 1;
    }
  }
  const std::vector<Factor> positive = orders && !wraps ? take_positive_factors(members, c) : std::vector<Factor>();
  if (orders) {  // what was taken out may have stood between a combination and another
    std::vector<Member> flat;
    for (const Member& m : members) {
      for (Member& inner : members_of(monoid, m.body)) {
        inner.ranges.insert(inner.ranges.begin(), m.ranges.begin(), m.ranges.end());
        inner.conditions.insert(inner.conditions.begin(), m.conditions.begin(), m.conditions.end());
        inner.wraps = inner.wraps || m.wraps;
        flat.push_back(std::move(inner));
      }
    }
    members = std::move(flat);
  }
  Factor f;
  f.kind = Factor::Kind::fold;
  f.monoid = monoid;
  f.wraps = wraps;
  std::set<std::string> seen;
  for (Member& m : members) {
    if (monoid == Monoid::prod && m.body.key(c) == number(1).key(c)) continue;
    if (is_idempotent(monoid)) {
      std::erase_if(m.ranges, [&](AtomId r) {
        return c.non_negative(c.at(r).extent - 1) && !contains(m.body, r, c) &&
               std::none_of(m.conditions.begin(), m.conditions.end(),
                            [&](const Factor& g) { return contains(g, r, c); });
      });
      Factor alone;
      alone.kind = Factor::Kind::fold;
      alone.ranges = {m.ranges};
      alone.conditions = {m.conditions};
      alone.args = {std::make_shared<Expr>(m.body)};
      if (!seen.insert(factor(alone).key(c)).second) continue;
    }
    f.ranges.push_back(std::move(m.ranges));
    f.conditions.push_back(std::move(m.conditions));
    f.args.push_back(std::make_shared<Expr>(std::move(m.body)));
  }
  if (monoid == Monoid::prod && f.args.empty()) return number(1);
  Expr out = f.args.size() == 1 && f.ranges[0].empty() && f.conditions[0].empty() ? *f.args[0] : factor(std::move(f));
  for (const Factor& p : positive) out = multiply(factor(p), out, c);
  for (Term& t : out.terms) t.coefficient = times(t.coefficient, scale);
  return add(common, out);
}

}  // namespace

const Factor* single(const Expr& e) {
  const bool is =
      e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() && e.terms[0].factors.size() == 1;
  return is ? &e.terms[0].factors[0] : nullptr;
}

bool never_empty(const Factor& f, Context& c) {
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    if (f.conditions[k].empty() && std::all_of(f.ranges[k].begin(), f.ranges[k].end(),
                                               [&](AtomId r) { return c.non_negative(c.at(r).extent - 1); }))
      return true;
  }
  return false;
}

namespace {

Expr reciprocal_of(const Expr& e, Context& c) {
  if (e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() && !e.terms[0].factors.empty()) {
    Expr out = number(1);
    for (const Factor& f : e.terms[0].factors) {
      Expr one;
      if (f.kind == Factor::Kind::apply && f.name == "reciprocal") {
        one = *f.args[0];
      } else if (f.kind == Factor::Kind::fold && f.monoid == Monoid::prod) {
        one = number(1);
        for (std::size_t k = 0; k < f.args.size(); ++k)
          one = multiply(one, fold(Monoid::prod, f.ranges[k], f.conditions[k], reciprocal(*f.args[k], c), c), c);
      } else {
        Factor inverse;
        inverse.kind = Factor::Kind::apply;
        inverse.name = "reciprocal";
        inverse.args = {std::make_shared<Expr>(factor(f))};
        one = factor(std::move(inverse));
      }
      out = multiply(out, one, c);
    }
    return out;
  }
  Factor inverse;
  inverse.kind = Factor::Kind::apply;
  inverse.name = "reciprocal";
  inverse.args = {std::make_shared<Expr>(e)};
  return factor(std::move(inverse));
}

}  // namespace

Expr reciprocal(const Expr& e, Context& c) {
  return noted(
      replay::Rule::reciprocal, c, [&](Recorder& r) { return r.apply("reciprocal", e); }, reciprocal_of(e, c));
}

Expr apply_linear(const std::string& name, const Expr& e, Context& c) {
  Expr out;
  for (const Term& t : e.terms) {
    Term next;
    next.coefficient = t.coefficient;
    next.ranges = t.ranges;
    Term inside;
    for (const Factor& f : t.factors) (is_guard(f) ? next : inside).factors.push_back(f);
    Factor applied;
    applied.kind = Factor::Kind::apply;
    applied.name = name;
    applied.args = {std::make_shared<Expr>(Expr{{std::move(inside)}})};
    next.factors.push_back(std::move(applied));
    out.terms.push_back(std::move(next));
  }
  return noted(
      replay::Rule::linearity, c, [&](Recorder& r) { return r.apply(name, e); }, std::move(out));
}

namespace {

Expr fold_of(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
             Context& c, bool wraps) {
  // A product of factors is a product of products, where nothing but the factors' own ranges is bound.
  if (monoid == Monoid::prod && body.terms.size() == 1 && body.terms[0].coefficient == 1 &&
      body.terms[0].ranges.empty() && body.terms[0].factors.size() > 1) {
    Expr out = number(1);
    for (const Factor& f : body.terms[0].factors)
      out = multiply(out, fold(monoid, ranges, conditions, factor(f), c), c);
    return out;
  }
  // max k : (g a max r : b + rest) is max k, r : g a b + rest, where g is 0 or 1 and a is positive.
  if (monoid == Monoid::max || monoid == Monoid::min) {
    for (std::size_t k = 0; k < body.terms.size(); ++k) {
      const Term& t = body.terms[k];
      const Factor* inner = nullptr;
      bool fits = t.coefficient > 0 && t.ranges.empty() && (body.terms.size() > 1 || t.factors.size() > 1);
      for (const Factor& f : t.factors) {
        if (f.kind == Factor::Kind::fold && f.monoid == monoid && !f.wraps && inner == nullptr) {
          inner = &f;
        } else {
          fits = fits && (is_guard(f) || (f.kind == Factor::Kind::apply && f.name == "indicator"));
        }
      }
      if (!fits || inner == nullptr || inner->args.size() > 8 || wraps) continue;
      if (!std::all_of(inner->ranges.begin(), inner->ranges.end(),
                       [&](const auto& list) {
                         return std::all_of(list.begin(), list.end(),
                                            [&](AtomId r) { return c.non_negative(c.at(r).extent - 1); });
                       }) ||
          !std::all_of(inner->conditions.begin(), inner->conditions.end(), [](const auto& g) { return g.empty(); }))
        continue;
      std::optional<Expr> all;
      for (std::size_t m = 0; m < inner->args.size(); ++m) {
        Substitution s;
        std::vector<AtomId> fresh = ranges;
        for (const AtomId r : inner->ranges[m]) {
          fresh.push_back(c.range(c.at(r).extent));
          s[r] = Poly::atom(fresh.back());
        }
        Expr outside = number(t.coefficient);
        for (const Factor& f : t.factors) {
          if (&f != inner) outside = multiply(outside, factor(f), c);
        }
        Expr rest = body;
        rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(k));
        const Expr whole = add(multiply(outside, substitute(*inner->args[m], s, c), c), rest);
        const Expr member = fold(monoid, fresh, conditions, simplified(whole, c), c);
        all = all ? combine(monoid, *all, member, c) : member;
      }
      if (all) return *all;
    }
  }
  std::vector<Member> members = members_of(monoid, body);
  std::vector<Factor> kept;
  for (const Factor& condition : conditions) {
    Factor g = settled(condition, c);
    const Holds h = holds(g, c);
    if (h == Holds::unknown) kept.push_back(std::move(g));
    if (h == Holds::never) members.clear();  // of nothing
  }
  for (Member& m : members) {
    m.wraps = m.wraps || wraps;
    m.ranges.insert(m.ranges.begin(), ranges.begin(), ranges.end());
    m.conditions.insert(m.conditions.end(), kept.begin(), kept.end());
  }
  return built(monoid, std::move(members), c);
}

}  // namespace

Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c, bool wraps) {
  return noted(
      replay::Rule::fold_form, c, [&](Recorder& r) { return r.over(monoid, ranges, conditions, body); },
      fold_of(monoid, ranges, conditions, body, c, wraps));
}

namespace {

Expr union_of(Monoid monoid, const Expr& a, const Expr& b, Context& c, bool wraps) {
  // A lattice is distributive: min of maxima is a maximum of minima (or the other way round, as the context asks).
  const bool lower = monoid == Monoid::min || monoid == Monoid::conj;
  const bool is_lattice = lower || monoid == Monoid::max || monoid == Monoid::disj;
  if (is_lattice && lower != c.minima_outside) {
    const Monoid outer = monoid == Monoid::min    ? Monoid::max
                         : monoid == Monoid::max  ? Monoid::min
                         : monoid == Monoid::conj ? Monoid::disj
                                                  : Monoid::conj;
    for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const Factor* f = single(*x);
      if (f == nullptr || f->kind != Factor::Kind::fold || f->monoid != outer || f->args.size() > 8) continue;
      std::vector<Member> members;
      for (std::size_t k = 0; k < f->args.size(); ++k) {
        Substitution s;  // fresh ranges: what comes under them may have those of the same names
        std::vector<AtomId> ranges;
        for (const AtomId r : f->ranges[k]) {
          ranges.push_back(c.range(c.at(r).extent));
          s[r] = Poly::atom(ranges.back());
        }
        std::vector<Factor> conditions;
        for (const Factor& g : f->conditions[k]) conditions.push_back(substitute(g, s, c));
        const Expr member = combine(monoid, substitute(*f->args[k], s, c), *y, c, wraps);
        const Expr met = fold(outer, ranges, conditions, member, c, wraps);
        for (Member& m : members_of(outer, met)) members.push_back(std::move(m));
      }
      for (Member& m : members) m.wraps = m.wraps || wraps || f->wraps;
      return built(outer, std::move(members), c);
    }
  }
  std::vector<Member> members = members_of(monoid, a);
  for (Member& m : members_of(monoid, b)) members.push_back(std::move(m));
  for (Member& m : members) m.wraps = m.wraps || wraps;
  return built(monoid, std::move(members), c);
}

}  // namespace

Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c, bool wraps) {
  return noted(
      replay::Rule::fold_union, c,
      [&](Recorder& r) {
        return r.join(monoid, {r.term(a), r.term(b)});
      },
      union_of(monoid, a, b, c, wraps));
}

namespace {

std::optional<Expr> choose_inside(const Expr& condition, const Expr& then, const Expr& otherwise, bool numbers,
                                  Context& c) {
  const auto bitwise = [](const Expr& e) -> const Factor* {
    const Factor* f = single(e);
    const bool one = f != nullptr && f->kind == Factor::Kind::fold && f->args.size() == 1 && f->ranges[0].size() == 1 &&
                     f->conditions[0].empty() && (f->monoid == Monoid::conj || f->monoid == Monoid::disj);
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
  return fold(of->monoid, {r}, {}, choose(condition, *x, *y, numbers, c), c, of->wraps);
}

Expr chosen_between(const Expr& condition, const Expr& then, const Expr& otherwise, bool numbers, Context& c) {
  if (condition.terms.empty()) return otherwise;
  if (condition.key(c) == number(1).key(c)) return then;
  if (auto inside = choose_inside(condition, then, otherwise, numbers, c)) return *inside;
  if (numbers) {
    const Expr outside = simplified(add(number(1), condition, -1), c);
    return add(multiply(condition, then, c), multiply(outside, otherwise, c));
  }
  Factor f;
  f.kind = Factor::Kind::apply;
  f.name = "choose";
  for (const Expr* e : {&condition, &then, &otherwise}) f.args.push_back(std::make_shared<Expr>(*e));
  return factor(std::move(f));
}

}  // namespace

Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, bool numbers, Context& c) {
  return noted(
      replay::Rule::choice, c,
      [&](Recorder& r) {
        return r.proof.terms.apply("choose", {r.term(condition), r.term(then), r.term(otherwise)});
      },
      chosen_between(condition, then, otherwise, numbers, c));
}

namespace {

Expr through(const std::string& name, const Expr& x, Context& c) {
  static const std::set<std::string> rising = {"exponential",
                                               "exponential_minus_one",
                                               "log",
                                               "log_plus_one",
                                               "logistic",
                                               "sqrt",
                                               "cbrt",
                                               "tanh",
                                               "floor",
                                               "ceil",
                                               "round_nearest_afz",
                                               "round_nearest_even",
                                               "sign",
                                               "erf",
                                               "erf_inv",
                                               "asin",
                                               "asinh",
                                               "atan",
                                               "atanh",
                                               "widen",
                                               "sinh",
                                               "acosh"};
  static const std::set<std::string> falling = {"erfc", "acos", "rsqrt"};
  const auto plain = [&](const Expr& arg) { return factor(applied(name, {arg})); };
  // exp of a sum is a product of exps.
  if (name == "exponential" && !x.terms.empty() && (x.terms.size() > 1 || !x.terms[0].ranges.empty())) {
    Expr out = number(1);
    for (const Term& t : x.terms) {
      const Expr inner{{{t.coefficient, {}, t.factors}}};
      const Expr one = apply_through(name, inner, c);
      out = multiply(out, t.ranges.empty() ? one : fold(Monoid::prod, t.ranges, {}, one, c), c);
    }
    return out;
  }
  const Factor* only = single(x);
  if (only != nullptr && only->kind == Factor::Kind::fold && only->monoid == Monoid::prod) {
    if (name == "abs" || name == "sign" || name == "cbrt") {
      Expr out = number(1);
      for (std::size_t k = 0; k < only->args.size(); ++k)
        out = multiply(
            out, fold(Monoid::prod, only->ranges[k], only->conditions[k], apply_through(name, *only->args[k], c), c),
            c);
      return out;
    }
    // As log |x| it holds whatever the signs of the factors are.
    if (name == "log" &&
        std::all_of(only->conditions.begin(), only->conditions.end(), [](const auto& g) { return g.empty(); })) {
      Expr out;
      for (std::size_t k = 0; k < only->args.size(); ++k)
        out = add(out, sum_over(only->ranges[k], plain(*only->args[k])));
      return out;
    }
  }
  const bool rises = rising.contains(name);
  if ((rises || falling.contains(name)) && x.terms.size() == 1 && x.terms[0].coefficient == 1 &&
      x.terms[0].ranges.empty() && x.terms[0].factors.size() == 1) {
    const Factor& f = x.terms[0].factors[0];
    // Of nothing a maximum is the lowest of all numbers, and tanh of that is not.
    if (f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min) && never_empty(f, c)) {
      const Monoid to = rises ? f.monoid : f.monoid == Monoid::max ? Monoid::min : Monoid::max;
      std::vector<Member> members;
      for (std::size_t k = 0; k < f.args.size(); ++k)
        members.push_back({f.ranges[k], f.conditions[k], apply_through(name, *f.args[k], c), false});
      return built(to, std::move(members), c);
    }
  }
  return plain(x);
}

}  // namespace

Expr apply_through(const std::string& name, const Expr& x, Context& c) {
  return noted(
      replay::Rule::function_over_fold, c, [&](Recorder& r) { return r.apply(name, x); }, through(name, x, c));
}

}  // namespace partir::prove
