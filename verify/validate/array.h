// Arrays of elements, at all positions of a type or at some.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "ir/types.h"
#include "verify/validate/element.h"

namespace partir::validate {

/// For each dimension the positions that are looked at, in order; those of the array are all combinations.
struct Grid {
  std::vector<std::vector<std::int64_t>> at;

  friend bool operator==(const Grid&, const Grid&) = default;
};
using GridPtr = std::shared_ptr<const Grid>;  ///< null: all positions

/// Row-major over its positions.
struct Array {
  TensorType type;
  std::vector<Element> data;
  GridPtr grid = nullptr;

  /// How many positions of each dimension it has.
  [[nodiscard]] std::vector<std::int64_t> extents() const {
    if (grid == nullptr) return type.dims;
    std::vector<std::int64_t> out;
    for (const auto& list : grid->at) out.push_back(static_cast<std::int64_t>(list.size()));
    return out;
  }
};
using ArrayPtr = std::shared_ptr<const Array>;

/// Number `index` of the positions of a dimension.
inline std::int64_t position_at(const GridPtr& grid, std::size_t dim, std::int64_t index) {
  return grid == nullptr ? index : grid->at[dim][static_cast<std::size_t>(index)];
}
/// Which of the positions this is; -1 where it is none of them.
inline std::int64_t index_of(const GridPtr& grid, const TensorType& type, std::size_t dim, std::int64_t position) {
  if (position < 0 || position >= type.dims[dim]) return -1;
  if (grid == nullptr) return position;
  const auto& list = grid->at[dim];
  if (list.size() == static_cast<std::size_t>(type.dims[dim])) return position;
  const auto it = std::lower_bound(list.begin(), list.end(), position);
  return it != list.end() && *it == position ? it - list.begin() : -1;
}

inline std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t d = dims.size(); d-- > 1;) out[d - 1] = out[d] * dims[d];
  return out;
}
inline std::int64_t count_of(const std::vector<std::int64_t>& dims) {
  std::int64_t out = 1;
  for (const std::int64_t d : dims) out *= d;
  return out;
}
inline std::vector<std::int64_t> extents_of(const GridPtr& grid, const TensorType& type) {
  return Array{type, {}, grid}.extents();
}

/// Advances an index in row-major order; false behind the last.
inline bool advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& dims) {
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace partir::validate
