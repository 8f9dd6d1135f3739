// Which part of a value each device holds, device by device. Every distributed type is one of these; not every one of
// these is a distributed type: between the steps of a conversion the parts may stand in another order, or half of an
// axis may tile a dimension.
#pragma once

#include <vector>

#include "ir/distributed_type.h"

namespace partir {

struct DeviceLayout {
  /// Chunks of each dimension, and at the end of what a partial value is the combination of (1 where it is none).
  std::vector<std::int64_t> parts;
  /// By dimension (and for the combination), by device: which of the chunks it holds.
  std::vector<std::vector<std::int64_t>> chunk;

  static DeviceLayout of(const DistributedType& type, const Mesh& mesh);

  /// The device's chunk along every dimension.
  [[nodiscard]] std::vector<std::int64_t> held_by(std::size_t device) const;
  /// Shape of the part that one device holds. The chunks divide their dimensions.
  [[nodiscard]] Type local(const Type& global) const;

  friend bool operator==(const DeviceLayout&, const DeviceLayout&) = default;
};

}  // namespace partir
