// Arrays of elements: the values that evaluation computes, shared between the devices that hold the same.
#pragma once

#include <memory>
#include <vector>

#include "ir/types.h"
#include "verify/validate/element.h"

namespace partir::validate {

/// A tensor of elements in row-major order.
struct Array {
  TensorType type;
  std::vector<Element> data;
};
using ArrayPtr = std::shared_ptr<const Array>;

/// Row-major strides: [12, 4, 1] for dims = [2, 3, 4].
inline std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t d = dims.size(); d-- > 1;) out[d - 1] = out[d] * dims[d];
  return out;
}
/// The number of elements.
inline std::int64_t count_of(const std::vector<std::int64_t>& dims) {
  std::int64_t out = 1;
  for (const std::int64_t d : dims) out *= d;
  return out;
}
/// Advances an index in row-major order. Returns false after the last, with all components reset to 0.
inline bool advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& dims) {
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace partir::validate
