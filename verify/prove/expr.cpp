#include "verify/prove/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "support/check.h"

namespace partir::prove {
namespace {

constexpr std::size_t kMaxTerms = 600;

/// Names bound ranges in the order in which a walk meets them.
class Keys {
 public:
  explicit Keys(Context& c) : c_(c) {}

  std::string expr(const Expr& e) {
    std::vector<std::string> terms;
    for (const Term& t : e.terms) terms.push_back(term(t));
    std::sort(terms.begin(), terms.end());
    std::string out;
    for (const std::string& t : terms) out += (out.empty() ? "" : " ") + t;
    return "{" + out + "}";
  }

 private:
  /// Factors are ordered by their text with the term's ranges blank, then the ranges named in that order.
  std::string term(const Term& t) {
    std::map<AtomId, std::string> blank;
    for (const AtomId r : t.ranges) blank[r] = "?" + poly(c_.at(r).extent);
    const auto outer = names_;
    for (const auto& [r, name] : blank) names_[r] = name;
    std::vector<std::pair<std::string, const Factor*>> factors;
    for (const Factor& f : t.factors) factors.emplace_back(factor(f), &f);
    std::stable_sort(factors.begin(), factors.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    names_ = outer;
    const std::size_t before = next_;
    unnamed_.insert(t.ranges.begin(), t.ranges.end());
    std::vector<std::string> named;
    for (const auto& [text, f] : factors) named.push_back(factor(*f));
    std::string out = fmt::format("{}", t.coefficient);
    // Ranges that nothing reads count by their extents.
    std::vector<std::string> extents;
    for (const AtomId r : t.ranges) {
      extents.push_back((names_.contains(r) ? names_[r] : "_") + "<" + poly(c_.at(r).extent));
      unnamed_.erase(r);
    }
    std::sort(extents.begin(), extents.end());
    for (const std::string& e : extents) out += " " + e;
    std::sort(named.begin(), named.end());
    for (const std::string& f : named) out += " * " + f;
    names_ = outer;
    next_ = before;
    return "(" + out + ")";
  }

  std::string factor(const Factor& f) {
    std::string out;
    switch (f.kind) {
      case Factor::Kind::read: out = fmt::format("x{}", f.array); break;
      case Factor::Kind::guard: out = "ge"; break;
      case Factor::Kind::guard_eq: out = "eq"; break;
      case Factor::Kind::index: out = "index"; break;
      case Factor::Kind::apply:
      case Factor::Kind::opaque: out = f.name; break;
      case Factor::Kind::fold: out = std::string(name_of(f.monoid)); break;
    }
    if (!f.indices.empty()) {
      out += "[";
      for (const Poly& p : f.indices) out += poly(p) + ",";
      out += "]";
    }
    if (f.args.empty()) return out;
    std::vector<std::string> members;
    for (std::size_t k = 0; k < f.args.size(); ++k) members.push_back(member(f, k));
    if (f.kind == Factor::Kind::fold) std::sort(members.begin(), members.end());
    out += "(";
    for (const std::string& m : members) out += m + ";";
    return out + ")";
  }

  std::string member(const Factor& f, std::size_t k) {
    if (f.ranges.empty() || f.ranges[k].empty()) {
      std::string out;
      if (!f.conditions.empty()) {
        for (const Factor& g : f.conditions[k]) out += factor(g) + "?";
      }
      return out + expr(*f.args[k]);
    }
    const auto outer = names_;
    const std::size_t before = next_;
    unnamed_.insert(f.ranges[k].begin(), f.ranges[k].end());
    std::string body = expr(*f.args[k]);
    if (!f.conditions.empty()) {
      for (const Factor& g : f.conditions[k]) body += "?" + factor(g);
    }
    std::vector<std::string> extents;
    for (const AtomId r : f.ranges[k]) {
      extents.push_back((names_.contains(r) ? names_[r] : "_") + "<" + poly(c_.at(r).extent));
      unnamed_.erase(r);
    }
    // A set of members knows no order of ranges; an array of a library function does.
    if (f.kind == Factor::Kind::fold) std::sort(extents.begin(), extents.end());
    for (const std::string& e : extents) body += " " + e;
    names_ = outer;
    next_ = before;
    return body;
  }

  std::string poly(const Poly& p) {
    std::vector<std::string> terms;
    for (const auto& [m, coefficient] : p.terms()) {
      std::vector<std::string> atoms;
      for (const AtomId a : m) atoms.push_back(atom(a));
      std::sort(atoms.begin(), atoms.end());
      std::string text;
      for (const std::string& a : atoms) text += "*" + a;
      terms.push_back(text + fmt::format("{:+}", coefficient));
    }
    std::sort(terms.begin(), terms.end());
    std::string out;
    for (const std::string& t : terms) out += t;
    return out.empty() ? "0" : out;
  }

  std::string atom(AtomId a) {
    const Atom at = c_.at(a);
    switch (at.kind) {
      case Atom::Kind::size: return at.name;
      case Atom::Kind::range: {
        if (!names_.contains(a) && unnamed_.contains(a)) names_[a] = fmt::format("k{}", next_++);
        const auto it = names_.find(a);
        return it != names_.end() ? it->second : fmt::format("i{}", a.index());
      }
      case Atom::Kind::div: return "div(" + poly(at.a) + "/" + poly(at.b) + ")";
      case Atom::Kind::min:
      case Atom::Kind::max: {
        std::string x = poly(at.a);
        std::string y = poly(at.b);
        if (y < x) std::swap(x, y);
        return (at.kind == Atom::Kind::min ? "min(" : "max(") + x + "," + y + ")";
      }
      case Atom::Kind::value: return "value" + expr(*at.value);
    }
    return "";
  }

  Context& c_;
  std::map<AtomId, std::string> names_;
  std::set<AtomId> unnamed_;
  std::size_t next_ = 0;
};

bool contains(const Factor& f, AtomId a, const Context& c) {
  for (const Poly& p : f.indices) {
    if (c.contains(p, a)) return true;
  }
  for (const ExprPtr& e : f.args) {
    if (prove::contains(*e, a, c)) return true;
  }
  for (const auto& list : f.conditions) {
    for (const Factor& g : list) {
      if (contains(g, a, c)) return true;
    }
  }
  return false;
}

Factor substitute(const Factor& f, const Substitution& s, Context& c) {
  Factor out = f;
  for (Poly& p : out.indices) p = c.substitute(p, s);
  for (ExprPtr& e : out.args) e = std::make_shared<Expr>(prove::substitute(*e, s, c));
  for (auto& list : out.conditions) {
    for (Factor& g : list) g = substitute(g, s, c);
  }
  return out;
}

/// Fresh ranges for those of a term, so that a product of two sums has two ranges.
Term renamed(const Term& t, Context& c) {
  if (t.ranges.empty()) return t;
  Substitution s;
  Term out;
  out.coefficient = t.coefficient;
  for (const AtomId r : t.ranges) {
    out.ranges.push_back(c.range(c.at(r).extent));
    s[r] = Poly::atom(out.ranges.back());
  }
  for (const Factor& f : t.factors) out.factors.push_back(substitute(f, s, c));
  return out;
}

enum class Holds : std::uint8_t { always, never, unknown };
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

bool is_guard(const Factor& f) { return f.kind == Factor::Kind::guard || f.kind == Factor::Kind::guard_eq; }

/// One form for a guard: p = 0 and -p = 0 say the same.
void normalise(Factor& f) {
  if (f.kind != Factor::Kind::guard_eq) return;
  const auto& terms = f.indices[0].terms();
  if (!terms.empty() && terms.rbegin()->second < 0) f.indices[0] = Poly() - f.indices[0];
}

}  // namespace

std::string Expr::key(Context& c) const { return Keys(c).expr(*this); }

Expr number(std::int64_t value) {
  Expr out;
  if (value != 0) out.terms.push_back({value, {}, {}});
  return out;
}

Expr factor(Factor f) { return {{{1, {}, {std::move(f)}}}}; }

Expr add(const Expr& a, const Expr& b, std::int64_t sign) {
  Expr out = a;
  for (Term t : b.terms) {
    t.coefficient *= sign;
    out.terms.push_back(std::move(t));
  }
  return out;
}

Expr multiply(const Expr& a, const Expr& b, Context& c) {
  Expr out;
  if (a.terms.size() * b.terms.size() > kMaxTerms) throw GiveUp{"a product of too many terms"};
  for (const Term& x : a.terms) {
    for (const Term& y0 : b.terms) {
      const Term y = renamed(y0, c);
      Term t = renamed(x, c);
      t.coefficient *= y.coefficient;
      t.ranges.insert(t.ranges.end(), y.ranges.begin(), y.ranges.end());
      t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
      out.terms.push_back(std::move(t));
    }
  }
  return out;
}

Expr sum_over(const std::vector<AtomId>& ranges, const Expr& body) {
  Expr out = body;
  for (Term& t : out.terms) t.ranges.insert(t.ranges.begin(), ranges.begin(), ranges.end());
  return out;
}

Expr simplified(const Expr& e, Context& c) {
  Expr out;
  std::map<std::string, std::size_t> places;
  for (const Term& t : e.terms) {
    Term kept;
    kept.coefficient = t.coefficient;
    kept.ranges = t.ranges;
    bool vanishes = t.coefficient == 0;
    std::set<std::string> guards;
    for (Factor f : t.factors) {
      if (is_guard(f)) {
        normalise(f);
        const Holds h = holds(f, c);
        if (h == Holds::never) vanishes = true;
        // A guard twice is the guard: it is 0 or 1.
        if (h != Holds::unknown ||
            !guards.insert((f.kind == Factor::Kind::guard ? "g" : "e") + f.indices[0].key()).second)
          continue;
      }
      kept.factors.push_back(std::move(f));
    }
    if (vanishes) continue;
    // sum k : [k = e] f(k) is f(e) where e is in the range.
    for (std::size_t g = 0; g < kept.factors.size(); ++g) {
      const Factor& f = kept.factors[g];
      if (f.kind != Factor::Kind::guard_eq) continue;
      const auto range = std::find_if(kept.ranges.begin(), kept.ranges.end(), [&](AtomId r) {
        const auto it = f.indices[0].terms().find({r});
        if (it == f.indices[0].terms().end() || std::abs(it->second) != 1) return false;
        const Poly rest = f.indices[0] - Poly(it->second) * Poly::atom(r);
        return !c.contains(rest, r);
      });
      if (range == kept.ranges.end()) continue;
      const AtomId r = *range;
      const std::int64_t sign = f.indices[0].terms().at({r});
      const Poly value = Poly(-sign) * (f.indices[0] - Poly(sign) * Poly::atom(r));
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
      const Expr again = simplified({{std::move(next)}}, c);
      if (again.terms.empty()) {
        vanishes = true;
      } else {
        kept = again.terms[0];
      }
      break;
    }
    if (vanishes) continue;
    Term one = kept;
    one.coefficient = 1;
    const std::string key = Expr{{std::move(one)}}.key(c);
    const auto [it, fresh] = places.try_emplace(key, out.terms.size());
    if (fresh) {
      out.terms.push_back(std::move(kept));
    } else {
      out.terms[it->second].coefficient += kept.coefficient;
    }
    if (out.terms.size() > kMaxTerms) throw GiveUp{"a sum of too many terms"};
  }
  std::erase_if(out.terms, [](const Term& t) { return t.coefficient == 0; });
  return out;
}

// --- Combinations ---------------------------------------------------------------------------------------------------

namespace {

struct Member {
  std::vector<AtomId> ranges;
  std::vector<Factor> conditions;
  Expr body;
};

/// The members of a combination: of a factor by the same monoid its own, else the expression itself.
std::vector<Member> members_of(Monoid monoid, const Expr& e) {
  if (e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() &&
      e.terms[0].factors.size() == 1) {
    const Factor& f = e.terms[0].factors[0];
    if (f.kind == Factor::Kind::fold && f.monoid == monoid) {
      std::vector<Member> out;
      for (std::size_t k = 0; k < f.args.size(); ++k) out.push_back({f.ranges[k], f.conditions[k], *f.args[k]});
      return out;
    }
  }
  return {{{}, {}, e}};
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

Expr built(Monoid monoid, std::vector<Member> members, Context& c) {
  Expr common;
  if (monoid == Monoid::max || monoid == Monoid::min) common = take_common_addends(members, c);
  Factor f;
  f.kind = Factor::Kind::fold;
  f.monoid = monoid;
  std::set<std::string> seen;
  for (Member& m : members) {
    if (is_idempotent(monoid)) {
      std::erase_if(m.ranges, [&](AtomId r) {
        return !contains(m.body, r, c) && std::none_of(m.conditions.begin(), m.conditions.end(),
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
  if (f.args.size() == 1 && f.ranges[0].empty() && f.conditions[0].empty()) return add(common, *f.args[0]);
  return add(common, factor(std::move(f)));
}

}  // namespace

Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c) {
  // A product of factors is a product of products, where nothing but the factors' own ranges is bound.
  if (monoid == Monoid::prod && body.terms.size() == 1 && body.terms[0].coefficient == 1 &&
      body.terms[0].ranges.empty() && body.terms[0].factors.size() > 1) {
    Expr out = number(1);
    for (const Factor& f : body.terms[0].factors)
      out = multiply(out, fold(monoid, ranges, conditions, factor(f), c), c);
    return out;
  }
  std::vector<Member> members = members_of(monoid, body);
  std::vector<Factor> kept;
  for (const Factor& g : conditions) {
    const Holds h = holds(g, c);
    if (h == Holds::unknown) kept.push_back(g);
  }
  for (Member& m : members) {
    m.ranges.insert(m.ranges.begin(), ranges.begin(), ranges.end());
    m.conditions.insert(m.conditions.end(), kept.begin(), kept.end());
  }
  return built(monoid, std::move(members), c);
}

Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c) {
  std::vector<Member> members = members_of(monoid, a);
  for (Member& m : members_of(monoid, b)) members.push_back(std::move(m));
  return built(monoid, std::move(members), c);
}

namespace {

/// The factor of an expression that is a combination of one member over one range and nothing else.
const Factor* single_fold(const Expr& e, const Context& c) {
  if (e.terms.size() != 1 || e.terms[0].coefficient != 1 || !e.terms[0].ranges.empty() ||
      e.terms[0].factors.size() != 1)
    return nullptr;
  (void)c;
  const Factor& f = e.terms[0].factors[0];
  const bool single =
      f.kind == Factor::Kind::fold && f.args.size() == 1 && f.ranges[0].size() == 1 && f.conditions[0].empty();
  return single ? &f : nullptr;
}

}  // namespace

Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, bool numbers, Context& c) {
  if (condition.terms.empty()) return otherwise;
  if (condition.key(c) == number(1).key(c)) return then;
  const Factor* a = single_fold(then, c);
  const Factor* b = single_fold(otherwise, c);
  const Factor* of = a != nullptr ? a : b;
  if (of != nullptr) {
    const AtomId r = c.range(c.at(of->ranges[0][0]).extent);
    // The other side: over the same range, or the same for all of a range that may not count.
    const auto at_range = [&](const Factor* f, const Expr& e) -> std::optional<Expr> {
      if (f != nullptr && f->monoid == of->monoid && c.at(f->ranges[0][0]).extent == c.at(r).extent)
        return substitute(*f->args[0], {{f->ranges[0][0], Poly::atom(r)}}, c);
      if (f == nullptr && is_idempotent(of->monoid)) return e;
      return std::nullopt;
    };
    const auto x = at_range(a, then);
    const auto y = at_range(b, otherwise);
    if (x && y) return fold(of->monoid, {r}, {}, choose(condition, *x, *y, numbers, c), c);
  }
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

Expr apply_linear(const std::string& name, const Expr& x) {
  Expr out;
  for (const Term& t : x.terms) {
    Factor f;
    f.kind = Factor::Kind::apply;
    f.name = name;
    f.args = {std::make_shared<Expr>(Expr{{{1, {}, t.factors}}})};
    out.terms.push_back({t.coefficient, t.ranges, {std::move(f)}});
  }
  return out;
}

Expr apply_through(const std::string& name, const Expr& x, Context& c) {
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
  const auto plain = [&](const Expr& arg) {
    Factor f;
    f.kind = Factor::Kind::apply;
    f.name = name;
    f.args = {std::make_shared<Expr>(arg)};
    return factor(std::move(f));
  };
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
  const bool rises = rising.contains(name);
  if ((rises || falling.contains(name)) && x.terms.size() == 1 && x.terms[0].coefficient == 1 &&
      x.terms[0].ranges.empty() && x.terms[0].factors.size() == 1) {
    const Factor& f = x.terms[0].factors[0];
    if (f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min)) {
      const Monoid to = rises ? f.monoid : f.monoid == Monoid::max ? Monoid::min : Monoid::max;
      std::vector<Member> members;
      for (std::size_t k = 0; k < f.args.size(); ++k)
        members.push_back({f.ranges[k], f.conditions[k], apply_through(name, *f.args[k], c)});
      return built(to, std::move(members), c);
    }
  }
  return plain(x);
}

// --- Substitution ---------------------------------------------------------------------------------------------------

Expr substitute(const Expr& e, const Substitution& s, Context& c) {
  Expr out;
  for (const Term& t : e.terms) {
    Term next;
    next.coefficient = t.coefficient;
    next.ranges = t.ranges;
    for (const Factor& f : t.factors) next.factors.push_back(substitute(f, s, c));
    out.terms.push_back(std::move(next));
  }
  return out;
}

bool contains(const Expr& e, AtomId a, const Context& c) {
  for (const Term& t : e.terms) {
    for (const Factor& f : t.factors) {
      if (contains(f, a, c)) return true;
    }
  }
  return false;
}

// --- Ranges ---------------------------------------------------------------------------------------------------------

namespace {

/// A divisor under which the range stands alone, and which divides its extent.
bool divisor_of(const Poly& p, AtomId range, const Context& c, Poly& divisor) {
  for (const auto& [m, coefficient] : p.terms()) {
    for (const AtomId a : m) {
      const Atom atom = c.at(a);
      if (atom.kind == Atom::Kind::size || atom.kind == Atom::Kind::range || atom.kind == Atom::Kind::value) continue;
      Poly quotient;
      if (atom.kind == Atom::Kind::div && c.contains(atom.a, range) &&
          Context::divides(atom.b, c.at(range).extent, quotient) && !(quotient == Poly(1))) {
        divisor = atom.b;
        return true;
      }
      if (divisor_of(atom.a, range, c, divisor) || divisor_of(atom.b, range, c, divisor)) return true;
    }
  }
  return false;
}

bool divisor_of(const Expr& e, AtomId range, const Context& c, Poly& divisor);
bool divisor_of(const Factor& f, AtomId range, const Context& c, Poly& divisor) {
  for (const Poly& p : f.indices) {
    if (divisor_of(p, range, c, divisor)) return true;
  }
  for (const ExprPtr& e : f.args) {
    if (divisor_of(*e, range, c, divisor)) return true;
  }
  for (const auto& list : f.conditions) {
    for (const Factor& g : list) {
      if (divisor_of(g, range, c, divisor)) return true;
    }
  }
  return false;
}
bool divisor_of(const Expr& e, AtomId range, const Context& c, Poly& divisor) {
  for (const Term& t : e.terms) {
    for (const Factor& f : t.factors) {
      if (divisor_of(f, range, c, divisor)) return true;
    }
  }
  return false;
}

/// Splits the ranges of one binder; what they become is in `s`. `under` finds a divisor.
template <class Under>
std::vector<AtomId> split(const std::vector<AtomId>& ranges, AtomId n, Context& c, Substitution& s, Under&& under) {
  std::vector<AtomId> out;
  for (const AtomId r : ranges) {
    const Poly extent = c.at(r).extent;
    Poly inner;
    if (!Context::divides(Poly::atom(n), extent, inner) || inner == Poly(1)) {
      if (!under(r, inner)) {
        out.push_back(r);
        continue;
      }
    }
    Poly outer;
    Context::divides(inner, extent, outer);
    const AtomId major = c.range(outer);
    const AtomId minor = c.range(inner);
    s[r] = Poly::atom(major) * inner + Poly::atom(minor);
    out.push_back(major);
    out.push_back(minor);
  }
  return out;
}

Factor split_inside(const Factor& f, AtomId n, Context& c) {
  Factor out = f;
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    Expr body = *f.args[k];
    if (f.kind == Factor::Kind::fold) {
      for (int round = 0; round < 4; ++round) {
        Substitution s;
        const auto under = [&](AtomId r, Poly& inner) {
          if (divisor_of(body, r, c, inner)) return true;
          return std::any_of(out.conditions[k].begin(), out.conditions[k].end(),
                             [&](const Factor& g) { return divisor_of(g, r, c, inner); });
        };
        out.ranges[k] = split(out.ranges[k], n, c, s, under);
        if (s.empty()) break;
        body = substitute(body, s, c);
        for (Factor& g : out.conditions[k]) g = substitute(g, s, c);
      }
    }
    out.args[k] = std::make_shared<Expr>(split_ranges(body, n, c));
  }
  return out;
}

}  // namespace

Expr split_ranges(const Expr& e, AtomId n, Context& c) {
  Expr out;
  for (const Term& t : e.terms) {
    Term next = t;
    for (int round = 0; round < 4; ++round) {
      Substitution s;
      const auto under = [&](AtomId r, Poly& inner) {
        return std::any_of(next.factors.begin(), next.factors.end(),
                           [&](const Factor& f) { return divisor_of(f, r, c, inner); });
      };
      next.ranges = split(next.ranges, n, c, s, under);
      if (s.empty()) break;
      for (Factor& f : next.factors) f = substitute(f, s, c);
    }
    for (Factor& f : next.factors) f = split_inside(f, n, c);
    out.terms.push_back(std::move(next));
  }
  return simplified(out, c);
}

}  // namespace partir::prove
