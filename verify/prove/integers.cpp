#include "verify/prove/integers.h"

#include <algorithm>

#include "verify/prove/record.h"

namespace partir::prove {
namespace {

constexpr std::int64_t kMargin = 65536;

bool is_index_number(const Factor& f) { return f.kind == Factor::Kind::index; }

/// Whether an index stands among what an expression adds up, or in what it is the greater or smaller of.
bool is_made_of_index(const Expr& e) {
  return std::any_of(e.terms.begin(), e.terms.end(), [](const Term& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), [](const Factor& f) {
      const bool order = f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min);
      return is_index_number(f) || (order && std::any_of(f.args.begin(), f.args.end(),
                                                         [](const ExprPtr& a) { return is_made_of_index(*a); }));
    });
  });
}

class Reading {
 public:
  Reading(ElementType type, const std::vector<Poly>& sizes, Context& c) : type_(type), sizes_(sizes), c_(c) {}

  /// Nothing where a sum may wrap.
  std::optional<Poly> exact(const Expr& e) {
    if (bit_width(type_) < 32) return std::nullopt;
    Poly sum;
    bool one = true;  // one number as it is
    for (const Term& t : e.terms) {
      const auto p = term(t);
      if (!p) return std::nullopt;
      one = one && e.terms.size() == 1 && (t.factors.empty() || (t.coefficient == 1 && !is_index_number(t.factors[0])));
      sum = sum + Poly(t.coefficient) * *p;
    }
    return one || fits(sum) ? std::optional(sum) : std::nullopt;
  }

 private:
  /// A term without its coefficient.
  std::optional<Poly> term(const Term& t) {
    if (t.ranges.empty() && t.factors.empty()) return 1;
    if (t.ranges.empty() && t.factors.size() == 1) {
      const Factor& f = t.factors[0];
      if (is_index_number(f)) return f.indices[0];
      if (const auto p = order(f)) return p;
    }
    return c_.value(std::make_shared<Expr>(Expr{{{1, t.ranges, t.factors}}}));
  }

  /// The greatest or the least of a few integers.
  std::optional<Poly> order(const Factor& f) {
    const bool orders = f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min);
    if (!orders) return std::nullopt;
    std::optional<Poly> out;
    for (std::size_t k = 0; k < f.args.size(); ++k) {
      const auto p = exact(*f.args[k]);
      if (!p || !f.ranges[k].empty() || !f.conditions[k].empty()) return std::nullopt;
      out = !out ? *p : f.monoid == Monoid::max ? c_.max(*out, *p) : c_.min(*out, *p);
    }
    return out;
  }

  bool fits(const Poly& p) {
    const auto within = [&](const Poly& s) {
      return c_.non_negative(s - p) && c_.non_negative(is_signed(type_) ? s + p : p);
    };
    return within(greatest()) ||
           std::any_of(sizes_.begin(), sizes_.end(), [&](const Poly& s) { return within(s + kMargin); });
  }
  [[nodiscard]] std::int64_t greatest() const {
    return (std::int64_t{1} << (std::min<std::size_t>(bit_width(type_), 60) - (is_signed(type_) ? 1 : 0))) - 1;
  }

  ElementType type_;
  const std::vector<Poly>& sizes_;
  Context& c_;
};

}  // namespace

Poly integer(const Expr& e, ElementType type, const std::vector<Poly>& sizes, Context& c) {
  if (e.terms.empty()) return 0;
  const auto exact = Reading(type, sizes, c).exact(e);
  return noted(
      replay::Rule::integer_read, c, [&](Recorder& r) { return r.term(e); },
      exact ? *exact : c.value(std::make_shared<Expr>(e)));
}

std::optional<Poly> index_of(const Expr& e, ElementType type, const std::vector<Poly>& sizes, Context& c) {
  const Factor* alone = single(e);
  if (!is_integer(type) || alone == nullptr || !is_index_number(*alone)) return std::nullopt;
  return Reading(type, sizes, c).exact(e);
}

std::optional<Expr> compared_indices(ScalarFn fn, const Expr& a, const Expr& b, ElementType type,
                                     const std::vector<Poly>& sizes, Context& c) {
  if (!is_made_of_index(a) && !is_made_of_index(b)) return std::nullopt;
  const auto p = Reading(type, sizes, c).exact(a);
  const auto q = Reading(type, sizes, c).exact(b);
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

/// 1 less what is 1 or 0: of p >= 0, -p - 1 >= 0.
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
  if (f->kind == Factor::Kind::apply && f->name == "truth") return *f->args[0];
  if (f->kind == Factor::Kind::apply && f->name == "not") {
    const auto x = number_of_truth(*f->args[0], c);
    return x ? std::optional(complement(*x)) : std::nullopt;
  }
  if (f->kind != Factor::Kind::fold || (f->monoid != Monoid::conj && f->monoid != Monoid::disj)) return std::nullopt;
  const bool all = f->monoid == Monoid::conj;  // a or b is not (not a and not b)
  Expr out = number(1);
  for (std::size_t k = 0; k < f->args.size(); ++k) {
    const auto x = number_of_truth(*f->args[k], c);
    if (!x || !f->ranges[k].empty() || !f->conditions[k].empty()) return std::nullopt;
    out = multiply(out, all ? *x : complement(*x), c);
  }
  return all ? out : complement(out);
}

Expr truth(const Expr& e, Context& c) { return factor(applied("truth", {simplified(e, c)})); }

Expr indicator(const Expr& e, Context& c) {
  const auto x = number_of_truth(e, c);
  if (!x) return factor(applied("indicator", {e}));
  return noted(
      replay::Rule::truth, c, [&](Recorder& r) { return r.apply("indicator", e); }, simplified(*x, c));
}

}  // namespace partir::prove
