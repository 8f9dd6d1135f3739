// Orders of numbers: a comparison is decided by the sign of a difference, a variable with the values -1, 0 and 1. Case
// distinctions by such a sign are continuous where the values on both sides meet, and then need no comparison:
//
//   select(x > y, x, y)                  y + (x - y) [x > y], which is max(x, y)      (extrema.cpp)
//   x > 1 and x > 0                      x > 1: signs of x - c for several known c are in order
#include <algorithm>

#include "support/check.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

Algebra::Ray Algebra::ray_of(Element d) {
  const Element two = ring_.constant(std::int64_t{2});
  const Element half = ring_.constant(0.5);
  for (const auto& [inverse, scale] : {std::pair(ring_.one(), 1.0), {half, 2.0}, {two, 0.5}}) {
    const Element root = ring_.multiply(d, inverse);
    if (rays_.contains(root)) return {root, scale, false};
    if (const Element opposite = ring_.negate(root); rays_.contains(opposite)) return {opposite, scale, true};
  }
  const Element opposite = ring_.negate(d);
  const bool turned = ElementOrder()(opposite, d);
  const Element root = turned ? opposite : d;
  rays_.insert(root);
  return {root, 1, turned};
}

Element Algebra::implied(Element e, VariableId v, Interval signs) {
  if (!differences_.contains(v) || by_bits()) return e;
  for (const VariableId u : support(e)) {
    for (const bool opposite : {false, true}) {  // u's difference is k + d or k - d
      const auto k = distance(u, v, opposite);
      if (!k) continue;
      const bool not_negative = opposite ? signs.high <= 0 : signs.low >= 0;  // what is added to k
      const bool not_positive = opposite ? signs.low >= 0 : signs.high <= 0;
      if (*k > 0 && not_negative) return implied(given(e, u, 1), v, signs);
      if (*k < 0 && not_positive) return implied(given(e, u, -1), v, signs);
    }
  }
  return e;
}

bool Algebra::is_multiple(Element a, Element d) const {
  if (ring_.is_zero(a) || a == d || a == ring_.negate(d)) return true;
  if (ring_.exact()) {
    const auto is_times = [&](double c) { return a == ring_.multiply(ring_.constant(c), d); };
    return is_times(2) || is_times(-2) || is_times(0.5) || is_times(-0.5);
  }
  const Element c = ring_.multiply(a, ring_.inverse(d));
  return known(c) || known(ring_.add(c, ring_.one())) || known(ring_.subtract(ring_.one(), c));
}

std::optional<double> Algebra::distance(VariableId u, VariableId v, bool opposite) const {
  const auto a = differences_.find(u);
  const auto b = differences_.find(v);
  if (a == differences_.end() || b == differences_.end() || u == v || by_bits()) return std::nullopt;
  if (a->second.precision != b->second.precision)
    return std::nullopt;  // x > 6 may hold in bf16 and x > 5.99 not in f32
  const Element x = a->second.value;
  const Element y = b->second.value;
  const Element k = opposite ? ring_.add(x, y) : ring_.subtract(x, y);
  if (ring_.is_zero(k)) return std::nullopt;
  if (const auto value = known(k)) return value;
  const auto value = known(ring_.negate(k));
  return value ? std::optional(-*value) : std::nullopt;
}

Element Algebra::by_sign(Element below, Element at, Element above, VariableId v) {
  const Element d = differences_.at(v).value;
  Element out = canonical(below);
  // `above` is used where d > 0 only, so conditions that d > 0 implies are dropped from it. What remains are parts that
  // are zero unless d exceeds a positive number, and these hold without the condition d > 0.
  above = implied(above, v, {1, 1});
  for (const VariableId u : support(above)) {
    for (const bool opposite : {false, true}) {
      const auto k = distance(u, v, opposite);
      if (!k) continue;
      const Element rest = given(above, u, opposite ? 1 : -1);
      out = ring_.add(out, ring_.subtract(canonical(above), canonical(rest)));
      above = rest;
    }
  }
  const auto less_below = [&](Element e, std::int64_t s) {
    return ring_.subtract(canonical(e), canonical(implied(below, v, {s, s})));
  };
  const Element step = less_below(above, 1);
  Element at_zero = less_below(implied(at, v, {0, 0}), 0);
  // Where the difference is zero, a multiple of it is zero, and a value that differs by one equals the other.
  if (is_multiple(at_zero, d))
    at_zero = ring_.zero();
  else if (is_multiple(ring_.subtract(at_zero, step), d))
    at_zero = step;
  const Element is_positive =
      is_multiple(step, d) ? ring_.unknown(key(record("is positive"), std::span(&d, 1))) : ramp(v, 0);
  const Element is_zero = ring_.subtract(ramp(v, -1), ring_.add(ramp(v, 0), ramp(v, 0)));
  return ring_.add(out, ring_.add(ring_.multiply(step, is_positive), ring_.multiply(at_zero, is_zero)));
}

Element Algebra::sign_of(Element difference, Precision precision) {
  PARTIR_CHECK(!ring_.is_zero(difference), "the sign of no difference");
  const Ray ray = ray_of(difference);
  Key k = key(record("sign"), std::span(&ray.root, 1));  // a copy
  k.push_back(precision);
  const VariableId v = variable_of(k, -1, 1);
  differences_.try_emplace(v, Difference{ray.root, precision});
  return linear({v, ray.turned ? -1 : 1, 0});
}

std::optional<Element> Algebra::other_of_pair(Element part, Element greatest) const {
  const auto it = members_.find(greatest);
  if (it == members_.end() || it->second.size() != 2) return std::nullopt;
  const auto at = std::find(it->second.begin(), it->second.end(), part);
  const Element other = at == it->second.begin() ? it->second[1] : it->second[0];
  if (at == it->second.end() || (!known(part) && !known(other))) return std::nullopt;
  return other;
}

void Algebra::note_threshold(Element of, double value) {
  auto& all = thresholds_[of];
  if (std::find(all.begin(), all.end(), value) != all.end()) return;
  for (const double other : all) {
    const double distance = value - other;
    if (exact_sum(value, -other, distance))
      known_.emplace(ring_.subtract(ring_.constant(value), ring_.constant(other)), distance);
  }
  all.push_back(value);
}

Element Algebra::compare_plain(ScalarFn fn, ElementType in, Element a, Element b) {
  Element sign;
  Element x = canonical(a);
  Element y = canonical(b);
  const auto is_least = [&](Element e) { return !members_.contains(e) && members_.contains(ring_.negate(e)); };
  if (is_float(in) && (is_least(x) || is_least(y))) {  // compare minima as the maxima of the negated operands, swapped
    std::swap(x, y);
    x = ring_.negate(x);
    y = ring_.negate(y);
  }
  if (is_integer(in)) {
    if (const auto count = compare_count(fn, a, b)) return *count;
  }
  if (x == y) {
    sign = Element::integer(0);
  } else if (is_float(in)) {
    const Element d = ring_.subtract(x, y);
    const Precision p = precision(std::array{x, y}, in);
    // Known only if both are known numbers: x + 1 > x is not a law of floats.
    const auto known_x = known(x);
    const auto known_y = known(y);
    const auto value = known_x && known_y ? std::optional(*known_x - *known_y) : std::nullopt;
    const auto among = [&](Element part, Element whole) {
      const auto w = members_.find(whole);
      if (w == members_.end()) return false;
      const auto of_part = members_.find(part);
      const std::vector<Element> one = {part};
      const std::vector<Element>& own = of_part == members_.end() ? one : of_part->second;
      return std::all_of(own.begin(), own.end(), [&](Element m) {
        return std::find(w->second.begin(), w->second.end(), m) != w->second.end();
      });
    };
    if (value) {
      sign = Element::integer(*value > 0 ? 1 : *value < 0 ? -1 : 0);
    } else if (among(x, y) || among(y, x)) {
      // A maximum over more members is not less. That of x and a number c is x where x - c is not negative.
      const bool turned = among(y, x);
      const Element pair[] = {turned ? y : x, turned ? x : y};
      if (const auto beside = other_of_pair(pair[0], pair[1])) {
        const Element s = sign_of(ring_.subtract(pair[0], *beside), p);
        const Element below = apply(ScalarFn::minimum, ElementType::i32, ElementType::i32, {s, Element::integer(0)});
        sign = turned ? apply(ScalarFn::negate, ElementType::i32, ElementType::i32, {below}) : below;
        return apply(fn, ElementType::i32, ElementType::i1, {sign, Element::integer(0)});
      }
      Key k = key(record("below the greatest"), pair);  // a copy
      k.push_back(p);
      const VariableId v = variable_of(k, -1, 0);
      signs_.try_emplace(v, Order{pair[0], pair[1], p});
      sign = linear({v, turned ? -1 : 1, 0});
    } else {
      if (known_x || known_y) note_threshold(known_x ? y : x, known_x ? *known_x : *known_y);
      sign = sign_of(d, p);
      if (const auto v = top_variable(sign)) signs_.try_emplace(*v, Order{x, y, p});
    }
  } else {
    // Differences of integers wrap and do not determine their order, so the variable depends on the pair.
    const bool turned = ElementOrder()(y, x);
    const Element pair[] = {turned ? y : x, turned ? x : y};
    const auto bx = bounds(x, in);
    const auto by = bounds(y, in);
    if (bx && by && bx->high < by->low) {
      sign = Element::integer(-1);
    } else if (bx && by && bx->low > by->high) {
      sign = Element::integer(1);
    } else {
      const VariableId v = variable_of(key(record(in == ElementType::ui64 ? "order unsigned" : "order"), pair), -1, 1);
      sign = linear({v, turned ? -1 : 1, 0});
    }
  }
  const Element zero = Element::integer(0);
  if (!sign.is(Element::Kind::linear)) return apply(fn, ElementType::i32, ElementType::i1, {sign, zero});
  const auto [it, fresh] = comparisons_.try_emplace(sign.lo * 64 + static_cast<std::uint64_t>(fn));
  if (!fresh) return it->second;
  const Element out = apply(fn, ElementType::i32, ElementType::i1, {sign, zero});
  comparisons_[sign.lo * 64 + static_cast<std::uint64_t>(fn)] = out;
  return out;
}

}  // namespace partir::validate
