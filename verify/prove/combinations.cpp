// The part of Evaluation (evaluation.h) for reductions: it recognises the monoid of a reduction's computation, and
// builds sums and folds over ranges, with ranges cut where guards change.
#include <fmt/format.h>

#include <algorithm>

#include "ir/choices.h"
#include "verify/prove/evaluation.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/finite.h"
#include "verify/prove/integers.h"
#include "verify/prove/merges.h"
#include "verify/prove/opaque.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// Returns the monoid of a binary function on a type. On booleans, addition is or, and multiplication is and.
std::optional<Monoid> monoid_on(ScalarFn fn, ElementType type) {
  const std::optional<Monoid> m = monoid_of(fn);
  if (!m || type != ElementType::i1) return m;
  switch (*m) {
    case Monoid::sum:
    case Monoid::max:
    case Monoid::disj: return Monoid::disj;
    default: return Monoid::conj;
  }
}

bool is_argument(const Meaning& m, ScalarId id, std::size_t number) {
  const ScalarTerm& t = m.at(id);
  return t.kind == ScalarTerm::Kind::argument && t.operand == number;
}

/// Returns the monoid of a term that combines two given arguments, in either order.
std::optional<Monoid> combiner(const Meaning& m, ScalarId id, std::size_t first, std::size_t second) {
  const ScalarTerm& how = m.at(id);
  if (how.kind != ScalarTerm::Kind::apply || how.args.size() != 2) return std::nullopt;
  const auto are = [&](std::size_t a, std::size_t b) {
    return is_argument(m, how.args[0], a) && is_argument(m, how.args[1], b);
  };
  return are(first, second) || are(second, first) ? monoid_on(how.fn, how.type) : std::nullopt;
}

/// True if the form is a constant other than zero.
bool is_never_zero(const Expr& e) {
  if (e.terms.size() != 1 || !e.terms[0].ranges.empty()) return false;
  if (e.terms[0].factors.empty()) return true;
  const Factor* f = single(e);
  return f != nullptr && (is(*f, Symbol::lowest) || is(*f, Symbol::highest) ||
                          (is(*f, Symbol::literal) && f->literal->as_double(0) != 0));
}

}  // namespace

std::optional<Monoid> passes_over(const ScalarTerm& t, const Meaning& m) {
  if (t.combine.size() != 2 || t.operand != 0) return std::nullopt;
  const ScalarTerm& how = m.at(t.combine[0]);
  const bool selects = how.kind == ScalarTerm::Kind::apply && how.fn == ScalarFn::select;
  return selects && is_argument(m, how.args[0], 3) && is_argument(m, how.args[2], 0) ? combiner(m, how.args[1], 0, 2)
                                                                                     : std::nullopt;
}

void require_any_order(Monoid m, const Expr& body, Context& c) {
  if (m == Monoid::sum) {
    if (!is_number(body.type)) throw GiveUp{"sums of booleans"};
    // Infinities among the addends are allowed: both sides add the same ones, so both results are NaN or neither is.
    if (!c.may(Law::sum_over_ranges, body.type)) throw GiveUp{"a sum whose order counts"};
  } else if (m == Monoid::prod) {
    if (!may(Law::product_over_ranges, body.type, {&body}, c)) throw GiveUp{"a product whose order counts"};
  } else if (!c.may(Law::order_as_set, body.type)) {
    throw GiveUp{"which NaN a maximum is of"};
  }
}

/// Evaluates the combining terms of a reduction, over placeholders for their arguments.
std::vector<Expr> Evaluation::combination(const std::vector<ScalarId>& combine, Frame& f) {
  Domains* const domains = std::exchange(domains_, nullptr);
  std::vector<Expr> out;
  for (const ScalarId id : combine) out.push_back(simplified(scalar(id, f), c_));
  domains_ = domains;
  return out;
}

std::string Evaluation::combination_text(const std::vector<Expr>& combination) {
  std::string out;
  for (const Expr& e : combination) out += e.key(c_) + ";";
  return out;
}

std::optional<Expr> Evaluation::combined(Monoid m, const Expr& a, const Expr& b) {
  // With Arithmetic::every_bit, it is unspecified which NaN results from a NaN and the identity.
  const bool by_identity = c_.arithmetic != Arithmetic::every_bit || !is_float(a.type);
  if (by_identity && is_identity(a, m, c_)) return b;
  if (by_identity && is_identity(b, m, c_)) return a;
  const bool allowed =
      m == Monoid::prod ? may(Law::ring_product, a.type, {&a, &b}, c_) : c_.may(Law::order_as_set, a.type);
  return allowed ? std::optional(combine(m, a, b, c_)) : std::nullopt;
}

/// Returns the sum or fold over ranges, with ranges cut at the indices where guards of the body change.
Expr Evaluation::folded(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& where, const Expr& body,
                        int cuts) {
  const bool sums = m == Monoid::sum;
  if (sums || m == Monoid::prod) note_arithmetic(body.type);
  if (!ranges.empty()) require_any_order(m, body, c_);
  AtomId range;
  Poly place;
  if (cuts < 4 && (!sums || c_.cut_sums) && cut_of(ranges, body, c_, range, place) && !c_.at(range).extent.is_zero()) {
    std::vector<Expr> sides;
    for (const bool behind : {false, true}) {
      const Poly extent = behind ? c_.at(range).extent - place : place;
      if (extent.is_zero()) continue;  // empty part
      const AtomId part = c_.range(extent);
      const Substitution s{{range, behind ? Poly::atom(part) + place : Poly::atom(part)}};
      std::vector<AtomId> others = ranges;
      std::replace(others.begin(), others.end(), range, part);
      std::vector<Factor> conditions;
      for (const Factor& g : where) conditions.push_back(substitute(g, s, c_));
      sides.push_back(folded(m, others, conditions, simplified(substitute(body, s, c_), c_), cuts + 1));
    }
    return noted(
        replay::Rule::cut, c_, [&](Recorder& r) { return r.over(m, ranges, where, body); },
        sides.size() == 1 ? sides[0]
        : sums            ? add(sides[0], sides[1])
                          : combine(m, sides[0], sides[1], c_));
  }
  return sums ? sum_over(ranges, body) : fold(m, ranges, where, body, c_);
}

Expr Evaluation::reduce(const ScalarTerm& t, Frame& f) {
  const std::size_t k = t.combine.size();
  const Meaning& m = f.op->meaning;
  std::optional<Monoid> monoid = passes_over(t, m);
  const bool masked = monoid.has_value();
  if (k == 1) monoid = combiner(m, t.combine[0], 0, 1);
  if (masked && c_.selections_by_comparison) {
    if (auto out = written_out(t, *monoid, f)) return *out;
  }
  const Expr init = scalar(t.args[t.operand], f);
  std::vector<RangeId> several;
  for (const RangeId r : t.ranges) {
    if (f.op->extents[r.index()] == Poly(1)) {
      f.at[r] = Poly(0);
    } else {
      several.push_back(r);
    }
  }
  const std::vector<AtomId> ranges = bind(several, f);
  const std::vector<Factor> where = independent(guards(t.guards, f), c_);
  const auto inside = [&](ScalarId id) {
    if (domains_ != nullptr) domains_->where.insert(domains_->where.end(), where.begin(), where.end());
    Expr out = scalar(id, f);
    if (domains_ != nullptr) domains_->where.resize(domains_->where.size() - where.size());
    return out;
  };
  if (!monoid) return reduce_unknown(t, f, ranges, where);
  Expr body = inside(t.args[k]);
  if (masked) {
    const Expr counts = indicator(simplified(inside(t.args[k + 1]), c_), c_);
    body = choose(counts, simplified(body, c_), identity_of(*monoid, t.type), c_);
  }
  if (*monoid != Monoid::sum) {
    const auto out = combined(*monoid, init, folded(*monoid, ranges, where, simplified(body, c_)));
    if (!out) throw GiveUp{"a combination whose order counts"};
    return *out;
  }
  note_arithmetic(t.type);
  // Bit-exactly, even adding the initial value rounds. (An infinity in the body is one addend of the same set on both
  // sides.)
  if (!may(Law::ring_sum, t.type, {&init}, c_)) throw GiveUp{"a sum whose order counts"};
  for (const Factor& g : where) body = multiply(factor(g), body, c_);
  return add(init, folded(Monoid::sum, ranges, {}, simplified(body, c_)));
}

/// A fold over k that is restricted to k = e, for an e in the range, has one step, which is that of e: removes such
/// ranges, in any arithmetic.
void Evaluation::take_single_steps(std::vector<AtomId>& ranges, std::vector<Factor>& where, std::vector<Expr>& bodies) {
  for (std::size_t g = 0; g < where.size();) {
    const auto pinned = pinned_range(where[g], ranges, c_);
    if (!pinned || !c_.non_negative(pinned->second) ||
        !c_.non_negative(c_.at(pinned->first).extent - 1 - pinned->second)) {
      ++g;
      continue;
    }
    const Substitution s{*pinned};
    std::erase(ranges, pinned->first);
    where.erase(where.begin() + static_cast<std::ptrdiff_t>(g));
    for (Factor& f : where) f = settled(substitute(f, s, c_), c_);
    for (Expr& e : bodies) e = simplified(substitute(e, s, c_), c_);
    g = 0;
  }
}

/// Returns a fold by a computation that is not a monoid as an opaque term: equal only to a fold with equal parts.
Expr Evaluation::reduce_unknown(const ScalarTerm& t, Frame& f, std::vector<AtomId> ranges,
                                const std::vector<Factor>& where) {
  const std::size_t k = t.combine.size();
  std::vector<Factor> open;
  for (const Factor& g : where) {
    if (simplified(factor(g), c_).key(c_) != number(1).key(c_)) open.push_back(settled(g, c_));
  }
  Factor out;
  out.kind = Factor::Kind::opaque;
  out.type = t.type;
  out.symbol = Symbol::folded;
  out.number = static_cast<std::int64_t>(t.operand);
  const std::vector<Expr> combine = combination(t.combine, f);
  out.record = fmt::format("fold#{} by {}", t.operand, combination_text(combine));
  const auto add_arg = [&](Expr e, std::vector<AtomId> over = {}, std::vector<Factor> conditions = {}) {
    out.args.push_back(std::make_shared<Expr>(std::move(e)));
    out.ranges.push_back(std::move(over));
    out.conditions.push_back(std::move(conditions));
  };
  std::vector<Expr> bodies;
  std::vector<bool> zeros;
  for (std::size_t v = 0; v < k; ++v) {
    add_arg(scalar(t.args[v], f));
    zeros.push_back(is_float(out.args.back()->type) && !is_never_zero(*out.args.back()));
    bodies.push_back(simplified(scalar(t.args[k + v], f), c_));
  }
  take_single_steps(ranges, open, bodies);
  const ScalarTerm& combine_term = f.op->meaning.at(t.combine[t.operand]);
  const bool replaces = combine_term.kind == ScalarTerm::Kind::argument && combine_term.operand == k + t.operand;
  if (replaces && ranges.empty() && !t.guards.empty()) {  // of a scatter, whose initial value comes first
    Expr counts = number(1);
    for (const Factor& g : open) counts = multiply(counts, factor(g), c_);
    return choose(simplified(counts, c_), bodies[t.operand], simplified(*out.args[t.operand], c_), c_);
  }
  note_arithmetic(t.type);
  // All results of the fold share these tuples.
  add_arg(factor(applied(Symbol::tuple, ElementType::index, std::move(bodies))), ranges, open);
  add_arg(factor(applied(Symbol::tuple, ElementType::index, combine)));
  if (!folds_in_blocks(f.op->meaning, t.combine, zeros)) return factor(std::move(out));
  return factor(merged_folds(out, c_));
}

}  // namespace partir::prove
