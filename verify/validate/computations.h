// Characterises the computations of folds and the comparators of sorts by what they yield on unknown arguments: whether
// the order of members matters, whether the greatest value and its payload are kept, by what a sort orders.
//
// Example: a reduction of pairs whose computation selects (a, i) where a >= b, else (b, j), keeps the first greatest
// value and what lies beside it: an argmax.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/meaning.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

/// The computation of a fold, or the comparator of a sort, as text: the functions that it applies to its arguments.
/// Throws Unknown if it reads anything else.
std::string record_of(const Meaning& meaning, ScalarId computation);

/// The computations of one meaning. Terms are those of folds and sorts (ScalarTerm::combine).
class Computations {
 public:
  /// Evaluates scalars of the meaning in which argument k is arguments[k].
  using Apply = std::function<std::vector<Element>(std::span<const ScalarId> scalars, std::vector<Element> arguments)>;

  Computations(const Meaning& meaning, Algebra& algebra, Apply apply)
      : m_(meaning), algebra_(algebra), apply_(std::move(apply)) {}

  /// Which orders of a fold yield the same: `counts`: only the given one; `of_members`: any order of the members after
  /// the initial value, as in a - b - c = a - c - b; `free`: any order, if the computation is commutative and
  /// associative.
  enum class Order : std::uint8_t { counts, of_members, free };

  /// Whether a fold is that of select_and_scatter over windows, of pairs (value, whether the window has selected the
  /// element), and the value is wanted. The flag is only passed to the computation of the value. A reduction of such
  /// pairs is another fold: the machine may combine two members first, and the flag of one of them is then lost.
  [[nodiscard]] bool passes_flag(const ScalarTerm& fold) const;

  /// A fold that passes a flag is characterised by what it does to members whose flag is set.
  struct Combination {
    std::vector<Element> of_two;  ///< the results on unknown tuples, which characterise the computation
    Order order = Order::counts;
    bool is_partial = false;  ///< it divides, or takes logarithms and the like, of what may have none
  };
  const Combination& combination(const ScalarTerm& fold);

  struct Choice {
    bool least = false;
    Algebra::Ties ties = Algebra::Ties::first;
  };
  /// Whether a fold of pairs (value, payload) keeps the greatest or least value and its payload. Nothing for a partial
  /// computation, which must be evaluated on the members to know what it is defined for.
  std::optional<Choice> choice(const ScalarTerm& fold);

  /// Whether a sort's comparator is > of its first keys; false for <, nothing for another one, or a partial one. An
  /// order in which -0 is less than 0 is one of real numbers if zeros have no sign, or if nothing is carried along.
  std::optional<bool> descends(const ScalarTerm& sort);

 private:
  std::optional<Choice> choice_of(const ScalarTerm& fold);
  /// What scalars yield of arguments that are not NaN; nothing where they are partial.
  std::optional<std::vector<Element>> of_numbers(std::span<const ScalarId> scalars, std::vector<Element> arguments);
  [[nodiscard]] bool drops_signs_of_zeros(ScalarId id) const;

  const Meaning& m_;
  Algebra& algebra_;
  Apply apply_;
  std::map<const ScalarTerm*, std::optional<Choice>> choices_;
  std::map<const ScalarTerm*, Combination> combinations_;
};

}  // namespace partir::validate
