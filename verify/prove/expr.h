// Elements in normal form: sums of coefficient * product of factors, summed over ranges. Every form has an element
// type.
//
// Over a number type (real, complex, or integers that wrap) products are distributed over sums, so two terms that the
// ring laws make equal have one form up to the names of summed ranges, which key() fixes; coefficients of integers that
// wrap are residues. Maxima, minima, products and boolean folds are factors that are sets of members; a maximum of
// maxima is one, addends that no range touches stand outside, and functions that rise throughout stand inside.
// Everything else is an uninterpreted function of its arguments' forms. Which of this is done of which type, laws.h
// says.
//
// Forms of type `index` are conditions: 1 where guards hold, else 0. A condition times a form chooses it or nothing;
// that is no arithmetic on the form's type, so it is done of floats bit by bit, too.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/action.h"
#include "ir/literal.h"
#include "ir/scalar_fn.h"
#include "verify/prove/poly.h"

namespace partir::prove {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// What an `apply` or `opaque` factor is of.
enum class Symbol : std::uint8_t {
  function,        ///< `fn` of args, which have their types
  truth,           ///< the boolean of what is 1 or 0
  indicator,       ///< 1 where a boolean holds, else 0
  choose,          ///< args[1] where the condition args[0] is 1, else args[2]
  reciprocal,      ///< 1 / args[0]
  lowest,          ///< minus infinity
  highest,         ///< infinity
  boolean,         ///< `number`
  literal,         ///< `literal`, a float or complex number
  imaginary_unit,  ///< of its complex type
  placeholder,     ///< argument `number` of a computation
  tuple,           ///< args
  defined,         ///< whether args are in the domain of `fn`
  dense,           ///< of opaque: an array of constants
  library,         ///< of opaque: a library function
  folded,          ///< of opaque: a combination that is no monoid's
};

struct Factor {
  enum class Kind : std::uint8_t {
    read,      ///< array[indices]; a partial array has the device as its first index
    guard,     ///< 1 where indices[0] >= 0, else 0
    guard_eq,  ///< 1 where indices[0] = 0, else 0
    index,     ///< indices[0] as a number of the type: rounded, or modulo a power of two, where it does not hold it
    apply,     ///< `symbol` of args
    fold,      ///< the combination by `monoid` of args[k] over ranges[k] where conditions[k] hold
    opaque,    ///< `symbol` with the record of args, each over its own ranges[k], at indices
  };
  Kind kind = Kind::read;
  ElementType type = ElementType::index;
  Symbol symbol = Symbol::function;
  ScalarFn fn = ScalarFn::add;
  Monoid monoid = Monoid::sum;
  std::size_t array = 0;
  std::int64_t number = 0;  ///< of dense: 1 where an element is an infinity or NaN, else 0
  std::vector<Poly> indices;
  std::vector<ExprPtr> args;
  std::vector<std::vector<AtomId>> ranges;
  std::vector<std::vector<Factor>> conditions;  ///< of fold: guards
  LiteralPtr literal;
  std::string record;  ///< of opaque: all that decides what it is besides args and indices (opaque.h)
};

struct Term {
  std::int64_t coefficient = 1;
  std::vector<AtomId> ranges;  ///< summed over
  std::vector<Factor> factors;
};

struct Expr {
  ElementType type = ElementType::index;
  std::vector<Term> terms;

  /// A text that expressions of one form share, whatever their bound ranges are called.
  [[nodiscard]] std::string key(Context& c) const;
};

/// Thrown when a form grows beyond what is worth it, or a step has no rule: the answer is then "unknown".
struct GiveUp {
  std::string reason;
};

/// Types over which sums are sums: not booleans.
bool is_number(ElementType type);
/// Whether arithmetic is modulo a power of two.
bool wraps(ElementType type);
/// A coefficient as the residue that stands for it in the type: -1 of ui8 is 255. Others are as they are.
std::int64_t residue(std::int64_t coefficient, ElementType type);

Expr number(std::int64_t value, ElementType type = ElementType::index);
/// A factor alone; guards are conditions.
Expr factor(Factor f);
Factor applied(Symbol symbol, ElementType type, std::vector<Expr> args = {});
Factor applied(ScalarFn fn, ElementType type, std::vector<Expr> args);
/// A number made of an index.
Expr index_number(const Poly& p, ElementType type);
Expr boolean(bool value);
/// The identity of a monoid on a type: 0, 1, the least or greatest integer, an infinity, false or true. Of bits it is
/// all ones or none.
Expr identity_of(Monoid monoid, ElementType type);
bool is_identity(const Expr& e, Monoid monoid, Context& c);
/// The same terms, of another type that has the same numbers.
Expr retyped(Expr e, ElementType type);
/// A real number as one of a type that holds all numbers of its own: combinations, quotients and choices are then of
/// that type, as are their operands; what a function gives in the narrower type stays as it is.
Expr widened(const Expr& e, ElementType type);

Expr add(const Expr& a, const Expr& b, std::int64_t sign = 1);
Expr multiply(const Expr& a, const Expr& b, Context& c);
/// -e; of reals, - max is min of -.
Expr negated(const Expr& e, Context& c);
/// a - b: what is common cancels before a maximum turns into a minimum of negatives.
Expr difference(const Expr& a, const Expr& b, Context& c);
/// A place to cut one of the ranges at: a guard of the body holds on one side of it. 0 <= place <= extent.
bool cut_of(const std::vector<AtomId>& ranges, const Expr& body, Context& c, AtomId& range, Poly& place);
/// Guards that hold together, without those that follow from a guard that m divides p: where m q = p for q = div(p, m),
/// a bound on q is one on p up to m - 1, and what m divides is at least 0 where it is above -m.
std::vector<Factor> independent(std::vector<Factor> guards, Context& c);
/// Throws GiveUp unless values may be combined over ranges in any order.
void require_any_order(Monoid m, const Expr& body, Context& c);
/// Sum over a range.
Expr sum_over(const std::vector<AtomId>& ranges, const Expr& body);
/// Terms in which a guard cannot hold dropped, guards that always hold dropped, equal terms collected.
Expr simplified(const Expr& e, Context& c);
/// The combination by a monoid other than sum.
Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c);
/// Two combinations together.
Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c);
/// The combination of what `of` makes of each member of a combination, by another monoid on the type `of` gives.
template <class Of>
Expr fold_members(Monoid monoid, const Factor& fold, Context& c, const Of& of);
/// The only factor of an expression that is that and nothing more.
const Factor* single(const Expr& e);
/// The same where it is a combination.
const Factor* single_fold(const Expr& e);
/// Whether a combination has a member whatever the sizes are.
bool never_empty(const Factor& fold, Context& c);
/// `then` where the condition, which is 0 or 1, is 1, else `otherwise`: on numbers condition * then + (1 - condition) *
/// otherwise, elsewhere uninterpreted. A choice between two bitwise combinations over one range is that of choices.
Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, Context& c);
/// 1 / e. Factors are taken one by one.
Expr reciprocal(const Expr& e, Context& c);
/// A function that is additive on its type, term by term.
Expr apply_linear(ScalarFn fn, ElementType to, const Expr& e, Context& c);
/// A function of one real number, or a conversion that keeps the order, which may stand inside a combination.
Expr apply_through(ScalarFn fn, ElementType to, const Expr& x, Context& c);

Expr substitute(const Expr& e, const Substitution& s, Context& c);
Factor substitute(const Factor& f, const Substitution& s, Context& c);
bool contains(const Expr& e, AtomId a, const Context& c);

/// Whether two expressions have one form, as they are or with their ranges merged (then they are left so). Else
/// `difference` says how they differ, unless it says something already.
bool same_form(Expr& a, Expr& b, Context& c, std::string& difference);

/// Splits every bound range whose extent n divides into an outer one below n and an inner one, and every range under a
/// division into its digits.
Expr split_ranges(const Expr& e, AtomId n, Context& c);
/// The other way round, for a last comparison: two ranges of one binder that are read only as the digits of one index
/// become that index, in whichever order the sides nest them.
Expr merge_ranges(const Expr& e, Context& c);

template <class Of>
Expr fold_members(Monoid monoid, const Factor& members, Context& c, const Of& of) {
  Expr all;
  for (std::size_t k = 0; k < members.args.size(); ++k) {
    const Expr member = fold(monoid, members.ranges[k], members.conditions[k], of(*members.args[k]), c);
    all = k == 0 ? member : combine(monoid, all, member, c);
  }
  return all;
}

}  // namespace partir::prove
