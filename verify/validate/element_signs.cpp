// Signs of elements, tracked while follow_signs is set: they show which divisors are nonzero for all inputs and which
// logarithms and roots are defined. An exponential is positive, and so are sums and products of positive elements.
// Signs of whole values are in signs.cpp.
#include <algorithm>

#include "verify/validate/algebra.h"

namespace partir::validate {

Sign Algebra::sign_of_element(Element e) const {
  if (const auto v = known(e)) return *v > 0 ? Sign::positive : *v == 0 ? Sign::not_negative : Sign::any;
  const std::vector<KnownSign>* known_signs = e.is_plain() ? element_signs_.find(e) : nullptr;
  Sign out = Sign::any;
  for (const KnownSign& k : known_signs != nullptr ? *known_signs : std::vector<KnownSign>()) {
    if (is_within(path_, k.path)) out = std::max(out, k.sign);
  }
  return out;
}

void Algebra::note_sign(Element e, Sign sign) {
  if (sign == Sign::any || !e.is_plain()) return;
  element_signs_.emplace(e, {});
  std::vector<KnownSign>& known = *element_signs_.find(e);
  const auto covers = [&](const KnownSign& k) { return k.sign >= sign && is_within(path_, k.path); };
  if (std::none_of(known.begin(), known.end(), covers)) known.push_back({sign, path_});
}

void Algebra::note_sign_of(ScalarFn fn, std::span<const Element> args, Element out) {
  if (!out.is_plain()) return;
  std::vector<Sign> signs;
  for (const Element e : args) signs.push_back(sign_of_element(e));
  const Sign least = *std::min_element(signs.begin(), signs.end());
  const Sign greatest = *std::max_element(signs.begin(), signs.end());
  switch (fn) {
    case ScalarFn::exponential:
    case ScalarFn::logistic: note_sign(out, Sign::positive); break;
    case ScalarFn::abs: note_sign(out, std::max(signs[0], Sign::not_negative)); break;
    case ScalarFn::add: note_sign(out, least == Sign::any ? Sign::any : greatest); break;
    case ScalarFn::multiply: note_sign(out, args[0] == args[1] ? std::max(signs[0], Sign::not_negative) : least); break;
    case ScalarFn::divide: note_sign(out, signs[1] == Sign::positive ? signs[0] : Sign::any); break;
    case ScalarFn::maximum: note_sign(out, greatest); break;
    case ScalarFn::minimum: note_sign(out, least); break;
    case ScalarFn::sqrt:
    case ScalarFn::rsqrt: note_sign(out, signs[0]); break;
    case ScalarFn::select: note_sign(out, std::min(signs[1], signs[2])); break;
    default: break;
  }
}

}  // namespace partir::validate
