// Case analysis for folds: each guard or choice in a member splits it into the case in which the guard holds and the
// cases in which it fails, until no choice is left.
#include "verify/prove/cases.h"

#include <algorithm>
#include <string>
#include <utility>

#include "verify/prove/regions.h"

namespace partir::prove {
namespace {

constexpr std::size_t kMostCases = 2000;

std::string guard_key(const Factor& guard) {
  return (guard.kind == Factor::Kind::guard ? "g" : "e") + guard.indices[0].key();
}

Factor guard_of(const Poly& p) {
  Factor out;
  out.kind = Factor::Kind::guard;
  out.indices = {p};
  return out;
}

/// Returns guards of which one holds if and only if the given guard fails.
std::vector<Factor> complements(const Factor& guard) {
  const Poly& p = guard.indices[0];
  if (guard.kind == Factor::Kind::guard) return {guard_of(Poly(-1) - p)};
  return {guard_of(p - 1), guard_of(Poly(-1) - p)};
}

class Cases {
 public:
  Cases(Monoid monoid, Context& c) : monoid_(monoid), c_(c) {}

  /// Adds the members of a fold of `body` to `cases`. Returns false if there are too many.
  bool take(const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body) {
    if (++steps_ > kMostCases) return false;
    if (const auto guard = first_guard(body)) return by_guard(ranges, conditions, body, *guard);
    if (is_identity(body, monoid_, c_)) return true;
    if (const Factor* fold = single_fold(body); fold != nullptr && fold->monoid == monoid_)
      return of_fold(ranges, conditions, *fold);
    const bool plain = body.terms.size() == 1 && body.terms[0].ranges.empty();
    if (plain && monoid_ == Monoid::prod && body.terms[0].factors.size() > 1)
      return of_factors(ranges, conditions, body);
    Term out;
    out.ranges = ranges;
    if (plain && body.terms[0].coefficient == 1) {
      out.factors = body.terms[0].factors;
    } else {
      out.factors = {applied(Symbol::tuple, body.type, {body})};
    }
    out.factors.insert(out.factors.end(), conditions.begin(), conditions.end());
    cases.push_back(std::move(out));
    return true;
  }

  std::vector<Term> cases;

 private:
  bool of_fold(const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Factor& fold) {
    for (std::size_t k = 0; k < fold.args.size(); ++k) {
      Substitution names;
      std::vector<AtomId> all = ranges;
      for (const AtomId r : fold.ranges[k]) {
        all.push_back(c_.range(c_.at(r).extent));
        names[r] = Poly::atom(all.back());
      }
      std::vector<Factor> where = conditions;
      bool never = false;
      for (const Factor& g : fold.conditions[k]) {
        where.push_back(tightened(substitute(g, names, c_), c_));
        never = never || holds(where.back(), c_) == Holds::never;
      }
      if (!never && !take(all, where, substitute(*fold.args[k], names, c_))) return false;
    }
    return true;
  }

  /// Each factor of a product becomes a member of its own.
  bool of_factors(const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body) {
    const Term& t = body.terms[0];
    if (t.coefficient != 1 && !take(ranges, conditions, number(t.coefficient, body.type))) return false;
    return std::all_of(t.factors.begin(), t.factors.end(),
                       [&](const Factor& f) { return take(ranges, conditions, retyped(factor(f), body.type)); });
  }

  bool by_guard(const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
                const Factor& guard) {
    const Holds h = holds_under(guard, conditions);
    if (h != Holds::never) {
      std::vector<Factor> where = conditions;
      if (h == Holds::unknown) where.push_back(guard);
      if (!take(ranges, where, decided(body, guard, true))) return false;
    }
    if (h == Holds::always) return true;
    const Expr otherwise = decided(body, guard, false);
    if (h == Holds::never) return take(ranges, conditions, otherwise);
    for (const Factor& opposite : complements(guard)) {
      if (holds_under(opposite, conditions) == Holds::never) continue;
      std::vector<Factor> where = conditions;
      where.push_back(opposite);
      if (!take(ranges, where, otherwise)) return false;
    }
    return true;
  }

  /// Decides a guard on its own, or by one of the conditions that hold.
  Holds holds_under(const Factor& guard, const std::vector<Factor>& conditions) {
    const Holds alone = holds(guard, c_);
    if (alone != Holds::unknown || guard.kind != Factor::Kind::guard) return alone;
    const Poly& p = guard.indices[0];
    for (const Factor& given : conditions) {
      for (const std::int64_t sign : {1, -1}) {
        if (sign < 0 && given.kind == Factor::Kind::guard) continue;
        const Poly q = Poly(sign) * given.indices[0];  // at least 0
        if (c_.non_negative(p - q)) return Holds::always;
        if (c_.non_negative(Poly(-1) - p - q)) return Holds::never;
      }
    }
    return Holds::unknown;
  }

  /// Returns the first guard in a term's factors, or in a choice among them, that depends on none of the term's ranges.
  std::optional<Factor> first_guard(const Expr& e) {
    for (const Term& t : e.terms) {
      const auto free = [&](const Factor& f) {
        return std::none_of(t.ranges.begin(), t.ranges.end(), [&](AtomId r) { return contains(f, r, c_); });
      };
      for (const Factor& f : t.factors) {
        if (is_guard(f) && free(f)) return tightened(f, c_);
        if (!is(f, Symbol::choose) || !free(f)) continue;
        for (const ExprPtr& arg : f.args) {
          if (auto guard = first_guard(*arg)) return guard;
        }
      }
    }
    return std::nullopt;
  }

  /// Returns the expression simplified for the case that a guard holds, or fails.
  Expr decided(const Expr& e, const Factor& guard, bool holds) {
    Expr out = simplified(replaced(e, guard, holds), c_);
    if (!holds || guard.kind != Factor::Kind::guard_eq) return out;
    // The equation simplifies indices in all terms, after which terms may cancel.
    out = simplified(multiply(factor(guard), out, c_), c_);
    return simplified(replaced(out, guard, holds), c_);
  }

  Expr replaced(const Expr& e, const Factor& guard, bool holds) {
    const std::string text = guard_key(guard);
    const bool is_bound = guard.kind == Factor::Kind::guard;
    const std::string opposite = is_bound ? guard_key(complements(guard)[0]) : "";
    Expr out{e.type, {}};
    for (const Term& t : e.terms) {
      Expr product{e.type, {{t.coefficient, t.ranges, {}}}};
      for (const Factor& f : t.factors) {
        const std::string found = is_guard(f) ? guard_key(tightened(f, c_)) : "";
        if (found == text || (is_bound && found == opposite)) {
          if ((found == text) != holds) product.terms.clear();
          continue;
        }
        product = times_factor(std::move(product), is(f, Symbol::choose) ? chosen(f, guard, holds) : factor(f));
      }
      out.terms.insert(out.terms.end(), product.terms.begin(), product.terms.end());
    }
    return out;
  }

  Expr chosen(const Factor& f, const Factor& guard, bool holds) {
    const Expr condition = decided(*f.args[0], guard, holds);
    const Expr then = decided(*f.args[1], guard, holds);
    const Expr otherwise = decided(*f.args[2], guard, holds);
    if (condition.terms.empty()) return otherwise;
    if (condition.key(c_) == number(1).key(c_)) return then;
    Factor out = f;
    out.args = {std::make_shared<Expr>(condition), std::make_shared<Expr>(then), std::make_shared<Expr>(otherwise)};
    return factor(std::move(out));
  }

  /// Multiplies the product by an expression. A product that is 1 is replaced, and a single term is merged in place.
  Expr times_factor(Expr product, const Expr& by) {
    for (Term& t : product.terms) {
      if (t.coefficient == 1 && t.ranges.empty() && t.factors.empty()) return retyped(by, product.type);
      if (by.terms.size() != 1 || by.terms[0].coefficient != 1 || !by.terms[0].ranges.empty())
        return multiply(product, retyped(by, product.type), c_);
      t.factors.insert(t.factors.end(), by.terms[0].factors.begin(), by.terms[0].factors.end());
    }
    return product;
  }

  Monoid monoid_;
  Context& c_;
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<std::vector<Term>> cases_of(Monoid monoid, const Expr& e, Context& c) {
  Cases cases(monoid, c);
  if (!cases.take({}, {}, e)) return std::nullopt;
  return std::move(cases.cases);
}

}  // namespace partir::prove
