// The part of Evaluation (evaluation.h) for scalar functions: arithmetic, conversions, comparisons and logic on
// canonical forms. Functions without an applicable law become uninterpreted.
#include <algorithm>

#include "ir/ops/common.h"
#include "verify/prove/evaluation.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/finite.h"
#include "verify/prove/integers.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// A comparison with a maximum or minimum is a fold of comparisons with its members, e.g. max x > y is or over x > y.
/// Returns the monoid of that fold; nothing if the function is no such comparison.
std::optional<Monoid> compared(ScalarFn fn, Monoid of, bool on_the_left) {
  const bool greater = fn == ScalarFn::compare_gt || fn == ScalarFn::compare_ge;
  if (!greater && fn != ScalarFn::compare_lt && fn != ScalarFn::compare_le) return std::nullopt;
  if (of != Monoid::max && of != Monoid::min) return std::nullopt;
  return (greater == on_the_left) == (of == Monoid::max) ? Monoid::disj : Monoid::conj;
}

/// True if a conversion between floats may round, so that it depends on the exact bits of its operand.
bool rounds(ElementType from, ElementType to) {
  return (is_float(from) || is_complex(from)) && (is_float(to) || is_complex(to)) &&
         !ops::converts_monotonically(part_of(from), part_of(to)) && part_of(from) != part_of(to);
}

bool is_boolean_sum(ScalarFn fn) {
  return fn == ScalarFn::add || fn == ScalarFn::maximum || fn == ScalarFn::logical_or;
}
bool is_boolean_product(ScalarFn fn) {
  return fn == ScalarFn::multiply || fn == ScalarFn::minimum || fn == ScalarFn::logical_and;
}

/// Returns the monoid that a binary function applies, for monoids by order or on bits. (Sums and products are handled
/// as arithmetic.)
std::optional<Monoid> combination_by(ScalarFn fn, ElementType type) {
  if (type == ElementType::i1)
    return is_boolean_sum(fn)       ? std::optional(Monoid::disj)
           : is_boolean_product(fn) ? std::optional(Monoid::conj)
                                    : std::nullopt;
  const auto monoid = monoid_of(fn);
  return monoid == Monoid::sum || monoid == Monoid::prod ? std::nullopt : monoid;
}

}  // namespace

std::optional<Expr> by_ring_laws(ScalarFn fn, ElementType type, const std::vector<Expr>& args, Context& c) {
  const auto allowed = [&](Law law) { return may(law, type, {&args.front(), &args.back()}, c); };
  switch (fn) {
    case ScalarFn::add: return allowed(Law::ring_sum) ? std::optional(add(args[0], args[1])) : std::nullopt;
    case ScalarFn::subtract:
      return allowed(Law::ring_sum) ? std::optional(difference(args[0], args[1], c)) : std::nullopt;
    case ScalarFn::negate: return allowed(Law::ring_sum) ? std::optional(negated(args[0], c)) : std::nullopt;
    case ScalarFn::multiply:
      return allowed(Law::ring_product) ? std::optional(multiply(args[0], args[1], c)) : std::nullopt;
    default: return std::nullopt;
  }
}

/// Returns the uninterpreted application of the function to simplified arguments.
Expr Evaluation::plain(ScalarFn fn, ElementType to, const std::vector<Expr>& args) {
  std::vector<Expr> simple;
  for (const Expr& a : args) simple.push_back(simplified(a, c_));
  // Commutative bit by bit, except that for two NaNs the result is the first.
  const bool commutes = (fn == ScalarFn::add || fn == ScalarFn::multiply) && simple.size() == 2 &&
                        (c_.arithmetic != Arithmetic::every_bit || !(is_float(to) || is_complex(to)));
  if (commutes && simple[1].key(c_) < simple[0].key(c_)) std::swap(simple[0], simple[1]);
  return factor(applied(fn, to, std::move(simple)));
}

void Evaluation::note_domain(ScalarFn fn, const std::vector<Expr>& args) {
  if (domains_ == nullptr || domains_->note == nullptr) return;
  const ElementType type = args[0].type;
  const bool divides = fn == ScalarFn::divide || fn == ScalarFn::remainder;
  if (is_total(fn, type) || (is_integer(type) && !divides && fn != ScalarFn::power)) return;
  std::vector<Expr> of;
  // The dividend matters for integers only, where the least integer divided by -1 overflows.
  for (std::size_t k = divides && !is_integer(type) ? 1 : 0; k < args.size(); ++k)
    of.push_back(simplified(args[k], c_));
  const ScalarFn domain = divides && !is_integer(type) ? ScalarFn::divide : fn;
  Factor defined = applied(Symbol::defined, ElementType::i1, std::move(of));
  defined.fn = domain;
  (*domains_->note)(factor(std::move(defined)), domains_->ranges, domains_->where);
}

Expr Evaluation::apply(const ScalarTerm& t, Frame& f) {
  const ElementType in = f.op->meaning.at(t.args[0]).type;
  std::vector<Expr> args;
  if (looks_at_bits(t.fn) || (t.fn == ScalarFn::convert && rounds(in, t.type))) {
    const ArithmeticScope bits(c_, Arithmetic::every_bit);
    for (const ScalarId a : t.args) args.push_back(simplified(scalar(a, f), c_));
    // A bitcast back to the original type is the identity.
    const Factor* inner = t.fn == ScalarFn::bitcast ? single(args[0]) : nullptr;
    if (inner != nullptr && is_function(*inner, ScalarFn::bitcast) && inner->args[0]->type == t.type &&
        c_.may(Law::bitcast_back, t.type))
      return noted(
          replay::Rule::bitcast_back, c_, [&](Recorder& r) { return r.apply(t.fn, t.type, {r.term(args[0])}); },
          *inner->args[0]);
    return plain(t.fn, t.type, args);
  }
  const bool outside = std::exchange(computed_, false);
  for (const ScalarId a : t.args) args.push_back(scalar(a, f));
  const bool computed = std::exchange(computed_, outside || computed_);
  if (domains_ != nullptr) note_domain(t.fn, args);
  switch (t.fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::negate:
    case ScalarFn::multiply:
    case ScalarFn::divide:
    case ScalarFn::complex:
      if (is_number(t.type)) return arithmetic(t, args);
      break;
    case ScalarFn::convert: return convert(args[0], t.type, computed);
    case ScalarFn::select:
      return choose(indicator(simplified(args[0], c_), c_), simplified(args[1], c_), simplified(args[2], c_), c_);
    case ScalarFn::conj:
    case ScalarFn::real:
    case ScalarFn::imag:
      if (!is_complex(in)) return t.fn == ScalarFn::imag ? number(0, t.type) : args[0];
      if (!c_.may(Law::additive_parts, in)) break;
      return apply_linear(t.fn, t.type, simplified(args[0], c_), c_);
    case ScalarFn::compare_eq:
      if (const auto out = is_selected(simplified(args[0], c_), simplified(args[1], c_))) return *out;
      return compare(t.fn, simplified(args[0], c_), simplified(args[1], c_));
    case ScalarFn::compare_ne:
    case ScalarFn::compare_gt:
    case ScalarFn::compare_ge:
    case ScalarFn::compare_lt:
    case ScalarFn::compare_le: return compare(t.fn, simplified(args[0], c_), simplified(args[1], c_));
    case ScalarFn::logical_not: return complement(simplified(args[0], c_));
    default: break;
  }
  const auto monoid = args.size() == 2 ? combination_by(t.fn, t.type) : std::nullopt;
  if (monoid) {
    if (const auto out = combined(*monoid, simplified(args[0], c_), simplified(args[1], c_))) return *out;
  }
  // Of the laws of real functions, only the one of exp holds for complex numbers; log and roots have branches.
  const bool has_laws = is_float(in) || (is_complex(in) && t.fn == ScalarFn::exponential);
  if (args.size() == 1 && in == t.type && has_laws) return apply_through(t.fn, t.type, simplified(args[0], c_), c_);
  return plain(t.fn, t.type, args);
}

/// Returns sums, products and quotients of numbers. Bit-exactly, or on infinities, they are uninterpreted functions.
Expr Evaluation::arithmetic(const ScalarTerm& t, const std::vector<Expr>& args) {
  const ElementType type = t.type;
  const auto allowed = [&](Law law) { return may(law, type, {&args.front(), &args.back()}, c_); };
  if (t.fn != ScalarFn::negate && t.fn != ScalarFn::complex) note_arithmetic(type);
  switch (t.fn) {
    case ScalarFn::divide:
      if (allowed(Law::division_by_reciprocal)) return multiply(args[0], reciprocal(simplified(args[1], c_), c_), c_);
      break;
    case ScalarFn::complex:
      if (allowed(Law::ring_sum))
        return add(retyped(args[0], type),
                   multiply(factor(applied(Symbol::imaginary_unit, type)), retyped(args[1], type), c_));
      break;
    default:
      if (const auto out = by_ring_laws(t.fn, type, args, c_)) return *out;
  }
  return plain(t.fn, type, args);
}

/// Returns a conversion. `computed`: x0 was rounded to its own type on the way, so it differs from the value that a
/// wider type would have.
Expr Evaluation::convert(const Expr& x0, ElementType to, bool computed) {
  const ElementType in = x0.type;
  if (in == to) return x0;
  const bool widens = ops::converts_monotonically(in, to);
  if (widens && is_float(in) && !computed && c_.may(Law::widening_is_identity, in)) return widened(x0, to);
  const Expr x = simplified(x0, c_);
  const auto before = [&](Recorder& r) { return r.apply(ScalarFn::convert, to, {r.term(x)}); };
  if (const auto p = is_number(to) ? index_of(x, sizes(), c_) : std::nullopt)
    return noted(replay::Rule::integer_read, c_, before, index_number(*p, to));
  // Narrowing is taking a remainder modulo a power of two, which is additive.
  if (wraps(in) && wraps(to) && bit_width(in) >= bit_width(to) && c_.may(Law::additive_narrowing, in))
    return apply_linear(ScalarFn::convert, to, x, c_);
  // A condition is a factor of 0 or 1, and every conversion keeps 0.
  const bool guarded = x.terms.size() == 1 && x.terms[0].ranges.empty() &&
                       std::any_of(x.terms[0].factors.begin(), x.terms[0].factors.end(), is_guard);
  if (guarded && wraps(in) && is_number(to) && c_.may(Law::conversion_of_guarded, in)) {
    Expr inside{in, {{x.terms[0].coefficient, {}, {}}}};
    Expr outside = number(1, to);
    for (const Factor& f : x.terms[0].factors) (is_guard(f) ? outside : inside).terms[0].factors.push_back(f);
    return noted(replay::Rule::linearity, c_, before, multiply(outside, convert(inside, to, computed), c_));
  }
  if (widens) return apply_through(ScalarFn::convert, to, x, c_);
  if (in != ElementType::i1 || !is_number(to)) return plain(ScalarFn::convert, to, {x});
  if (const auto number = number_of_truth(x, c_)) return noted(replay::Rule::truth, c_, before, retyped(*number, to));
  const Factor* truths = single_fold(x);
  if (truths == nullptr || (truths->monoid != Monoid::disj && truths->monoid != Monoid::conj) ||
      !never_empty(*truths, c_) || !c_.may(Law::conversion_of_truths, to))
    return plain(ScalarFn::convert, to, {x});
  return noted(replay::Rule::conversion_over_fold, c_, before,
               fold_members(truths->monoid == Monoid::disj ? Monoid::max : Monoid::min, *truths, c_,
                            [&](const Expr& m) { return factor(applied(ScalarFn::convert, to, {m})); }));
}

Expr Evaluation::compare(ScalarFn fn, const Expr& a, const Expr& b) {
  const ElementType in = a.type;
  const Expr* const sides[2] = {&a, &b};
  const auto before = [&](Recorder& r) { return r.apply(fn, ElementType::i1, {r.term(a), r.term(b)}); };
  if (wraps(in)) {
    if (const auto holds = compared_indices(fn, a, b, sizes(), c_))
      return noted(replay::Rule::comparison_of_indices, c_, before, truth(*holds, c_));
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Factor* of = single_fold(*sides[side]);
    if (of == nullptr || !never_empty(*of, c_)) continue;
    const auto monoid = compared(fn, of->monoid, side == 0);
    if (!monoid || !c_.may(Law::comparison_of_extremum, in)) continue;
    return noted(
        replay::Rule::comparison_over_fold, c_, before, fold_members(*monoid, *of, c_, [&](const Expr& m) {
          return factor(applied(fn, ElementType::i1, side == 0 ? std::vector<Expr>{m, b} : std::vector<Expr>{a, m}));
        }));
  }
  return plain(fn, ElementType::i1, {a, b});
}

/// Returns the complement; not (a and b) becomes not a or not b.
Expr Evaluation::complement(const Expr& x) {
  const auto inverse = [&](const Expr& e) { return factor(applied(ScalarFn::logical_not, x.type, {e})); };
  if (const Factor* known = single(x); known != nullptr && is(*known, Symbol::boolean))
    return boolean(known->number == 0);
  const Factor* of = single_fold(x);
  if (of == nullptr || (of->monoid != Monoid::conj && of->monoid != Monoid::disj) || of->args.empty() ||
      !c_.may(Law::complement_of_bits, x.type))
    return inverse(x);
  return noted(
      replay::Rule::not_over_fold, c_, [&](Recorder& r) { return r.apply(ScalarFn::logical_not, x.type, {r.term(x)}); },
      fold_members(of->monoid == Monoid::conj ? Monoid::disj : Monoid::conj, *of, c_, inverse));
}

}  // namespace partir::prove
