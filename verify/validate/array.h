// Arrays of elements.
#pragma once

#include <memory>
#include <vector>

#include "ir/types.h"
#include "verify/validate/element.h"

namespace partir::validate {

/// Row-major.
struct Array {
  TensorType type;
  std::vector<Element> data;
};
using ArrayPtr = std::shared_ptr<const Array>;

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
/// Advances an index in row-major order; false behind the last.
inline bool advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& dims) {
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace partir::validate
