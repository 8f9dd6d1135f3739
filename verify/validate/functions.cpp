// Functions of elements that are not all known numbers: arithmetic, conversions, comparisons and the laws of each
// function, as far as they are not in a file of their own (algebra.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/continuity.h"
#include "ir/float_format.h"
#include "semantics/domain.h"
#include "verify/validate/algebra.h"
#include "verify/validate/evaluate.h"

namespace partir::validate {
namespace {

constexpr int kMostMaximaDeep = 32;  ///< maxima in maxima whose members are looked at for their types

/// The bits of the largest finite number of a type with infinities, such that smaller bits are numbers, too; -1 for
/// other types.
std::int64_t largest_finite_bits(ElementType type) {
  const FloatFormat& f = float_format(type);
  if (f.special != FloatFormat::Special::ieee || bit_width(type) > 32) return -1;
  return (((std::int64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits) - 1;
}

/// Whether the function is undefined for some numbers. Quotients and powers are left to quotient() and power().
bool is_partial(ScalarFn fn, ElementType in) {
  return (is_float(in) || is_complex(in)) && fn != ScalarFn::divide && fn != ScalarFn::power && !is_total(fn, in);
}

}  // namespace

bool has_integers(ElementType type, std::int64_t low, std::int64_t high) {
  const FloatFormat& format = float_format(type);
  const std::int64_t most = std::int64_t{1} << (format.mantissa_bits + 1);
  const auto is_one = [&](std::int64_t v) { return round_to(static_cast<double>(v), type) == static_cast<double>(v); };
  return -most <= low && high <= most && is_one(low) && is_one(high) && (low > 0 || high < 0 || is_one(0));
}

namespace {

bool is_even(ScalarFn fn) { return fn == ScalarFn::cosine || fn == ScalarFn::cosh; }

}  // namespace

void Algebra::clear_obligations() {
  divisors_.clear();
  partial_applications_.clear();
}

void Algebra::note_partial(std::string_view function, std::span<const Element> args) {
  if (notes_conditions_)
    partial_applications_.note(opaque(fmt::format("{} is defined", function), ElementType::f64, args), path_);
}

Element Algebra::sum(Element a, Element b, ElementType type) {
  if (a.is(Element::Kind::special) || b.is(Element::Kind::special)) {
    // Adding a finite number leaves an infinity or NaN; sums of two specials were computed by concrete().
    return a.is(Element::Kind::special) ? a : b;
  }
  if (a == Element::number(0) || a == Element::integer(0)) return b;
  if (b == Element::number(0) || b == Element::integer(0)) return a;
  const Element x = canonical(a);
  const Element y = canonical(b);
  Element out = ring_.add(x, y);
  if (is_float(type)) note_roots_of_sum(out, x, y);
  if (is_integer(type)) {
    const auto p = bounds(a.is(Element::Kind::integer) ? a : x, type);
    const auto q = bounds(b.is(Element::Kind::integer) ? b : y, type);
    std::int64_t low = 0;
    std::int64_t high = 0;
    if (p && q && !__builtin_add_overflow(p->low, q->low, &low) && !__builtin_add_overflow(p->high, q->high, &high))
      bound(out, Bounds{low, high}, type);
    note_low_zeros(out, std::min(low_zeros(x), low_zeros(y)));
  }
  if (tracks_sums_ && is_float(type)) {
    for (const auto& [greatest, rest] : {std::pair(x, y), std::pair(y, x)}) {
      if (const auto log = log_of_sum(greatest, rest)) return *log;
    }
    note_exponents(out, x, y);
    const Exponential p = exponential(x);
    const Exponential q = exponential(y);
    out = tracked(out, {ring_.multiply(p.value, q.value), p.has_roots && q.has_roots});
  }
  return out;
}

Element Algebra::product(Element a, Element b, ElementType type) {
  for (const Element e : {a, b}) {
    if (e == Element::number(0) || e == Element::integer(0)) {
      const Element other = e == a ? b : a;
      return other.is(Element::Kind::special) ? Element::special(Special::nan) : e;
    }
  }
  if (a.is(Special::nan) || b.is(Special::nan)) return Element::special(Special::nan);
  if (a.is(Element::Kind::special) || b.is(Element::Kind::special)) {
    // The result is an infinity of either sign, or NaN, and therefore not a number of the ring.
    throw Unknown{fmt::format("a product of an infinity of {} and what the inputs decide", name_of(type))};
  }
  if (a == Element::number(1) || a == Element::integer(1)) return b;
  if (b == Element::number(1) || b == Element::integer(1)) return a;
  const Element x = canonical(a);
  const Element y = canonical(b);
  const Element out = is_float(type) ? product_of_roots(x, y) : ring_.multiply(x, y);
  if (is_integer(type)) {
    const auto p = bounds(a.is(Element::Kind::integer) ? a : x, type);
    const auto q = bounds(b.is(Element::Kind::integer) ? b : y, type);
    constexpr std::int64_t most = std::int64_t{1} << 31;
    const auto small = [](const Bounds& v) { return v.low >= -most && v.high <= most; };
    if (p && q && small(*p) && small(*q)) {
      const std::int64_t all[] = {p->low * q->low, p->low * q->high, p->high * q->low, p->high * q->high};
      bound(out, Bounds{*std::min_element(all, all + 4), *std::max_element(all, all + 4)}, type);
    }
    note_low_zeros(out, low_zeros(x) + low_zeros(y));
  }
  if (tracks_sums_ && is_float(type)) {
    for (const auto& [scale, of] : {std::pair(a, y), std::pair(b, x)}) {
      if (!scale.is(Element::Kind::number) || of == canonical(scale)) continue;
      // A rational multiple of an exponent is a power: c = numerator / 2^k.
      int exponent = 0;
      const double mantissa = std::frexp(scale.as_number(), &exponent);
      auto numerator = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
      exponent -= 53;
      while (numerator % 2 == 0 && exponent < 0) {
        numerator /= 2;
        ++exponent;
      }
      if (exponent > 0 && exponent < 8) {
        numerator <<= exponent;
        exponent = 0;
      }
      const Exponential e = exponential(of);
      if (exponent > 0 || exponent < -62 || (exponent != 0 && !e.has_roots)) break;
      if (!e.has_roots && (numerator > 64 || numerator < -64)) break;
      const Ratio ratio{numerator, std::int64_t{1} << -exponent};
      if (!e.has_roots) {
        Element power = ring_.one();
        for (std::int64_t k = 0; k < std::abs(numerator); ++k) power = ring_.multiply(power, e.value);
        return tracked(out, {numerator < 0 ? ring_.inverse(power) : power, false});
      }
      return tracked(out, {ring_.exponential_power(e.value, ratio), true});
    }
  }
  return out;
}

Element Algebra::quotient(Element a, Element b, std::optional<Element> inverse) {
  if (a.is(Special::nan) || b.is(Special::nan)) return Element::special(Special::nan);
  if (b.is(Element::Kind::special))
    return a.is(Element::Kind::special) ? Element::special(Special::nan) : Element::number(0);
  if (b == Element::number(1)) return a;
  if (a.is(Element::Kind::special)) {
    throw Unknown{"a quotient of an infinity and what the inputs decide"};
  }
  const Element y = canonical(b);
  if (ring_.is_zero(y)) {  // an infinity or NaN: nothing that relies on which may be proved
    if (notes_conditions_) divisors_.note(y, path_);
    const Element out = opaque("a quotient by zero", ElementType::f64, {&a, 1});
    note_no_number(out);
    return out;
  }
  if (!b.is(Element::Kind::number) && notes_conditions_ && sign_of_element(y) != Sign::positive) {
    const RootFactors& roots = root_factors(y);
    const bool is_root = roots.size() == 1 && known(roots[0].rest);  // c sqrt(x) is zero where sqrt(x) is
    divisors_.note(is_root ? roots[0].root : y, path_);
  }
  if (a == Element::number(0)) return a;
  const Element x = canonical(a);
  if (b.is(Element::Kind::number) && tracks_sums_) {
    const double reciprocal = 1.0 / b.as_number();
    if (reciprocal * b.as_number() == 1.0 && std::fma(reciprocal, b.as_number(), -1.0) == 0)
      return product(x, Element::number(reciprocal), ElementType::f64);
  }
  const Element reciprocal = inverse ? *inverse : ring_.inverse(y);
  note_roots_of_inverse(reciprocal, y);
  return product(x, reciprocal, ElementType::f64);
}

void Algebra::divide_all(const std::vector<Element>& a, const std::vector<Element>& b, ElementType type,
                         std::vector<Element>& out) {
  // Inverts the distinct plain divisors with one inverse in total and three products each (Montgomery's trick).
  if (by_bits()) {
    for (std::size_t k = 0; k < a.size(); ++k) out[k] = apply(ScalarFn::divide, type, type, {a[k], b[k]});
    return;
  }
  std::unordered_map<Element, Element, ElementHash> inverses;
  std::vector<Element> divisors;
  for (const Element e : b) {
    if (!ring_.exact() && is_number(e) && !ring_.is_zero(e) && inverses.try_emplace(e).second) divisors.push_back(e);
  }
  if (!divisors.empty()) {
    std::vector<Element> before = {ring_.one()};
    for (const Element e : divisors) before.push_back(ring_.multiply(before.back(), e));
    Element rest = ring_.inverse(before.back());
    for (std::size_t k = divisors.size(); k-- > 0;) {
      inverses[divisors[k]] = ring_.multiply(rest, before[k]);
      rest = ring_.multiply(rest, divisors[k]);
    }
  }
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool is_plain = !a[k].is_cases() && (!a[k].is_plain() || is_number(a[k]));
    const auto it = is_plain && is_number(b[k]) ? inverses.find(b[k]) : inverses.end();
    out[k] =
        it != inverses.end() ? quotient(a[k], b[k], it->second) : apply(ScalarFn::divide, type, type, {a[k], b[k]});
  }
}

Element Algebra::power(Element a, Element b, ElementType type) {
  const auto exponent = known(b);
  if (exponent && *exponent == std::floor(*exponent) && std::fabs(*exponent) <= 64 && !a.is(Element::Kind::special)) {
    const auto n = static_cast<std::int64_t>(std::fabs(*exponent));
    Element out = is_float(type) ? Element::number(1) : Element::integer(1);
    const Inside inside(*this);
    for (std::int64_t k = 0; k < n; ++k) out = apply(ScalarFn::multiply, type, type, {out, a});
    if (*exponent >= 0) return out;
    if (is_float(type)) return quotient(Element::number(1), out);
  }
  if (exponent && is_float(type) && *exponent == 0.5) return apply(ScalarFn::sqrt, type, type, {a});
  if (exponent && is_float(type) && *exponent == -0.5) return apply(ScalarFn::rsqrt, type, type, {a});
  const Element args[] = {a, b};
  const Element out = opaque(fmt::format("power{}", is_integer(type) ? name_of(type) : ""), type, args);
  if (is_float(type) || is_complex(type)) note_partial("power", args);
  return out;
}

bool Algebra::is_representable(Element e, ElementType type, int depth) {
  // A maximum and the negative of a minimum may each be a member of the other.
  if (depth > kMostMaximaDeep) return false;
  const auto holds = [&](ElementType from) { return is_float(from) && holds_all_of(type, from); };
  if (e.is(Element::Kind::special)) return true;
  if (const auto v = known(e)) return round_to(*v, type) == *v;
  if (e.is(Element::Kind::node)) {
    const std::vector<Piece>& pieces = nodes_[e.index()].pieces;
    return std::all_of(pieces.begin(), pieces.end(),
                       [&](const Piece& p) { return is_representable(p.value, type, depth + 1); });
  }
  if (!e.is_plain()) return false;
  for (const Element of : {e, ring_.negate(e)}) {
    if (of != e && !float_format(type).has_sign) break;
    if (const ElementType* from = representable_.find(of); from != nullptr && holds(*from)) return true;
    if (const auto it = members_.find(of); it != members_.end()) {
      return std::all_of(it->second.begin(), it->second.end(),
                         [&](Element m) { return is_representable(m, type, depth + 1); });
    }
  }
  return false;
}

Element Algebra::converted(Element a, ElementType in, ElementType type) {
  if (in == type) return a;
  if (is_float(in) && is_float(type)) {
    const FloatFormat& t = float_format(type);
    const Element of[] = {a};
    if (holds_all_of(type, in)) {
      if (is_representable(a, in)) return a;
      // The narrower type rounded the operand when it was computed, so the wider number is an unknown.
      const Element out = opaque(fmt::format("widened {}", name_of(in)), type, of);
      representable_.emplace(out, in);
      narrow_.emplace(out, a);
      return out;
    }
    if (is_representable(a, type)) {
      if (const Element* narrow = narrow_.find(a)) {
        const ElementType* of_type = representable_.find(a);
        if (of_type != nullptr && *of_type == type) return *narrow;
      }
      return a;
    }
    // Rounding is monotone if overflow yields an infinity, and odd if the type has a sign.
    const bool is_monotone = t.special == FloatFormat::Special::ieee;
    if (const auto it = members_.find(a); is_monotone && it != members_.end()) {
      std::vector<Element> rounded;
      for (const Element m : std::vector<Element>(it->second)) rounded.push_back(converted(m, in, type));
      return extremum(ScalarFn::maximum, std::move(rounded), type);
    }
    const Element opposite = ring_.negate(canonical(a));
    const bool turned = t.has_sign && ElementOrder()(opposite, canonical(a));
    const Element argument[] = {turned ? opposite : a};
    const Element out = opaque(fmt::format("rounded {}{}", name_of(type), precision_name(a, in)), type, argument);
    representable_.emplace(out, type);
    if (!t.has_sign) note_no_number(out);  // of a number that is not positive, it is NaN
    return turned ? ring_.negate(out) : out;
  }
  const Element of[] = {a};
  if (is_float(in)) {
    // The float is an integer only if the float type represents all integers within its bounds.
    if (const auto b = a.is_plain() ? bounds(a, type) : std::nullopt; b && has_integers(in, b->low, b->high)) return a;
    return opaque(fmt::format("{} of a number{}", name_of(type), precision_name(a, in)), type, of);
  }
  if (is_complex(in) || is_complex(type)) return opaque(fmt::format("{} of {}", name_of(type), name_of(in)), type, of);
  if (in == ElementType::i1 && !is_float(type)) {
    bound(a, Bounds{0, 1}, in);
    return a;
  }
  if (is_integer(type) && bit_width(type) <= bit_width(in)) return a;  // the residue modulo 2^width stays
  const Element value = in == ElementType::i1 ? a : as_value(a, in);
  if (is_float(type)) {
    const auto b = bounds(value, in);
    if (in == ElementType::i1 ? has_integers(type, 0, 1) : b && has_integers(type, b->low, b->high))
      return canonical(value);
    return opaque(fmt::format("{} of {}", name_of(type), name_of(in)), type, std::span(&value, 1));
  }
  if (type == ElementType::i1) return apply(ScalarFn::compare_ne, in, type, {value, Element::integer(0)});
  return value;
}

Element Algebra::function_of_plain(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  const Element a = args[0];
  const Element b = args.size() > 1 ? args[1] : a;
  const Element nan = Element::special(Special::nan);
  if (is_integer(in) && args.size() == 2) {
    if (const auto part = integer_part(fn, a, b, in)) return *part;
  }
  if ((fn == ScalarFn::sqrt || fn == ScalarFn::rsqrt) && is_float(type)) return root(fn, a, type);
  const bool shown = a.is_plain() && sign_of_element(a) == Sign::positive && args.size() == 1 &&
                     (fn == ScalarFn::log || fn == ScalarFn::log_plus_one);
  if (is_partial(fn, in) && !shown) note_partial(name_of(fn), args);
  if (is_complex(in) || is_complex(type)) {
    if (const auto out = complex_function(fn, in, type, args)) return *out;
  }
  switch (fn) {
    case ScalarFn::add: return sum(a, b, type);
    case ScalarFn::subtract: return sum(a, apply(ScalarFn::negate, in, type, {b}), type);
    case ScalarFn::multiply: return product(a, b, type);
    case ScalarFn::negate: {
      if (a.is(Special::minus_infinity)) return Element::special(Special::plus_infinity);
      if (a.is(Special::plus_infinity)) return Element::special(Special::minus_infinity);
      if (a.is(Element::Kind::special)) return a;
      if (a.is(Element::Kind::number)) return Element::number(-a.as_number());
      const Element x = canonical(a);
      const Element out = ring_.negate(x);
      note_roots_of_opposite(out, x);
      if (const auto v = bounds(x, type); v && is_integer(type) && v->low > range_of(type).first)
        bound(out, Bounds{-v->high, -v->low}, type);
      if (tracks_sums_ && is_float(type)) {
        const Exponential e = exponential(x);
        return tracked(out, {ring_.inverse(e.value), e.has_roots});
      }
      return out;
    }
    case ScalarFn::divide:
      if (is_float(type) || is_complex(type)) return quotient(a, b);
      break;
    case ScalarFn::power: return power(a, b, type);
    case ScalarFn::maximum:
    case ScalarFn::minimum: return extremum(fn, {a, b}, type);
    case ScalarFn::logical_and:
      return type == ElementType::i1 ? extremum(ScalarFn::minimum, {a, b}, type) : bitwise(fn, args, type);
    case ScalarFn::logical_or:
      return type == ElementType::i1 ? extremum(ScalarFn::maximum, {a, b}, type) : bitwise(fn, args, type);
    case ScalarFn::logical_xor: return bitwise(fn, args, type);
    case ScalarFn::logical_not:
      if (type == ElementType::i1) return ring_.subtract(ring_.one(), canonical(a));
      break;
    case ScalarFn::compare_eq:
    case ScalarFn::compare_ne:
    case ScalarFn::compare_lt:
    case ScalarFn::compare_le:
    case ScalarFn::compare_gt:
    case ScalarFn::compare_ge: {
      if (is_complex(in)) break;
      if (a.is(Special::nan) || b.is(Special::nan)) return Element::integer(fn == ScalarFn::compare_ne ? 1 : 0);
      // Whether a float is infinite or NaN is not a property of the real number: an unknown, equal for equal numbers.
      const Element x = canonical(a);
      if (fn == ScalarFn::compare_ne && is_float(in) && x == canonical(b) && !known(x) && !takes_numbers_) {
        const Element of[] = {x};
        const Element out = opaque("is nan" + precision_name(x, in), type, of);
        if (const auto v = top_variable(out)) nan_.emplace(*v, x);
        return out;
      }
      if ((a.is(Special::plus_infinity) || b.is(Special::plus_infinity)) && (a.is_plain() || b.is_plain()))
        return opaque(fmt::format("{} with inf{}", name_of(fn), precision_name(a.is_plain() ? a : b, in)), type, args);
      // A finite number against an infinity.
      const auto rank = [](Element e) {
        return e.is(Special::minus_infinity) ? -1 : e.is(Special::plus_infinity) ? 1 : 0;
      };
      if (rank(a) != rank(b))
        return base(fn, ElementType::i32, type, std::array{Element::integer(rank(a)), Element::integer(rank(b))});
      return compare_plain(fn, in, a, b);
    }
    case ScalarFn::abs:
      if (is_float(in)) return extremum(ScalarFn::maximum, {a, ring_.negate(canonical(a))}, type);
      break;
    case ScalarFn::sign:
      if (is_float(in)) {
        const Element x = canonical(a);
        if (const auto v = known(x)) return Element::number(*v > 0 ? 1 : *v < 0 ? -1 : 0);
        const Element s = sign_of(x, precision({&x, 1}, in));
        return apply(ScalarFn::convert, ElementType::i32, type, {s});
      }
      break;
    case ScalarFn::exponential: return is_float(type) ? exp(a) : opaque("exponential", type, args);
    case ScalarFn::exponential_minus_one:
      if (is_float(type)) return sum(exp(a), Element::number(-1), type);
      break;
    case ScalarFn::log: return is_float(type) ? log(a) : opaque("log", type, args);
    case ScalarFn::log_plus_one:
      if (is_float(type)) return log(sum(a, Element::number(1), type));
      break;
    case ScalarFn::logistic:
      if (is_float(type)) {
        const Element e = exp(apply(ScalarFn::negate, in, type, {a}));
        const Element divisor = sum(Element::number(1), e, type);
        note_sign(divisor, Sign::positive);
        return quotient(Element::number(1), divisor);
      }
      break;
    case ScalarFn::tanh:
      if (is_float(type)) {
        const Element e = exp(a);
        const Element square = product(e, e, type);
        const Element divisor = sum(square, Element::number(1), type);
        note_sign(divisor, Sign::positive);
        return quotient(sum(square, Element::number(-1), type), divisor);
      }
      break;
    case ScalarFn::erfc:
      if (is_float(type)) {
        const Element erf = apply(ScalarFn::erf, in, type, {a});
        return sum(Element::number(1), apply(ScalarFn::negate, in, type, {erf}), type);
      }
      break;
    case ScalarFn::convert: return converted(a, in, type);
    case ScalarFn::reduce_precision: {
      const auto exponent = known(args[1]);
      const auto mantissa = known(args[2]);
      if (exponent && mantissa && in != ElementType::f64 && *mantissa >= float_format(in).mantissa_bits &&
          *exponent >= 8)
        return a;
      break;
    }
    default: break;
  }
  for (const Element e : args) {
    if (e.is(Special::nan)) return nan;
  }
  if (fn == ScalarFn::is_finite) {
    const Element x[] = {canonical(a)};
    const Element out = opaque("is_finite" + precision_name(x[0], in), type, x);
    if (const auto v = top_variable(out)) finite_.emplace(*v, x[0]);
    return out;
  }
  if (real_laws_of(fn).odd && is_float(type) && a.is_plain()) {
    const Element opposite = ring_.negate(a);
    if (ElementOrder()(opposite, a)) {
      const Element of[] = {opposite};
      return ring_.negate(opaque(std::string(name_of(fn)), type, of));
    }
  }
  if (is_even(fn) && is_float(type) && a.is_plain()) {
    const Element opposite = ring_.negate(a);
    const Element of[] = {ElementOrder()(opposite, a) ? opposite : a};
    return opaque(std::string(name_of(fn)), type, of);
  }
  if (fn == ScalarFn::bitcast && is_float(type)) {
    const Element out = opaque(fmt::format("bitcast {} {}", name_of(in), name_of(type)), type, args);
    const auto bits = bounds(a, in);
    if (!bits || bits->low < 0 || bits->high > largest_finite_bits(type)) note_no_number(out);
    return out;
  }
  // The element types identify the function only if it depends on bits or on a width.
  const bool of_bits =
      !is_float(in) || !is_float(type) || fn == ScalarFn::next_after || fn == ScalarFn::reduce_precision;
  return opaque(of_bits ? fmt::format("{} {} {}", name_of(fn), name_of(in), name_of(type)) : std::string(name_of(fn)),
                type, args);
}

}  // namespace partir::validate
