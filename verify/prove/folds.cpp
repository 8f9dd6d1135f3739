// Canonical forms of folds by a monoid other than sum: members are flattened and deduplicated, and common addends,
// positive factors and scales are moved out of maxima and minima.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/finite.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

bool is_idempotent(Monoid m) { return m != Monoid::sum && m != Monoid::prod; }

/// Removes the terms that all members share and that contain none of the members' ranges, and returns their sum: max of
/// a + b_k is a + max of b_k.
Expr take_common_addends(std::vector<Member>& members, ElementType type, Context& c) {
  Expr common{type, {}};
  if (members.empty()) return common;
  for (const Term& t : std::vector<Term>(members[0].body.terms)) {
    if (!t.ranges.empty() && t.factors.empty()) continue;
    const Expr alone{type, {t}};
    const std::string key = alone.key(c);
    const auto same = [&](const Term& u) { return Expr{type, {u}}.key(c) == key; };
    const bool shared = std::all_of(members.begin(), members.end(), [&](const Member& m) {
      const bool free = std::none_of(m.ranges.begin(), m.ranges.end(), [&](AtomId r) { return contains(alone, r, c); });
      return free && m.conditions.empty() && m.body.terms.size() > 1 &&
             std::any_of(m.body.terms.begin(), m.body.terms.end(), same);
    });
    if (!shared || !c.may(Law::addend_of_extremum, type)) continue;
    for (Member& m : members) m.body.terms.erase(std::find_if(m.body.terms.begin(), m.body.terms.end(), same));
    common.terms.push_back(t);
  }
  return common;
}

bool is_positive(const Factor& f) {
  if (is(f, Symbol::literal)) return is_float(f.type) && f.literal->as_double(0) > 0;
  return is(f, Symbol::function) && is_float(f.type) && real_laws_of(f.fn).positive;
}

/// Removes the positive factors that all terms share and that contain none of the members' ranges, and returns them:
/// max of exp(a) b_k is exp(a) max of b_k.
std::vector<Factor> take_positive_factors(std::vector<Member>& members, ElementType type, Context& c) {
  std::vector<Factor> out;
  if (members.empty() || members[0].body.terms.empty()) return out;
  for (const Factor& f : std::vector<Factor>(members[0].body.terms[0].factors)) {
    if (!is_positive(f)) continue;
    const std::string key = factor(f).key(c);
    const auto same = [&](const Factor& g) {
      return g.kind == f.kind && g.symbol == f.symbol && factor(g).key(c) == key;
    };
    const bool shared = std::all_of(members.begin(), members.end(), [&](const Member& m) {
      return !m.body.terms.empty() && (!m.ranges.empty() || members.size() > 1) &&
             std::none_of(m.ranges.begin(), m.ranges.end(), [&](AtomId r) { return contains(f, r, c); }) &&
             std::all_of(m.body.terms.begin(), m.body.terms.end(), [&](const Term& t) {
               return std::none_of(t.ranges.begin(), t.ranges.end(), [&](AtomId r) { return contains(f, r, c); }) &&
                      std::any_of(t.factors.begin(), t.factors.end(), same);
             });
    });
    if (!shared || !c.may(Law::positive_factor_of_extremum, type)) continue;
    for (Member& m : members) {
      for (Term& t : m.body.terms) t.factors.erase(std::find_if(t.factors.begin(), t.factors.end(), same));
    }
    out.push_back(f);
  }
  return out;
}

/// Divides all coefficients by their greatest common divisor and returns it: max of 2 x is 2 max of x.
std::int64_t take_scale(std::vector<Member>& members, ElementType type, Context& c) {
  std::int64_t scale = 0;
  for (const Member& m : members) {
    for (const Term& t : m.body.terms) scale = std::gcd(scale, t.coefficient);
  }
  if (scale <= 1 || !c.may(Law::scale_of_extremum, type)) return 1;
  for (Member& m : members) {
    for (Term& t : m.body.terms) t.coefficient /= scale;
  }
  return scale;
}

/// Finds a factor of a member that is 0 or 1 and depends on no range of any member.
const Factor* choice_of(const std::vector<Member>& members, const Context& c) {
  for (const Member& m : members) {
    for (const Term& t : m.body.terms) {
      for (const Factor& f : t.factors) {
        if (!is_choice(f)) continue;
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

/// Returns the expression with the 0-or-1 factor of this key replaced by 1 (`one`) or 0.
Expr with_choice(const Expr& e, const std::string& key, bool one, Context& c) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    Term next = t;
    next.factors.clear();
    bool has = false;
    for (const Factor& f : t.factors) {
      if (is_choice(f) && factor(f).key(c) == key) {
        has = true;
      } else {
        next.factors.push_back(f);
      }
    }
    if (one || !has) out.terms.push_back(std::move(next));
  }
  return simplified(out, c);
}

/// Distinguishes the two cases of a choice: max of (p ? x : y) is p ? max of x : max of y.
Expr by_cases(Monoid monoid, const Expr& choice, const std::vector<Member>& members, Context& c, int choices) {
  const std::string key = choice.key(c);
  std::vector<Member> then = members;
  std::vector<Member> otherwise = members;
  for (Member& m : then) m.body = with_choice(m.body, key, true, c);
  for (Member& m : otherwise) m.body = with_choice(m.body, key, false, c);
  const Expr a = built(monoid, std::move(then), c, choices + 1);
  const Expr b = built(monoid, std::move(otherwise), c, choices + 1);
  return simplified(add(multiply(choice, a, c), multiply(add(number(1), choice, -1), b, c)), c);
}

/// Replaces members that are folds by the same monoid by their members.
std::vector<Member> flattened(Monoid monoid, const std::vector<Member>& members) {
  std::vector<Member> out;
  for (const Member& m : members) {
    for (Member& inner : members_of(monoid, m.body)) {
      inner.ranges.insert(inner.ranges.begin(), m.ranges.begin(), m.ranges.end());
      inner.conditions.insert(inner.conditions.begin(), m.conditions.begin(), m.conditions.end());
      out.push_back(std::move(inner));
    }
  }
  return out;
}

bool is_one(const Expr& e) {
  return e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() && e.terms[0].factors.empty();
}

/// Returns the members as one fold factor, or the member itself if there is only one and it has no range. For
/// idempotent monoids this drops repeated members, ranges that nothing reads, and members that equal the identity.
Expr gathered(Monoid monoid, std::vector<Member> members, ElementType type, Context& c) {
  Factor f;
  f.kind = Factor::Kind::fold;
  f.type = type;
  f.monoid = monoid;
  std::set<std::string> seen;
  std::optional<Expr> nothing;  ///< the identity, if a member equals it
  for (Member& m : members) {
    if (monoid == Monoid::prod && is_one(m.body)) continue;
    if (is_idempotent(monoid) && m.body.terms.size() <= 1 && members.size() > 1 && is_identity(m.body, monoid, c)) {
      nothing = m.body;
      continue;
    }
    if (is_idempotent(monoid)) {
      std::erase_if(m.ranges, [&](AtomId r) {
        return c.non_negative(c.at(r).extent - 1) && !contains(m.body, r, c) &&
               std::none_of(m.conditions.begin(), m.conditions.end(),
                            [&](const Factor& g) { return contains(g, r, c); });
      });
      Factor alone;
      alone.kind = Factor::Kind::fold;
      alone.type = type;
      alone.monoid = monoid;
      alone.ranges = {m.ranges};
      alone.conditions = {m.conditions};
      alone.args = {std::make_shared<Expr>(m.body)};
      if (!seen.insert(factor(alone).key(c)).second) continue;
    }
    f.ranges.push_back(std::move(m.ranges));
    f.conditions.push_back(std::move(m.conditions));
    f.args.push_back(std::make_shared<Expr>(std::move(m.body)));
  }
  if (monoid == Monoid::prod && f.args.empty()) return number(1, type);
  if (f.args.empty() && nothing) return *nothing;
  return f.args.size() == 1 && f.ranges[0].empty() && f.conditions[0].empty() ? *f.args[0] : factor(std::move(f));
}

}  // namespace

std::vector<Member> members_of(Monoid monoid, const Expr& e) {
  const Factor* f = single_fold(e);
  if (f == nullptr || f->monoid != monoid) return {{{}, {}, e}};
  std::vector<Member> out;
  for (std::size_t k = 0; k < f->args.size(); ++k) out.push_back({f->ranges[k], f->conditions[k], *f->args[k]});
  return out;
}

Expr built(Monoid monoid, std::vector<Member> members, Context& c, int choices) {
  if (members.empty()) throw GiveUp{"a combination of nothing"};
  const ElementType type = members[0].body.type;
  const bool orders = monoid == Monoid::max || monoid == Monoid::min;
  const bool by_choice = (orders || monoid == Monoid::prod) && choices < 4;
  if (const Factor* f = by_choice ? choice_of(members, c) : nullptr)
    return by_cases(monoid, factor(*f), members, c, choices);
  Expr common{type, {}};
  std::int64_t scale = 1;
  std::vector<Factor> positive;
  if (orders) {
    common = take_common_addends(members, type, c);
    scale = take_scale(members, type, c);
    positive = take_positive_factors(members, type, c);
    members = flattened(monoid, members);  // removing common parts may have exposed nested folds
  }
  Expr out = gathered(monoid, std::move(members), type, c);
  for (const Factor& p : positive) out = multiply(retyped(factor(p), type), out, c);
  for (Term& t : out.terms) t.coefficient = times(t.coefficient, scale, type);
  return add(common, out);
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

/// Moves a nested fold out of a member: max k : (g a max r : b + rest) is max k, r : g a b + rest, where g is 0 or 1
/// and a is positive. Returns nothing if there is no such fold or no law allows it.
std::optional<Expr> unnested_fold(Monoid monoid, const std::vector<AtomId>& ranges,
                                  const std::vector<Factor>& conditions, const Expr& body, Context& c) {
  for (std::size_t k = 0; k < body.terms.size(); ++k) {
    const Term& t = body.terms[k];
    if (t.coefficient <= 0 || !t.ranges.empty() || (body.terms.size() == 1 && t.factors.size() == 1)) continue;
    const auto place = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& f) {
      return f.kind == Factor::Kind::fold && f.monoid == monoid;
    });
    if (place == t.factors.end() || !all_choices(t, &*place) || place->args.size() > 8) continue;
    const auto filled = [&](const std::vector<AtomId>& list) {
      return std::all_of(list.begin(), list.end(), [&](AtomId r) { return c.non_negative(c.at(r).extent - 1); });
    };
    if (!std::all_of(place->ranges.begin(), place->ranges.end(), filled) ||
        !std::all_of(place->conditions.begin(), place->conditions.end(), [](const auto& g) { return g.empty(); }) ||
        (body.terms.size() > 1 && !c.may(Law::addend_of_extremum, body.type)) ||
        (t.coefficient != 1 && !c.may(Law::scale_of_extremum, body.type)))
      continue;
    std::optional<Expr> all;
    for (std::size_t m = 0; m < place->args.size(); ++m) {
      Substitution s;
      std::vector<AtomId> fresh = ranges;
      for (const AtomId r : place->ranges[m]) {
        fresh.push_back(c.range(c.at(r).extent));
        s[r] = Poly::atom(fresh.back());
      }
      Expr outside = number(t.coefficient, body.type);
      for (const Factor& f : t.factors) {
        if (&f != &*place) outside = multiply(outside, factor(f), c);
      }
      Expr rest = body;
      rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(k));
      const Expr whole = add(multiply(outside, substitute(*place->args[m], s, c), c), rest);
      const Expr member = fold(monoid, fresh, conditions, simplified(whole, c), c);
      all = all ? combine(monoid, *all, member, c) : member;
    }
    if (all) return all;
  }
  return std::nullopt;
}

Expr fold_of(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
             Context& c) {
  if (monoid == Monoid::prod && !ranges.empty() && !may(Law::product_over_ranges, body.type, {&body}, c))
    throw GiveUp{"a product whose order counts"};
  // A fold of a product by prod is the product of the factors' folds, if only the factors' own ranges are bound.
  if (monoid == Monoid::prod && body.terms.size() == 1 && body.terms[0].coefficient == 1 &&
      body.terms[0].ranges.empty() && body.terms[0].factors.size() > 1) {
    Expr out = number(1, body.type);
    for (const Factor& f : body.terms[0].factors)
      out = multiply(out, fold(monoid, ranges, conditions, retyped(factor(f), body.type), c), c);
    return out;
  }
  // A choice between a value and the identity is a condition: or k : (g ? p : false) is or k where g : p. Here for a g
  // that restricts a range to its first or last indices: the range itself is shortened.
  const Factor* choice = single(body);
  if (choice != nullptr && is(*choice, Symbol::choose) && is_idempotent(monoid)) {
    const Factor* guard = single(*choice->args[0]);
    AtomId range;
    Poly place;
    if (guard != nullptr && is_identity(*choice->args[2], monoid, c) &&
        cut_of(ranges, factor(*guard), c, range, place)) {
      const bool from = guard->indices[0].terms().at({range}) > 0;
      const AtomId kept = c.range(from ? c.at(range).extent - place : place);
      const Substitution s{{range, from ? Poly::atom(kept) + place : Poly::atom(kept)}};
      std::vector<AtomId> left = ranges;
      std::replace(left.begin(), left.end(), range, kept);
      std::vector<Factor> where;
      for (const Factor& g : conditions) where.push_back(substitute(g, s, c));
      return fold(monoid, left, where, substitute(*choice->args[1], s, c), c);
    }
  }
  if (monoid == Monoid::max || monoid == Monoid::min) {
    if (auto out = unnested_fold(monoid, ranges, conditions, body, c)) return *out;
  }
  std::vector<Member> members = members_of(monoid, body);
  std::vector<Factor> kept;
  bool nothing = false;
  for (const Factor& condition : conditions) {
    Factor g = settled(condition, c);
    const Holds h = holds(g, c);
    if (h == Holds::unknown) kept.push_back(std::move(g));
    nothing = nothing || h == Holds::never;
  }
  if (nothing) {  // a fold without members
    Factor empty;
    empty.kind = Factor::Kind::fold;
    empty.type = body.type;
    empty.monoid = monoid;
    return monoid == Monoid::prod ? number(1, body.type) : factor(std::move(empty));
  }
  for (Member& m : members) {
    m.ranges.insert(m.ranges.begin(), ranges.begin(), ranges.end());
    m.conditions.insert(m.conditions.end(), kept.begin(), kept.end());
  }
  if (members.empty()) return body;
  return built(monoid, std::move(members), c);
}

}  // namespace

Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c) {
  return noted(
      replay::Rule::fold_form, c, [&](Recorder& r) { return r.over(monoid, ranges, conditions, body); },
      fold_of(monoid, ranges, conditions, body, c));
}

namespace {

Expr union_of(Monoid monoid, const Expr& a, const Expr& b, Context& c) {
  // Lattices are distributive: a min of maxima is a maximum of minima. Context::minima_outside selects the direction.
  const bool lower = monoid == Monoid::min || monoid == Monoid::conj;
  const bool is_lattice = lower || monoid == Monoid::max || monoid == Monoid::disj;
  if (is_lattice && lower != c.minima_outside) {
    const Monoid outer = monoid == Monoid::min    ? Monoid::max
                         : monoid == Monoid::max  ? Monoid::min
                         : monoid == Monoid::conj ? Monoid::disj
                                                  : Monoid::conj;
    for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const Factor* f = single_fold(*x);
      if (f == nullptr || f->monoid != outer || f->args.size() > 8 || f->args.empty() ||
          !c.may(Law::lattice_distribution, x->type))
        continue;
      std::vector<Member> members;
      for (std::size_t k = 0; k < f->args.size(); ++k) {
        Substitution s;  // fresh ranges: the other operand may contain the same ones
        std::vector<AtomId> ranges;
        for (const AtomId r : f->ranges[k]) {
          ranges.push_back(c.range(c.at(r).extent));
          s[r] = Poly::atom(ranges.back());
        }
        std::vector<Factor> conditions;
        for (const Factor& g : f->conditions[k]) conditions.push_back(substitute(g, s, c));
        const Expr member = combine(monoid, substitute(*f->args[k], s, c), *y, c);
        const Expr distributed = fold(outer, ranges, conditions, member, c);
        for (Member& m : members_of(outer, distributed)) members.push_back(std::move(m));
      }
      return built(outer, std::move(members), c);
    }
  }
  std::vector<Member> members = members_of(monoid, a);
  for (Member& m : members_of(monoid, b)) members.push_back(std::move(m));
  if (members.empty()) return a;
  return built(monoid, std::move(members), c);
}

}  // namespace

Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c) {
  return noted(
      replay::Rule::fold_union, c,
      [&](Recorder& r) {
        return r.join(monoid, a.type, {r.term(a), r.term(b)});
      },
      union_of(monoid, a, b, c));
}

}  // namespace partir::prove
