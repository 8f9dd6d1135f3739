// Helpers that the declarations of operations in ir/ops share: attribute specifications, checks of constraints, regions
// as terms, and families of tile-mapping entries.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ir/op_decl.h"

namespace partir::ops {

inline AttrSpec integer_attr(std::string name, std::string pretty = "") {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::integer, "", "", "", true};
}
inline AttrSpec ints_attr(std::string name, std::string pretty = "", bool required = true) {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::ints, "", "", "", required};
}
inline AttrSpec boolean_attr(std::string name, std::string pretty = "") {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::boolean, "", "", "", false};
}
inline AttrSpec keyword_attr(std::string name, std::string pretty, std::string enumeration) {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::keyword, std::move(enumeration), "", "", false};
}
inline AttrSpec keywords_attr(std::string name, std::string pretty, std::string enumeration) {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::keywords, std::move(enumeration), "", "", false};
}
inline AttrSpec raw_attr(std::string name, std::string pretty = "") {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::raw, "", "", "", false};
}
/// A field of a structured property such as #stablehlo.gather<…>.
inline AttrSpec field_attr(std::string name, AttrSpec::Kind kind, std::string group, std::string head) {
  return {std::move(name), "", kind, "", std::move(group), std::move(head), false};
}

inline bool contains(const std::vector<std::int64_t>& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
/// True if each value is at least 0 and below `limit`.
inline bool in_range(const std::vector<std::int64_t>& list, std::size_t limit) {
  return std::all_of(list.begin(), list.end(),
                     [&](std::int64_t v) { return v >= 0 && v < static_cast<std::int64_t>(limit); });
}
bool is_unique(std::vector<std::int64_t> list);
inline bool is_sorted(const std::vector<std::int64_t>& list) { return std::is_sorted(list.begin(), list.end()); }
std::vector<std::int64_t> joined(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b);

/// True if the operation has this number of operands, one result and no regions: the case that pretty forms can
/// express.
inline bool is_plain(const Op& op, std::size_t operands) {
  return op.operands.size() == operands && op.results.size() == 1 && op.regions.empty();
}

/// True if |v| < 2^60, so that sums of a few such numbers fit into 64 bits, as index notation requires.
inline bool is_index(std::int64_t v) { return -(std::int64_t{1} << 60) < v && v < (std::int64_t{1} << 60); }

/// Formats types for messages: "(tensor<4xf32>, i32)".
std::string types_text(const std::vector<Type>& types);
std::string types_text(const Function& function, const std::vector<ValueId>& values);
/// Fails with the label "arity" unless the operation has these numbers of operands and results.
void require_arity(const OpInstance& op, std::size_t operands, std::size_t results = 1);

/// Whether a boolean attribute is present and not false.
bool is_set(const AttributeList& attributes, std::string_view name);
/// Returns the channel id of a collective; 0, which is no valid channel, if it has none.
std::int64_t channel_id(const AttributeList& attributes, Place place);
/// Fails unless precision_config is absent, empty, or holds DEFAULT, HIGH or HIGHEST for each of two operands. `kind`
/// labels the constraint on its elements, `count` the one on their number.
void require_precisions(const OpInstance& op, std::string_view kind, std::string_view count);

inline std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

constexpr Monoid kMonoids[] = {Monoid::sum, Monoid::prod, Monoid::max, Monoid::min, Monoid::conj, Monoid::disj};

/// Whether the scalar is the identity of the monoid in its type. False for null, an unknown value.
bool is_identity(const LiteralPtr& scalar, Monoid monoid);
/// Whether the monoid is defined on the element type: `and` and `or` on i1 and integers, sums and products on numbers,
/// maxima and minima on integers and floats.
bool combines(Monoid monoid, ElementType type);

/// Whether products of these types are sums in `result`: the operands have one type, or are floats that `result` holds
/// exactly, which is more than the specification allows: XLA widens such operands, and JAX writes them (gradients of
/// products with an algorithm, e4m3 by e5m2).
bool may_be_multiplied(ElementType lhs, ElementType rhs, ElementType result);

/// Whether conversion commutes with addition: to the same type, or to a float format that is at least twice as wide and
/// holds every value of the narrower one. (A sum of integers that wraps at the narrower width is not the wider sum.)
bool converts_additively(ElementType from, ElementType to);
/// The same for the element types of all operands and the result.
bool converts_additively(const OpInstance& op);

/// Whether conversion is injective and monotone, so that it commutes with maxima and minima: from integers to types
/// that hold all of them, and from floats to formats that hold all of them. (Conversions that round are monotone, too,
/// but are excluded, because rounding is a property of the floats themselves.)
bool converts_monotonically(ElementType from, ElementType to);

/// Appends the entries of an operation that only moves elements of the operands `moved`: if all of these have a pending
/// reduction by the same monoid, so has the result. There is one entry for each monoid that the result's type has. (Law
/// partial-index-only.)
void index_only_entries(const OpInstance& op, const std::vector<std::size_t>& moved, std::vector<Entry>& out);

/// Converts the term to `type`, the element type of a computation, to which the term's type must be promotable.
Term promoted(Term term, ElementType type, MeaningBuilder& b);

/// Returns the scalar function of the elementwise operation of this name; nothing for other operations.
std::optional<ScalarFn> scalar_fn_of(std::string_view op_name);

/// Fails unless region `region`, the last one, computes (E0, …, E0, …) -> (E0, …) on scalars, where the element type of
/// each input is promotable to its E. Returns the Es; for an instance without a function, the types of the inputs.
std::vector<ElementType> require_combiner(const OpInstance& op, std::string_view label,
                                          const std::vector<ElementType>& inputs, std::size_t region = 0);
/// Whether values of element type `from` may enter a computation on `to` (specification, "is_promotable").
bool is_promotable(ElementType from, ElementType to);

/// Returns the first value that region `number` returns, as a term over `arguments`. The region must satisfy
/// has_scalar_region.
Term region_term(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments, MeaningBuilder& b);
/// As region_term, for all values that the region returns.
std::vector<Term> region_terms(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments,
                               MeaningBuilder& b);
/// Whether region `number` has this number of arguments, uses no value from outside, and consists of elementwise
/// operations on scalars that have a meaning.
bool has_scalar_region(const OpInstance& op, std::size_t number, std::size_t arguments);

/// True for i1, integers, floats and complex numbers.
bool has_arithmetic(ElementType type);
/// True if the element types of all operands and results have arithmetic.
bool all_have_arithmetic(const OpInstance& op);

}  // namespace partir::ops
