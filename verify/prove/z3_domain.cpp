#include "verify/prove/z3_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/ops/common.h"
#include "support/check.h"
#include "verify/prove/z3_scalar.h"

namespace partir::prove {
namespace {

/// True for functions of reals that are defined in Z3's arithmetic.
bool is_arithmetic(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::multiply:
    case ScalarFn::divide:
    case ScalarFn::negate:
    case ScalarFn::maximum:
    case ScalarFn::minimum:
    case ScalarFn::abs:
    case ScalarFn::sign: return true;
    default: return false;
  }
}

}  // namespace

Z3Domain::Z3Domain(z3::context& z) : NativeDomain(false, "z3"), z_(z), assumed_(z), to_show_(z) {
  terms_.push_back(z_.real_val(0));  // the value of a default-initialised Scalar
  known_[terms_[0].id()] = 0;
}

Scalar Z3Domain::keep(const z3::expr& given, ElementType type) const {
  if (type == ElementType::i1) {
    const z3::expr e = given.simplify();
    if (e.is_true() || e.is_false()) return known(e.is_true() ? 1 : 0);
    Scalar out = known(0);
    terms_.push_back(e);
    out.um = terms_.size();
    return out;
  }
  if (!has_parts(type)) {
    const z3::expr e = given.simplify();
    std::uint64_t value = 0;
    if (e.is_numeral_u64(value)) return known(static_cast<std::uint64_t>(wrap(value, type)));
    Scalar out = known(0);
    terms_.push_back(e);
    out.um = terms_.size();
    return out;
  }
  const auto [it, fresh] = known_.try_emplace(given.id(), terms_.size());
  if (fresh) terms_.push_back(given);
  Scalar out{};
  out.u = it->second;
  out.um = 0;
  return out;
}

// Kernels compute in lanes; a lane that guards discard may hold a value of another type, which is never read.

z3::expr Z3Domain::real(Scalar s) const {
  return s.u < terms_.size() && terms_[s.u].is_real() ? terms_[s.u] : z_.real_val(0);
}

z3::expr Z3Domain::bits(Scalar s, ElementType type) const {
  const unsigned width = bit_width(type);
  if (s.um == 0) {
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    return z_.bv_val(s.u & mask, width);
  }
  const bool fits = s.um <= terms_.size() && terms_[s.um - 1].is_bv() && terms_[s.um - 1].get_sort().bv_size() == width;
  return fits ? terms_[s.um - 1] : z_.bv_val(0, width);
}

z3::expr Z3Domain::truth(Scalar s) const {
  if (s.um == 0) return z_.bool_val(s.u != 0);
  return s.um <= terms_.size() && terms_[s.um - 1].is_bool() ? terms_[s.um - 1] : z_.bool_val(false);
}

z3::expr Z3Domain::term(Scalar s, ElementType type) const {
  if (type == ElementType::i1) return truth(s);
  if (!has_parts(type)) return bits(s, type);
  if (no_number(s, type) != NoNumber::none) throw Unsettled{"an infinity among real numbers"};
  return real(s);
}

Scalar Z3Domain::unknown(const std::string& name, ElementType type) {
  if (type == ElementType::i1) return keep(z_.bool_const(name.c_str()), type);
  if (!has_parts(type)) return keep(z_.bv_const(name.c_str(), bit_width(type)), type);
  Scalar out = keep(z_.real_const(name.c_str()), type);
  if (is_complex(type)) out.um = keep(z_.real_const((name + "i").c_str()), type).u;
  return out;
}

z3::expr Z3Domain::number(double value) const {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto numerator = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  exponent -= 53;
  if (numerator == 0) return z_.real_val(0);
  const z3::expr scale = z3::pw(z_.real_val(2), z_.real_val(std::abs(exponent))).simplify();
  const z3::expr whole = z_.real_val(numerator);
  return (exponent < 0 ? whole / scale : whole * scale).simplify();
}

Scalar Z3Domain::from_index(std::int64_t index, ElementType type) const {
  if (!has_parts(type)) return known(NativeDomain::from_index(index, type).u);
  return keep(number(round_to(static_cast<double>(index), part_of(type))), type);
}

Scalar Z3Domain::from_literal(const Literal& literal, std::int64_t position) const {
  const ElementType type = literal.type.element;
  if (!has_parts(type)) return known(NativeDomain::from_literal(literal, position).u);
  const std::complex<double> v =
      is_complex(type) ? literal.as_complex(position) : std::complex<double>(literal.as_double(position));
  if (is_complex(type)) {
    if (!std::isfinite(v.real()) || !std::isfinite(v.imag())) throw Unsettled{"a complex infinity"};
    Scalar out = keep(number(v.real()), type);
    out.um = keep(number(v.imag()), type).u;
    return out;
  }
  if (std::isnan(v.real())) return infinite(NoNumber::nan);
  if (std::isinf(v.real())) return infinite(v.real() < 0 ? NoNumber::lowest : NoNumber::highest);
  return keep(number(v.real()), type);
}

Scalar Z3Domain::random(std::uint64_t, ElementType) const { throw Unsettled{"a random number"}; }

double Z3Domain::to_double(Scalar value, ElementType type) const {
  if (is_known(value, type)) return NativeDomain::to_double(value, type);
  throw Unsettled{kPosition};
}

std::complex<double> Z3Domain::to_complex(Scalar value, ElementType type) const { return to_double(value, type); }

/// Syntactic equality: identical constants or terms. Results are compared by same().
bool Z3Domain::equal(Scalar a, Scalar b, ElementType type) const {
  if (is_known(a, type) && is_known(b, type)) return a.u == b.u;
  return a.u == b.u && a.um == b.um;
}

std::int64_t Z3Domain::position(Scalar value) const {
  if (value.um != 0) throw Unsettled{kPosition};
  return value.i;
}

z3::expr Z3Domain::same(Scalar a, Scalar b, ElementType type) const {
  if (is_complex(type)) {
    Scalar ai = a;
    Scalar bi = b;
    ai.u = a.um;
    bi.u = b.um;
    return real(a) == real(b) && real(ai) == real(bi);
  }
  const NoNumber x = no_number(a, type);
  const NoNumber y = no_number(b, type);
  if (x != NoNumber::none || y != NoNumber::none) return z_.bool_val(x == y);
  return term(a, type) == term(b, type);
}

void Z3Domain::require(const z3::expr& condition) const {
  const z3::expr simple = condition.simplify();
  if (!simple.is_true()) (source_ ? assumed_ : to_show_).push_back(simple);
}

void Z3Domain::require_domain(ScalarFn fn, ElementType in, const std::vector<Scalar>& args) const {
  if (real_laws_of(fn).domain != RealLaws::Domain::part) return;
  const bool divides = fn == ScalarFn::divide || fn == ScalarFn::remainder;
  if (!has_parts(in)) {
    if (!divides) return;
    const z3::expr b = bits(args[1], in);
    require(b != z_.bv_val(0, bit_width(in)));
    if (!is_signed(in)) return;
    const unsigned width = bit_width(in);
    const z3::expr least = z3::shl(z_.bv_val(1, width), z_.bv_val(width - 1, width));
    require(!(bits(args[0], in) == least && b == z_.bv_val(-1, width)));
    return;
  }
  if (is_complex(in)) {
    if (!divides) return;
    Scalar imaginary = args[1];
    imaginary.u = args[1].um;
    require(real(args[1]) != 0 || real(imaginary) != 0);
    return;
  }
  const z3::expr x = term(divides ? args[1] : args[0], in);
  switch (fn) {
    case ScalarFn::divide:
    case ScalarFn::remainder: return require(x != 0);
    case ScalarFn::log:
    case ScalarFn::rsqrt: return require(x > 0);
    case ScalarFn::log_plus_one: return require(x > -1);
    case ScalarFn::sqrt: return require(x >= 0);
    default: {
      z3::sort_vector sorts(z_);
      z3::expr_vector terms(z_);
      for (const Scalar& s : args) {
        terms.push_back(term(s, in));
        sorts.push_back(terms.back().get_sort());
      }
      return require(z3::function(("defined " + std::string(name_of(fn))).c_str(), sorts, z_.bool_sort())(terms));
    }
  }
}

void Z3Domain::apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
                     Scalar* out) const {
  std::vector<Scalar> results;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Scalar> at;
    for (int a = 0; a < arity_of(fn); ++a) at.push_back(args[a][k]);
    results.push_back(one(fn, in, type, at));
  }
  std::copy(results.begin(), results.end(), out);
}

Scalar Z3Domain::one(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const {
  if (fn == ScalarFn::select) return chosen(type, args[0], args[1], args[2]);
  require_domain(fn, in, args);
  const bool all_known =
      !has_parts(type) && std::all_of(args.begin(), args.end(), [&](const Scalar& s) { return is_known(s, in); });
  if (all_known) {
    std::vector<const Scalar*> at;
    for (const Scalar& s : args) at.push_back(&s);
    Scalar out{};
    NativeDomain::apply(fn, in, type, at.data(), 1, &out);
    return known(out.u);
  }
  if (fn == ScalarFn::convert) return converted(in, type, args[0]);
  if (is_comparison(fn) && !is_complex(in)) return compared(fn, in, args[0], args[1]);
  if (in == ElementType::i1 && type == ElementType::i1) return of_booleans(fn, args);
  if (!has_parts(in) && in == type) return of_integers(fn, type, args);
  if (is_complex(in) || is_complex(type)) return of_complex(fn, in, type, args);
  if (is_float(in) && is_float(type)) return of_reals(fn, in, type, args);
  return uninterpreted(fn, in, type, args);
}

Scalar Z3Domain::chosen(ElementType type, Scalar condition, Scalar a, Scalar b) const {
  if (condition.um == 0) return condition.u != 0 ? a : b;
  if (equal(a, b, type)) return a;
  if (is_complex(type)) {
    Scalar ai = a;
    Scalar bi = b;
    ai.u = a.um;
    bi.u = b.um;
    Scalar out = keep(z3::ite(truth(condition), real(a), real(b)), type);
    out.um = keep(z3::ite(truth(condition), real(ai), real(bi)), type).u;
    return out;
  }
  return keep(z3::ite(truth(condition), term(a, type), term(b, type)), type);
}

Scalar Z3Domain::of_booleans(ScalarFn fn, const std::vector<Scalar>& args) const {
  const z3::expr a = truth(args[0]);
  if (fn == ScalarFn::logical_not) return keep(!a, ElementType::i1);
  PARTIR_CHECK(args.size() == 2, "a function of one boolean");
  const z3::expr b = truth(args[1]);
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::maximum:
    case ScalarFn::logical_or: return keep(a || b, ElementType::i1);
    case ScalarFn::multiply:
    case ScalarFn::minimum:
    case ScalarFn::logical_and: return keep(a && b, ElementType::i1);
    case ScalarFn::logical_xor: return keep(a != b, ElementType::i1);
    default: return uninterpreted(fn, ElementType::i1, ElementType::i1, args);
  }
}

Scalar Z3Domain::compared(ScalarFn fn, ElementType in, Scalar a, Scalar b) const {
  if (is_float(in) && (no_number(a, in) != NoNumber::none || no_number(b, in) != NoNumber::none)) {
    const auto as_double = [&](const Scalar& s) {
      switch (no_number(s, in)) {
        case NoNumber::lowest: return -HUGE_VAL;
        case NoNumber::highest: return HUGE_VAL;
        case NoNumber::nan: return std::nan("");
        case NoNumber::none: break;
      }
      return 0.0;  // any real number: it is ordered between the infinities
    };
    Scalar x{};
    Scalar y{};
    x.f = as_double(a);
    y.f = as_double(b);
    const Scalar* at[] = {&x, &y};
    Scalar out{};
    NativeDomain::apply(fn, ElementType::f64, ElementType::i1, at, 1, &out);
    return known(out.u);
  }
  const z3::expr x = term(a, in);
  const z3::expr y = term(b, in);
  if (fn == ScalarFn::compare_eq) return keep(x == y, ElementType::i1);
  if (fn == ScalarFn::compare_ne) return keep(x != y, ElementType::i1);
  const bool swapped = fn == ScalarFn::compare_gt || fn == ScalarFn::compare_ge;
  const bool strict = fn == ScalarFn::compare_gt || fn == ScalarFn::compare_lt;
  const z3::expr& l = swapped ? y : x;
  const z3::expr& g = swapped ? x : y;
  if (in == ElementType::i1) return keep(strict ? !l && g : !l || g, ElementType::i1);
  if (is_unsigned(in)) return keep(strict ? z3::ult(l, g) : z3::ule(l, g), ElementType::i1);
  return keep(strict ? l < g : l <= g, ElementType::i1);
}

Scalar Z3Domain::converted(ElementType in, ElementType type, Scalar a) const {
  if (in == type) return a;
  if (is_complex(in) || is_complex(type)) throw Unsettled{"a conversion of complex numbers"};
  if (is_float(in) && is_float(type)) {
    if (no_number(a, in) != NoNumber::none) {
      if (ops::converts_monotonically(in, type)) return a;
      throw Unsettled{"an infinity that is rounded"};
    }
    return ops::converts_monotonically(in, type) ? a : uninterpreted(ScalarFn::convert, in, type, {a});
  }
  if (type == ElementType::i1) return compared(ScalarFn::compare_ne, in, a, is_float(in) ? Scalar{} : known(0));
  if (is_float(type)) {
    if (is_known(a, in)) return keep(number(round_to(NativeDomain::to_double(a, in), type)), type);
    if (in == ElementType::i1) return keep(z3::ite(truth(a), z_.real_val(1), z_.real_val(0)), type);
    return uninterpreted(ScalarFn::convert, in, type, {a});
  }
  if (is_float(in)) return uninterpreted(ScalarFn::convert, in, type, {a});
  const unsigned to = bit_width(type);
  if (in == ElementType::i1) return keep(z3::ite(truth(a), z_.bv_val(1, to), z_.bv_val(0, to)), type);
  const z3::expr x = bits(a, in);
  const unsigned from = bit_width(in);
  if (to <= from) return keep(to == from ? x : x.extract(to - 1, 0), type);
  return keep(is_signed(in) ? z3::sext(x, to - from) : z3::zext(x, to - from), type);
}

Scalar Z3Domain::of_reals(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const {
  const Scalar& a = args[0];
  const NoNumber x0 = no_number(a, in);
  const NoNumber y0 = args.size() > 1 ? no_number(args[1], in) : NoNumber::none;
  if (x0 != NoNumber::none || y0 != NoNumber::none) {
    const bool greatest = fn == ScalarFn::maximum;
    if ((!greatest && fn != ScalarFn::minimum) || x0 == NoNumber::nan || y0 == NoNumber::nan) {
      if (fn == ScalarFn::exponential && x0 == NoNumber::lowest) return keep(z_.real_val(0), type);
      if (fn == ScalarFn::negate && x0 != NoNumber::nan)
        return infinite(x0 == NoNumber::lowest ? NoNumber::highest : NoNumber::lowest);
      throw Unsettled{"arithmetic on an infinity"};
    }
    const NoNumber neutral = greatest ? NoNumber::lowest : NoNumber::highest;
    if (x0 == neutral) return args[1];
    if (y0 == neutral) return a;
    return infinite(greatest ? NoNumber::highest : NoNumber::lowest);
  }
  if (!is_arithmetic(fn)) {
    const z3::expr x = real(a);
    switch (fn) {
      case ScalarFn::exponential: return keep(exponential(x), type);
      case ScalarFn::real:
      case ScalarFn::conj: return a;
      case ScalarFn::imag: return keep(z_.real_val(0), type);
      default: break;
    }
    if (looks_at_bits(fn) || args.size() > 1) return uninterpreted(fn, in, type, args);
    return keep(applied(fn, x), type);
  }
  const z3::expr x = real(a);
  const z3::expr y = args.size() > 1 ? real(args[1]) : x;
  const auto settled = [&](const z3::expr& e) {
    return keep(x.is_numeral() && y.is_numeral() ? e.simplify() : e, type);
  };
  switch (fn) {
    case ScalarFn::add: return settled(x + y);
    case ScalarFn::subtract: return settled(x - y);
    case ScalarFn::multiply: return settled(x * y);
    case ScalarFn::divide: return settled(x / y);
    case ScalarFn::negate: return settled(-x);
    case ScalarFn::maximum: return settled(z3::ite(x >= y, x, y));
    case ScalarFn::minimum: return settled(z3::ite(x <= y, x, y));
    case ScalarFn::abs: return settled(z3::ite(x >= 0, x, -x));
    default: return settled(z3::ite(x > 0, z_.real_val(1), z3::ite(x < 0, z_.real_val(-1), z_.real_val(0))));
  }
}

Scalar Z3Domain::of_complex(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const {
  const auto part = [&](std::size_t k, bool imaginary) {
    Scalar s = args[k];
    if (imaginary) s.u = s.um;
    return is_complex(in) || !imaginary ? real(s) : z_.real_val(0);
  };
  const auto complex = [&](const z3::expr& re, const z3::expr& im) {
    Scalar out = keep(re, type);
    out.um = keep(im, type).u;
    return out;
  };
  const z3::expr a = part(0, false);
  const z3::expr b = part(0, true);
  if (fn == ScalarFn::real) return keep(a, type);
  if (fn == ScalarFn::imag) return keep(b, type);
  if (fn == ScalarFn::conj) return complex(a, -b);
  if (fn == ScalarFn::negate) return complex(-a, -b);
  if (args.size() == 2) {
    if (fn == ScalarFn::complex) {
      if (no_number(args[0], in) != NoNumber::none || no_number(args[1], in) != NoNumber::none)
        throw Unsettled{"an infinite part"};
      return complex(a, part(1, false));
    }
    const z3::expr x = part(1, false);
    const z3::expr y = part(1, true);
    if (fn == ScalarFn::add) return complex(a + x, b + y);
    if (fn == ScalarFn::subtract) return complex(a - x, b - y);
    if (fn == ScalarFn::multiply) return complex(a * x - b * y, a * y + b * x);
    if (fn == ScalarFn::divide) {
      const z3::expr norm = x * x + y * y;
      return complex((a * x + b * y) / norm, (b * x - a * y) / norm);
    }
    if (fn == ScalarFn::compare_eq) return keep(a == x && b == y, type);
    if (fn == ScalarFn::compare_ne) return keep(a != x || b != y, type);
  }
  throw Unsettled{"a function of complex numbers: " + std::string(name_of(fn))};
}

/// Returns exp(x), with exp(a + b), exp(a - b) and exp(-a) expanded by the functional equation of exp.
z3::expr Z3Domain::exponential(const z3::expr& x) const {
  if (x.is_numeral() && x.get_decimal_string(1) == "0") return z_.real_val(1);
  if (x.is_app() && x.decl().decl_kind() == Z3_OP_ADD) {
    z3::expr out = exponential(x.arg(0));
    for (unsigned k = 1; k < x.num_args(); ++k) out = out * exponential(x.arg(k));
    return out;
  }
  if (x.is_app() && x.decl().decl_kind() == Z3_OP_SUB && x.num_args() == 2)
    return exponential(x.arg(0)) / exponential(x.arg(1));
  if (x.is_app() && x.decl().decl_kind() == Z3_OP_UMINUS) return z_.real_val(1) / exponential(x.arg(0));
  return applied(ScalarFn::exponential, x);
}

z3::expr Z3Domain::applied(ScalarFn fn, const z3::expr& x) const {
  const z3::expr value = z3::function(std::string(name_of(fn)).c_str(), z_.real_sort(), z_.real_sort())(x);
  const bool before = std::any_of(applications_.begin(), applications_.end(),
                                  [&](const Application& a) { return a.fn == fn && z3::eq(a.arg, x); });
  if (!before) applications_.push_back({fn, x, value});
  return value;
}

z3::expr_vector Z3Domain::facts() const {
  z3::expr_vector out(z_);
  for (const Application& a : applications_) {
    const RealLaws& laws = real_laws_of(a.fn);
    if (laws.positive) out.push_back(a.value > 0);
    if (laws.order == RealLaws::Order::none) continue;
    for (const Application& b : applications_) {
      if (b.fn != a.fn || z3::eq(a.arg, b.arg)) continue;
      out.push_back(
          z3::implies(a.arg <= b.arg, laws.order == RealLaws::Order::rises ? a.value <= b.value : a.value >= b.value));
    }
  }
  return out;
}

Scalar Z3Domain::uninterpreted(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const {
  if (is_complex(in) || is_complex(type)) throw Unsettled{"a function of complex numbers: " + std::string(name_of(fn))};
  // The bits of a float, taken for a float again, are that float.
  if (fn == ScalarFn::bitcast && !has_parts(in) && is_float(type)) {
    const auto known = floats_.find(term(args[0], in).id());
    if (known != floats_.end() && known->second.second == type) return known->second.first;
  }
  z3::sort_vector sorts(z_);
  z3::expr_vector terms(z_);
  std::string name = fmt::format("{} {} {}", name_of(fn), name_of(in), name_of(type));
  for (const Scalar& s : args) {
    if (looks_at_bits(fn) && is_float(in)) {  // equal only for the same term: real arithmetic does not preserve bits
      if (no_number(s, in) != NoNumber::none) throw Unsettled{"the bits of an infinity"};
      name += fmt::format(" #{}", real(s).id());
      continue;
    }
    terms.push_back(term(s, fn == ScalarFn::reduce_precision && &s != &args[0] ? ElementType::i32 : in));
    sorts.push_back(terms.back().get_sort());
  }
  const z3::sort to = type == ElementType::i1 ? z_.bool_sort()
                      : is_float(type)        ? z_.real_sort()
                                              : z_.bv_sort(bit_width(type));
  const Scalar out = keep(z3::function(name.c_str(), sorts, to)(terms), type);
  if (fn == ScalarFn::bitcast && is_float(in) && !has_parts(type))
    floats_.emplace(term(out, type).id(), std::pair(args[0], in));
  return out;
}

}  // namespace partir::prove
