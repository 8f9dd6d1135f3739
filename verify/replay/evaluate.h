// Evaluates terms (term.h) to numbers at one choice of sizes, indices and elements.
#pragma once

#include <complex>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/types.h"
#include "verify/replay/number.h"
#include "verify/replay/term.h"

namespace partir::replay {

/// An assignment of everything that a proof is universally quantified over: sizes, indices and array elements.
struct Instance {
  std::map<std::string, std::int64_t> sizes;
  std::vector<ElementType> arrays;  ///< element types of the arrays, by number
  std::uint64_t seed = 0;           ///< indices and elements are derived from it
  bool positive = false;            ///< elements are positive, for the domains of roots and logarithms
  /// Returns prescribed elements; elements for which it returns nothing are derived from the seed.
  std::function<std::optional<Number>(std::size_t array, const std::vector<std::int64_t>& at)> element;
};

class Evaluator {
 public:
  Evaluator(const Terms& terms, const Instance& instance) : terms_(terms), instance_(instance) {}

  /// Returns the term's value; nothing (Number::is_nothing) if it has none at this instance: an index in an empty
  /// range, a function outside its domain, a maximum of nothing.
  Number value(TermId t);
  /// True if a function was evaluated of which only the name is known; it has a made-up value that depends on its
  /// arguments.
  [[nodiscard]] bool met_uninterpreted() const { return met_uninterpreted_; }
  /// Returns the largest magnitude of an intermediate value. Sums of such numbers are exact to about 1e-16 of it.
  [[nodiscard]] double largest() const { return largest_; }
  /// Returns the value of a term that is an integer.
  std::optional<std::int64_t> integer(TermId t);

 private:
  Number evaluated(TermId t);
  Number over(const Term& t);
  Number with(const Term& t);
  Number function(const Term& t);
  Number opaque(const Term& t);
  Number fold(const Term& t);
  Number largest_first(const Term& t);
  Number read(const Term& t);
  Number free_index(TermId id);
  template <class Visit>
  bool each(const std::vector<TermId>& bound, std::size_t from, const Visit& visit);

  const Terms& terms_;
  const Instance& instance_;
  std::map<TermId, std::int64_t> indices_;  ///< values of bound indices
  std::vector<Number> arguments_;           ///< arguments of the fold computation being evaluated
  bool met_uninterpreted_ = false;
  double largest_ = 1;
  std::size_t steps_ = 0;
};

/// True if two numbers are equal up to the rounding of sums of numbers of magnitude `largest`. Numbers that represent
/// infinities are near if they have the same sign.
bool is_near(const Number& a, const Number& b, double largest);

}  // namespace partir::replay
