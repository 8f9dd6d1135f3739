// The terms of a proof, in the replayer's own language: typed numbers made of sizes, indices and elements of arrays.
//
// Terms are hash-consed: equal terms have equal ids. A condition is 1 or 0. Nothing is simplified here. A term of type
// `index` is an integer that never wraps; inside a term of another type it is converted to that type.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ir/action.h"
#include "ir/scalar_fn.h"
#include "support/ids.h"

namespace partir::replay {

using TermId = Id<struct ReplayTermTag>;

struct Term {
  enum class Kind : std::uint8_t {
    number,   ///< `value`
    literal,  ///< `real` and `imaginary`: a float or complex number, possibly infinite
    imaginary_unit,
    size,           ///< `name`, at least 1
    index,          ///< index number `value`, from 0 below args[0]
    any_index,      ///< the integer element args[0] as an index
    as_number,      ///< the index args[0] as a number of the type, wrapped or rounded if the type cannot represent it
    join,           ///< args combined by `monoid`; its identity if there are none
    over,           ///< args[0] folded by `monoid` over the indices `bound`, where all of args[1…] are 1
    with,           ///< args[0] with each bound[k] replaced by args[k + 1]
    array,          ///< args[0] at all indices `bound`: an argument of a function of arrays
    quotient,       ///< args[0] / args[1], rounded down
    at_least_zero,  ///< whether args[0] >= 0
    is_zero,        ///< whether args[0] = 0
    read,           ///< array `value` at args
    function,       ///< `fn` of args
    reciprocal,     ///< 1 / args[0]
    choose,         ///< args[1] where args[0] is 1, else args[2]
    /// Folds k values at once over the indices `bound`, in order; the term is result number `value`. args are k initial
    /// values, k elements, and k terms that combine them.
    fold,
    argument,  ///< inside a fold's combining terms: argument `value`; below k an accumulator, then an element
    /// The element at position args[0] of the array args[1] sorted in descending order, equal elements by position; if
    /// `value` is 1, its position in the array instead.
    largest,
    opaque,  ///< a function of args of which only `name` is known
  };
  Kind kind = Kind::number;
  std::int64_t value = 0;
  std::string name;
  Monoid monoid = Monoid::sum;
  std::vector<TermId> bound;
  std::vector<TermId> args;
  ElementType type = ElementType::f32;
  ScalarFn fn = ScalarFn::add;
  double real = 0;
  double imaginary = 0;
};

class Terms {
 public:
  TermId add(Term t);
  [[nodiscard]] const Term& at(TermId t) const { return terms_[t.index()]; }
  [[nodiscard]] std::size_t size() const { return terms_.size(); }

  TermId number(std::int64_t value, ElementType type = ElementType::f32);
  TermId join(Monoid monoid, std::vector<TermId> args, ElementType type = ElementType::f32);
  TermId function(ScalarFn fn, std::vector<TermId> args, ElementType type = ElementType::f32);
  TermId opaque(std::string name, std::vector<TermId> args, ElementType type = ElementType::f32);

  /// Returns readable text, such as "sum i3<C of x0[i3]*[i3 >= 0]".
  [[nodiscard]] std::string text(TermId t) const;

 private:
  using Key = std::tuple<Term::Kind, std::int64_t, std::string, Monoid, std::vector<TermId>, std::vector<TermId>,
                         ElementType, ScalarFn, std::uint64_t, std::uint64_t>;
  std::vector<Term> terms_;
  std::map<Key, TermId> known_;
};

}  // namespace partir::replay
