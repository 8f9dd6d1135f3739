// Terms as numbers, at one choice of sizes, indices and elements.
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

/// What stands for what a proof leaves open.
struct Instance {
  std::map<std::string, std::int64_t> sizes;
  std::vector<ElementType> arrays;  ///< element types of the arrays that are read
  std::uint64_t seed = 0;           ///< indices and elements follow from it
  bool positive = false;            ///< of the elements, for the domains of roots and logarithms
  /// Elements that are given; others follow from the seed.
  std::function<std::optional<Number>(std::size_t array, const std::vector<std::int64_t>& at)> element;
};

class Evaluator {
 public:
  Evaluator(const Terms& terms, const Instance& instance) : terms_(terms), instance_(instance) {}

  /// Not a number where the instance says nothing: an empty range with an index in it, a function outside of its
  /// domain, a maximum of nothing.
  Number value(TermId t);
  /// Whether a function was met that only its name tells; it has a value that depends on its arguments.
  [[nodiscard]] bool met_uninterpreted() const { return met_uninterpreted_; }
  /// The largest magnitude on the way: sums of such numbers are exact to some 1e-16 of it.
  [[nodiscard]] double largest() const { return largest_; }
  /// The same of what is an integer.
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
  std::map<TermId, std::int64_t> indices_;  ///< that are bound
  std::vector<Number> arguments_;           ///< of what combines
  bool met_uninterpreted_ = false;
  double largest_ = 1;
  std::size_t steps_ = 0;
};

/// Equal but for the rounding of sums of numbers of this magnitude; beyond what occurs, of one sign.
bool is_near(const Number& a, const Number& b, double largest);

}  // namespace partir::replay
