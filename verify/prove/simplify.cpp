// Simplification of canonical forms: evaluates guards that always or never hold, eliminates sums that a guard restricts
// to one index, collects equal terms, and adds up numbers made from indices.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"
#include "verify/prove/regions.h"

namespace partir::prove {

Holds holds(const Factor& guard, Context& c) {
  const Poly& p = guard.indices[0];
  if (guard.kind == Factor::Kind::guard_eq) {
    if (p.is_zero()) return Holds::always;
    if (c.non_negative(p - 1) || c.non_negative(Poly() - p - 1)) return Holds::never;
    return Holds::unknown;
  }
  if (c.non_negative(p)) return Holds::always;
  return c.non_negative(Poly() - p - 1) ? Holds::never : Holds::unknown;
}

namespace {

/// Normalises the sign of an equation: p = 0 and -p = 0 are equivalent.
void normalise(Factor& f) {
  if (f.kind != Factor::Kind::guard_eq) return;
  const auto& terms = f.indices[0].terms();
  if (!terms.empty() && terms.rbegin()->second < 0) f.indices[0] = Poly() - f.indices[0];
}

/// Replaces t = max(a, b) by t = a if t > b always holds; likewise for minima, and with a and b exchanged.
void drop_extremes(Factor& f, Context& c) {
  if (f.kind != Factor::Kind::guard_eq) return;
  for (bool again = true; again;) {
    again = false;
    for (const auto& [m, k] : f.indices[0].terms()) {
      if (m.size() != 1 || std::abs(k) != 1) continue;
      const Atom atom = c.at(m[0]);
      if (atom.kind != Atom::Kind::min && atom.kind != Atom::Kind::max) continue;
      const Poly t = Poly(-k) * (f.indices[0] - Poly(k) * Poly::atom(m[0]));  // the atom's value if the guard holds
      const auto beyond = [&](const Poly& end) {
        return c.non_negative((atom.kind == Atom::Kind::max ? t - end : end - t) - 1);
      };
      const Poly* is = beyond(atom.b) ? &atom.a : beyond(atom.a) ? &atom.b : nullptr;
      if (is == nullptr) continue;
      f.indices[0] = t - *is;
      again = true;
      break;
    }
  }
}

/// Drops guards that follow from another: p + 1 >= 0 beside p >= 0.
void drop_weaker_bounds(std::vector<Factor>& factors) {
  for (std::size_t k = factors.size(); k-- > 0;) {
    const auto follows_from = [&](const Factor& g) {
      if (g.kind != Factor::Kind::guard) return false;
      const Poly difference = factors[k].indices[0] - g.indices[0];
      return difference.is_constant() && difference.constant() > 0;
    };
    if (factors[k].kind == Factor::Kind::guard && std::any_of(factors.begin(), factors.end(), follows_from))
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

/// Joins pairs of guards: p >= 0 and -p >= 0 become p = 0.
void join_bounds(std::vector<Factor>& factors) {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k].kind != Factor::Kind::guard) continue;
    const Poly opposite = Poly() - factors[k].indices[0];
    const auto other = std::find_if(factors.begin(), factors.end(), [&](const Factor& f) {
      return f.kind == Factor::Kind::guard && f.indices[0] == opposite;
    });
    if (other == factors.end()) continue;
    factors[k].kind = Factor::Kind::guard_eq;
    normalise(factors[k]);
    const auto place = other - factors.begin();
    factors.erase(other);
    if (static_cast<std::size_t>(place) < k) --k;
  }
}

/// Eliminates a sum over r below n that is restricted to 0 <= c - m r < m. This holds for r = c div m only, which is in
/// the range if 0 <= c < m n. Returns whether it changed the term.
bool take_block(Term& t, ElementType type, Context& c) {
  for (const Factor& low : t.factors) {
    if (low.kind != Factor::Kind::guard) continue;
    const Poly& p = low.indices[0];
    for (const AtomId r : t.ranges) {
      // p = c - m r
      Poly m;
      for (const auto& [factors, k] : p.terms()) {
        if (std::count(factors.begin(), factors.end(), r) != 1) continue;
        Poly term(-k);
        for (const AtomId a : factors) {
          if (a != r) term = term * Poly::atom(a);
        }
        m = m + term;
      }
      const Poly rest = p + m * Poly::atom(r);
      if (m.is_zero() || c.contains(rest, r) || c.contains(m, r) || !c.non_negative(m - 1)) continue;
      const auto high = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& f) {
        return f.kind == Factor::Kind::guard && f.indices[0] == m - 1 - p;
      });
      if (high == t.factors.end()) continue;
      Term next;
      next.coefficient = t.coefficient;
      for (const AtomId k : t.ranges) {
        if (k != r) next.ranges.push_back(k);
      }
      const Substitution s{{r, c.div(rest, m)}};
      for (const Factor& f : t.factors) {
        if (&f != &low && &f != &*high) next.factors.push_back(substitute(f, s, c));
      }
      Factor bound = low;
      bound.indices = {rest};
      next.factors.push_back(bound);
      bound.indices = {c.at(r).extent * m - 1 - rest};
      next.factors.push_back(std::move(bound));
      t = noted(
              replay::Rule::block, c,
              [&](Recorder& rec) {
                return rec.term(Expr{type, {t}});
              },
              Expr{type, {std::move(next)}})
              .terms[0];
      return true;
    }
  }
  return false;
}

/// Uses the guards of a term to simplify its other factors: if p >= 0 is a guard, min(a, a + p) becomes a, and a guard
/// p >= 0 inside a function's argument holds; if p = 0 is a guard, an array read at p is read at 0.
class Bounds {
 public:
  Bounds(const std::vector<Factor>& factors, Context& c) : c_(c) {
    for (const Factor& f : factors) {
      if (!is_guard(f)) continue;
      const Poly& p = f.indices[0];
      guards_.push_back(f);
      not_negative_.push_back(p);
      if (f.kind == Factor::Kind::guard) continue;
      not_negative_.push_back(Poly() - p);
      zero_.insert(zero_.end(), {p, Poly() - p});
    }
  }

  [[nodiscard]] bool any() const { return !not_negative_.empty(); }

  /// Simplifies the indices and arguments of a factor. Returns whether something changed.
  bool apply(Factor& f) {
    bool changed = false;
    if (f.kind == Factor::Kind::read) {
      for (Poly& p : f.indices) changed = apply(p) || changed;
    }
    for (ExprPtr& arg : f.args) {
      Expr e{arg->type, {}};
      bool inside = false;
      bool guards = false;
      for (Term t : arg->terms) {
        const std::size_t before = t.factors.size();
        const bool vanishes =
            std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& g) { return fails(g); });
        std::erase_if(t.factors, [&](const Factor& g) { return succeeds(g); });
        guards = guards || vanishes || t.factors.size() != before;
        if (vanishes) continue;
        for (Factor& g : t.factors) inside = apply(g) || inside;
        e.terms.push_back(std::move(t));
      }
      if (guards) e = simplified(e, c_);
      if (inside || guards) arg = std::make_shared<Expr>(std::move(e));
      changed = changed || inside || guards;
    }
    return changed;
  }

 private:
  static bool has(const std::vector<Poly>& list, const Poly& p) {
    return std::find(list.begin(), list.end(), p) != list.end();
  }

  [[nodiscard]] bool succeeds(const Factor& g) const {
    if (g.kind != Factor::Kind::guard) return g.kind == Factor::Kind::guard_eq && has(zero_, g.indices[0]);
    if (has(not_negative_, g.indices[0])) return true;
    return has(not_negative_, tightened(g, c_).indices[0]) || implied(g, guards_, c_);
  }
  [[nodiscard]] bool fails(const Factor& g) const {
    if (!is_guard(g)) return false;
    const Poly& p = g.indices[0];
    return has(not_negative_, Poly() - p - 1) || (g.kind == Factor::Kind::guard_eq && has(not_negative_, p - 1));
  }

  bool apply(Poly& p) {
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      for (const AtomId a : c_.extremes(p)) {
        const Atom atom = c_.at(a);
        const bool b_above = has(not_negative_, atom.b - atom.a);
        if (!b_above && !has(not_negative_, atom.a - atom.b)) continue;
        p = c_.substitute(p, {{a, (atom.kind == Atom::Kind::min) == b_above ? atom.a : atom.b}});
        again = changed = true;
        break;
      }
    }
    if (p.is_zero() || !has(zero_, p)) return changed;
    p = 0;
    return true;
  }

  Context& c_;
  std::vector<Poly> not_negative_;
  std::vector<Poly> zero_;
  std::vector<Factor> guards_;
};

/// Returns the term with its factors simplified where its guards hold; nothing if they are simple already. An operation
/// on infinities may become one on finite numbers, for which the ring laws hold.
std::optional<Expr> under_guards(const Term& t, ElementType type, Context& c) {
  Bounds bounds(t.factors, c);
  if (!bounds.any()) return std::nullopt;
  bool changed = false;
  Expr product = number(t.coefficient, type);
  for (const Factor& f : t.factors) {
    Factor g = f;
    std::optional<Expr> operation;
    if (!is_guard(f) && bounds.apply(g)) {
      changed = true;
      if (is(g, Symbol::function) && g.type == type) {
        std::vector<Expr> args;
        for (const ExprPtr& a : g.args) args.push_back(*a);
        operation = by_ring_laws(g.fn, type, args, c);
      }
    }
    if (operation) {
      product = multiply(product, *operation, c);
    } else {
      for (Term& u : product.terms) u.factors.push_back(g);
    }
  }
  if (!changed) return std::nullopt;
  return noted(
      replay::Rule::bounded_index, c,
      [&](Recorder& r) {
        return r.term(Expr{type, {t}});
      },
      sum_over(t.ranges, product));
}

/// Adds up and multiplies numbers made from indices, so that they become the number made from one index: f32(i) +
/// f32(j) is f32(i + j). Numbers of another type are left alone, since they may have been rounded or wrapped there.
void add_up_indices(Expr& e, Context& c) {
  const auto is_index = [&](const Factor& f) { return f.kind == Factor::Kind::index && f.type == e.type; };
  const auto plain = [&](const Term& t) {
    return t.ranges.empty() && std::all_of(t.factors.begin(), t.factors.end(), is_index);
  };
  const auto made = [&](const Term& t) { return plain(t) && !t.factors.empty(); };
  const auto product = [](const Term& t) {
    Poly p(t.coefficient);
    for (const Factor& f : t.factors) p = p * f.indices[0];
    return p;
  };
  const auto first = std::find_if(e.terms.begin(), e.terms.end(), made);
  if (first == e.terms.end()) return;
  if (std::count_if(e.terms.begin(), e.terms.end(), plain) == 1 && first->factors.size() == 1 &&
      first->coefficient == 1)
    return;
  if (!c.may(Law::sum_of_indices, e.type)) return;
  Poly sum;
  for (const Term& t : e.terms) {
    if (plain(t)) sum = sum + product(t);
  }
  std::erase_if(e.terms, plain);
  for (Term& t : index_number(sum, e.type).terms) e.terms.push_back(std::move(t));
}

}  // namespace

std::optional<std::pair<AtomId, Poly>> pinned_range(const Factor& guard, const std::vector<AtomId>& ranges,
                                                    const Context& c) {
  if (guard.kind != Factor::Kind::guard_eq) return std::nullopt;
  const Poly& p = guard.indices[0];
  for (const AtomId r : ranges) {
    const auto it = p.terms().find({r});
    if (it == p.terms().end() || std::abs(it->second) != 1) continue;
    const Poly rest = p - Poly(it->second) * Poly::atom(r);
    if (!c.contains(rest, r)) return std::pair(r, Poly(-it->second) * rest);
  }
  return std::nullopt;
}

Factor settled(Factor guard, Context& c) {
  drop_extremes(guard, c);
  normalise(guard);
  return guard;
}

namespace {

/// True for a fold with a single member over no ranges, which equals that member. Such folds result when a range
/// shrinks to one index.
bool is_single_member_fold(const Factor& f) {
  return f.kind == Factor::Kind::fold && f.args.size() == 1 && f.ranges[0].empty() && f.conditions[0].empty();
}

/// Replaces each fold with a single member by that member, where it can be inserted unchanged.
Expr without_single_member_folds(const Expr& e) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    const bool alone = t.coefficient == 1 && t.ranges.empty() && t.factors.size() == 1;
    if (alone && is_single_member_fold(t.factors[0])) {
      const Expr member = without_single_member_folds(*t.factors[0].args[0]);
      out.terms.insert(out.terms.end(), member.terms.begin(), member.terms.end());
      continue;
    }
    Term kept = t;
    kept.factors.clear();
    for (const Factor& f : t.factors) {
      const Term* one = is_single_member_fold(f) && f.args[0]->terms.size() == 1 ? &f.args[0]->terms[0] : nullptr;
      if (one != nullptr && one->coefficient == 1 && one->ranges.empty()) {
        kept.factors.insert(kept.factors.end(), one->factors.begin(), one->factors.end());
      } else {
        kept.factors.push_back(f);
      }
    }
    out.terms.push_back(std::move(kept));
  }
  return out;
}

}  // namespace

Expr simplified(const Expr& e, Context& c) {
  const bool has_such = std::any_of(e.terms.begin(), e.terms.end(), [](const Term& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), is_single_member_fold);
  });
  if (has_such) return simplified(without_single_member_folds(e), c);
  Expr out{e.type, {}};
  std::map<std::string, std::size_t> places;
  const auto collect = [&](Term t) {
    const std::int64_t coefficient = std::exchange(t.coefficient, 1);
    const auto [it, fresh] = places.try_emplace(Expr{e.type, {t}}.key(c), out.terms.size());
    if (fresh) out.terms.push_back(std::move(t));
    Term& sum = out.terms[it->second];
    sum.coefficient = fresh ? coefficient : plus(sum.coefficient, coefficient, e.type);
    if (out.terms.size() > kMaxTerms) throw GiveUp{"a sum of too many terms"};
  };
  for (const Term& t : e.terms) {
    Term kept;
    kept.coefficient = residue(t.coefficient, e.type);
    kept.ranges = t.ranges;
    bool vanishes = kept.coefficient == 0;
    std::set<std::string> guards;
    for (Factor f : t.factors) {
      if (is_guard(f)) {
        f = settled(std::move(f), c);
        const Holds h = holds(f, c);
        if (h == Holds::never) vanishes = true;
        // Guards are 0 or 1, so a repeated guard can be dropped.
        if (h != Holds::unknown ||
            !guards.insert((f.kind == Factor::Kind::guard ? "g" : "e") + f.indices[0].key()).second)
          continue;
      }
      kept.factors.push_back(std::move(f));
    }
    if (vanishes) continue;
    if (guards.size() > 1) drop_weaker_bounds(kept.factors);
    join_bounds(kept.factors);
    if (take_block(kept, e.type, c)) {
      const Expr again = simplified({e.type, {std::move(kept)}}, c);
      if (again.terms.empty()) continue;
      kept = again.terms[0];
    }
    if (const auto simpler = under_guards(kept, e.type, c)) {
      for (Term& u : simplified(*simpler, c).terms) collect(std::move(u));
      continue;
    }
    // sum k : [k = e] f(k) is f(e), guarded by e being in the range.
    for (std::size_t g = 0; g < kept.factors.size(); ++g) {
      const Factor& f = kept.factors[g];
      const auto pinned = pinned_range(f, kept.ranges, c);
      if (!pinned) continue;
      const auto& [r, value] = *pinned;
      Term next;
      next.coefficient = kept.coefficient;
      for (const AtomId k : kept.ranges) {
        if (k != r) next.ranges.push_back(k);
      }
      for (std::size_t k = 0; k < kept.factors.size(); ++k) {
        if (k != g) next.factors.push_back(substitute(kept.factors[k], {{r, value}}, c));
      }
      Factor low;
      low.kind = Factor::Kind::guard;
      low.indices = {value};
      Factor high = low;
      high.indices = {c.at(r).extent - 1 - value};
      next.factors.push_back(std::move(low));
      next.factors.push_back(std::move(high));
      const Expr again = simplified({e.type, {std::move(next)}}, c);
      if (again.terms.empty()) {
        vanishes = true;
      } else {
        kept = again.terms[0];
      }
      break;
    }
    if (!vanishes) collect(std::move(kept));
  }
  std::erase_if(out.terms, [](const Term& t) { return t.coefficient == 0; });
  add_up_indices(out, c);
  return noted(
      replay::Rule::simplification, c, [&](Recorder& r) { return r.term(e); }, std::move(out));
}

}  // namespace partir::prove
