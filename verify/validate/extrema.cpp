// Maxima and minima: an unknown that represents a set of members. A maximum depends on that set only, so order,
// grouping and repetition do not matter. -inf is not a member, and min(a, b) is -max(-a, -b).
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
  const auto turn = [&](Element e) {
    if (!least) return e;
    if (e.is(Special::minus_infinity)) return Element::special(Special::plus_infinity);
    if (e.is(Special::plus_infinity)) return Element::special(Special::minus_infinity);
    if (e.is(Element::Kind::number)) return Element::number(-e.as_number());
    if (e.is(Element::Kind::integer)) return Element::integer(-e.as_int());
    return e.is_plain() ? ring_.negate(e) : e;
  };
  std::vector<Element> members;
  std::optional<Element> greatest;  // of the known numbers
  for (Element e : of) {
    if (e.is(Special::poison) || e.is(Special::nan)) return e;
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
  if (greatest) members.push_back(*greatest);
  if (members.size() == 1) return turn(members[0]);
  const Element out = ring_.unknown(key(record(is_float(type) ? "greatest" : "greatest condition"), members));
  if (!is_float(type)) bound(out, Bounds{0, 1}, type);
  members_.emplace(out, std::move(members));
  return turn(out);
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
