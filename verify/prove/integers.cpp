// Recovers index terms from integer arithmetic (integers.h), and converts between booleans and conditions.
#include "verify/prove/integers.h"

#include <algorithm>

#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

bool is_index_number(const Factor& f) { return f.kind == Factor::Kind::index; }

/// True if an index is among the addends of an expression, or among the operands of a maximum or minimum in it.
bool is_made_of_index(const Expr& e) {
  return std::any_of(e.terms.begin(), e.terms.end(), [](const Term& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), [](const Factor& f) {
      return is_index_number(f) || (is_extremum(f) && std::any_of(f.args.begin(), f.args.end(), [](const ExprPtr& a) {
                                      return is_made_of_index(*a);
                                    }));
    });
  });
}

/// Returns the representative of a coefficient that is nearest to 0: 2^32 - 1 in ui32 is -1.
std::int64_t nearest(std::int64_t coefficient, ElementType type) {
  const unsigned spare = 64 - bit_width(type);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(coefficient) << spare) >> spare;
}

/// Converts expressions of one integer type to index terms, as far as they provably do not wrap.
class ExactIntegers {
 public:
  ExactIntegers(ElementType type, const std::vector<Poly>& sizes, Context& c) : type_(type), sizes_(sizes), c_(c) {}

  /// Returns the expression as an index term; nothing if a sum in it may wrap.
  std::optional<Poly> exact(const Expr& e) {
    if (e.terms.empty()) return Poly(0);
    if (e.terms.size() == 1 && !is_index_sum(e)) {  // a single number, which did not wrap
      const Term& t = e.terms[0];
      const bool beyond = bit_width(type_) == 64 && !is_signed(type_) && t.coefficient < 0;
      if (t.factors.empty() && t.ranges.empty()) return beyond ? std::nullopt : std::optional(Poly(t.coefficient));
      if (t.coefficient == 1) return term(t);
    }
    Poly sum;
    for (const Term& t : e.terms) {
      const auto p = term(t);
      if (!p) return std::nullopt;
      sum = sum + Poly(nearest(t.coefficient, type_)) * *p;
    }
    return fits(sum) ? std::optional(sum) : std::nullopt;
  }

 private:
  static bool is_index_sum(const Expr& e) {
    const Term& t = e.terms[0];
    return t.ranges.empty() && t.factors.size() == 1 && is_index_number(t.factors[0]);
  }

  /// Returns a term without its coefficient.
  std::optional<Poly> term(const Term& t) {
    if (t.ranges.empty() && t.factors.empty()) return 1;
    if (t.ranges.empty() && t.factors.size() == 1) {
      const Factor& f = t.factors[0];
      if (is_index_number(f)) return f.type == type_ ? std::optional(f.indices[0]) : std::nullopt;
      if (const auto p = order(f)) return p;
    }
    return c_.value(std::make_shared<Expr>(Expr{type_, {{1, t.ranges, t.factors}}}));
  }

  /// Returns a maximum or minimum of integers without ranges as that of their index terms.
  std::optional<Poly> order(const Factor& f) {
    if (!is_extremum(f)) return std::nullopt;
    std::optional<Poly> out;
    for (std::size_t k = 0; k < f.args.size(); ++k) {
      const auto p = exact(*f.args[k]);
      if (!p || !f.ranges[k].empty() || !f.conditions[k].empty()) return std::nullopt;
      out = !out ? *p : f.monoid == Monoid::max ? c_.max(*out, *p) : c_.min(*out, *p);
    }
    return out;
  }

  /// True if the type can represent p: p is within the type's bounds, or between -s and s for a dimension s of the
  /// program, and dimensions are below 2^31 (Context::used_sizes).
  bool fits(const Poly& p) {
    const auto between = [&](const Poly& low, const Poly& high) {
      return c_.non_negative(p - low) && c_.non_negative(high - p);
    };
    const unsigned bits = std::min(bit_width(type_), 62U);
    const std::int64_t greatest = (std::int64_t{1} << (bits - (is_signed(type_) ? 1 : 0))) - 1;
    if (between(is_signed(type_) ? Poly(-greatest - 1) : Poly(0), Poly(greatest))) return true;
    if (bit_width(type_) < 32) return false;
    const bool within = std::any_of(sizes_.begin(), sizes_.end(),
                                    [&](const Poly& s) { return between(is_signed(type_) ? Poly() - s : Poly(0), s); });
    if (within && bit_width(type_) < 64) c_.used_sizes = true;
    return within;
  }

  ElementType type_;
  const std::vector<Poly>& sizes_;
  Context& c_;
};

}  // namespace

Poly integer(const Expr& e, const std::vector<Poly>& sizes, Context& c) {
  const auto exact = ExactIntegers(e.type, sizes, c).exact(e);
  return noted(
      replay::Rule::integer_read, c, [&](Recorder& r) { return r.term(e); },
      exact ? *exact : c.value(std::make_shared<Expr>(e)));
}

std::optional<Poly> index_of(const Expr& e, const std::vector<Poly>& sizes, Context& c) {
  const Factor* alone = single(e);
  if (!is_integer(e.type) || alone == nullptr || !is_index_number(*alone)) return std::nullopt;
  return ExactIntegers(e.type, sizes, c).exact(e);
}

std::optional<Expr> compared_indices(ScalarFn fn, const Expr& a, const Expr& b, const std::vector<Poly>& sizes,
                                     Context& c) {
  const auto is_number = [](const Expr& e) {
    return e.terms.empty() || (e.terms.size() == 1 && e.terms[0].factors.empty() && e.terms[0].ranges.empty());
  };
  if (!is_made_of_index(a) && !is_made_of_index(b) && !(is_number(a) && is_number(b))) return std::nullopt;
  const auto p = ExactIntegers(a.type, sizes, c).exact(a);
  const auto q = ExactIntegers(b.type, sizes, c).exact(b);
  if (!p || !q) return std::nullopt;
  const auto guard = [](Factor::Kind kind, const Poly& index) {
    Factor f;
    f.kind = kind;
    f.indices = {index};
    return factor(std::move(f));
  };
  switch (fn) {
    case ScalarFn::compare_ge: return guard(Factor::Kind::guard, *p - *q);
    case ScalarFn::compare_gt: return guard(Factor::Kind::guard, *p - *q - 1);
    case ScalarFn::compare_le: return guard(Factor::Kind::guard, *q - *p);
    case ScalarFn::compare_lt: return guard(Factor::Kind::guard, *q - *p - 1);
    case ScalarFn::compare_eq: return guard(Factor::Kind::guard_eq, *p - *q);
    case ScalarFn::compare_ne: return add(number(1), guard(Factor::Kind::guard_eq, *p - *q), -1);
    default: return std::nullopt;
  }
}

namespace {

/// Returns the complement of a condition: of p >= 0, it is -p - 1 >= 0.
Expr complement(const Expr& e) {
  const Factor* f = single(e);
  if (f == nullptr || f->kind != Factor::Kind::guard) return add(number(1), e, -1);
  Factor opposite = *f;
  opposite.indices = {Poly(-1) - f->indices[0]};
  return factor(std::move(opposite));
}

}  // namespace

std::optional<Expr> number_of_truth(const Expr& e, Context& c) {
  const Factor* f = single(e);
  if (f == nullptr) return std::nullopt;
  if (is(*f, Symbol::truth)) return *f->args[0];
  if (is(*f, Symbol::boolean)) return number(f->number);
  if (is_function(*f, ScalarFn::logical_not) && f->type == ElementType::i1) {
    const auto x = number_of_truth(*f->args[0], c);
    return x ? std::optional(complement(*x)) : std::nullopt;
  }
  if (f->kind != Factor::Kind::fold || (f->monoid != Monoid::conj && f->monoid != Monoid::disj)) return std::nullopt;
  const bool all = f->monoid == Monoid::conj;  // by De Morgan: a or b is not (not a and not b)
  Expr out = number(1);
  for (std::size_t k = 0; k < f->args.size(); ++k) {
    const auto x = number_of_truth(*f->args[k], c);
    if (!x || !f->ranges[k].empty() || !f->conditions[k].empty()) return std::nullopt;
    out = multiply(out, all ? *x : complement(*x), c);
  }
  return all ? out : complement(out);
}

Expr truth(const Expr& e, Context& c) {
  Expr simple = simplified(e, c);
  if (simple.terms.empty()) return boolean(false);
  if (simple.key(c) == number(1).key(c)) return boolean(true);
  return factor(applied(Symbol::truth, ElementType::i1, {std::move(simple)}));
}

Expr indicator(const Expr& e, Context& c) {
  const auto x = number_of_truth(e, c);
  if (!x) return factor(applied(Symbol::indicator, ElementType::index, {e}));
  return noted(
      replay::Rule::truth, c, [&](Recorder& r) { return r.apply(Symbol::indicator, ElementType::index, {r.term(e)}); },
      simplified(*x, c));
}

}  // namespace partir::prove
