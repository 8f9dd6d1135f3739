// Records, variables and the application of functions: which arguments are split into cases, and which are taken as
// canonical elements. Functions of known numbers are computed in known_numbers.cpp; the laws are in the files that
// algebra.h lists.
#include "verify/validate/algebra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/float_format.h"
#include "semantics/domain.h"
#include "support/check.h"
#include "verify/validate/bits.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostRows = 64;              ///< most pieces of a case distinction in a linear function of floats
constexpr std::size_t kMostRowsOfFunctions = 128;  ///< the same in other functions of floats
constexpr std::size_t kMostLeaves = 1024;  ///< most combined pieces of a select whose operands have two variables

}  // namespace

Algebra::Algebra(Seed seed, bool exact, Arithmetic arithmetic, std::function<bool()> is_up)
    : ring_(seed, exact), arithmetic_(arithmetic), time_(std::move(is_up)) {
  for (const double v : {0.0, 1.0, -1.0, 2.0, 0.5}) known_.emplace(ring_.constant(v), v);
}

std::uint64_t Algebra::record(const std::string& text) {
  return records_.try_emplace(text, records_.size()).first->second;
}

std::uint64_t Algebra::record(const char* text) {
  const auto it = literal_records_.find(text);
  if (it != literal_records_.end()) return it->second;
  return literal_records_[text] = record(std::string(text));
}

const Key& Algebra::key(std::uint64_t number, std::span<const Element> args) {
  spend(args.size());
  for (const Element e : args) (void)canonical(e);  // before key_ is filled, as canonical() may use it itself
  key_.clear();
  key_.push_back(number);
  for (const Element e : args) {
    const Element c = e.is_plain() ? e : canonical(e);
    key_.push_back(c.lo);
    key_.push_back(c.hi);
  }
  return key_;
}

VariableId Algebra::variable_of(const Key& key, std::int64_t low, std::int64_t high) {
  const auto [it, fresh] = variable_numbers_.try_emplace(key, static_cast<VariableId>(variables_.size()));
  if (fresh) variables_.push_back({low, high});
  return it->second;
}

Element Algebra::integer_unknown(const Key& key, ElementType type) {
  const auto [low, high] = range_of(type);
  return as_element(variable_of(key, low, high));
}

Element Algebra::input(std::size_t number, std::int64_t position, ElementType type) {
  const Key k = {record("input"), number, static_cast<std::uint64_t>(position)};
  if (!is_float(type) && !is_complex(type)) return integer_unknown(k, type);
  if (is_complex(type) && !by_bits()) return unknown_parts(k);
  const Element out = ring_.unknown(k);
  // Whether a number is representable only matters for types narrower than f32.
  if (is_float(type) && type != ElementType::f32 && type != ElementType::f64) representable_.emplace(out, type);
  return out;
}

Element Algebra::from_index(std::int64_t index, ElementType type) {
  if (is_float(type)) return Element::number(round_to(static_cast<double>(index), type));
  if (is_complex(type) && !by_bits()) return of_parts(Element::number(static_cast<double>(index)), Element::number(0));
  if (is_complex(type)) return ring_.constant(index);
  return Element::integer(type == ElementType::i1 ? (index & 1) : wrap(static_cast<std::uint64_t>(index), type));
}

Element Algebra::from_literal(const Literal& literal, std::int64_t position) {
  const ElementType type = literal.type.element;
  if (by_bits() && (is_float(type) || is_complex(type))) return literal_by_bits(literal, position);
  if (is_complex(type)) {
    const auto v = literal.as_complex(position);
    const Element parts[] = {from_double(v.real()), from_double(v.imag())};
    return apply(ScalarFn::complex, part_of(type), type, parts);
  }
  if (!is_float(type)) return Element::integer(literal.as_int(position));
  const double value = literal.as_double(position);
  // A NaN other than the usual one: its sign decides its place in a total order.
  if (const std::uint64_t bits = std::isnan(value) ? bits_of_literal(literal, position) : 0;
      std::isnan(value) && bits != to_float_bits(std::nan(""), type)) {
    const Element out = opaque(record_of_bits(bits, type), type, {});
    note_no_number(out);
    return out;
  }
  return from_double(value);
}

std::optional<double> Algebra::known(Element e) const {
  if (e.is(Element::Kind::number)) return e.as_number();
  if (e.is(Element::Kind::integer)) {
    constexpr std::int64_t most = std::int64_t{1} << 53;  // beyond it, not every integer is a double
    return e.as_int() >= -most && e.as_int() <= most ? std::optional(static_cast<double>(e.as_int())) : std::nullopt;
  }
  if (!e.is_plain() || rounded_.contains(e)) return std::nullopt;
  if (const double* v = known_.find(e)) return *v;
  return std::nullopt;
}

namespace {

/// The range of the integers of a type that bounds can describe: for ui64, whose elements are 64 bits, those below
/// 2^63.
std::pair<std::int64_t, std::int64_t> numbers_of(ElementType type) {
  auto range = range_of(type);
  if (type == ElementType::ui64) range.first = 0;
  return range;
}

}  // namespace

std::optional<Algebra::Bounds> Algebra::bounds(Element e, ElementType type) const {
  const auto range = numbers_of(type);
  if (e.is(Element::Kind::integer))
    return e.as_int() >= range.first ? std::optional(Bounds{e.as_int(), e.as_int()}) : std::nullopt;
  if (!e.is_plain()) return std::nullopt;
  const Bounds* b = bounds_.find(e);
  if (b == nullptr || b->low < range.first || b->high > range.second) return std::nullopt;
  return *b;
}

void Algebra::bound(Element e, std::optional<Bounds> b, ElementType type) {
  if (!b || !e.is_plain()) return;
  const auto range = numbers_of(type);
  PARTIR_CHECK(b->low <= b->high, "bounds of an integer in the wrong order");
  if (b->low >= range.first && b->high <= range.second) bounds_.emplace(e, *b);
}

Element Algebra::as_value(Element e, ElementType type) {
  if (!e.is_plain() || bounds(e, type)) return e;
  if (const ElementType* of = values_.find(e); of != nullptr && *of == type) return e;
  if (const Bounds* b = bounds_.find(e); b != nullptr && b->low == b->high)
    return Element::integer(wrap(static_cast<std::uint64_t>(b->low), type));
  const Element out = canonical(integer_unknown(key(record(fmt::format("{} of", name_of(type))), {&e, 1}), type));
  values_.emplace(out, type);
  return out;
}

Algebra::Precision Algebra::precision(std::span<const Element> args, ElementType type) {
  const bool exact = std::all_of(args.begin(), args.end(), [&](Element e) { return is_representable(e, type); });
  return exact ? 0 : 1 + static_cast<Precision>(type);
}

std::string Algebra::precision_name(Element e, ElementType type) {
  return precision({&e, 1}, type) == 0 ? "" : fmt::format(" {}", name_of(type));
}

Element Algebra::opaque(const std::string& text, ElementType type, std::span<const Element> args) {
  for (const Element e : args) {
    if (e.is(Special::poison)) return e;
  }
  const Key& k = key(record(text), args);
  if (!is_float(type) && !is_complex(type)) return integer_unknown(k, type);
  const Element out = is_complex(type) && !by_bits() ? unknown_parts(k) : ring_.unknown(k);
  if (by_bits() || std::none_of(args.begin(), args.end(), [&](Element e) { return contains_special(e); })) return out;
  note_no_number(out);
  if (is_complex(type)) {
    const ComplexParts parts = parts_of(out, type);
    note_no_number(parts.re);
    note_no_number(parts.im);
  }
  return out;
}

std::optional<Element> Algebra::of_no_number(ScalarFn fn, ElementType in, ElementType type,
                                             std::span<const Element> args) {
  const auto is_none = [&](Element e) { return e.is_plain() && !is_number(e); };
  if (by_bits() || std::none_of(args.begin(), args.end(), is_none)) return std::nullopt;
  // A part of a complex number is known, whatever the other is.
  if ((fn == ScalarFn::real || fn == ScalarFn::imag) && complex_parts_.contains(args[0])) return std::nullopt;
  if (const auto out = function_of_numbers_or_nan(fn, in, type, args)) return *out;
  const bool chooses = fn == ScalarFn::maximum || fn == ScalarFn::minimum;
  if (chooses && args[0] == args[1]) return args[0];
  std::vector<Element> of;
  for (const Element e : args) of.push_back(canonical(e));
  if (chooses || fn == ScalarFn::add || fn == ScalarFn::multiply) std::sort(of.begin(), of.end(), ElementOrder());
  return opaque(fmt::format("{} of {} to {}, of no number", name_of(fn), name_of(in), name_of(type)), type, of);
}

Element Algebra::representative(Element e) {
  if (e.is_cases()) {
    if (!is_number_or_nan(e)) return e;
  } else if (!e.is_plain()) {
    return e;
  }
  const Element key = canonical(e);
  if (const Element* first = representatives_.find(key)) return *first;
  representatives_.emplace(key, e);
  return e;
}

namespace {

/// Arithmetic on booleans as StableHLO defines it: addition is `or`, not addition modulo 2; multiplication is `and`.
ScalarFn on_booleans(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::maximum: return ScalarFn::logical_or;
    case ScalarFn::multiply:
    case ScalarFn::minimum: return ScalarFn::logical_and;
    default: return fn;
  }
}

}  // namespace

Element Algebra::apply(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  if (type == ElementType::i1) fn = on_booleans(fn);
  // A sum of case distinctions may be a case distinction or its canonical element. Linear functions yield equal results
  // for both; any other function uses the form in which it met this number first.
  const bool squares = fn == ScalarFn::multiply && (args[0] == args[1] || (args[0].is_cases() && args[1].is_cases()));
  const bool is_linear = fn == ScalarFn::add || fn == ScalarFn::subtract || fn == ScalarFn::negate ||
                         fn == ScalarFn::select || (fn == ScalarFn::multiply && !squares);
  if (is_float(in) && !is_linear && !by_bits()) {
    std::array<Element, 3> forms;
    for (std::size_t k = 0; k < args.size(); ++k) forms[k] = representative(args[k]);
    return apply_to_forms(fn, in, type, std::span<const Element>(forms.data(), args.size()));
  }
  return apply_to_forms(fn, in, type, args);
}

Element Algebra::apply_to_forms(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  spend(1);
  if (fn == ScalarFn::select && args[0].is(Element::Kind::integer)) return args[0].as_int() != 0 ? args[1] : args[2];
  if (fn == ScalarFn::logical_not && is_integer(type))
    return apply(ScalarFn::subtract, in, type, {Element::integer(wrap(~std::uint64_t{0}, type)), args[0]});
  if (fn == ScalarFn::shift_left && args[1].is(Element::Kind::integer) && !args[0].is(Element::Kind::integer)) {
    const auto by = static_cast<std::uint64_t>(args[1].as_int());
    if (by >= bit_width(type)) return Element::integer(0);
    return apply(ScalarFn::multiply, in, type, {args[0], Element::integer(wrap(std::uint64_t{1} << by, type))});
  }
  if (fn == ScalarFn::bitcast && is_float(type)) {
    if (const auto number = number_of_bits(args[0], in, type)) return *number;
  }
  if (std::none_of(args.begin(), args.end(), [](Element e) { return e.is_cases(); })) return base(fn, in, type, args);

  // select(is_finite(x), x, c) is x, as real numbers are finite.
  if (fn == ScalarFn::select && args[0].is(Element::Kind::linear)) {
    const Linear& l = linears_[args[0].index()];
    const auto it = finite_.find(l.variable);
    if (it != finite_.end() && l.slope == 1 && l.offset == 0 && canonical(args[1]) == it->second) return args[1];
    // logaddexp(a, b) selects a + b if a - b is NaN, as it is for infinities of the same sign.
    if (guards_log_of_sum(args[0], args[1], args[2])) return args[2];
  }

  if (is_integer(type) && (fn == ScalarFn::add || fn == ScalarFn::logical_or || fn == ScalarFn::logical_xor)) {
    if (const auto sum = sum_without_overlap(args[0], args[1])) return *sum;
  }

  const bool is_ring = fn == ScalarFn::add || fn == ScalarFn::subtract || fn == ScalarFn::multiply;
  const bool of_floats = is_float(type) && (is_float(in) || fn == ScalarFn::select);
  const bool is_nan = std::any_of(args.begin(), args.end(), [](Element e) { return e.is(Special::nan); });
  if (is_nan && !by_bits() && fn != ScalarFn::select && propagates_nan(fn, in, type))
    return Element::special(Special::nan);
  const bool numeric = std::all_of(args.begin(), args.end(),
                                   [&](Element e) { return of_floats ? is_number_or_nan(e) : !contains_special(e); });
  if ((fn == ScalarFn::logical_and || fn == ScalarFn::logical_or) && type == ElementType::i1 && is_condition(args[0]) &&
      is_condition(args[1]))
    return fn == ScalarFn::logical_or ? any_of({args[0], args[1]}) : all_of({args[0], args[1]});
  // Sums and products of cases on different variables are computed on canonical elements.
  const auto in_canonical = [&] {
    std::vector<Element> plain;
    for (const Element e : args) plain.push_back(is_ring && is_integer(type) ? unwrapped(e, type) : canonical(e));
    const Element out = base(fn, in, type, plain);
    if (fn == ScalarFn::add && is_integer(type)) note_bits(out, args[0], args[1]);
    return out;
  };
  std::vector<VariableId> all;
  for (const Element e : args) {
    const auto of = support(e);
    all.insert(all.end(), of.begin(), of.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const bool arithmetic = is_float(type) || is_integer(type) || is_complex(type);
  const bool may_be_none =
      std::any_of(args.begin(), args.end(), [&](Element e) { return e.is_plain() && !is_number(e); });
  if (is_ring && numeric && (all.size() > 1 || may_be_none) && arithmetic) return in_canonical();
  // The canonical element of a lookup in a large table is linear in its rows, so sums and multiples are computed on it.
  const auto pieces = [&](Element e) { return e.is(Element::Kind::node) ? nodes_[e.index()].pieces.size() : 0; };
  const bool linear_in_cases = fn == ScalarFn::add || fn == ScalarFn::subtract || fn == ScalarFn::negate ||
                               (fn == ScalarFn::multiply && args[0].is_cases() != args[1].is_cases());
  if (is_float(type) && is_float(in) && fn != ScalarFn::select && !is_comparison(fn)) {
    const std::size_t most = linear_in_cases ? kMostRows : kMostRowsOfFunctions;
    if (numeric && std::any_of(args.begin(), args.end(), [&](Element e) { return pieces(e) > most; }))
      return in_canonical();
  }
  std::vector<Element> held(args.begin(), args.end());
  // Operands that do not depend on the predicate's variables stay case distinctions only if there are few cases.
  std::size_t leaves = 1;
  for (const Element e : args) leaves *= std::max<std::size_t>(pieces(e), 1);
  const bool few = all.size() <= 2 && leaves <= kMostLeaves;
  if (fn == ScalarFn::select && numeric && is_float(type) && all.size() > 1 && !few) {
    const auto of_predicate = support(args[0]);
    for (std::size_t k = 1; k < 3; ++k) {
      const auto own = support(args[k]);
      if (!std::includes(of_predicate.begin(), of_predicate.end(), own.begin(), own.end()))
        held[k] = canonical(args[k]);
    }
  }
  const Leaf leaf = [&](std::span<const Element> values) -> std::optional<Element> {
    return base(fn, in, type, values);
  };
  const std::size_t limit = is_float(type) ? 6 : 16;
  if (all.size() <= limit) {
    try {
      if (auto out = split(held, leaf, fn, in, type, true, 0)) return *out;
    } catch (const TooManyCases&) {
    }
  }
  // The canonical element of cases is a number, for which the laws of arithmetic hold. An infinity is none.
  if (!numeric && !by_bits()) throw Unknown{"more cases than are followed, some of which are an infinity or NaN"};
  if (fn == ScalarFn::select) {
    if (may_be_nan(args[1]) || may_be_nan(args[2])) {
      if (const auto out = select_or_nan(args[0], args[1], args[2], type)) return *out;
    }
    const Element p = canonical(args[0]);
    const Element a = canonical(args[1]);
    const Element b = canonical(args[2]);
    return ring_.add(b, ring_.multiply(p, ring_.subtract(a, b)));
  }
  return in_canonical();
}

Element Algebra::base(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  for (const Element e : args) {
    if (e.is(Special::poison) && fn != ScalarFn::select) return e;
  }
  if (fn == ScalarFn::select && args[0].is(Element::Kind::integer)) return args[0].as_int() != 0 ? args[1] : args[2];
  if (const auto out = of_no_number(fn, in, type, args)) return *out;
  if (fn == ScalarFn::select) {
    const bool is_special = args[1].is(Element::Kind::special) || args[2].is(Element::Kind::special);
    if (is_special && !by_bits()) {
      if (const auto out = select_or_nan(args[0], args[1], args[2], type)) return *out;
      return opaque("a choice of what is no number", type, args);
    }
    const Element p = canonical(args[0]);
    const Element a = canonical(args[1]);
    const Element b = canonical(args[2]);
    const Element out = ring_.add(b, ring_.multiply(p, ring_.subtract(a, b)));
    if (is_complex(type) && !by_bits()) {
      const ComplexParts x = parts_of(a, type);
      const ComplexParts y = parts_of(b, type);
      return of_parts(select(p, x.re, y.re, part_of(type)), select(p, x.im, y.im, part_of(type)));
    }
    if (follows_signs_ && is_float(type)) note_sign_of(fn, std::array{p, a, b}, out);
    return out;
  }
  if (by_bits() && (is_float(in) || is_complex(in) || is_float(type) || is_complex(type)))
    return apply_by_bits(fn, in, type, args);
  std::array<Element, 3> values;
  bool known_all = true;
  for (std::size_t k = 0; k < args.size(); ++k) {
    Element e = args[k];
    const bool is_format = fn == ScalarFn::reduce_precision && k > 0;  // a number of bits
    if (is_float(in) && !is_format && e.is(Element::Kind::integer))
      e = Element::number(static_cast<double>(e.as_int()));
    known_all = known_all && !e.is_plain();
    values[k] = e;
  }
  if (is_integer(type) && (fn == ScalarFn::logical_or || fn == ScalarFn::logical_xor)) {
    if (const auto sum = joined_bits(args[0], args[1], type)) return *sum;
  }
  if (is_integer(in) && fn != ScalarFn::add && fn != ScalarFn::subtract && fn != ScalarFn::multiply &&
      fn != ScalarFn::negate && fn != ScalarFn::convert) {
    for (std::size_t k = 0; k < args.size(); ++k) values[k] = as_value(values[k], in);
  }
  const std::span<const Element> own(values.data(), args.size());
  if (known_all) {
    if (auto out = concrete(fn, in, type, own)) return *out;
  }
  const Element out = function_of_plain(fn, in, type, own);
  if (follows_signs_ && is_float(type)) note_sign_of(fn, own, out);
  // The program rounds the result for these known numbers, so it is not a known number.
  if (known_all && is_float(type) && out.is_plain()) rounded_.insert(out);
  return out;
}

bool exact_sum(double a, double b, double s) {
  const double bb = s - a;
  return std::isfinite(s) && (a - (s - bb)) + (b - bb) == 0;
}

std::string Algebra::str(Element e) const {
  switch (e.kind()) {
    case Element::Kind::plain: {
      const auto v = known(e);
      return v ? fmt::format("{:g}", *v) : fmt::format("#{:04x}", (e.lo ^ (e.hi << 5)) & 0xffff);
    }
    case Element::Kind::integer: return fmt::format("{}", e.as_int());
    case Element::Kind::number: return fmt::format("{:g}", e.as_number());
    case Element::Kind::special: {
      constexpr const char* names[] = {"-inf", "inf", "nan", "poison"};
      return names[e.lo];
    }
    case Element::Kind::linear: {
      const Linear& l = linears_[e.index()];
      return fmt::format("{}*v{}{:+}", l.slope, l.variable, l.offset);
    }
    case Element::Kind::node: {
      const Node& n = nodes_[e.index()];
      std::string out = fmt::format("v{}{{", n.variable);
      for (std::size_t k = 0; k < n.pieces.size() && k < 8; ++k)
        out += fmt::format("{}<={}: {}", k != 0 ? ", " : "", n.pieces[k].upto, str(n.pieces[k].value));
      return out + (n.pieces.size() > 8 ? ", …}" : "}");
    }
  }
  return "";
}

}  // namespace partir::validate
