// Maxima and minima: an unknown that represents a set of members. A maximum depends on that set only, so order,
// grouping and repetition do not matter. -inf is not a member, and min(a, b) is -max(-a, -b).
//
// Of two numbers it is y + positive_part(x - y), which makes these laws of the ring:
//   max(x, y) + min(x, y) = x + y,   max(x + z, y + z) = max(x, y) + z,   max(2 x, 2 y) = 2 max(x, y),
//   |x| = max(x, 0) + max(-x, 0),   select(x > y, x, y) = max(x, y)       (cases.cpp)
//   min(max(x, 1), 2) = max(min(x, 2), 1)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/validate/algebra.h"

namespace partir::validate {

Element Algebra::extremum(ScalarFn fn, std::vector<Element> of, ElementType type) {
  spend(of.size());
  if (of.size() == 1) return of[0];
  if (std::any_of(of.begin(), of.end(), [](Element e) { return e.is_cases(); })) {
    if (fn == ScalarFn::minimum && is_integer(type)) {
      if (auto out = least_of_marked(of)) return *out;
    }
    if (std::all_of(of.begin(), of.end(), [&](Element e) { return is_condition(e); }))
      return fn == ScalarFn::maximum ? any_of(of) : all_of(of);
    Element out = of[0];
    for (std::size_t k = 1; k < of.size(); ++k) out = apply(fn, type, type, {out, of[k]});
    return out;
  }
  const bool least = fn == ScalarFn::minimum;
  if (is_integer(type)) return integer_extremum(least, of, type);
  if (!by_bits() && std::any_of(of.begin(), of.end(), [&](Element e) { return e.is_plain() && !is_number(e); })) {
    const auto of_numbers = [&](std::span<const Element> n) { return extremum(fn, {n.begin(), n.end()}, type); };
    if (const auto out = apply_to_numbers(of, of_numbers)) return *out;
    for (Element& e : of) e = e.is(Element::Kind::special) ? e : canonical(e);
    std::sort(of.begin(), of.end(), ElementOrder());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    return opaque(fmt::format("{} in {}, of no number", name_of(fn), name_of(type)), type, of);
  }
  const auto turn = [&](Element e) {
    if (!least) return e;
    if (e.is(Special::minus_infinity)) return Element::special(Special::plus_infinity);
    if (e.is(Special::plus_infinity)) return Element::special(Special::minus_infinity);
    if (e.is(Element::Kind::number)) return Element::number(-e.as_number());
    if (e.is(Element::Kind::integer)) return Element::integer(-e.as_int());
    return e.is_plain() ? ring_.negate(e) : e;
  };
  for (const Special decides : {Special::poison, Special::nan}) {  // wherever they stand
    for (const Element e : of) {
      if (e.is(decides)) return e;
    }
  }
  std::vector<Element> members;
  std::optional<Element> greatest;  // of the known numbers
  for (Element e : of) {
    e = turn(e);
    if (e.is(Special::minus_infinity)) continue;
    // By bits an element may be NaN, and a maximum of NaN with an infinity is NaN: keep the infinity as a member.
    if (e.is(Special::plus_infinity) && by_bits()) e = canonical(e);
    if (e.is(Special::plus_infinity)) return turn(e);
    std::vector<Element> own = {e};
    if (e.is_plain()) {
      if (const auto it = members_.find(e); it != members_.end()) own = it->second;
    }
    for (const Element m : own) {
      if (const auto v = known(m)) {
        if (!greatest || *v > *known(*greatest)) greatest = m;
      } else {
        members.push_back(m);
      }
    }
  }
  if (greatest && type == ElementType::i1 && *known(*greatest) == (least ? 0 : 1))
    return Element::integer(least ? 0 : 1);
  if (greatest && type == ElementType::i1 && !members.empty()) greatest.reset();
  std::sort(members.begin(), members.end(), ElementOrder());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.empty()) return greatest ? turn(*greatest) : turn(Element::special(Special::minus_infinity));
  if (greatest) {
    // A sum may equal the number without being known to do so.
    std::erase(members, canonical(*greatest));
    members.push_back(canonical(*greatest));
  }
  if (members.size() == 1) return turn(members[0]);
  Element out;
  if (const auto clamped = is_float(type) ? clamp(members, type) : std::nullopt) {
    out = *clamped;
    if (known(out)) return turn(out);
  } else if (members.size() == 2 && is_float(type) && !by_bits()) {
    out = canonical(sum(members[1], positive_part(ring_.subtract(members[0], members[1]), type), type));
  } else {
    out = ring_.unknown(key(record(is_float(type) ? "greatest" : "greatest condition"), members));
  }
  if (!is_float(type)) bound(out, Bounds{0, 1}, type);
  members_.emplace(out, std::move(members));
  return turn(out);
}

std::optional<Element> Algebra::clamp(const std::vector<Element>& members, ElementType type) {
  if (members.size() != 2 || by_bits() || !known(members[1]) || known(members[0])) return std::nullopt;
  const auto it = members_.find(ring_.negate(canonical(members[0])));
  if (it == members_.end() || it->second.size() != 2) return std::nullopt;
  const auto limit = known(it->second[1]);
  if (!limit || known(it->second[0])) return std::nullopt;
  const Element low = members[1];
  const Element high = ring_.negate(it->second[1]);
  if (-*limit <= *known(low)) return low;
  const Element x = ring_.negate(it->second[0]);
  const Element above_low = positive_part(ring_.subtract(x, low), type);
  const Element above_high = positive_part(ring_.subtract(x, high), type);
  return ring_.add(low, ring_.subtract(canonical(above_low), canonical(above_high)));
}

Element Algebra::positive_part(Element d, ElementType type) {
  const Ray ray = ray_of(d);
  const Element is_positive = ring_.unknown(key(record("is positive"), std::span(&ray.root, 1)));
  const Element part = ring_.multiply(ray.root, is_positive);
  const Element scaled = product(part, Element::number(ray.scale), type);
  // max(-r, 0) = max(r, 0) - r
  return ray.turned ? sum(scaled, d, type) : scaled;
}

Element Algebra::integer_extremum(bool least, std::span<const Element> of, ElementType type) {
  const bool in_64_bits = type == ElementType::ui64;
  const auto beats = [&](std::int64_t a, std::int64_t b) {
    const bool is_less = in_64_bits ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
    return a != b && is_less == least;
  };
  const std::uint64_t name = record(least ? (in_64_bits ? "least unsigned" : "least integer")
                                          : (in_64_bits ? "greatest unsigned" : "greatest integer"));
  auto& known_members = integer_members_[least ? 0 : 1];
  std::vector<Element> members;
  std::optional<std::int64_t> constant;  // the best of the known integers
  for (const Element given : of) {
    if (given.is(Element::Kind::special)) return given;
    const Element e = as_value(given, type);
    std::vector<Element> own = {e};
    if (const auto it = known_members.find(e); it != known_members.end()) own = it->second;
    for (const Element m : own) {
      if (!m.is(Element::Kind::integer))
        members.push_back(m);
      else if (!constant || beats(m.as_int(), *constant))
        constant = m.as_int();
    }
  }
  std::sort(members.begin(), members.end(), ElementOrder());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (constant) members.push_back(Element::integer(*constant));
  if (members.size() == 1) return members[0];
  const Element out = ring_.unknown(key(name, members));
  std::optional<Bounds> all;
  bool every = true;
  for (const Element m : members) {
    const auto b = bounds(m, type);
    every = every && b;
    if (!every) break;
    const auto better = [&](std::int64_t x, std::int64_t y) { return least ? std::min(x, y) : std::max(x, y); };
    all = all ? Bounds{better(all->low, b->low), better(all->high, b->high)} : *b;
  }
  if (every) bound(out, all, type);
  values_.emplace(out, type);
  known_members.emplace(out, std::move(members));
  return out;
}

}  // namespace partir::validate
