// Translates atoms, factors and expressions of the prover into the replayer's terms (record.h).
#include "verify/prove/record.h"

#include <complex>
#include <limits>

#include "verify/prove/merges.h"

namespace partir::prove {

namespace {
using Kind = replay::Term::Kind;
constexpr auto kIndex = ElementType::index;
}  // namespace

replay::TermId Recorder::apply(Symbol symbol, ElementType type, std::vector<replay::TermId> args) {
  const Kind kind = symbol == Symbol::choose ? Kind::choose : Kind::reciprocal;
  // Conditions and booleans are both 1 or 0.
  if (symbol == Symbol::truth || symbol == Symbol::indicator) return args[0];
  return proof.terms.add({kind, 0, "", {}, {}, std::move(args), type});
}

replay::TermId Recorder::atom(AtomId id) {
  const Atom a = c_.at(id);
  switch (a.kind) {
    case Atom::Kind::size: return proof.terms.add({Kind::size, 0, a.name, {}, {}, {}, kIndex});
    case Atom::Kind::range:
      return proof.terms.add(
          {Kind::index, static_cast<std::int64_t>(id.index()), "", {}, {}, {term(a.extent)}, kIndex});
    case Atom::Kind::div: return quotient(a.a, a.b);
    case Atom::Kind::min: return join(Monoid::min, kIndex, {term(a.a), term(a.b)});
    case Atom::Kind::max: return join(Monoid::max, kIndex, {term(a.a), term(a.b)});
    case Atom::Kind::value: return proof.terms.add({Kind::any_index, 0, "", {}, {}, {term(*a.value)}, kIndex});
  }
  return {};
}

replay::TermId Recorder::quotient(const Poly& p, const Poly& q) {
  return proof.terms.add({Kind::quotient, 0, "", {}, {}, {term(p), term(q)}, kIndex});
}

replay::TermId Recorder::at_least_zero(const Poly& p) {
  return proof.terms.add({Kind::at_least_zero, 0, "", {}, {}, {term(p)}, kIndex});
}

replay::TermId Recorder::term(const Poly& p) {
  std::vector<replay::TermId> sum;
  for (const auto& [monomial, coefficient] : p.terms()) {
    std::vector<replay::TermId> product;
    if (coefficient != 1 || monomial.empty()) product.push_back(number(coefficient, kIndex));
    for (const AtomId a : monomial) product.push_back(atom(a));
    sum.push_back(product.size() == 1 ? product[0] : join(Monoid::prod, kIndex, std::move(product)));
  }
  if (sum.empty()) return number(0, kIndex);
  return sum.size() == 1 ? sum[0] : join(Monoid::sum, kIndex, std::move(sum));
}

std::vector<replay::TermId> Recorder::indices(const std::vector<AtomId>& ranges) {
  std::vector<replay::TermId> out;
  for (const AtomId r : ranges) out.push_back(atom(r));
  return out;
}

replay::TermId Recorder::over(Monoid m, ElementType type, const std::vector<AtomId>& ranges,
                              const std::vector<Factor>& conditions, replay::TermId body) {
  if (ranges.empty() && conditions.empty()) return body;
  std::vector<replay::TermId> args{body};
  for (const Factor& g : conditions) args.push_back(term(g));
  return proof.terms.add({Kind::over, 0, "", m, indices(ranges), std::move(args), type});
}

replay::TermId Recorder::over(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions,
                              const Expr& body) {
  return over(m, body.type, ranges, conditions, term(body));
}

/// Returns an argument of a function of arrays: its elements are 0 where the conditions do not hold.
replay::TermId Recorder::array(const Factor& f, std::size_t k) {
  const ElementType type = f.args[k]->type;
  replay::TermId body = term(*f.args[k]);
  if (!f.conditions.empty() && !f.conditions[k].empty())
    body = apply(Symbol::choose, type, {product(f.conditions[k]), body, number(0, type)});
  return proof.terms.add({Kind::array, 0, "", {}, indices(f.ranges[k]), {body}, type});
}

/// Returns a fold of several values by a computation that is not a monoid.
replay::TermId Recorder::folded(const Factor& f) {
  const std::size_t k = f.args.size() - 2;
  std::vector<replay::TermId> args;
  for (std::size_t v = 0; v < k; ++v) args.push_back(term(*f.args[v]));
  for (std::size_t list = k; list < k + 2; ++list) {
    for (const ExprPtr& e : single(*f.args[list])->args) args.push_back(term(*e));
  }
  return proof.terms.add({Kind::fold, f.number, "", {}, indices(f.ranges[k]), std::move(args), f.type});
}

replay::TermId Recorder::product(const std::vector<Factor>& factors) {
  std::vector<replay::TermId> args;
  for (const Factor& f : factors) args.push_back(term(f));
  return join(Monoid::prod, kIndex, std::move(args));
}

/// Returns a function of arguments, or a constant.
replay::TermId Recorder::applied(const Factor& f, std::vector<replay::TermId> args) {
  const auto constant = [&](Kind kind, double real, double imaginary = 0) {
    return proof.terms.add({kind, 0, "", {}, {}, {}, f.type, ScalarFn::add, real, imaginary});
  };
  switch (f.symbol) {
    case Symbol::function: return apply(f.fn, f.type, std::move(args));
    case Symbol::truth:
    case Symbol::indicator:
    case Symbol::choose:
    case Symbol::reciprocal: return apply(f.symbol, f.type, std::move(args));
    case Symbol::lowest: return constant(Kind::literal, -std::numeric_limits<double>::infinity());
    case Symbol::highest: return constant(Kind::literal, std::numeric_limits<double>::infinity());
    case Symbol::boolean: return number(f.number, ElementType::i1);
    case Symbol::literal: {
      const std::complex<double> v =
          is_float(f.type) ? std::complex<double>(f.literal->as_double(0)) : f.literal->as_complex(0);
      return constant(Kind::literal, v.real(), v.imag());
    }
    case Symbol::imaginary_unit: return constant(Kind::imaginary_unit, 0);
    case Symbol::placeholder: return proof.terms.add({Kind::argument, f.number, "", {}, {}, {}, f.type});
    case Symbol::tuple: return proof.terms.opaque("tuple", std::move(args), f.type);
    case Symbol::defined: return proof.terms.opaque("defined " + std::string(name_of(f.fn)), std::move(args), f.type);
    default: return proof.terms.opaque(f.record, std::move(args), f.type);
  }
}

replay::TermId Recorder::term(const Factor& f) {
  std::vector<replay::TermId> args;
  for (const Poly& p : f.indices) args.push_back(term(p));
  switch (f.kind) {
    case Factor::Kind::read:
      return proof.terms.add({Kind::read, static_cast<std::int64_t>(f.array), "", {}, {}, std::move(args), f.type});
    case Factor::Kind::guard: return proof.terms.add({Kind::at_least_zero, 0, "", {}, {}, std::move(args), kIndex});
    case Factor::Kind::guard_eq: return proof.terms.add({Kind::is_zero, 0, "", {}, {}, std::move(args), kIndex});
    case Factor::Kind::index: return proof.terms.add({Kind::as_number, 0, "", {}, {}, std::move(args), f.type});
    case Factor::Kind::apply:
      for (const ExprPtr& e : f.args) args.push_back(term(*e));
      return applied(f, std::move(args));
    case Factor::Kind::fold:
      for (std::size_t k = 0; k < f.args.size(); ++k)
        args.push_back(over(f.monoid, f.ranges[k], f.conditions[k], *f.args[k]));
      return args.size() == 1 ? args[0] : join(f.monoid, f.type, std::move(args));
    case Factor::Kind::opaque:
      if (f.symbol == Symbol::folded && f.conditions[f.args.size() - 2].empty()) return folded(f);
      if (f.record == top_k_record(0) || f.record == top_k_record(1)) {
        const std::int64_t result = f.record == top_k_record(1) ? 1 : 0;
        return proof.terms.add({Kind::largest, result, "", {}, {}, {term(f.indices[1]), array(f, 0)}, f.type});
      }
      for (std::size_t k = 0; k < f.args.size(); ++k) args.push_back(array(f, k));
      return applied(f, std::move(args));
  }
  return {};
}

replay::TermId Recorder::term(const Expr& e) {
  std::vector<replay::TermId> sum;
  for (const Term& t : e.terms) {
    std::vector<replay::TermId> product;
    if (t.coefficient != 1 || t.factors.empty()) product.push_back(number(t.coefficient, e.type));
    for (const Factor& f : t.factors) product.push_back(term(f));
    const bool one = product.size() == 1 && (proof.terms.at(product[0]).type == e.type);
    sum.push_back(
        over(Monoid::sum, e.type, t.ranges, {}, one ? product[0] : join(Monoid::prod, e.type, std::move(product))));
  }
  if (sum.empty()) return number(0, e.type);
  return sum.size() == 1 ? sum[0] : join(Monoid::sum, e.type, std::move(sum));
}

replay::TermId Recorder::with(replay::TermId t, const Substitution& s) {
  std::vector<replay::TermId> bound;
  std::vector<replay::TermId> args{t};
  for (const auto& [a, p] : s) {
    bound.push_back(atom(a));
    args.push_back(term(p));
  }
  return proof.terms.add({Kind::with, 0, "", {}, std::move(bound), std::move(args), proof.terms.at(t).type});
}

}  // namespace partir::prove
