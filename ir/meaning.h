// Index notation: the meaning of an operation as data.
//
// For each result, what stands at index i, as a scalar term over reads of the operands:
//
//   dot_general   out[b, i, j] = sum k < K : lhs[b, i, k] * rhs[b, k, j]
//   pad           out[i] = 0 <= i - low < size ? x[i - low] : value
//
// Interpreters evaluate it, FLOPs are counted from it, and the prover gets it as terms. It has one source: the
// declaration of the operation in ir/ops. Terms live in the arena of their Meaning and are referred to by id.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "ir/literal.h"
#include "ir/scalar_fn.h"
#include "support/ids.h"

namespace partir {

using IndexId = Id<struct IndexTag>;    ///< An integer term: a position, an offset.
using ScalarId = Id<struct ScalarTag>;  ///< A term for an element.
using RangeId = Id<struct RangeTag>;    ///< A bound variable that runs from 0 to an extent.

struct IndexTerm {
  enum class Kind : std::uint8_t { constant, range, add, multiply, floor_div, mod, min, max, read };
  Kind kind = Kind::constant;
  std::int64_t value = 0;        ///< the constant, or the operand that is read (an integer element)
  IndexId a, b;                  ///< of the binary kinds
  RangeId range;                 ///< of kind range
  std::vector<IndexId> indices;  ///< of kind read
};

/// A condition on an index term.
struct Guard {
  enum class Kind : std::uint8_t { non_negative, zero };
  Kind kind = Kind::non_negative;
  IndexId index;
};

struct ScalarTerm {
  enum class Kind : std::uint8_t {
    read,        ///< operand[indices]
    attribute,   ///< the dense attribute "value"[indices]
    literal,     ///< a constant
    from_index,  ///< an index as an element (iota)
    apply,       ///< fn(args)
    guarded,     ///< args[0] where all guards hold, else args[1]; only the chosen one is evaluated
    reduce,      ///< fold over ranges where all guards hold, of k values at once: from args[0..k), of args[k..2k), by
                 ///< combine[0..k); the term is accumulator number `operand`
    argument,    ///< inside `combine`: below k what was accumulated, then the elements
    library,  ///< element `indices` of result `operand` of the function named `library` of whole arrays: args[k] over
              ///< arrays[k]. Only what mixes its elements in no way that index notation says (sort, fft); the body of a
              ///< result as a whole. `combine[0]` is a comparator of two elements of each array, if it takes one.
  };
  Kind kind = Kind::literal;
  ElementType type = ElementType::f32;
  ScalarFn fn = ScalarFn::add;
  std::size_t operand = 0;  ///< of read; which one, of argument and reduce
  std::vector<IndexId> indices;
  std::vector<ScalarId> args;
  std::vector<Guard> guards;
  std::vector<RangeId> ranges;
  std::vector<ScalarId> combine;             ///< of reduce: terms over arguments
  LiteralPtr literal;                        ///< of literal: a scalar
  std::string library;                       ///< of library: name and what selects its variant, separated by spaces
  std::vector<std::vector<RangeId>> arrays;  ///< of library
  std::optional<std::size_t> linear;         ///< of library: the array in which the function is linear, if any
};

struct ResultMeaning {
  std::vector<RangeId> ranges;  ///< one a dimension of the result
  ScalarId body;
};

struct Meaning {
  std::vector<std::int64_t> extents;  ///< of each range
  std::vector<IndexTerm> indices;
  std::vector<ScalarTerm> scalars;
  std::vector<ResultMeaning> results;

  [[nodiscard]] const IndexTerm& at(IndexId id) const { return indices[id.index()]; }
  [[nodiscard]] const ScalarTerm& at(ScalarId id) const { return scalars[id.index()]; }
  [[nodiscard]] std::int64_t extent(RangeId id) const { return extents[id.index()]; }
  /// "out[i0, i1] = sum k0 < 16 : x0[i0, k0] * x1[k0, i1]".
  [[nodiscard]] std::string str() const;
  /// Floating-point operations of evaluating all results once.
  [[nodiscard]] double flops() const;
  /// Terms that evaluating all results once visits, guards taken as if they held; of library functions an upper bound.
  [[nodiscard]] double steps() const;
};

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

/// Builds the meaning of one operation, given the types of its operands and results.
class MeaningBuilder {
 public:
  MeaningBuilder(const std::vector<Type>& operands, const std::vector<Type>& results)
      : operand_types_(operands), result_types_(results) {}

  /// The indices of a result, one a dimension; fresh ranges.
  std::vector<Index> result(std::size_t number = 0);
  /// A variable from 0 to extent, for reductions.
  Index range(std::int64_t extent);
  Index constant(std::int64_t value);
  /// An integer operand's element as an index.
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
  /// Accumulator `number` of a fold of several values; `combine` are terms over argument(0) to argument(2k - 1).
  Term reduce(std::size_t number, const std::vector<Index>& over, std::vector<Guard> where,
              const std::vector<Term>& combine, const std::vector<Term>& init, const std::vector<Term>& body);

  /// An array as a function of its indices, which are ranges.
  struct Array {
    std::vector<Index> over;
    Term body;
  };
  /// Element `at`, ranges of a result, of result `number` of a library function (see ScalarTerm::Kind::library).
  Term library(std::string name, std::size_t number, ElementType type, const std::vector<Array>& arrays,
               const std::vector<Index>& at, const std::vector<Term>& comparator = {},
               std::optional<std::size_t> linear = std::nullopt);

  /// Sets what stands at the indices that `result(number)` gave.
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
