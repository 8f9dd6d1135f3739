// Elements in normal form: sums of coefficient * product of factors, summed over ranges.
//
// Over a number type (real, complex, or integers that wrap) products are distributed over sums, so two terms that the
// ring laws make equal have one form up to the names of summed ranges, which key() fixes. Maxima, minima, products and
// boolean folds are factors that are sets of members; a maximum of maxima is one, addends that no range touches stand
// outside, and functions that rise throughout stand inside. Everything else is an uninterpreted function of its
// arguments' forms.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/action.h"
#include "verify/prove/poly.h"

namespace partir::prove {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Factor {
  enum class Kind : std::uint8_t {
    read,      ///< array[indices]; a partial array has the device as its first index
    guard,     ///< 1 where indices[0] >= 0, else 0
    guard_eq,  ///< 1 where indices[0] = 0, else 0
    index,     ///< indices[0] as a number
    apply,     ///< name(args)
    fold,      ///< the combination by `monoid` of args[k] over ranges[k] where conditions[k] hold
    opaque,    ///< name of args, each over its own ranges[k], at indices
  };
  Kind kind = Kind::read;
  std::string name;
  std::size_t array = 0;
  std::vector<Poly> indices;
  std::vector<ExprPtr> args;
  Monoid monoid = Monoid::sum;
  bool wraps = false;  ///< of fold: its members are integers that wrap, so order knows nothing of addition
  std::vector<std::vector<AtomId>> ranges;
  std::vector<std::vector<Factor>> conditions;  ///< of fold: guards
};

struct Term {
  std::int64_t coefficient = 1;
  std::vector<AtomId> ranges;  ///< summed over
  std::vector<Factor> factors;
};

struct Expr {
  std::vector<Term> terms;

  /// A text that expressions of one form share, whatever their bound ranges are called.
  [[nodiscard]] std::string key(Context& c) const;
};

/// Thrown when a form grows beyond what is worth it, or a step has no rule: the answer is then "unknown".
struct GiveUp {
  std::string reason;
};

Expr number(std::int64_t value);
Expr factor(Factor f);
/// name(args).
Factor applied(std::string name, std::vector<Expr> args);
Expr add(const Expr& a, const Expr& b, std::int64_t sign = 1);
Expr multiply(const Expr& a, const Expr& b, Context& c);
/// A place to cut one of the ranges at: a guard of the body holds on one side of it. 0 <= place <= extent.
bool cut_of(const std::vector<AtomId>& ranges, const Expr& body, Context& c, AtomId& range, Poly& place);
/// Guards that hold together, without those that follow from a guard that m divides p: where m q = p for q = div(p, m),
/// a bound on q is one on p up to m - 1, and what m divides is at least 0 where it is above -m.
std::vector<Factor> independent(std::vector<Factor> guards, Context& c);
/// Sum over a range.
Expr sum_over(const std::vector<AtomId>& ranges, const Expr& body);
/// Terms in which a guard cannot hold dropped, guards that always hold dropped, equal terms collected.
Expr simplified(const Expr& e, Context& c);
/// The combination by a monoid other than sum.
Expr fold(Monoid monoid, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions, const Expr& body,
          Context& c, bool wraps = false);
/// Two combinations together.
Expr combine(Monoid monoid, const Expr& a, const Expr& b, Context& c, bool wraps = false);
/// The only factor of an expression that is that and nothing more.
const Factor* single(const Expr& e);
/// Whether a combination has a member whatever the sizes are.
bool never_empty(const Factor& fold, Context& c);
/// `then` where the condition, which is 0 or 1, is 1, else `otherwise`: on numbers condition * then + (1 - condition) *
/// otherwise, elsewhere uninterpreted. A choice between two bitwise combinations over one range is that of choices.
Expr choose(const Expr& condition, const Expr& then, const Expr& otherwise, bool numbers, Context& c);
/// 1 / e. Factors are taken one by one.
Expr reciprocal(const Expr& e, Context& c);
/// A function that is additive on its type, term by term.
Expr apply_linear(const std::string& name, const Expr& e, Context& c);
/// A function of one argument that may stand inside a combination: by which monoid it comes out, if so.
Expr apply_through(const std::string& name, const Expr& x, Context& c);

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

}  // namespace partir::prove
