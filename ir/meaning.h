// Index notation: the meaning of an operation, represented as data.
//
// A meaning defines, for each result, the element at index i as a scalar term over reads of the operands:
//
//   dot_general   out[b, i, j] = sum k < K : lhs[b, i, k] * rhs[b, k, j]
//   pad           out[i] = 0 <= i - low < size ? x[i - low] : value
//
// The interpreters evaluate it, FLOPs are counted from it, and the prover translates it to its own terms. Meanings are
// defined only in the declarations of operations (ir/ops). Terms live in the arena of their Meaning, operands before
// users, and are referred to by id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "ir/literal.h"
#include "ir/scalar_fn.h"
#include "support/checked.h"
#include "support/ids.h"

namespace partir {

using IndexId = Id<struct IndexTag>;    ///< A term for an integer: a position, an offset.
using ScalarId = Id<struct ScalarTag>;  ///< A term for an element.
using RangeId = Id<struct RangeTag>;    ///< A bound variable that ranges over [0, extent).

struct IndexTerm {
  enum class Kind : std::uint8_t { constant, range, add, multiply, floor_div, mod, min, max, read };
  Kind kind = Kind::constant;
  std::int64_t value = 0;        ///< the constant; for `read`, the number of the operand (an integer tensor)
  IndexId a, b;                  ///< for the binary kinds
  RangeId range;                 ///< for `range`
  std::vector<IndexId> indices;  ///< for `read`
};

/// A condition on an index term: it is >= 0, or it is 0.
struct Guard {
  enum class Kind : std::uint8_t { non_negative, zero };
  Kind kind = Kind::non_negative;
  IndexId index;
};

struct ScalarTerm {
  enum class Kind : std::uint8_t {
    read,        ///< operand[indices]
    attribute,   ///< element `indices` of the dense attribute "value"
    literal,     ///< a constant
    from_index,  ///< an index as an element (iota)
    apply,       ///< fn(args)
    guarded,     ///< args[0] if all guards hold, else args[1]; only the chosen one is evaluated
    reduce,      ///< fold of k values at once over the points of `ranges` where all guards hold: initial values
                 ///< args[0..k), elements args[k..2k), combiners combine[0..k); the term is accumulator `operand`
    argument,    ///< inside `combine`: the arguments below k are the accumulators, the others the elements
    /// Element `indices` of result `operand` of the function `library` on complete arrays: args[k] over arrays[k]. For
    /// functions that index notation cannot express (sort, fft); such a term is the complete body of a result.
    /// `combine[0]`, if any, compares two elements of each array.
    library,
  };
  Kind kind = Kind::literal;
  ElementType type = ElementType::f32;
  ScalarFn fn = ScalarFn::add;
  std::size_t operand = 0;  ///< for `read`, the operand; for `argument`, `reduce` and `library`, the number
  std::vector<IndexId> indices;
  std::vector<ScalarId> args;
  std::vector<Guard> guards;
  std::vector<RangeId> ranges;
  std::vector<ScalarId> combine;             ///< for `reduce` and `library`: terms over arguments
  LiteralPtr literal;                        ///< for `literal`: a scalar
  std::string library;                       ///< for `library`: the name and its variant, separated by spaces
  std::vector<std::vector<RangeId>> arrays;  ///< for `library`: the ranges of each array
  std::optional<std::size_t> linear;         ///< for `library`: the array in which the function is linear, if any
};

struct ResultMeaning {
  std::vector<RangeId> ranges;  ///< one per dimension of the result
  ScalarId body;
};

struct Meaning {
  std::vector<std::int64_t> extents;  ///< by RangeId
  std::vector<IndexTerm> indices;
  std::vector<ScalarTerm> scalars;
  std::vector<ResultMeaning> results;

  [[nodiscard]] const IndexTerm& at(IndexId id) const { return indices[id.index()]; }
  [[nodiscard]] const ScalarTerm& at(ScalarId id) const { return scalars[id.index()]; }
  [[nodiscard]] std::int64_t extent(RangeId id) const { return extents[id.index()]; }
  /// "out[i0, i1] = sum k0 < 16 : x0[i0, k0] * x1[k0, i1]".
  [[nodiscard]] std::string str() const;
  /// The number of floating-point operations in one evaluation of all results.
  [[nodiscard]] double flops() const;
  /// The number of terms visited in one evaluation of all results, assuming that all guards hold; an upper bound for
  /// library functions.
  [[nodiscard]] double steps() const;
};

/// The value of a binary index term. Sums and products wrap at 64 bits; divisors are positive.
inline std::int64_t binary_value(IndexTerm::Kind kind, std::int64_t a, std::int64_t b) {
  using Kind = IndexTerm::Kind;
  switch (kind) {
    case Kind::add: return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    case Kind::multiply:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    case Kind::floor_div: return floor_divide(a, b);
    case Kind::mod: return a - floor_divide(a, b) * b;
    case Kind::min: return std::min(a, b);
    case Kind::max: return std::max(a, b);
    case Kind::constant:
    case Kind::range:
    case Kind::read: break;
  }
  return 0;
}
/// The value of an index term that reads no data. `at`: the values of the ranges, by RangeId.
std::int64_t index_value(const Meaning& meaning, IndexId id, const std::vector<std::int64_t>& at);

class MeaningBuilder;

/// An index term under construction; arithmetic folds constants.
struct Index {
  MeaningBuilder* builder = nullptr;
  IndexId id;
};
Index operator+(Index a, Index b);
Index operator-(Index a, Index b);
Index operator*(Index a, Index b);
Index operator+(Index a, std::int64_t b);
Index operator-(Index a, std::int64_t b);
Index operator*(Index a, std::int64_t b);
Index floor_div(Index a, std::int64_t b);
Index mod(Index a, std::int64_t b);
/// max(low, min(a, high)).
Index clamp(Index a, std::int64_t low, std::int64_t high);

/// A scalar term under construction.
struct Term {
  MeaningBuilder* builder = nullptr;
  ScalarId id;
};

/// Builds the meaning of one operation from the types of its operands and results.
class MeaningBuilder {
 public:
  MeaningBuilder(const std::vector<Type>& operands, const std::vector<Type>& results)
      : operand_types_(operands), result_types_(results) {}

  /// Creates the ranges of a result, one per dimension, and returns them as indices.
  std::vector<Index> result(std::size_t number = 0);
  /// Creates a variable over [0, extent), for reductions.
  Index range(std::int64_t extent);
  Index constant(std::int64_t value);
  /// An element of an integer operand, used as an index.
  Index read_index(std::size_t operand, const std::vector<Index>& at);

  Term read(std::size_t operand, const std::vector<Index>& at);
  Term attribute(ElementType type, const std::vector<Index>& at);
  Term literal(LiteralPtr scalar);
  Term from_index(Index index, ElementType type);
  Term apply(ScalarFn fn, ElementType type, std::vector<Term> args);
  Term guarded(std::vector<Guard> guards, Term then, Term otherwise);
  Term argument(std::size_t number, ElementType type);
  /// `combine` is a term over argument(0) and argument(1).
  Term reduce(const std::vector<Index>& over, std::vector<Guard> where, Term combine, Term init, Term body);
  Term reduce(Monoid monoid, const std::vector<Index>& over, Term init, Term body);
  /// Accumulator `number` of a fold of k values; the terms of `combine` read argument(0) to argument(2k - 1).
  Term reduce(std::size_t number, const std::vector<Index>& over, std::vector<Guard> where,
              const std::vector<Term>& combine, const std::vector<Term>& init, const std::vector<Term>& body);

  /// An array: its element `body` as a function of the ranges `over`.
  struct Array {
    std::vector<Index> over;
    Term body;
  };
  /// Element `at` (the ranges of a result) of result `number` of a library function (see ScalarTerm::Kind::library).
  Term library(std::string name, std::size_t number, ElementType type, const std::vector<Array>& arrays,
               const std::vector<Index>& at, const std::vector<Term>& comparator = {},
               std::optional<std::size_t> linear = std::nullopt);

  /// Sets the element of result `number` at the indices that `result(number)` returned.
  void define(std::size_t number, Term body);
  Meaning take() { return std::move(meaning_); }

  Index binary(IndexTerm::Kind kind, Index a, Index b);
  [[nodiscard]] std::optional<std::int64_t> constant_value(Index index) const;
  [[nodiscard]] ElementType type_of(Term term) const { return meaning_.at(term.id).type; }

 private:
  Index add(IndexTerm term);
  Term add(ScalarTerm term);

  const std::vector<Type>& operand_types_;
  const std::vector<Type>& result_types_;
  Meaning meaning_;
};

/// i >= 0
Guard non_negative(Index i);
/// i == 0
Guard zero(Index i);

}  // namespace partir
