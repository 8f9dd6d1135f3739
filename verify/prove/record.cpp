#include "verify/prove/record.h"

namespace partir::prove {

namespace {
using Kind = replay::Term::Kind;
}

replay::TermId Recorder::atom(AtomId id) {
  const Atom a = c_.at(id);
  switch (a.kind) {
    case Atom::Kind::size: return proof.terms.add({Kind::size, 0, a.name, {}, {}, {}});
    case Atom::Kind::range:
      return proof.terms.add({Kind::index, static_cast<std::int64_t>(id.index()), "", {}, {}, {term(a.extent)}});
    case Atom::Kind::div: return quotient(a.a, a.b);
    case Atom::Kind::min: return join(Monoid::min, {term(a.a), term(a.b)});
    case Atom::Kind::max: return join(Monoid::max, {term(a.a), term(a.b)});
    case Atom::Kind::value: return proof.terms.add({Kind::any_index, 0, "", {}, {}, {term(*a.value)}});
  }
  return {};
}

replay::TermId Recorder::quotient(const Poly& p, const Poly& q) {
  return proof.terms.add({Kind::quotient, 0, "", {}, {}, {term(p), term(q)}});
}

replay::TermId Recorder::at_least_zero(const Poly& p) {
  return proof.terms.add({Kind::at_least_zero, 0, "", {}, {}, {term(p)}});
}

replay::TermId Recorder::term(const Poly& p) {
  std::vector<replay::TermId> sum;
  for (const auto& [monomial, coefficient] : p.terms()) {
    std::vector<replay::TermId> product;
    if (coefficient != 1 || monomial.empty()) product.push_back(proof.terms.number(coefficient));
    for (const AtomId a : monomial) product.push_back(atom(a));
    sum.push_back(product.size() == 1 ? product[0] : join(Monoid::prod, std::move(product)));
  }
  if (sum.empty()) return proof.terms.number(0);
  return sum.size() == 1 ? sum[0] : join(Monoid::sum, std::move(sum));
}

std::vector<replay::TermId> Recorder::indices(const std::vector<AtomId>& ranges) {
  std::vector<replay::TermId> out;
  for (const AtomId r : ranges) out.push_back(atom(r));
  return out;
}

replay::TermId Recorder::over(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions,
                              replay::TermId body) {
  if (ranges.empty() && conditions.empty()) return body;
  std::vector<replay::TermId> args{body};
  for (const Factor& g : conditions) args.push_back(term(g));
  return proof.terms.add({Kind::over, 0, "", m, indices(ranges), std::move(args)});
}

replay::TermId Recorder::over(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions,
                              const Expr& body) {
  return over(m, ranges, conditions, term(body));
}

/// An argument of a function of arrays: 0 where conditions do not hold.
replay::TermId Recorder::array(const Factor& f, std::size_t k) {
  replay::TermId body = term(*f.args[k]);
  if (!f.conditions.empty() && !f.conditions[k].empty())
    body = proof.terms.apply("choose", {product(f.conditions[k]), body, proof.terms.number(0)});
  return proof.terms.add({Kind::array, 0, "", {}, indices(f.ranges[k]), {body}});
}

replay::TermId Recorder::product(const std::vector<Factor>& factors) {
  std::vector<replay::TermId> args;
  for (const Factor& f : factors) args.push_back(term(f));
  return join(Monoid::prod, std::move(args));
}

replay::TermId Recorder::term(const Factor& f) {
  std::vector<replay::TermId> args;
  for (const Poly& p : f.indices) args.push_back(term(p));
  switch (f.kind) {
    case Factor::Kind::read:
      return proof.terms.add({Kind::read, static_cast<std::int64_t>(f.array), "", {}, {}, std::move(args)});
    case Factor::Kind::guard: return proof.terms.add({Kind::at_least_zero, 0, "", {}, {}, std::move(args)});
    case Factor::Kind::guard_eq: return proof.terms.add({Kind::is_zero, 0, "", {}, {}, std::move(args)});
    case Factor::Kind::index: return args[0];
    case Factor::Kind::apply:
      for (const ExprPtr& e : f.args) args.push_back(term(*e));
      return proof.terms.apply(f.name, std::move(args));
    case Factor::Kind::fold:
      for (std::size_t k = 0; k < f.args.size(); ++k)
        args.push_back(over(f.monoid, f.ranges[k], f.conditions[k], *f.args[k]));
      return args.size() == 1 ? args[0] : join(f.monoid, std::move(args));
    case Factor::Kind::opaque:
      for (std::size_t k = 0; k < f.args.size(); ++k) args.push_back(array(f, k));
      return proof.terms.apply(f.name, std::move(args));
  }
  return {};
}

replay::TermId Recorder::term(const Expr& e) {
  std::vector<replay::TermId> sum;
  for (const Term& t : e.terms) {
    std::vector<replay::TermId> product;
    if (t.coefficient != 1 || t.factors.empty()) product.push_back(proof.terms.number(t.coefficient));
    for (const Factor& f : t.factors) product.push_back(term(f));
    sum.push_back(
        over(Monoid::sum, t.ranges, {}, product.size() == 1 ? product[0] : join(Monoid::prod, std::move(product))));
  }
  if (sum.empty()) return proof.terms.number(0);
  return sum.size() == 1 ? sum[0] : join(Monoid::sum, std::move(sum));
}

replay::TermId Recorder::with(replay::TermId t, const Substitution& s) {
  std::vector<replay::TermId> bound;
  std::vector<replay::TermId> args{t};
  for (const auto& [a, p] : s) {
    bound.push_back(atom(a));
    args.push_back(term(p));
  }
  return proof.terms.add({Kind::with, 0, "", {}, std::move(bound), std::move(args)});
}

}  // namespace partir::prove
