// Random pairs of layouts of one value, for the tests of resharding plans. They are drawn inside rc::check.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <numeric>

#include "ir/layout.h"

namespace partir {

/// Uniform in [low, high). RapidCheck's own ranges are narrow in its first cases, so the nominal size is used always.
template <class T>
T pick(T low, T high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

struct Case {
  Mesh mesh;
  Layout source;
  Layout target;
  TensorType global;
  [[nodiscard]] std::string str() const {
    return fmt::format("mesh {}, {}, from {} to {}", mesh.str(), global.str(), source.str(mesh), target.str(mesh));
  }
};

/// Returns a layout in which each axis tiles a random dimension or none, in a random order, and a sum is pending over
/// the axes in `partial`.
inline Layout some_type(const Mesh& mesh, std::size_t rank, const std::vector<Axis>& partial = {}) {
  Layout out = Layout::replicated(rank);
  for (const Axis a : partial) out.add_pending(a, Monoid::sum);
  std::vector<std::size_t> axes(mesh.rank());
  std::iota(axes.begin(), axes.end(), 0);
  for (std::size_t k = 1; k < axes.size(); ++k) std::swap(axes[k], axes[pick<std::size_t>(0, k + 1)]);
  for (const std::size_t a : axes) {
    const auto dim = pick<std::size_t>(0, rank + 1);
    if (dim < rank && !out.pending_over(Axis(a))) out.dims[dim].emplace_back(Axis(a));
  }
  return out;
}

/// With `pending`, some cases have the same sums pending in source and target.
inline Case some_case(bool pending = false) {
  const char* names[] = {"a", "b", "c", "d"};
  std::vector<Mesh::AxisInfo> axes;
  const auto count = pick<std::size_t>(1, 5);
  for (std::size_t k = 0; k < count; ++k) axes.push_back({names[k], *rc::gen::element<std::int64_t>(2, 2, 3, 4, 6, 1)});
  Case c;
  c.mesh = Mesh(std::move(axes));
  const auto rank = pick<std::size_t>(0, 4);
  std::vector<Axis> partial;
  for (std::size_t k = 0; pending && k < count; ++k) {
    if (pick(0, 4) == 0) partial.emplace_back(k);
  }
  c.source = some_type(c.mesh, rank, partial);
  c.target = some_type(c.mesh, rank, partial);
  // The smallest sizes that both layouts divide.
  std::vector<std::int64_t> dims(rank);
  for (Dim d = 0; d < rank; ++d) {
    dims[d] = std::lcm(c.source.parts(d, c.mesh), c.target.parts(d, c.mesh));
  }
  c.global = TensorType{ElementType::i32, dims};
  return c;
}

}  // namespace partir
