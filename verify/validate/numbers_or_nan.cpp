// Floats that are NaN under known conditions, and numbers otherwise: lookups that yield NaN outside their table, as
// those of jnp.take do, and what is computed of them.
//
//   take(table, id)                  table[id]             or NaN where id is outside
//   take(table, id) + take(t, j)     table[id] + t[j]      or NaN where id is outside, or j is
//
// A function that is NaN wherever an argument is NaN is applied to the numbers, by all laws of numbers, and the sets of
// conditions are united. Two such floats are equal if numbers and sets are. The number of a case distinction is that of
// the nearest case in which it is not NaN, so that the numbers of f(x) are f of those of x.
//
// The plain element of one is its number plus an unknown for its set. Like any other that may be NaN it is listed in
// not_numbers_, so that no law of numbers is applied to that sum.
#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/float_format.h"
#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

/// Whether the function is defined for all numbers, and computed without conditions.
bool is_always_defined(ScalarFn fn) {
  return fn == ScalarFn::add || fn == ScalarFn::subtract || fn == ScalarFn::multiply || fn == ScalarFn::negate ||
         fn == ScalarFn::maximum || fn == ScalarFn::minimum;
}

}  // namespace

bool Algebra::propagates_nan(ScalarFn fn, ElementType in, ElementType type) {
  return is_float(in) && is_float(type) && fn != ScalarFn::power && fn != ScalarFn::select && fn != ScalarFn::bitcast &&
         fn != ScalarFn::imag && float_format(type).special != FloatFormat::Special::finite;
}

Element Algebra::or_nan(Element number, ElementSetId where) {
  if (where == 0) return number;
  const Element value = canonical(number);
  const Element out = ring_.add(value, ring_.unknown({record("NaN where"), where}));
  not_numbers_.emplace(out, NoNumber{true, value, where});
  return out;
}

bool Algebra::may_be_nan(Element e) const {
  if (e.is_plain()) return not_numbers_.contains(e);
  if (!e.is(Element::Kind::node)) return e.is(Special::nan) || e.is(Special::poison);
  const Node& n = nodes_[e.index()];
  return std::any_of(n.pieces.begin(), n.pieces.end(), [&](const Piece& p) { return may_be_nan(p.value); });
}

bool Algebra::is_number_or_nan(Element e) {
  if (!contains_special(e)) return true;
  if (e.is(Element::Kind::special)) return e.is(Special::nan);
  const NoNumber* of = not_numbers_.find(canonical(e));
  return of != nullptr && of->has_number;
}

/// The number that a condition identifies in sets. The condition itself is kept, and what holds where it is false.
Element Algebra::nan_condition(Element condition) {
  const Element id = canonical(condition);
  if (nan_conditions_.contains(id)) return id;
  NanCondition out{condition, {id, 0, 0}};
  if (const auto v = top_variable(condition)) {  // an interval of one variable, as branches and cases are
    std::vector<Piece> pieces = {{variables_[*v].high, condition}};
    if (condition.is(Element::Kind::node)) pieces = nodes_[condition.index()].pieces;
    if (condition.is(Element::Kind::linear) && variables_[*v].low == 0 && variables_[*v].high == 1)
      pieces = {{0, restricted(condition, *v, {0, 0})}, {1, restricted(condition, *v, {1, 1})}};
    std::int64_t low = variables_[*v].low;
    int intervals = 0;
    bool known = true;
    for (const Piece& p : pieces) {
      known = known && p.value.is(Element::Kind::integer);
      if (p.value == Element::integer(0)) {
        ++intervals;
        out.otherwise = {as_element(*v), low, p.upto};
      }
      low = p.upto + 1;
    }
    if (!known || intervals != 1) out.otherwise = {id, 0, 0};
  }
  nan_conditions_.emplace(id, out);
  return id;
}

Element Algebra::any_in(std::span<const Element> set, std::span<const Element> except) {
  std::vector<Element> rest;
  std::set_difference(set.begin(), set.end(), except.begin(), except.end(), std::back_inserter(rest), ElementOrder());
  const ElementSetId number = nan_sets_.of(rest);
  if (const auto it = any_in_set_.find(number); it != any_in_set_.end()) return it->second;
  for (Element& e : rest) e = nan_conditions_.find(e)->condition;
  return any_in_set_[number] = any_of(rest);
}

std::optional<Algebra::NumberOrNan> Algebra::number_or_nan(Element e) {
  if (e.is(Special::nan)) return NumberOrNan{std::nullopt, 0};
  if (e.is(Element::Kind::special)) return std::nullopt;
  if (!contains_special(e)) return NumberOrNan{e, 0};
  if (e.is_plain()) {
    const NoNumber of = *not_numbers_.find(e);
    return of.has_number ? std::optional(NumberOrNan{of.number, of.where}) : std::nullopt;
  }
  if (const auto it = numbers_of_nodes_.find(e.lo); it != numbers_of_nodes_.end()) return it->second;
  const Node of = nodes_[e.index()];  // a copy, as more are added
  return numbers_of_nodes_[e.lo] = number_of_cases(of);
}

std::optional<Algebra::NumberOrNan> Algebra::number_of_cases(const Node& of) {
  std::vector<NumberOrNan> cases;
  std::vector<Element> shared;  // conditions of all cases that are not NaN throughout
  bool first = true;
  for (const Piece& p : of.pieces) {
    const auto own = number_or_nan(p.value);
    if (!own) return std::nullopt;
    cases.push_back(*own);
    if (!own->number) continue;
    const std::vector<Element>& conditions = nan_sets_.at(own->where);
    std::vector<Element> both;
    std::set_intersection(shared.begin(), shared.end(), conditions.begin(), conditions.end(), std::back_inserter(both),
                          ElementOrder());
    shared = first ? conditions : std::move(both);
    first = false;
  }
  if (first) return NumberOrNan{std::nullopt, 0};
  std::optional<Element> nearest;  // of the cases before; to begin with, of the first that is a number
  for (std::size_t k = 0; k < cases.size() && !nearest; ++k) nearest = cases[k].number;
  std::vector<Piece> numbers = of.pieces;
  std::vector<Piece> conditions = of.pieces;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (cases[k].number) nearest = cases[k].number;
    numbers[k].value = *nearest;
    const std::vector<Element> own = nan_sets_.at(cases[k].where);
    conditions[k].value = cases[k].number ? any_in(own, shared) : Element::integer(1);
  }
  const Element others = join(of.variable, std::move(conditions));
  if (others != Element::integer(0)) shared.push_back(nan_condition(others));
  return NumberOrNan{join(of.variable, std::move(numbers)), nan_sets_.of(std::move(shared))};
}

std::optional<Element> Algebra::select_or_nan(Element p, Element x, Element y, ElementType type) {
  const auto a = number_or_nan(x);
  const auto b = number_or_nan(y);
  if (!a || !b || !is_float(type)) return std::nullopt;
  if (!a->number && !b->number) return x;
  const std::vector<Element> of_a = nan_sets_.at(a->where);
  const std::vector<Element> of_b = nan_sets_.at(b->where);
  std::vector<Element> where;  // the conditions of both
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(where), ElementOrder());
  const Element in_a = a->number ? any_in(of_a, where) : Element::integer(1);
  const Element in_b = b->number ? any_in(of_b, where) : Element::integer(1);
  const Element others = any_of({all_of({p, in_a}), all_of({opposite(p), in_b})});
  if (others == Element::integer(1)) return Element::special(Special::nan);
  if (others != Element::integer(0)) where.push_back(nan_condition(others));
  const Element number = a->number && b->number ? select(p, *a->number, *b->number, type)
                         : a->number            ? *a->number
                                                : *b->number;
  return or_nan(number, nan_sets_.of(std::move(where)));
}

std::optional<Element> Algebra::apply_to_numbers(std::span<const Element> args,
                                                 const std::function<Element(std::span<const Element>)>& f) {
  std::vector<Element> numbers;
  ElementSetId where = 0;
  for (const Element e : args) {
    const auto own = number_or_nan(e);
    if (!own) return std::nullopt;
    if (!own->number) return Element::special(Special::nan);
    numbers.push_back(*own->number);
    where = nan_sets_.unite(where, own->where);
  }
  const auto out = number_or_nan(f(numbers));
  if (!out) return std::nullopt;
  if (!out->number) return Element::special(Special::nan);
  return or_nan(*out->number, nan_sets_.unite(where, out->where));
}

Element Algebra::unknown_of_numbers(const std::string& text, ElementType type, std::span<const Element> args) {
  const auto out = apply_to_numbers(args, [&](std::span<const Element> n) { return opaque(text, type, n); });
  return out && is_float(type) ? *out : opaque(text, type, args);
}

std::optional<Element> Algebra::function_of_numbers_or_nan(ScalarFn fn, ElementType in, ElementType type,
                                                           std::span<const Element> args) {
  const auto exponent = fn == ScalarFn::power ? known(args[1]) : std::nullopt;
  const bool is_power = exponent && *exponent != 0 && is_float(type);
  if (!is_power && !propagates_nan(fn, in, type)) return std::nullopt;
  if (is_always_defined(fn))
    return apply_to_numbers(args, [&](std::span<const Element> numbers) { return base(fn, in, type, numbers); });
  // What must hold of the numbers must hold where none of them is NaN.
  struct Entered {
    PathCondition& path;
    std::size_t before = path.size();
    ~Entered() { path.resize(before); }
  } entered{path_};
  for (const Element e : args) {
    const auto own = number_or_nan(e);
    if (!own) return std::nullopt;
    for (const Element id : nan_sets_.at(own->where)) path_.push_back(nan_conditions_.find(id)->otherwise);
  }
  return apply_to_numbers(args, [&](std::span<const Element> numbers) { return base(fn, in, type, numbers); });
}

}  // namespace partir::validate
