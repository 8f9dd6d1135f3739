#include "ir/continuity.h"

#include <algorithm>

namespace partir {
namespace {

Continuity of_complex(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::multiply:
    case ScalarFn::divide:
    case ScalarFn::negate:
    case ScalarFn::abs:
    case ScalarFn::exponential:
    case ScalarFn::exponential_minus_one:
    case ScalarFn::logistic:
    case ScalarFn::tanh:
    case ScalarFn::tan:
    case ScalarFn::sine:
    case ScalarFn::cosine:
    case ScalarFn::cosh:
    case ScalarFn::sinh:
    case ScalarFn::real:
    case ScalarFn::imag:
    case ScalarFn::conj:
    case ScalarFn::select:
    case ScalarFn::convert: return Continuity::continuous;
    case ScalarFn::sign:
    case ScalarFn::maximum:  // ordered by the real parts, then by the imaginary parts
    case ScalarFn::minimum:
    case ScalarFn::is_finite:
    case ScalarFn::compare_eq:
    case ScalarFn::compare_ne:
    case ScalarFn::compare_lt:
    case ScalarFn::compare_le:
    case ScalarFn::compare_gt:
    case ScalarFn::compare_ge: return Continuity::jumps;
    default: return Continuity::signed_zeros;  // roots, logarithms, powers, inverses: branch cuts along an axis
  }
}

Continuity of_real(ScalarFn fn, ElementType out) {
  switch (fn) {
    case ScalarFn::atan2: return Continuity::signed_zeros;
    case ScalarFn::convert: return is_float(out) || is_complex(out) ? Continuity::continuous : Continuity::jumps;
    case ScalarFn::remainder:
    case ScalarFn::power:
    case ScalarFn::sign:
    case ScalarFn::floor:
    case ScalarFn::ceil:
    case ScalarFn::round_nearest_afz:
    case ScalarFn::round_nearest_even:
    case ScalarFn::is_finite:
    case ScalarFn::is_inf:
    case ScalarFn::is_pos_inf:
    case ScalarFn::is_neg_inf:
    case ScalarFn::next_after:
    case ScalarFn::order_key:
    case ScalarFn::bitcast:
    case ScalarFn::compare_eq:
    case ScalarFn::compare_ne:
    case ScalarFn::compare_lt:
    case ScalarFn::compare_le:
    case ScalarFn::compare_gt:
    case ScalarFn::compare_ge: return Continuity::jumps;
    default: return Continuity::continuous;
  }
}

Continuity of_library(const ScalarTerm& t) {
  const bool orders = !t.combine.empty() || t.library == "top_k";
  return orders ? Continuity::jumps : Continuity::continuous;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

}  // namespace

Continuity continuity_of(ScalarFn fn, ElementType in, ElementType out) {
  if (is_complex(in)) return of_complex(fn);
  return is_float(in) ? of_real(fn, out) : Continuity::continuous;
}

Continuity continuity_of(const Meaning& meaning) {
  Continuity out = Continuity::continuous;
  for (const ScalarTerm& t : meaning.scalars) {
    if (t.kind == ScalarTerm::Kind::apply) {
      out = std::max(out, continuity_of(t.fn, meaning.at(t.args[0]).type, t.type));
    } else if (t.kind == ScalarTerm::Kind::library) {
      out = std::max(out, of_library(t));
    }
  }
  return out;
}

bool is_total(ScalarFn fn, ElementType in) {
  if (real_laws_of(fn).domain == RealLaws::Domain::part) return false;
  // These functions have poles at complex numbers only.
  const bool has_pole = fn == ScalarFn::tanh || fn == ScalarFn::logistic || fn == ScalarFn::atan;
  return !(is_complex(in) && has_pole);
}

bool is_total_library(std::string_view library) {
  const std::string_view name = first_word(library);
  return name == "sort" || name == "top_k" || name == "fft" || name == "rng" || name == "rng_bit_generator";
}

}  // namespace partir
