#include "verify/validate/computations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace partir::validate {

std::string record_of(const Meaning& meaning, ScalarId computation) {
  const ScalarTerm& t = meaning.at(computation);
  if (t.kind == ScalarTerm::Kind::argument) return fmt::format("#{}", t.operand);
  if (t.kind == ScalarTerm::Kind::literal) return t.literal->str();
  if (t.kind != ScalarTerm::Kind::apply) throw Unknown{"a computation that reads"};
  std::string out = fmt::format("{} {}(", name_of(t.fn), name_of(t.type));
  for (const ScalarId a : t.args) out += record_of(meaning, a) + ",";
  return out + ")";
}

bool Computations::passes_flag(const ScalarTerm& fold) const {
  if (fold.combine.size() != 2 || fold.operand != 0) return false;
  const ScalarTerm& passed = m_.at(fold.combine[1]);
  const ScalarTerm& flag = m_.at(fold.args[3]);
  const bool is_selection = flag.kind == ScalarTerm::Kind::apply && flag.fn == ScalarFn::compare_eq &&
                            m_.at(flag.args[0]).kind == ScalarTerm::Kind::reduce;
  return is_selection && passed.kind == ScalarTerm::Kind::argument && passed.operand == 3;
}

const Computations::Combination& Computations::combination(const ScalarTerm& t) {
  if (const auto known = combinations_.find(&t); known != combinations_.end()) return known->second;
  const auto unknowns = [&](const char* name) {
    std::vector<Element> out;
    for (std::size_t v = 0; v < t.combine.size(); ++v)
      out.push_back(algebra_.opaque(fmt::format("{} of a fold, {}", name, v), m_.at(t.combine[v]).type, {}));
    if (passes_flag(t)) out[1] = Element::integer(1);
    return out;
  };
  const auto same = [&](const std::vector<Element>& a, const std::vector<Element>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), [&](Element x, Element y) { return algebra_.equal(x, y); });
  };
  const auto combined = [&](std::vector<Element> a, const std::vector<Element>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return apply_(t.combine, std::move(a));
  };
  const auto a = unknowns("first");
  const auto b = unknowns("second");
  const auto c = unknowns("third");
  Combination out;
  out.is_partial = algebra_.records_conditions([&] {
    out.of_two = combined(a, b);
    algebra_.take_numbers(true);
    const auto in_order = combined(combined(a, b), c);
    const bool commutes = same(combined(a, b), combined(b, a));
    if (commutes && same(in_order, combined(a, combined(b, c))))
      out.order = Order::free;
    else if (same(in_order, combined(combined(a, c), b)))
      out.order = Order::of_members;
    algebra_.take_numbers(false);
  });
  return combinations_[&t] = std::move(out);
}

std::optional<std::vector<Element>> Computations::of_numbers(std::span<const ScalarId> scalars,
                                                             std::vector<Element> arguments) {
  std::vector<Element> out;
  const bool is_partial = algebra_.records_conditions([&] {
    algebra_.take_numbers(true);
    out = apply_(scalars, std::move(arguments));
    algebra_.take_numbers(false);
  });
  if (is_partial) return std::nullopt;
  return out;
}

std::optional<Computations::Choice> Computations::choice(const ScalarTerm& t) {
  const auto known = choices_.find(&t);
  return known != choices_.end() ? known->second : choices_.emplace(&t, choice_of(t)).first->second;
}

std::optional<Computations::Choice> Computations::choice_of(const ScalarTerm& t) {
  const ElementType value = m_.at(t.combine[0]).type;
  const ElementType beside = m_.at(t.combine[1]).type;
  if (!is_float(value) || !is_integer(beside)) return std::nullopt;
  const Element a = algebra_.opaque("first value of a fold", value, {});
  const Element b = algebra_.opaque("second value of a fold", value, {});
  const Element i = algebra_.opaque("beside the first value", beside, {});
  const Element j = algebra_.opaque("beside the second value", beside, {});
  const auto out = of_numbers(t.combine, {a, i, b, j});
  if (!out) return std::nullopt;
  const Element kept = (*out)[0];
  const Element chosen = (*out)[1];
  const auto compare = [&](ScalarFn fn, Element x, Element y, ElementType type) {
    return algebra_.apply(fn, type, ElementType::i1, {x, y});
  };
  const auto both = [&](Element x, Element y) {
    return algebra_.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {x, y});
  };
  const auto either = [&](Element x, Element y) {
    return algebra_.apply(ScalarFn::logical_or, ElementType::i1, ElementType::i1, {x, y});
  };
  for (const bool least : {false, true}) {
    const Element more = compare(least ? ScalarFn::compare_lt : ScalarFn::compare_gt, a, b, value);
    const Element no_less = compare(least ? ScalarFn::compare_le : ScalarFn::compare_ge, a, b, value);
    if (!algebra_.equal(kept, algebra_.select(more, a, b, value)) &&
        !algebra_.equal(kept, algebra_.select(no_less, a, b, value)) &&
        !algebra_.equal(kept, algebra_.extremum(least ? ScalarFn::minimum : ScalarFn::maximum, {a, b}, value)))
      continue;
    const Element same = compare(ScalarFn::compare_eq, a, b, value);
    for (const ScalarFn fn : {ScalarFn::compare_lt, ScalarFn::compare_le}) {
      const Element smaller = either(more, both(same, compare(fn, i, j, beside)));
      if (algebra_.equal(chosen, algebra_.select(smaller, i, j, beside))) return Choice{least, Algebra::Ties::smallest};
    }
    const Element least_of = algebra_.extremum(ScalarFn::minimum, {i, j}, beside);
    if (algebra_.equal(chosen, algebra_.select(more, i, algebra_.select(same, least_of, j, beside), beside)))
      return Choice{least, Algebra::Ties::smallest};
    if (algebra_.equal(chosen, algebra_.select(no_less, i, j, beside))) return Choice{least, Algebra::Ties::first};
    if (algebra_.equal(chosen, algebra_.select(more, i, j, beside))) return Choice{least, Algebra::Ties::last};
  }
  return std::nullopt;
}

std::optional<bool> Computations::descends(const ScalarTerm& t) {
  const ScalarTerm* compared = &m_.at(t.combine[0]);
  if (compared->kind != ScalarTerm::Kind::apply || compared->args.size() != 2) return std::nullopt;
  const bool greater = compared->fn == ScalarFn::compare_gt;
  if (!greater && compared->fn != ScalarFn::compare_lt) return std::nullopt;
  const ElementType type = m_.at(t.args[0]).type;
  if (!is_float(type) || algebra_.by_bits()) return std::nullopt;
  std::array<ScalarId, 2> sides{compared->args[0], compared->args[1]};
  for (ScalarId& side : sides) {
    if (m_.at(side).kind == ScalarTerm::Kind::apply && m_.at(side).fn == ScalarFn::order_key) {
      side = m_.at(side).args[0];
      if (t.args.size() > 1 && !drops_signs_of_zeros(side)) return std::nullopt;
    }
    if (m_.at(side).type != type) return std::nullopt;
  }
  std::vector<Element> arguments;
  for (std::size_t k = 0; k < 2 * t.args.size(); ++k)
    arguments.push_back(algebra_.opaque(fmt::format("argument {} of a comparator", k), m_.at(t.args[k / 2]).type, {}));
  const Element first = arguments[0];
  const Element second = arguments[1];
  const auto compares = of_numbers(sides, std::move(arguments));
  if (!compares) return std::nullopt;
  const auto compares_with = [&](Element a, Element b) {
    return algebra_.equal((*compares)[0], a) && algebra_.equal((*compares)[1], b);
  };
  if (compares_with(first, second)) return greater;
  if (compares_with(second, first)) return !greater;
  return std::nullopt;
}

/// Whether the term selects a known zero where something equals zero.
bool Computations::drops_signs_of_zeros(ScalarId id) const {
  const ScalarTerm& t = m_.at(id);
  if (t.kind != ScalarTerm::Kind::apply) return false;
  const auto is_zero = [&](ScalarId a) {
    const ScalarTerm& c = m_.at(a);
    return c.kind == ScalarTerm::Kind::literal && is_float(c.type) && c.literal->as_double(0) == 0;
  };
  if (t.fn == ScalarFn::select) {
    const ScalarTerm& p = m_.at(t.args[0]);
    if (p.kind == ScalarTerm::Kind::apply && p.fn == ScalarFn::compare_eq && is_zero(p.args[1]) && is_zero(t.args[1]))
      return true;
  }
  return std::any_of(t.args.begin(), t.args.end(), [&](ScalarId a) { return drops_signs_of_zeros(a); });
}

}  // namespace partir::validate
