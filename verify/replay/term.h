// What a proof is about, in a language of the replayer's own: numbers of a type, made of sizes, indices and elements of
// arrays.
//
// Terms are kept once each, so equal terms have equal ids. A condition is 1 or 0. Nothing here is simplified. A term of
// type `index` is an integer that never wraps; where one stands in a term of another type it is that number of the
// type.
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
    literal,  ///< `real` and `imaginary`: a float or complex number, infinities included
    imaginary_unit,
    size,           ///< `name`, at least 1
    index,          ///< number `value`: from 0 below args[0]
    any_index,      ///< an integer that is read: args[0], as an index
    as_number,      ///< the index args[0] as a number of the type, which may be other than it (it wraps, or is rounded)
    join,           ///< args combined by `monoid`; none: its identity
    over,           ///< args[0] combined by `monoid` over the indices `bound`, where all of args[1…] are 1
    with,           ///< args[0] where bound[k] is args[k + 1]
    array,          ///< args[0] at all indices `bound`; for functions of arrays
    quotient,       ///< args[0] / args[1], rounded down
    at_least_zero,  ///< whether args[0] >= 0
    is_zero,        ///< whether args[0] = 0
    read,           ///< array `value` at args
    function,       ///< `fn` of args
    reciprocal,     ///< 1 / args[0]
    choose,         ///< args[1] where args[0] is 1, else args[2]
    fold,      ///< of k values at once, over the indices `bound` in order: number `value` of what they are at last;
               ///< args are k initial values, k elements, and k terms that combine
    argument,  ///< in what combines: below k what there is so far, then an element
    largest,   ///< of the array args[1], largest first and first ones first, the one at args[0]; its place where
               ///< `value` is 1
    opaque,    ///< of which only `name` is known, of args
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

  /// For people: "sum i3<C (x0[i3] * [C - 1 - i3 >= 0])".
  [[nodiscard]] std::string text(TermId t) const;

 private:
  using Key = std::tuple<Term::Kind, std::int64_t, std::string, Monoid, std::vector<TermId>, std::vector<TermId>,
                         ElementType, ScalarFn, std::uint64_t, std::uint64_t>;
  std::vector<Term> terms_;
  std::map<Key, TermId> known_;
};

}  // namespace partir::replay
