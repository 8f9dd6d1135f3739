// Conditions on many variables: conjunctions and disjunctions. A condition on few variables is a case distinction. On
// more variables it is a set of members, each on its own variables, and a variable with two values represents "any of
// these". "All of" is the negation of "any of" the negations. A sum of conditions is compared with numbers as a count:
//
//   any(x > 0) over devices is one element, be it written as a maximum of 0 and 1, as sum > 0, or as one reduction
#include <algorithm>
#include <map>

#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostVariables = 6;  ///< most variables of a condition that is kept as a case distinction
constexpr std::size_t kMostBits = 4096;    ///< most conditions in a sum that is tracked

}  // namespace

Element Algebra::opposite(Element condition) {
  return apply(ScalarFn::logical_not, ElementType::i1, ElementType::i1, {condition});
}

bool Algebra::is_condition(Element e) const {
  if (e.is(Element::Kind::integer)) return e.as_int() == 0 || e.as_int() == 1;
  const auto range = integer_range(e);
  return range && range->low >= 0 && range->high <= 1;
}

void Algebra::disjuncts(Element e, std::vector<Element>& out) {
  spend(out.size() / 16 + 1);
  if (e == Element::integer(0)) return;
  const auto on = support(e);
  if (on.size() == 1) {
    const auto it = any_.find(on[0]);
    if (it != any_.end() && e == as_element(on[0])) {
      out.insert(out.end(), it->second.begin(), it->second.end());
      return;
    }
  }
  if (on.size() > 1 && e.is(Element::Kind::node)) {
    // If the first variable either decides alone or leaves the decision to one rest: (condition on v) or rest.
    const Node n = nodes_[e.index()];
    std::optional<Element> rest;
    bool splits = true;
    for (const Piece& p : n.pieces) {
      if (p.value == Element::integer(1)) continue;
      if (rest && *rest != p.value) splits = false;
      rest = p.value;
    }
    if (splits && rest) {
      std::vector<Piece> own = n.pieces;
      for (Piece& p : own) p.value = Element::integer(p.value == Element::integer(1) ? 1 : 0);
      out.push_back(node(n.variable, std::move(own)));
      disjuncts(*rest, out);
      return;
    }
  }
  out.push_back(e);
}

Element Algebra::any_of(const std::vector<Element>& of) {
  std::vector<Element> members;
  for (const Element e : of) {
    if (e == Element::integer(1)) return e;
    disjuncts(e, members);
  }
  // Members on the same variables are merged.
  std::map<std::vector<VariableId>, Element> by_support;
  std::vector<VariableId> all;
  for (const Element m : members) {
    const auto on = support(m);
    all.insert(all.end(), on.begin(), on.end());
    const auto [it, fresh] = by_support.try_emplace(on, m);
    if (fresh) continue;
    const Leaf either = [](std::span<const Element> v) -> std::optional<Element> {
      if (!v[0].is(Element::Kind::integer) || !v[1].is(Element::Kind::integer)) return std::nullopt;
      return Element::integer(v[0].as_int() | v[1].as_int());
    };
    const Element both[] = {it->second, m};
    if (const auto joined = by_cases(both, either))
      it->second = *joined;
    else
      by_support.emplace(std::vector<VariableId>{~VariableId{0}, static_cast<VariableId>(by_support.size())}, m);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  members.clear();
  for (const auto& [on, m] : by_support) {
    if (m == Element::integer(1)) return m;
    if (m != Element::integer(0)) members.push_back(m);
  }
  if (members.empty()) return Element::integer(0);
  if (members.size() == 1) return members[0];
  if (all.size() <= kMostVariables) {
    Element out = members[0];
    bool done = true;
    for (std::size_t k = 1; k < members.size() && done; ++k) {
      const Element both[] = {out, members[k]};
      const auto joined = by_cases(both, [](std::span<const Element> v) -> std::optional<Element> {
        if (!v[0].is(Element::Kind::integer) || !v[1].is(Element::Kind::integer)) return std::nullopt;
        return Element::integer(v[0].as_int() | v[1].as_int());
      });
      if (joined)
        out = *joined;
      else
        done = false;
    }
    if (done) return out;
  }
  std::vector<Element> sorted;
  for (const Element m : members) sorted.push_back(canonical(m));
  std::sort(sorted.begin(), sorted.end(), ElementOrder());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const VariableId v = variable_of(key(record("any of"), sorted), 0, 1);
  any_.try_emplace(v, members);
  return as_element(v);
}

Element Algebra::all_of(const std::vector<Element>& of) {
  std::vector<Element> opposites;
  for (const Element e : of) opposites.push_back(opposite(e));
  return opposite(any_of(opposites));
}

std::optional<std::vector<Element>> Algebra::bits_of(Element e) const {
  if (e.is(Element::Kind::integer)) {
    if (e.as_int() == 0) return std::vector<Element>{};
    if (e.as_int() == 1) return std::vector<Element>{e};
    return std::nullopt;
  }
  if (e.is_cases()) return is_condition(e) ? std::optional(std::vector<Element>{e}) : std::nullopt;
  const auto it = bits_.find(e);
  if (it == bits_.end()) return std::nullopt;
  return it->second;
}

void Algebra::note_bits(Element sum, Element a, Element b) {
  if (!sum.is_plain() || bits_.contains(sum)) return;
  auto x = bits_of(a);
  if (!x) return;
  const auto y = bits_of(b);
  if (!y || x->size() + y->size() > kMostBits) return;
  x->insert(x->end(), y->begin(), y->end());
  bits_.emplace(sum, std::move(*x));
}

std::optional<Element> Algebra::compare_count(ScalarFn fn, Element count, Element with) {
  const auto it = bits_.find(count);
  const auto number = known(with);
  if (it == bits_.end() || !number) return std::nullopt;
  const auto n = static_cast<double>(it->second.size());
  const std::vector<Element> of = it->second;
  const auto at_least = [&](double c) -> std::optional<Element> {
    if (c <= 0) return Element::integer(1);
    if (c > n) return Element::integer(0);
    if (c == 1) return any_of(of);
    if (c == n) return all_of(of);
    return std::nullopt;
  };
  const auto turned = [&](std::optional<Element> e) -> std::optional<Element> {
    if (!e) return std::nullopt;
    return opposite(*e);
  };
  switch (fn) {
    case ScalarFn::compare_ge: return at_least(*number);
    case ScalarFn::compare_gt: return at_least(*number + 1);
    case ScalarFn::compare_lt: return turned(at_least(*number));
    case ScalarFn::compare_le: return turned(at_least(*number + 1));
    case ScalarFn::compare_eq:
      if (*number == n) return at_least(n);
      if (*number == 0) return turned(at_least(1));
      return std::nullopt;
    case ScalarFn::compare_ne:
      if (*number == n) return turned(at_least(n));
      if (*number == 0) return at_least(1);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace partir::validate
