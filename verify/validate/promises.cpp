#include "verify/validate/promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/ops/lookup_names.h"
#include "verify/validate/computations.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostCompared = 20'000'000;  ///< steps of the comparison of two lists

/// The values of rows that are known; nothing if one is not.
std::optional<std::vector<std::vector<std::int64_t>>> known_values(const std::vector<std::vector<Element>>& rows) {
  std::vector<std::vector<std::int64_t>> out;
  for (const auto& row : rows) {
    out.emplace_back();
    for (const Element e : row) {
      if (!e.is(Element::Kind::integer)) return std::nullopt;
      out.back().push_back(e.as_int());
    }
  }
  return out;
}

const ops::LookupNames& lookup_names_of(const Op& op) {
  return op.name() == "stablehlo.scatter" ? ops::kScatterNames : ops::kGatherNames;
}

/// Dimension numbers of an operation; empty if it has no such attribute.
std::vector<std::int64_t> dimension_numbers(const Op& op, const char* name) {
  const Attribute* list = find(op.attributes, name);
  return list != nullptr ? list->as<IntsAttr>()->values : std::vector<std::int64_t>();
}

/// Which places the indices of a gather or scatter stand for, as text: windows that differ may overlap although indices
/// are distinct.
std::string windows_of(const Op& op, const std::vector<ArrayPtr>& operands) {
  std::string out = op.name();
  for (const auto& [key, value] : op.attributes.sorted()) {
    if (key != "unique_indices" && key != "indices_are_sorted") out += fmt::format(" {}={}", key, value.str());
  }
  if (op.name() != "stablehlo.scatter") return out;
  for (const std::int64_t d : dimension_numbers(op, lookup_names_of(op).windows))
    out += fmt::format(" {}", operands.back()->type.dims[static_cast<std::size_t>(d)]);
  return out;
}

/// Whether each index of a scatter stands for one position of the dimensions that it addresses, so that distinct
/// indices write distinct places.
bool writes_single_places(const Op& op) {
  const auto single = dimension_numbers(op, lookup_names_of(op).single);
  const auto map = dimension_numbers(op, lookup_names_of(op).map);
  return std::all_of(map.begin(), map.end(),
                     [&](std::int64_t d) { return std::find(single.begin(), single.end(), d) != single.end(); });
}

/// The sizes of the operand's dimensions that the components of an index select in, in the order of indices_of.
std::vector<std::int64_t> indexed_sizes(const Op& op, const Array& operand) {
  std::vector<std::int64_t> out = dimension_numbers(op, lookup_names_of(op).map);
  std::sort(out.begin(), out.end());
  for (std::int64_t& d : out) d = operand.type.dims.at(static_cast<std::size_t>(d));
  return out;
}

}  // namespace

std::vector<Promises::List> Promises::indices_of(const Op& op, const Array& indices) const {
  const Attribute* attribute = find(op.attributes, "index_vector_dim");
  const auto& dims = indices.type.dims;
  const auto vector_dim = static_cast<std::size_t>(attribute != nullptr ? attribute->as<IntAttr>()->value : 0);
  const std::int64_t width = vector_dim < dims.size() ? dims[vector_dim] : 1;
  const auto batches = dimension_numbers(op, lookup_names_of(op).indices_batching);
  std::vector<std::int64_t> components(static_cast<std::size_t>(width));  // in the order of the operand's dimensions
  std::iota(components.begin(), components.end(), 0);
  const auto dim_of = dimension_numbers(op, lookup_names_of(op).map);
  std::sort(components.begin(), components.end(), [&](std::int64_t a, std::int64_t b) {
    return dim_of.at(static_cast<std::size_t>(a)) < dim_of.at(static_cast<std::size_t>(b));
  });
  std::map<std::vector<std::int64_t>, List> by_batch;
  std::vector<std::int64_t> at(dims.size(), 0);
  const auto strides = strides_of(dims);
  if (indices.data.empty()) return {};
  do {
    if (vector_dim < dims.size() && at[vector_dim] != 0) continue;
    std::vector<std::int64_t> batch;
    for (const std::int64_t d : batches) batch.push_back(at[static_cast<std::size_t>(d)]);
    std::int64_t position = 0;
    for (std::size_t d = 0; d < at.size(); ++d) position += at[d] * strides[d];
    Row& row = by_batch[batch].emplace_back();
    const std::int64_t step = vector_dim < dims.size() ? strides[vector_dim] : 0;
    for (const std::int64_t k : components) row.push_back(indices.data[static_cast<std::size_t>(position + k * step)]);
  } while (advance(at, dims));
  std::vector<List> out;
  for (auto& [batch, list] : by_batch) out.push_back(std::move(list));
  return out;
}

void Promises::add(Kind kind, const Op& op, std::vector<List> lists, ElementType type, std::string kind_of_op,
                   std::vector<std::int64_t> sizes) {
  all_[kind].push_back({std::move(lists),
                        type,
                        std::move(kind_of_op),
                        std::move(sizes),
                        {},
                        algebra_.path(),
                        static_cast<std::size_t>(op.place.line)});
}

void Promises::note(const Op& op, const Kernel& kernel, const std::vector<ArrayPtr>& operands,
                    const std::unordered_set<ValueId>& used) {
  const std::string& name = op.name();
  if (name == "stablehlo.sort" && !ops::is_set(op.attributes, "is_stable")) {
    const auto& dims = operands[0]->type.dims;
    const Attribute* given = find(op.attributes, "dimension");
    const std::int64_t wanted = given != nullptr ? given->as<IntAttr>()->value : -1;
    const auto along = static_cast<std::size_t>(wanted < 0 ? wanted + static_cast<std::int64_t>(dims.size()) : wanted);
    std::map<std::vector<std::int64_t>, List> lines;
    std::vector<std::int64_t> at(dims.size(), 0);
    std::size_t position = 0;
    if (operands[0]->data.empty()) return;
    do {
      std::vector<std::int64_t> line = at;
      line[along] = 0;
      Row& row = lines[line].emplace_back();
      for (const ArrayPtr& a : operands) row.push_back(a->data[position]);
      ++position;
    } while (advance(at, dims));
    std::vector<List> lists;
    for (auto& [line, list] : lines) {
      if (list.size() > 1) lists.push_back(std::move(list));
    }
    if (!lists.empty()) {
      add(distinct_keys, op, std::move(lists), operands[0]->type.element,
          record_of(kernel.meaning, kernel.meaning.at(kernel.meaning.results[0].body).combine[0]));
      for (const ValueId v : op.results) all_[distinct_keys].back().used.push_back(used.contains(v));
    }
  }
  const bool says_unique = ops::is_set(op.attributes, "unique_indices");
  const bool says_sorted = ops::is_set(op.attributes, "indices_are_sorted");
  if (!says_unique && !says_sorted) return;
  const std::size_t inputs = name == "stablehlo.scatter" ? (operands.size() - 1) / 2 : 1;
  const ElementType type = operands[inputs]->type.element;
  std::vector<List> unknown_order;
  std::vector<List> unknown_equal;
  for (List& list : indices_of(op, *operands[inputs])) {
    if (list.size() < 2) continue;
    auto rows = known_values(list);
    // With batches the order is that of whole indices, batch included; elements of ui64 are held as signed integers.
    const bool comparable =
        dimension_numbers(op, lookup_names_of(op).indices_batching).empty() && type != ElementType::ui64;
    if (says_sorted && !(comparable && rows && std::is_sorted(rows->begin(), rows->end())))
      unknown_order.push_back(list);
    if (!says_unique) continue;
    if (rows) std::sort(rows->begin(), rows->end());
    const bool distinct = rows && std::adjacent_find(rows->begin(), rows->end()) == rows->end();
    if (!distinct || !writes_single_places(op)) unknown_equal.push_back(std::move(list));
  }
  if (!unknown_order.empty()) add(sorted, op, std::move(unknown_order), type, windows_of(op, operands));
  if (!unknown_equal.empty())
    add(unique, op, std::move(unknown_equal), type, windows_of(op, operands), indexed_sizes(op, *operands[0]));
}

void Promises::note_order(const Op& op, const std::vector<ArrayPtr>& operands) {
  if (ops::is_set(op.attributes, "unique_indices")) return;
  if (op.name() != "stablehlo.scatter")
    throw Unknown{fmt::format("line {}: {} in an order that data decides", op.place.line, op.name())};
  const Array& indices = *operands[(operands.size() - 1) / 2];
  add(no_collisions, op, indices_of(op, indices), indices.type.element, windows_of(op, operands),
      indexed_sizes(op, *operands[0]));
}

std::optional<std::vector<std::int64_t>> Promises::shift(const Row& from, const Row& to, ElementType type) const {
  std::vector<std::int64_t> out;
  if (from.size() != to.size()) return std::nullopt;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto by = algebra_.integer_distance(to[k], from[k], type);
    if (!by) return std::nullopt;
    out.push_back(*by);
  }
  return out;
}

bool Promises::is_part(Kind kind, const Promise& promise, const List& part, const Promise& given,
                       const List& whole) const {
  const ElementType type = promise.type;
  if (part.size() * whole.size() * whole.size() > kMostCompared) return false;  // the caller accepts equal lists
  algebra_.spend(part.size() * whole.size());
  const bool moves = kind == unique || kind == no_collisions;
  const auto same = [&](const Row& a, const Row& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [&](Element x, Element y) { return algebra_.equal(x, y); });
  };
  const auto stays_inside = [&](const std::vector<std::int64_t>& by) {
    for (std::size_t k = 0; k < by.size(); ++k) {
      if (by[k] < 0 || by[k] > given.sizes.at(k) - promise.sizes.at(k)) return false;
    }
    return true;
  };
  for (const Row& start : whole) {
    const auto by = moves ? shift(part[0], start, type) : std::nullopt;
    if (moves && (!by || !stays_inside(*by))) continue;
    std::vector<bool> taken(whole.size(), false);
    std::size_t next = 0;
    const bool all = std::all_of(part.begin(), part.end(), [&](const Row& row) {
      for (std::size_t k = kind == sorted ? next : 0; k < whole.size(); ++k) {
        if (taken[k] || !(moves ? shift(row, whole[k], type) == by : same(row, whole[k]))) continue;
        taken[k] = true;
        next = k + 1;
        return true;
      }
      return false;
    });
    if (all) return true;
    if (!moves) return false;
  }
  return false;
}

bool Promises::follows(Kind kind, const Promise& promise, const Promises& source) const {
  return std::all_of(promise.lists.begin(), promise.lists.end(), [&](const List& list) {
    return std::any_of(source.all_[kind].begin(), source.all_[kind].end(), [&](const Promise& given) {
      if (given.kind != promise.kind || given.type != promise.type || !is_within(promise.path, given.path))
        return false;
      for (std::size_t k = 0; k < promise.used.size(); ++k) {
        if (promise.used[k] && (k >= given.used.size() || !given.used[k])) return false;
      }
      return std::any_of(given.lists.begin(), given.lists.end(), [&](const List& whole) {
        return (list == whole && given.sizes == promise.sizes) || is_part(kind, promise, list, given, whole);
      });
    });
  });
}

std::vector<std::string> Promises::beyond(const Promises& source) const {
  constexpr std::array<const char*, kinds> wanted = {
      "{} lists of indices are unique, as the program promises and the source does not",
      "{} lists of indices are sorted, as the program promises and the source does not",
      "{} sorts that are not stable meet no equal keys",
      "{} scatters never update one place twice, where the order would count"};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < kinds; ++k) {
    std::vector<std::size_t> lines;
    for (const Promise& p : all_[k]) {
      if (!follows(static_cast<Kind>(k), p, source)) lines.push_back(p.line);
    }
    if (lines.empty()) continue;
    out.push_back(fmt::format(fmt::runtime(wanted[k]), lines.size()) + fmt::format(" (from line {})", lines[0]));
  }
  return out;
}

}  // namespace partir::validate
