// Construction and arithmetic of canonical forms (expr.h): constants, sums, products, negation and substitution.
// Simplification is in simplify.cpp, folds are in folds.cpp, functions in functions.cpp.
#include "verify/prove/expr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {

bool is_number(ElementType type) { return is_float(type) || is_complex(type) || is_integer(type); }
bool wraps(ElementType type) { return is_integer(type); }

std::int64_t residue(std::int64_t coefficient, ElementType type) {
  if (!wraps(type) || bit_width(type) >= 64) return coefficient;
  const unsigned spare = 64 - bit_width(type);
  const std::uint64_t high = static_cast<std::uint64_t>(coefficient) << spare;
  return is_signed(type) ? static_cast<std::int64_t>(high) >> spare : static_cast<std::int64_t>(high >> spare);
}

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

namespace {

/// Returns the term with fresh bound ranges, so that the two sums in a product have different ranges.
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

/// Returns the common type of two forms in one operation. A condition (type `index`) fits any type.
ElementType common_type(ElementType a, ElementType b) {
  if (a == ElementType::index) return b;
  PARTIR_CHECK(b == ElementType::index || a == b, "forms of two types");
  return a;
}

}  // namespace

Factor substitute(const Factor& f, const Substitution& s, Context& c) {
  Factor out = f;
  for (Poly& p : out.indices) p = c.substitute(p, s);
  for (ExprPtr& e : out.args) e = std::make_shared<Expr>(prove::substitute(*e, s, c));
  for (auto& list : out.conditions) {
    for (Factor& g : list) g = substitute(g, s, c);
  }
  return noted(
      replay::Rule::substitution, c, [&](Recorder& r) { return r.with(r.term(f), s); }, std::move(out));
}

Expr number(std::int64_t value, ElementType type) {
  Expr out{type, {}};
  value = residue(value, type);
  if (value != 0) out.terms.push_back({value, {}, {}});
  return out;
}

Expr index_number(const Poly& p, ElementType type) {
  if (p.is_constant()) return number(p.constant(), type);
  Factor out;
  out.kind = Factor::Kind::index;
  out.type = type;
  Poly value = p;
  if (wraps(type) && bit_width(type) < 64) {  // use the residues nearest to 0: -1 rather than 2^32 - 1 in ui32
    value = Poly();
    for (const auto& [monomial, coefficient] : p.terms()) {
      const unsigned spare = 64 - bit_width(type);
      Poly term(static_cast<std::int64_t>(static_cast<std::uint64_t>(coefficient) << spare) >> spare);
      for (const AtomId a : monomial) term = term * Poly::atom(a);
      value = value + term;
    }
    if (value.is_constant()) return number(value.constant(), type);
  }
  out.indices = {std::move(value)};
  return factor(std::move(out));
}

Factor applied(Symbol symbol, ElementType type, std::vector<Expr> args) {
  Factor f;
  f.kind = Factor::Kind::apply;
  f.type = type;
  f.symbol = symbol;
  for (Expr& a : args) f.args.push_back(std::make_shared<Expr>(std::move(a)));
  return f;
}

Factor applied(ScalarFn fn, ElementType type, std::vector<Expr> args) {
  Factor f = applied(Symbol::function, type, std::move(args));
  f.fn = fn;
  return f;
}

Expr factor(Factor f) {
  const ElementType type = f.type;
  return {type, {{1, {}, {std::move(f)}}}};
}

Expr boolean(bool value) {
  Factor f = applied(Symbol::boolean, ElementType::i1);
  f.number = value ? 1 : 0;
  return factor(std::move(f));
}

Expr identity_of(Monoid monoid, ElementType type) {
  switch (monoid) {
    case Monoid::sum: return number(0, type);
    case Monoid::prod: return number(1, type);
    case Monoid::max:
    case Monoid::min: {
      const bool max = monoid == Monoid::max;
      if (!wraps(type)) return factor(applied(max ? Symbol::lowest : Symbol::highest, type));
      if (is_unsigned(type)) return number(max ? 0 : -1, type);
      const std::int64_t least = std::int64_t{1} << (bit_width(type) - 1);  // 2^(width - 1) is its residue
      return number(max ? least : ~least, type);
    }
    case Monoid::conj: return type == ElementType::i1 ? boolean(true) : number(-1, type);
    case Monoid::disj: return type == ElementType::i1 ? boolean(false) : number(0, type);
  }
  return {type, {}};
}

bool is_identity(const Expr& e, Monoid monoid, Context& c) {
  if (e.type == ElementType::i1 && monoid != Monoid::conj && monoid != Monoid::disj) return false;
  return e.key(c) == identity_of(monoid, e.type).key(c);
}

Expr retyped(Expr e, ElementType type) {
  e.type = type;
  return e;
}

Expr widened(const Expr& e, ElementType type) {
  Expr out{type, e.terms};
  for (Term& t : out.terms) {
    for (Factor& f : t.factors) {
      const bool inside =
          f.kind == Factor::Kind::fold || is(f, Symbol::reciprocal) || is(f, Symbol::lowest) || is(f, Symbol::highest);
      if (!inside || !is_float(f.type)) continue;
      f.type = type;
      for (ExprPtr& arg : f.args) arg = std::make_shared<Expr>(widened(*arg, type));
    }
  }
  return out;
}

Expr add(const Expr& a, const Expr& b, std::int64_t sign) {
  Expr out = a;
  out.type = common_type(a.type, b.type);
  for (Term t : b.terms) {
    t.coefficient = times(t.coefficient, sign, out.type);
    out.terms.push_back(std::move(t));
  }
  return out;
}

Expr multiply(const Expr& a, const Expr& b, Context& c) {
  Expr out{common_type(a.type, b.type), {}};
  if (a.terms.size() * b.terms.size() > kMaxTerms) throw GiveUp{"a product of too many terms"};
  for (const Term& x : a.terms) {
    for (const Term& y0 : b.terms) {
      const Term y = renamed(y0, c);
      Term t = renamed(x, c);
      t.coefficient = times(t.coefficient, y.coefficient, out.type);
      t.ranges.insert(t.ranges.end(), y.ranges.begin(), y.ranges.end());
      t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
      out.terms.push_back(std::move(t));
    }
  }
  return noted(
      replay::Rule::distribution, c,
      [&](Recorder& r) {
        return r.join(Monoid::prod, out.type, {r.term(a), r.term(b)});
      },
      std::move(out));
}

namespace {

/// Returns -e. A term whose only factor besides conditions is a maximum becomes the minimum of the negated members (and
/// vice versa), if the law allows it; other terms get the opposite coefficient.
Expr negative_of(const Expr& e, Context& c) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    const auto extrema = std::count_if(t.factors.begin(), t.factors.end(), is_extremum);
    const auto place = std::find_if(t.factors.begin(), t.factors.end(), is_extremum);
    const bool fits = extrema == 1 && t.coefficient > 0 && t.ranges.empty() && all_choices(t, &*place) &&
                      c.may(Law::negated_extremum, e.type);
    if (!fits) {
      out.terms.push_back(t);
      out.terms.back().coefficient = times(t.coefficient, -1, e.type);
      continue;
    }
    Term others = t;
    others.factors.erase(others.factors.begin() + (place - t.factors.begin()));
    const Monoid dual = place->monoid == Monoid::max ? Monoid::min : Monoid::max;
    if (place->args.empty()) throw GiveUp{"a maximum of nothing"};
    const Expr all = fold_members(dual, *place, c, [&](const Expr& member) { return negated(member, c); });
    for (const Term& term : all.terms) {
      Term next = others;
      next.coefficient = times(term.coefficient, t.coefficient, e.type);
      next.ranges.insert(next.ranges.end(), term.ranges.begin(), term.ranges.end());
      next.factors.insert(next.factors.end(), term.factors.begin(), term.factors.end());
      out.terms.push_back(std::move(next));
    }
  }
  return out;
}

}  // namespace

Expr negated(const Expr& e, Context& c) {
  return noted(
      replay::Rule::negation, c,
      [&](Recorder& r) {
        return r.join(Monoid::prod, e.type, {r.number(-1, e.type), r.term(e)});
      },
      negative_of(e, c));
}

Expr difference(const Expr& a, const Expr& b, Context& c) {
  const ElementType type = common_type(a.type, b.type);
  Expr out;
  if (wraps(type)) {
    out = simplified(add(a, b, -1), c);
  } else {
    Expr left{type, {}};
    Expr taken{type, {}};
    for (Term& t : simplified(add(a, b, -1), c).terms) {
      Expr& side = t.coefficient < 0 ? taken : left;
      if (t.coefficient < 0) t.coefficient = times(t.coefficient, -1, type);
      side.terms.push_back(std::move(t));
    }
    out = add(left, negated(taken, c));
  }
  return noted(
      replay::Rule::difference, c,
      [&](Recorder& r) {
        return r.join(Monoid::sum, type, {r.term(a), r.join(Monoid::prod, type, {r.number(-1, type), r.term(b)})});
      },
      std::move(out));
}

Expr sum_over(const std::vector<AtomId>& ranges, const Expr& body) {
  Expr out = body;
  for (Term& t : out.terms) t.ranges.insert(t.ranges.begin(), ranges.begin(), ranges.end());
  return out;
}

const Factor* single(const Expr& e) {
  const bool is =
      e.terms.size() == 1 && e.terms[0].coefficient == 1 && e.terms[0].ranges.empty() && e.terms[0].factors.size() == 1;
  return is ? &e.terms[0].factors[0] : nullptr;
}

const Factor* single_fold(const Expr& e) {
  const Factor* f = single(e);
  return f != nullptr && f->kind == Factor::Kind::fold ? f : nullptr;
}

Expr substitute(const Expr& e, const Substitution& s, Context& c) {
  Expr out{e.type, {}};
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

}  // namespace partir::prove
