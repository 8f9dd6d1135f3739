#include "ir/device_layout.h"

#include "support/check.h"

namespace partir {

DeviceLayout DeviceLayout::of(const DistributedType& type, const Mesh& mesh) {
  std::vector<std::vector<Axis>> lists = type.dims;
  lists.emplace_back();
  for (const auto& [axis, monoid] : type.partial) lists.back().push_back(axis);
  DeviceLayout out;
  const auto devices = static_cast<std::size_t>(mesh.devices());
  for (const auto& axes : lists) {
    std::int64_t parts = 1;
    std::vector<std::int64_t> chunk(devices, 0);
    for (const Axis a : axes) {
      parts *= mesh.size(a);
      for (std::size_t d = 0; d < devices; ++d) chunk[d] = chunk[d] * mesh.size(a) + mesh.coordinate(DeviceId(d), a);
    }
    out.parts.push_back(parts);
    out.chunk.push_back(std::move(chunk));
  }
  return out;
}

std::vector<std::int64_t> DeviceLayout::held_by(std::size_t device) const {
  std::vector<std::int64_t> out;
  for (const auto& dim : chunk) out.push_back(dim[device]);
  return out;
}

Type DeviceLayout::local(const Type& global) const {
  Type out = global;
  for (Dim d = 0; d < out.rank(); ++d) {
    PARTIR_CHECK(out->dims[d] % parts[d] == 0, "chunks that do not divide their dimension");
    out->dims[d] /= parts[d];
  }
  return out;
}

}  // namespace partir
