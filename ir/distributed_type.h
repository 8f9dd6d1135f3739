// How a value is laid out on a mesh: for each dimension the ordered axes that tile it, and the axes it is partial over.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "ir/mesh.h"
#include "ir/types.h"

namespace partir {

/// Invariant: device d's local value is its part of the global value; partial values combine to it. Each axis stands at
/// most once (Memory-efficient redistribution, arXiv 2112.01075).
struct DistributedType {
  std::vector<std::vector<Axis>> dims;           ///< axes major to minor, per dimension
  std::vector<std::pair<Axis, Monoid>> partial;  ///< ordered by axis

  static DistributedType whole(std::size_t rank) { return {std::vector<std::vector<Axis>>(rank), {}}; }
  [[nodiscard]] bool is_whole() const;
  /// The dimension an axis tiles.
  [[nodiscard]] std::optional<Dim> tiled_by(Axis axis) const;
  [[nodiscard]] std::optional<Monoid> partial_over(Axis axis) const;
  void add_partial(Axis axis, Monoid monoid);
  void drop_partial(Axis axis);

  /// Shape of the part that one device holds.
  [[nodiscard]] Type local(const Type& global, const Mesh& mesh) const;
  /// Where a device's part starts along a dimension, in parts.
  [[nodiscard]] std::int64_t chunk(Dim dim, DeviceId device, const Mesh& mesh) const;

  /// "[{batch}, {}, {model, seq}] partial{axis:sum}".
  [[nodiscard]] std::string str(const Mesh& mesh) const;
  static Result<DistributedType> parse(std::string_view text, const Mesh& mesh, std::size_t rank);

  friend auto operator<=>(const DistributedType&, const DistributedType&) = default;
  friend bool operator==(const DistributedType&, const DistributedType&) = default;
};

}  // namespace partir
