// Enumerates the elements of a value that a device holds.
#pragma once

#include <utility>
#include <vector>

#include "ir/layout.h"

namespace partir {

/// Calls f(position in the device's part, position in the global value) for every element of the part, in row-major
/// order. The second position is -1 for padding and for values that the device does not hold. For [{batch}] on batch=2,
/// device 1 and size 3, the calls are f(0, 2) and f(1, -1). `padded` is the global type that the layout divides: that of
/// the value, or a larger one of which the value is the beginning.
template <class F>
void for_each_held(const Layout& layout, const TensorType& global, const TensorType& padded, DeviceId device,
                   const Mesh& mesh, F&& f) {
  const std::size_t rank = global.rank();
  const Type local = layout.local(padded, mesh);
  std::vector<std::vector<std::int64_t>> offset(rank);  // by dimension and local index: the global offset, or -1
  std::int64_t stride = 1;
  for (std::size_t d = rank; d-- > 0;) {
    for (std::int64_t i = 0; i < local->dims[d]; ++i) {
      const auto at = layout.position(d, device, i, padded.dims[d], mesh);
      offset[d].push_back(at && *at < global.dims[d] ? *at * stride : -1);
    }
    stride *= global.dims[d];
  }
  const bool absent = layout.only && *layout.only != device;
  std::vector<std::size_t> index(rank, 0);
  const std::int64_t count = local->elements();
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t whole = absent ? -1 : 0;
    for (std::size_t d = 0; d < rank && whole >= 0; ++d)
      whole = offset[d][index[d]] < 0 ? -1 : whole + offset[d][index[d]];
    f(static_cast<std::size_t>(k), whole);
    for (std::size_t d = rank; d-- > 0;) {
      if (++index[d] < offset[d].size()) break;
      index[d] = 0;
    }
  }
}

template <class F>
void for_each_held(const Layout& layout, const TensorType& global, DeviceId device, const Mesh& mesh, F&& f) {
  for_each_held(layout, global, global, device, mesh, std::forward<F>(f));
}

}  // namespace partir
