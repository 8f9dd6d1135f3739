// Bitwise functions of integers. The operands of and, or and xor form a set of members, so that order and grouping do
// not matter; two equal members of a xor cancel. If in each case at most one of two integers is nonzero, their sum is
// that one, as a case distinction. The same holds for floats whose bits are masked and summed that way:
//
//   bits(i < 4 ? x[i] : 0) + bits(i < 4 ? 0 : y[i - 4])      i <= 0: bits(x[0]), i <= 1: bits(x[1]), …
#include <fmt/format.h>

#include <algorithm>

#include "semantics/domain.h"
#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr int kMostCasesDeep = 64;  ///< most nested case distinctions

}  // namespace

std::optional<Element> Algebra::sum_without_overlap(Element a, Element b, int depth) {
  const Element zero = Element::integer(0);
  if (a == zero) return b;
  if (b == zero) return a;
  if (depth > kMostCasesDeep || (!a.is(Element::Kind::node) && !b.is(Element::Kind::node))) return std::nullopt;
  const auto of_a = top_variable(a);
  const auto of_b = top_variable(b);
  const VariableId v = of_a && of_b ? std::min(*of_a, *of_b) : of_a ? *of_a : *of_b;
  std::vector<std::int64_t> cuts = {variables_[v].high};
  cut_points(a, v, cuts);
  cut_points(b, v, cuts);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Piece> pieces;
  std::int64_t low = variables_[v].low;
  for (const std::int64_t high : cuts) {
    spend(1);
    const Interval here{low, high};
    const auto sum = sum_without_overlap(restricted(a, v, here), restricted(b, v, here), depth + 1);
    if (!sum) return std::nullopt;
    pieces.push_back({high, *sum});
    low = high + 1;
  }
  return join(v, std::move(pieces));
}

std::optional<Element> Algebra::number_of_bits(Element bits, ElementType in, ElementType type) {
  if (const auto it = floats_of_.find(bits); it != floats_of_.end() && it->second.type == type)
    return it->second.number;
  if (bits.is(Element::Kind::integer)) return base(ScalarFn::bitcast, in, type, {&bits, 1});
  if (!bits.is(Element::Kind::node)) return std::nullopt;
  const Node n = nodes_[bits.index()];
  std::vector<Piece> pieces = n.pieces;
  for (Piece& p : pieces) {
    const auto number = number_of_bits(p.value, in, type);
    if (!number) return std::nullopt;
    p.value = *number;
  }
  return join(n.variable, std::move(pieces));
}

Element Algebra::bitwise(ScalarFn fn, std::span<const Element> of, ElementType type) {
  const std::int64_t ones = wrap(~std::uint64_t{0}, type);
  const std::int64_t identity = fn == ScalarFn::logical_and ? ones : 0;
  auto& known_members = bitwise_members_[fn];
  std::vector<Element> members;
  std::int64_t constant = identity;
  for (const Element e : of) {
    const auto it = known_members.find(e);
    for (const Element m : it != known_members.end() ? it->second : std::vector<Element>{e}) {
      const auto b = bounds(m, type);
      if (!m.is(Element::Kind::integer) && !(b && b->low == b->high)) {
        members.push_back(m);
        continue;
      }
      const std::int64_t value = m.is(Element::Kind::integer) ? m.as_int() : b->low;
      constant = fn == ScalarFn::logical_and  ? constant & value
                 : fn == ScalarFn::logical_or ? constant | value
                                              : constant ^ value;
    }
  }
  const bool is_xor = fn == ScalarFn::logical_xor;
  if (!is_xor && constant == (ones ^ identity)) return Element::integer(constant);
  std::sort(members.begin(), members.end(), ElementOrder());
  std::vector<Element> kept;
  for (const Element m : members) {
    if (kept.empty() || kept.back() != m) {
      kept.push_back(m);
    } else if (is_xor) {
      kept.pop_back();
    }
  }
  if (constant != identity) kept.push_back(Element::integer(constant));
  if (kept.empty()) return Element::integer(identity);
  if (kept.size() == 1) return kept[0];
  const Element out = opaque(fmt::format("{} {}", name_of(fn), name_of(type)), type, kept);
  known_members.emplace(canonical(out), std::move(kept));
  return out;
}

}  // namespace partir::validate
