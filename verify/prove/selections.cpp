// The part of Evaluation (evaluation.h) for folds that select one of a window's elements, as select_and_scatter does. If
// only one side of a claim has such a fold, that an element is selected is stated by comparisons with the others: it is
// greater than all before it, and at least as great as all behind it (proofs_notes/steps.md, selected-place).
#include <algorithm>
#include <utility>

#include "verify/prove/evaluation.h"
#include "verify/prove/finite.h"
#include "verify/prove/integers.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// The most indices over which a fold is written out.
constexpr std::int64_t kMostAddends = 64;

constexpr ScalarFn kOrders[] = {ScalarFn::compare_ge, ScalarFn::compare_gt, ScalarFn::compare_le, ScalarFn::compare_lt};

/// An element, zero in the padding, and the guards that hold outside of the padding.
struct Padded {
  Expr value;
  std::vector<Factor> guards;
};

/// If the element is, as [g] x + (1 - [g]) infinity, this infinity where guards fail, returns [g] x and the guards.
std::optional<Padded> without_padding(const Expr& e, Symbol infinity, Context& c) {
  Padded out{{e.type, {}}, {}};
  Expr infinite{ElementType::index, {}};  // the condition under which it is infinite
  for (const Term& t : e.terms) {
    Term without = t;
    std::erase_if(without.factors, [&](const Factor& f) { return is(f, infinity); });
    (without.factors.size() == t.factors.size() ? out.value : infinite).terms.push_back(std::move(without));
  }
  const Expr inside = simplified(add(number(1), infinite, -1), c);
  if (inside.terms.size() != 1 || inside.terms[0].coefficient != 1 || !inside.terms[0].ranges.empty() ||
      !std::all_of(inside.terms[0].factors.begin(), inside.terms[0].factors.end(), is_guard) ||
      simplified(multiply(inside, out.value, c), c).key(c) != simplified(out.value, c).key(c))
    return std::nullopt;
  out.guards = inside.terms[0].factors;
  return out;
}

}  // namespace

std::optional<std::vector<std::vector<std::int64_t>>> indices_of(const std::vector<Poly>& extents) {
  std::vector<std::vector<std::int64_t>> out = {{}};
  for (const Poly& extent : extents) {
    if (!extent.is_constant()) return std::nullopt;
    std::vector<std::vector<std::int64_t>> longer;
    for (const auto& at : out) {
      for (std::int64_t k = 0; k < extent.constant(); ++k) {
        longer.push_back(at);
        longer.back().push_back(k);
        if (longer.size() > kMostAddends) return std::nullopt;
      }
    }
    out = std::move(longer);
  }
  return out;
}

bool has_selections(const SymbolicProgram& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const SymbolicOp& op) {
    return std::any_of(op.meaning.scalars.begin(), op.meaning.scalars.end(), [&](const ScalarTerm& t) {
      return t.kind == ScalarTerm::Kind::reduce && passes_over(t, op.meaning);
    });
  });
}

/// If the fold's computation keeps the first of the values so far, unless there is none or the next one takes
/// precedence, returns what keeps it: a function of a value and of the next one.
std::optional<Evaluation::Keeps> Evaluation::keeps_of(const Factor& fold) {
  if (fold.args.size() != 4) return std::nullopt;
  const ElementType type = fold.args[0]->type;
  const ElementType place = fold.args[1]->type;
  const auto argument = [](std::int64_t number, ElementType of) {
    Factor out = applied(Symbol::placeholder, of);
    out.number = number;
    return factor(std::move(out));
  };
  const Expr value = argument(0, type);
  const Expr next = argument(2, type);
  const Expr none = complement(compare(ScalarFn::compare_eq, argument(1, place), number(-1, place)));
  for (const ScalarFn fn : kOrders) {
    for (const bool exchanged : {false, true}) {
      const Keeps keeps{fn, exchanged};
      const auto stays = combined(Monoid::conj, none, kept(keeps, value, next));
      if (!stays) return std::nullopt;
      const Expr condition = indicator(simplified(*stays, c_), c_);
      const Expr tuple =
          factor(applied(Symbol::tuple, ElementType::index,
                         {simplified(choose(condition, value, next, c_), c_),
                          simplified(choose(condition, argument(1, place), argument(3, place), c_), c_)}));
      if (tuple.key(c_) == fold.args[3]->key(c_)) return keeps;
    }
  }
  return std::nullopt;
}

Expr Evaluation::kept(const Keeps& by, const Expr& value, const Expr& next) {
  return by.exchanged ? compare(by.fn, next, value) : compare(by.fn, value, next);
}

std::optional<Expr> Evaluation::is_selected(const Expr& selected, const Expr& place) {
  const Factor* fold = single(selected);
  if (!c_.selections_by_comparison || fold == nullptr || !is(*fold, Symbol::folded) || fold->number != 1)
    return std::nullopt;
  const auto keeps = keeps_of(*fold);
  if (!keeps || fold->args[1]->key(c_) != number(-1, fold->args[1]->type).key(c_)) return std::nullopt;
  const Factor* element = single(*fold->args[2]);
  if (element == nullptr) return std::nullopt;
  const Expr& x = *element->args[0];
  const Poly mine = integer(place, sizes(), c_);
  const Poly number_of = integer(*element->args[1], sizes(), c_);
  if (!mine.is_constant()) return std::nullopt;
  std::vector<Poly> extents;
  for (const AtomId r : fold->ranges[2]) extents.push_back(c_.at(r).extent);
  const auto indices = indices_of(extents);
  if (!indices) return std::nullopt;

  struct Place {
    std::int64_t number;
    Expr value;    ///< zero in the padding
    Expr outside;  ///< whether it is in the padding
  };
  const bool prefers_greater =
      (keeps->fn == ScalarFn::compare_ge || keeps->fn == ScalarFn::compare_gt) != keeps->exchanged;
  const Symbol least = prefers_greater ? Symbol::lowest : Symbol::highest;
  std::vector<Place> places;  // in the order in which the fold visits them
  for (const auto& at : *indices) {
    Substitution s;
    for (std::size_t k = 0; k < at.size(); ++k) s[fold->ranges[2][k]] = Poly(at[k]);
    const Poly number_here = c_.substitute(number_of, s);
    const auto padded = without_padding(simplified(substitute(x, s, c_), c_), least, c_);
    if (!padded || !may(Law::selected_place, x.type, {&padded->value}, c_)) return std::nullopt;
    std::vector<Factor> guards = padded->guards;
    for (const Factor& g : fold->conditions[2]) guards.push_back(substitute(g, s, c_));
    Expr inside = number(1);
    Expr outside = boolean(false);
    for (const Factor& here : guards) {
      if (here.kind != Factor::Kind::guard) return std::nullopt;
      inside = multiply(inside, factor(here), c_);
      if (implied(here, counted_, c_)) continue;
      Factor fails = here;
      fails.indices = {Poly(-1) - here.indices[0]};
      const auto either = combined(Monoid::disj, outside, truth(simplified(factor(std::move(fails)), c_), c_));
      if (!either) return std::nullopt;
      outside = *either;
    }
    Expr value = simplified(choose(simplified(inside, c_), padded->value, number(0, x.type), c_), c_);
    if (!number_here.is_constant() || number_here.constant() < 0) return std::nullopt;
    const auto has_number = [&](const Place& p) { return p.number == number_here.constant(); };
    if (std::any_of(places.begin(), places.end(), has_number)) return std::nullopt;
    places.push_back({number_here.constant(), std::move(value), simplified(outside, c_)});
  }
  const auto here =
      std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.number == mine.constant(); });
  if (here == places.end()) return boolean(false);
  // Only a fold passes over the padding; an infinity is selected where all others are in the padding, too.
  if (here->outside.key(c_) != boolean(false).key(c_) && !non_finite(x, c_).none()) return std::nullopt;
  std::optional<Expr> all = complement(here->outside);
  for (auto there = places.begin(); there != places.end(); ++there) {
    if (there == here) continue;
    const Expr wins =
        there < here ? complement(kept(*keeps, there->value, here->value)) : kept(*keeps, here->value, there->value);
    const auto either = combined(Monoid::disj, there->outside, wins);
    all = either ? combined(Monoid::conj, *all, *either) : std::nullopt;
    if (!all) return std::nullopt;
  }
  if (c_.recorder != nullptr) {
    const Expr asked = factor(applied(ScalarFn::compare_eq, ElementType::i1, {selected, place}));
    const replay::TermId before = c_.recorder->term(where_counted(asked));
    c_.recorder->step(replay::Rule::selected_place, before, c_.recorder->term(where_counted(*all)));
  }
  return all;
}

/// Returns 1 where the boolean holds and the guards of the addend being written out do, else 0.
Expr Evaluation::where_counted(const Expr& holds) {
  Expr out = indicator(holds, c_);
  for (const Factor& g : counted_) out = multiply(factor(g), out, c_);
  return out;
}

std::optional<Expr> Evaluation::written_out(const ScalarTerm& t, Monoid monoid, Frame& f) {
  std::vector<Poly> extents;
  for (const RangeId r : t.ranges) extents.push_back(f.op->extents[r.index()]);
  const auto indices = indices_of(extents);
  if (monoid != Monoid::sum || !indices || domains_ != nullptr) return std::nullopt;
  Expr out = scalar(t.args[t.operand], f);
  note_arithmetic(t.type);
  if (!may(Law::ring_sum, t.type, {&out}, c_) || !c_.may(Law::sum_over_ranges, t.type)) return std::nullopt;
  for (const auto& at : *indices) {
    for (std::size_t k = 0; k < at.size(); ++k) f.at[t.ranges[k]] = Poly(at[k]);
    const auto outside = std::exchange(counted_, independent(guards(t.guards, f), c_));
    const Expr counts = indicator(simplified(scalar(t.args[3], f), c_), c_);
    Expr addend = choose(counts, simplified(scalar(t.args[2], f), c_), identity_of(Monoid::sum, t.type), c_);
    for (const Factor& g : counted_) addend = multiply(factor(g), addend, c_);
    out = add(out, simplified(addend, c_));
    counted_ = outside;
  }
  return out;
}

}  // namespace partir::prove
