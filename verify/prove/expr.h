// Canonical forms of elements: sums of coefficient * product of factors, each summed over ranges (bound indices). Two
// elements with the same form are equal (proofs_notes/normal-forms.md argues why). Every form has an element type.
//
// Over a number type (real, complex, or integers that wrap) products are distributed over sums, so two terms that are
// equal by the ring laws have the same form up to the names of bound ranges, which key() normalises; coefficients of
// integers that wrap are residues. Maxima, minima, products and boolean reductions are fold factors, which hold a set
// of members; a maximum of maxima is flattened into one fold, addends that depend on no range of the fold are moved out
// of it, and monotonically rising functions are moved into it. Everything else is an uninterpreted function of its
// arguments' forms. laws.h states which of these laws hold for which types.
//
// Forms of type `index` are conditions: 1 where their guards hold, else 0. Multiplying a form by a condition selects
// the form or nothing. This is not arithmetic on the form's type, so it is also valid for floats in bit-exact proofs.
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

/// The function that an `apply` or `opaque` factor applies.
enum class Symbol : std::uint8_t {
  function,        ///< `fn` applied to args
  truth,           ///< a boolean made from a condition that is 1 or 0
  indicator,       ///< 1 where a boolean holds, else 0
  choose,          ///< args[1] where the condition args[0] is 1, else args[2]
  reciprocal,      ///< 1 / args[0]
  lowest,          ///< minus infinity
  highest,         ///< infinity
  boolean,         ///< `number`
  literal,         ///< `literal`, a float or complex number
  imaginary_unit,  ///< i, in a complex type
  placeholder,     ///< argument number `number` of a reduction's computation
  tuple,           ///< args
  defined,         ///< true if args are in the domain of `fn`
  dense,           ///< opaque: an element of a dense constant
  library,         ///< opaque: an element of a library function's result
  folded,          ///< opaque: a fold by a computation that is no monoid
};

struct Factor {
  enum class Kind : std::uint8_t {
    read,      ///< array[indices]; an array with a pending reduction has the device as its first index
    guard,     ///< 1 where indices[0] >= 0, else 0
    guard_eq,  ///< 1 where indices[0] = 0, else 0
    index,     ///< indices[0] as a number of `type`; rounded or wrapped if the type cannot represent it
    apply,     ///< `symbol` of args
    fold,      ///< reduction by `monoid` of all args[k] over ranges[k] where conditions[k] hold
    opaque,    ///< `symbol`, identified by `record`, of args[k] as arrays over ranges[k], at indices
  };
  Kind kind = Kind::read;
  ElementType type = ElementType::index;
  Symbol symbol = Symbol::function;
  ScalarFn fn = ScalarFn::add;
  Monoid monoid = Monoid::sum;
  std::size_t array = 0;
  std::int64_t number = 0;  ///< of dense: 1 if any element is an infinity or NaN, else 0
  std::vector<Poly> indices;
  std::vector<ExprPtr> args;
  std::vector<std::vector<AtomId>> ranges;
  std::vector<std::vector<Factor>> conditions;  ///< of fold: guards
  LiteralPtr literal;
  std::string record;  ///< of opaque: identifies the function, together with args and indices (opaque.h)
};

struct Term {
  std::int64_t coefficient = 1;
  std::vector<AtomId> ranges;  ///< bound indices over which the term is summed
  std::vector<Factor> factors;
};

struct Expr {
  ElementType type = ElementType::index;
  std::vector<Term> terms;

  /// Returns a string that is equal for two expressions exactly if they have the same form up to the names of bound
  /// ranges.
  [[nodiscard]] std::string key(Context& c) const;
};

/// Thrown when a form grows too large or a step has no rule. The prover's answer is then `unknown`.
struct GiveUp {
  std::string reason;
};

/// True for types with arithmetic addition: floats, complex numbers and integers, not booleans.
bool is_number(ElementType type);
/// True if arithmetic on the type is modulo a power of two.
bool wraps(ElementType type);
/// Returns the residue that represents a coefficient in an integer type: -1 in ui8 is 255. For other types, returns the
/// coefficient unchanged.
std::int64_t residue(std::int64_t coefficient, ElementType type);

Expr number(std::int64_t value, ElementType type = ElementType::index);
/// Returns the form that consists of one factor. A guard's form is a condition (of type `index`).
Expr factor(Factor f);
Factor applied(Symbol symbol, ElementType type, std::vector<Expr> args = {});
Factor applied(ScalarFn fn, ElementType type, std::vector<Expr> args);
/// Returns the index `p` as a number of the type.
Expr index_number(const Poly& p, ElementType type);
Expr boolean(bool value);
/// Returns the identity of a monoid on a type: 0, 1, the least or greatest integer, an infinity, false or true. For the
/// bitwise monoids on integers it is all ones (and) or zero (or).
Expr identity_of(Monoid monoid, ElementType type);
bool is_identity(const Expr& e, Monoid monoid, Context& c);
/// Returns the same terms with another type, which must represent the same numbers.
Expr retyped(Expr e, ElementType type);
/// Converts a form to a float type that represents all numbers of its own type. Folds, reciprocals and infinities, and
/// the operands inside them, get the wider type; results of functions keep the narrower one.
Expr widened(const Expr& e, ElementType type);

Expr add(const Expr& a, const Expr& b, std::int64_t sign = 1);
Expr multiply(const Expr& a, const Expr& b, Context& c);
/// Returns -e. Over the reals, -max(x) becomes min(-x).
Expr negated(const Expr& e, Context& c);
/// Returns a - b. Common terms cancel before a negated maximum becomes a minimum.
Expr difference(const Expr& a, const Expr& b, Context& c);
/// Finds a point at which to cut one of the ranges: a guard of the body holds on one side of it only. Sets `range` and
/// `place`, with 0 <= place <= extent. For a guard [k - 2 >= 0] and k < n: range k, place 2, if n >= 2 is known.
bool cut_of(const std::vector<AtomId>& ranges, const Expr& body, Context& c, AtomId& range, Poly& place);
/// True if the guard follows from a divisibility guard in the list. If m q = p holds for q = div(p, m), then a bound on
/// q is implied by a bound on p that is weaker by up to m - 1, and a multiple of m is >= 0 if it is > -m.
bool follows(const Factor& guard, const std::vector<Factor>& from, Context& c);
/// True if a bound holds wherever these guards do: it follows from a divisibility guard, or from another bound, also with
/// an equation inserted.
bool implied(const Factor& guard, const std::vector<Factor>& by, Context& c);
/// Removes from a conjunction of guards those that follow from a divisibility guard in it.
std::vector<Factor> independent(std::vector<Factor> guards, Context& c);
/// Throws GiveUp unless the monoid's reduction of these values may be done in any order.
void require_any_order(Monoid m, const Expr& body, Context& c);
/// Returns the sum of the body over ranges.
Expr sum_over(const std::vector<AtomId>& ranges, const Expr& body);
/// Simplifies a form: drops terms in which a guard cannot hold and guards that always hold, and collects equal terms.
Expr simplified(const Expr& e, Context& c);
/// Returns the fold by a monoid other than sum of the body over ranges, at the points where the conditions hold.
Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c);
/// Returns the fold with the members of both forms.
Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c);
/// Applies `of` to the body of each member of a fold, and folds the results by `monoid`, which may differ from the
/// fold's.
template <class Of>
Expr fold_members(Monoid monoid, const Factor& fold, Context& c, const Of& of);
/// Returns the factor if the expression consists of exactly one factor with coefficient 1 and no ranges, else null.
const Factor* single(const Expr& e);
/// Likewise, if that factor is a fold.
const Factor* single_fold(const Expr& e);
/// True if the fold is known to have a member at all sizes.
bool never_empty(const Factor& fold, Context& c);
/// Returns `then` where the condition, which is 0 or 1, is 1, else `otherwise`. On numbers this is condition * then +
/// (1 - condition) * otherwise; on other types it is uninterpreted. A choice between two bitwise folds over equal
/// ranges becomes a fold of choices.
Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, Context& c);
/// Returns 1 / e. The reciprocal of a product is the product of the factors' reciprocals.
Expr reciprocal(const Expr& e, Context& c);
/// Applies a function that is additive on its type to each term.
Expr apply_linear(ScalarFn fn, ElementType to, const Expr& e, Context& c);
/// Applies a function of one real number, or an order-preserving conversion, moving it into a fold where a law allows
/// that.
Expr apply_through(ScalarFn fn, ElementType to, const Expr& x, Context& c);

Expr substitute(const Expr& e, const Substitution& s, Context& c);
Factor substitute(const Factor& f, const Substitution& s, Context& c);
bool contains(const Expr& e, AtomId a, const Context& c);

/// True if two expressions have the same form, either as they are or after merging their ranges (in which case they are
/// left merged). Otherwise describes the mismatch in `difference`, unless that is already set.
bool same_form(Expr& a, Expr& b, Context& c, std::string& difference);

/// Splits every bound range whose extent is a multiple of n into an outer one below n and an inner one, and every range
/// that occurs under a division into its digits.
Expr split_ranges(const Expr& e, AtomId n, Context& c);
/// The inverse of split_ranges, used for a last comparison: two ranges of one binder that are read only as the digits
/// of one index become that index, in whichever order the two sides nest them.
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
