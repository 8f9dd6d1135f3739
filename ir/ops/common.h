// What several declarations share: attribute tables, constraints and families of entries.
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
/// Each value at least 0 and below `limit`.
inline bool in_range(const std::vector<std::int64_t>& list, std::size_t limit) {
  return std::all_of(list.begin(), list.end(),
                     [&](std::int64_t v) { return v >= 0 && v < static_cast<std::int64_t>(limit); });
}
bool is_unique(std::vector<std::int64_t> list);
inline bool is_sorted(const std::vector<std::int64_t>& list) { return std::is_sorted(list.begin(), list.end()); }
std::vector<std::int64_t> joined(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b);

/// Operands and one result, without regions: what the operations' own forms can say.
inline bool is_plain(const Op& op, std::size_t operands) {
  return op.operands.size() == operands && op.results.size() == 1 && op.regions.empty();
}

/// Whether sums of a few such numbers stay within 64 bits, as index notation needs them.
inline bool is_index(std::int64_t v) { return -(std::int64_t{1} << 60) < v && v < (std::int64_t{1} << 60); }

/// "(tensor<4xf32>, i32)".
std::string types_text(const std::vector<Type>& types);
std::string types_text(const Function& function, const std::vector<ValueId>& values);
/// Fails with the label "arity" for another number of operands or results.
void require_arity(const OpInstance& op, std::size_t operands, std::size_t results = 1);

/// Whether a boolean attribute is there, and not false.
bool is_set(const AttributeList& attributes, std::string_view name);
/// Of a collective; 0, which no channel has, where it has none.
std::int64_t channel_id(const AttributeList& attributes, Place place);
/// Fails unless the precision_config, where there is one, is a DEFAULT, HIGH or HIGHEST for each of two operands.
void require_precisions(const OpInstance& op, std::string_view kind, std::string_view count);

inline std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

constexpr Monoid kMonoids[] = {Monoid::sum, Monoid::prod, Monoid::max, Monoid::min, Monoid::conj, Monoid::disj};

/// Whether the scalar is the identity of the monoid in its type.
bool is_identity(const LiteralPtr& scalar, Monoid monoid);
/// Whether the monoid's combination makes sense on the element type.
bool combines(Monoid monoid, ElementType type);

/// Whether conversion is additive: to the same type, or to a float format that holds every value of the narrower one.
/// (A sum of integers that wraps at the narrower width is not the wider sum.)
bool converts_additively(ElementType from, ElementType to);

/// Whether a conversion keeps every number apart and in order, so that it passes maxima and minima on: integers to
/// wider ones, floats to formats that hold them. (Rounding keeps the order, too, but a rounding is about floats
/// themselves.)
bool converts_monotonically(ElementType from, ElementType to);

/// An operation that only moves elements of the operands named: partial by any monoid in all of them, partial result.
/// (Law partial-index-only.)
void index_only_entries(const OpInstance& op, const std::vector<std::size_t>& moved, std::vector<Entry>& out);

/// The term in a computation's element type, which the term's is promotable to.
Term promoted(Term term, ElementType type, MeaningBuilder& b);

/// The scalar function of an elementwise operation by name.
std::optional<ScalarFn> scalar_fn_of(std::string_view op_name);

/// Requires of region 0 that it computes (E0, …, E0, …) -> (E0, …) on scalars, where each input's element type is
/// promotable to its E. Gives the Es; of an instance apart from functions, the inputs'.
std::vector<ElementType> require_combiner(const OpInstance& op, std::string_view label,
                                          const std::vector<ElementType>& inputs, std::size_t region = 0);
/// Whether values of one element type may enter a computation on another (specification, "is_promotable").
bool is_promotable(ElementType from, ElementType to);

/// What region `number` returns (the first of it), as terms over `arguments`; all its operations must be elementwise on
/// scalars.
Term region_term(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments, MeaningBuilder& b);
std::vector<Term> region_terms(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments,
                               MeaningBuilder& b);
bool has_scalar_region(const OpInstance& op, std::size_t number, std::size_t arguments);

/// False for types without arithmetic here: tokens, tuples, quantized numbers.
bool has_arithmetic(ElementType type);
bool all_have_arithmetic(const OpInstance& op);

}  // namespace partir::ops
