// Definedness check (defined.h): collects, for source and target, the conditions under which each function application
// is in its domain, as canonical forms, and looks up each of the target's among the source's.
#include "verify/prove/defined.h"

#include <algorithm>
#include <set>
#include <utility>

#include "verify/prove/evaluation.h"
#include "verify/prove/finite.h"

namespace partir::prove {
namespace {

enum class Sign : std::uint8_t { unknown, not_negative, positive };

Sign sign_of(const Expr& e, Context& c);

bool finite_args(const Factor& f, Context& c) {
  return std::all_of(f.args.begin(), f.args.end(), [&](const ExprPtr& arg) { return non_finite(*arg, c).none(); });
}

/// Returns what is known about the sign of a real factor.
Sign sign_of(const Factor& f, Context& c) {
  if (is(f, Symbol::literal)) return is_float(f.type) && f.literal->as_double(0) > 0 ? Sign::positive : Sign::unknown;
  if (is_choice(f)) return Sign::not_negative;
  if (is(f, Symbol::reciprocal) && finite_args(f, c))
    return sign_of(*f.args[0], c) == Sign::positive ? Sign::positive : Sign::unknown;
  if (f.kind == Factor::Kind::index && c.non_negative(f.indices[0]))
    return c.non_negative(f.indices[0] - 1) ? Sign::positive : Sign::not_negative;
  if (f.kind == Factor::Kind::fold && f.monoid != Monoid::sum && !f.args.empty()) {
    Sign least = Sign::positive;  // the weakest over all its members
    for (const ExprPtr& m : f.args) least = std::min(least, sign_of(*m, c));
    return f.monoid == Monoid::prod || never_empty(f, c) ? least : Sign::unknown;
  }
  if (!is(f, Symbol::function) || !is_float(f.type)) return Sign::unknown;
  // exp(-inf) is 0.
  if (real_laws_of(f.fn).positive) return finite_args(f, c) ? Sign::positive : Sign::not_negative;
  if (f.fn == ScalarFn::abs) return Sign::not_negative;
  if (f.fn == ScalarFn::rsqrt) return finite_args(f, c) ? Sign::positive : Sign::not_negative;
  return f.fn == ScalarFn::sqrt ? Sign::not_negative : Sign::unknown;
}

/// Likewise for a product: pairs of equal factors are squares.
Sign sign_of(const Term& t, Context& c) {
  if (t.coefficient <= 0) return Sign::unknown;
  Sign out = Sign::positive;
  std::multiset<std::string> open;
  for (const Factor& f : t.factors) {
    const Sign s = sign_of(f, c);
    if (s != Sign::unknown) {
      out = std::min(out, s);
      continue;
    }
    const std::string key = factor(f).key(c);
    const auto twin = open.find(key);
    if (twin == open.end()) {
      open.insert(key);
    } else {
      open.erase(twin);
      out = Sign::not_negative;
    }
  }
  if (!open.empty()) return Sign::unknown;
  const bool filled =
      std::all_of(t.ranges.begin(), t.ranges.end(), [&](AtomId r) { return c.non_negative(c.at(r).extent - 1); });
  return filled ? out : Sign::not_negative;
}

/// Likewise for a sum of real numbers: positive if one is positive and none is negative.
Sign sign_of(const Expr& e, Context& c) {
  if (!is_float(e.type)) return Sign::unknown;
  Sign most = Sign::not_negative;
  for (const Term& t : e.terms) {
    const Sign s = sign_of(t, c);
    if (s == Sign::unknown) return s;
    most = std::max(most, s);
  }
  return e.terms.empty() ? Sign::not_negative : most;
}

/// Returns the boolean form of e != 0: a product is 0 only if a factor is.
Expr nonzero(const Expr& e, Context& c) {
  if (sign_of(e, c) == Sign::positive) return boolean(true);
  const bool product = e.terms.size() == 1 && e.terms[0].ranges.empty() && !wraps(e.type);
  if (!product) {
    Factor out = applied(Symbol::defined, ElementType::i1, {e});
    out.fn = ScalarFn::divide;
    return factor(std::move(out));
  }
  Expr all = boolean(true);
  for (const Factor& f : e.terms[0].factors) {
    Expr one;
    if (sign_of(f, c) == Sign::positive) continue;
    if (is(f, Symbol::reciprocal)) {
      one = nonzero(*f.args[0], c);
    } else if (f.kind == Factor::Kind::fold && f.monoid == Monoid::prod) {
      one = fold_members(Monoid::conj, f, c, [&](const Expr& m) { return nonzero(m, c); });
    } else {
      Factor defined = applied(Symbol::defined, ElementType::i1, {retyped(factor(f), e.type)});
      defined.fn = ScalarFn::divide;
      one = factor(std::move(defined));
    }
    all = is_identity(all, Monoid::conj, c) ? one : combine(Monoid::conj, all, one, c);
  }
  return all;
}

/// Returns a domain condition, or true if it is shown to hold.
Expr settled_domain(const Expr& defined, Context& c) {
  const Factor& f = *single(defined);
  const Expr& x = *f.args[0];
  switch (f.fn) {
    case ScalarFn::divide:
      if (!wraps(x.type)) return nonzero(x, c);
      break;
    case ScalarFn::log:
    case ScalarFn::rsqrt:
    case ScalarFn::log_plus_one:
      if (sign_of(x, c) == Sign::positive) return boolean(true);
      break;
    case ScalarFn::sqrt:
      if (sign_of(x, c) != Sign::unknown) return boolean(true);
      break;
    default: break;
  }
  return defined;
}

bool has_domains(const SymbolicProgram& p) {
  return std::any_of(p.ops.begin(), p.ops.end(), [](const SymbolicOp& op) {
    return std::any_of(op.meaning.scalars.begin(), op.meaning.scalars.end(), [&](const ScalarTerm& t) {
      if (t.kind == ScalarTerm::Kind::library) return !is_total_library(t.library);
      return t.kind == ScalarTerm::Kind::apply && !is_total(t.fn, op.meaning.at(t.args[0]).type);
    });
  });
}

/// Returns the keys of the domain conditions that one side needs: for all indices, each argument is in its domain.
std::set<std::string> domains_of(const Computed& side, bool certain, const std::vector<AtomId>& splits, Context& c,
                                 const OutOfTime& out_of_time) {
  std::set<std::string> out;
  Evaluation evaluation(side.program, side.arguments, side.device, c, out_of_time);
  evaluation.each_domain(certain, side.around, [&](const Expr& defined, const auto& ranges, const auto& where) {
    Expr all = fold(Monoid::conj, ranges, where, settled_domain(defined, c), c);
    for (int round = 0; round < 3; ++round) {
      for (const AtomId n : splits) all = split_ranges(all, n, c);
    }
    for (const bool merged : {false, true}) {
      if (merged && certain) all = merge_ranges(all, c);
      if (merged && !certain) break;
      for (Member& m : members_of(Monoid::conj, all)) {
        if (is_identity(m.body, Monoid::conj, c)) continue;
        out.insert(built(Monoid::conj, {std::move(m)}, c).key(c));
      }
    }
  });
  return out;
}

}  // namespace

Computed::Computed(const SymbolicProgram& p, const ArgumentElement& elements, std::vector<AtomId> ranges)
    : program(p),
      arguments([elements](std::size_t k, const std::vector<Poly>& at, const DeviceAt&) { return elements(k, at); }),
      around(std::move(ranges)) {}

Computed::Computed(const SymbolicProgram& p, DeviceElement elements, DeviceAt at)
    : program(p), arguments(std::move(elements)), device(std::move(at)) {}

std::optional<std::string> not_defined(const Computed& source, const Computed& target,
                                       const std::vector<AtomId>& splits, Context& c, const OutOfTime& out_of_time) {
  if (!has_domains(target.program)) return std::nullopt;
  const std::set<std::string> wanted = domains_of(target, false, splits, c, out_of_time);
  if (wanted.empty()) return std::nullopt;
  const std::set<std::string> given = domains_of(source, true, splits, c, out_of_time);
  for (const std::string& key : wanted) {
    if (!given.contains(key)) return "what a device computes may not be defined where the source is: " + key;
  }
  return std::nullopt;
}

}  // namespace partir::prove
