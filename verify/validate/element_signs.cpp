// Signs of elements, tracked while follow_signs is set: they show which divisors are nonzero for all inputs and which
// logarithms and roots are defined. An exponential is positive, and so are sums and products of positive elements.
// Signs of whole values are in signs.cpp.
#include <algorithm>

#include "verify/validate/algebra.h"

namespace partir::validate {

Sign Algebra::sign_of_element(Element e) const {
  if (const auto v = known(e)) return *v > 0 ? Sign::positive : *v == 0 ? Sign::not_negative : Sign::any;
  const Sign* sign = e.is_plain() ? element_signs_.find(e) : nullptr;
  return sign != nullptr ? *sign : Sign::any;
}

void Algebra::note_sign(Element e, Sign sign) {
  if (sign == Sign::any || !e.is_plain()) return;
  if (!element_signs_.emplace(e, sign)) {
    Sign& known = *element_signs_.find(e);
    if (known != Sign::any) return;
    known = sign;
  }
  if (!path_.empty()) signs_on_path_.emplace_back(path_.size(), e);
}

void Algebra::leave() {
  // exp(log x) is positive where log x has a value, and so is x, but only in this region.
  while (!signs_on_path_.empty() && signs_on_path_.back().first == path_.size()) {
    *element_signs_.find(signs_on_path_.back().second) = Sign::any;
    signs_on_path_.pop_back();
  }
  path_.pop_back();
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
