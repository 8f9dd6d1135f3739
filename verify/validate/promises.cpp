#include "verify/validate/promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/op_decl.h"
#include "ir/ops/common.h"

namespace partir::validate {
namespace {

using Rows = std::vector<std::vector<std::int64_t>>;

/// Returns the indices of a gather or scatter, one per row. Nothing if they depend on inputs, or if batching dimensions
/// give each batch its own. A single index yields one empty row.
std::optional<Rows> known_indices(const Op& op, const Array& indices) {
  const Attribute* attribute = find(op.attributes, "index_vector_dim");
  const auto& dims = indices.type.dims;
  const auto vector_dim = static_cast<std::size_t>(attribute != nullptr ? attribute->as<IntAttr>()->value : 0);
  const std::int64_t width = vector_dim < dims.size() ? dims[vector_dim] : 1;
  if (indices.type.elements() <= width) return Rows(1);
  for (const char* batches : {"operand_batching_dims", "input_batching_dims"}) {
    const Attribute* list = find(op.attributes, batches);
    if (list != nullptr && !list->as<IntsAttr>()->values.empty()) return std::nullopt;
  }
  Rows out;
  std::vector<std::int64_t> at(dims.size(), 0);
  const auto strides = strides_of(dims);
  do {
    if (vector_dim < dims.size() && at[vector_dim] != 0) continue;
    std::int64_t position = 0;
    for (std::size_t d = 0; d < at.size(); ++d) position += at[d] * strides[d];
    out.emplace_back();
    for (std::int64_t k = 0; k < width; ++k) {
      const std::int64_t step = vector_dim < dims.size() ? strides[vector_dim] : 0;
      const Element e = indices.data[static_cast<std::size_t>(position + k * step)];
      if (!e.is(Element::Kind::integer)) return std::nullopt;
      out.back().push_back(e.as_int());
    }
  } while (advance(at, dims));
  return out;
}

}  // namespace

void Promises::add(Kind kind, const Op& op) {
  if (ops_[kind].empty()) first_[kind] = static_cast<std::size_t>(op.place.line);
  ops_[kind].insert(&op);
}

void Promises::note(const Op& op, const std::vector<ArrayPtr>& operands) {
  const std::string& name = op.name();
  if (name == "stablehlo.sort" && !ops::is_set(op.attributes, "is_stable")) add(distinct_keys, op);
  const bool says_unique = ops::is_set(op.attributes, "unique_indices");
  const bool says_sorted = ops::is_set(op.attributes, "indices_are_sorted");
  if (!says_unique && !says_sorted) return;
  const std::size_t inputs = name == "stablehlo.scatter" ? (operands.size() - 1) / 2 : 1;
  const auto rows = known_indices(op, *operands[inputs]);
  if (says_sorted && !(rows && std::is_sorted(rows->begin(), rows->end()))) add(sorted, op);
  if (!says_unique) return;
  Rows in_order = rows.value_or(Rows(2));
  std::sort(in_order.begin(), in_order.end());
  if (std::adjacent_find(in_order.begin(), in_order.end()) != in_order.end()) add(unique, op);
}

void Promises::note_order(const Op& op) {
  if (!ops::is_set(op.attributes, "unique_indices")) add(no_collisions, op);
}

std::vector<std::string> Promises::beyond(const Promises& source) const {
  constexpr std::array<const char*, kinds> wanted = {
      "{} lists of indices are unique, as the program promises and the source does not",
      "{} lists of indices are sorted, as the program promises and the source does not",
      "{} sorts that are not stable meet no equal keys",
      "{} scatters never update one place twice, where the order would count"};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < kinds; ++k) {
    if (ops_[k].size() <= source.ops_[k].size()) continue;
    out.push_back(fmt::format(fmt::runtime(wanted[k]), ops_[k].size()) + fmt::format(" (from line {})", first_[k]));
  }
  return out;
}

}  // namespace partir::validate
