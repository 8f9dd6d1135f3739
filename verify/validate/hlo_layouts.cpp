// Converts HLO shardings (ir/sharding/hlo.h) to layouts, by the chunk that each device holds.
#include <fmt/format.h>

#include <algorithm>

#include "ir/sharding/hlo.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

std::int64_t mhlo_devices(const std::string& text) {
  const auto sharding = read_hlo_sharding(text);
  return sharding ? static_cast<std::int64_t>(sharding->devices.size()) : 0;
}

Result<std::optional<Layout>> mhlo_layout(const std::string& text, std::size_t rank, const Mesh& mesh,
                                          std::vector<std::int64_t>* shape) {
  using Kind = HloSharding::Kind;
  const auto devices = static_cast<std::size_t>(mesh.devices());
  const auto wrong = [&](const std::string& wanted) {
    return tl::unexpected(Diagnostic{"sharding", "", {}, text, wanted});
  };
  const auto read = read_hlo_sharding(text);
  if (!read) return tl::unexpected(read.error());
  if (read->kind == Kind::replicated) return Layout::replicated(rank);
  if (read->kind == Kind::manual || read->kind == Kind::unknown) return std::optional<Layout>();
  if (read->kind == Kind::maximal) {
    if (read->device >= static_cast<std::int64_t>(devices)) return wrong("a device of the mesh");
    Layout out = Layout::replicated(rank);
    if (devices > 1) out.only = DeviceId(static_cast<std::size_t>(read->device));
    return out;
  }
  if (shape != nullptr) *shape = read->iota;
  const auto& groups = read->subgroups;
  if (std::find(groups.begin(), groups.end(), HloSharding::Subgroup::manual) != groups.end())
    return std::optional<Layout>();
  if (read->rank() != rank) return wrong(fmt::format("{} dimensions", rank));
  if (read->devices.size() != devices) return wrong(fmt::format("{} devices", devices));
  std::vector<std::vector<std::int64_t>> chunk(rank, std::vector<std::int64_t>(devices, 0));
  for (std::size_t i = 0; i < read->devices.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t k = read->tiles.size(); k-- > 0;) {
      if (k < rank) chunk[k][static_cast<std::size_t>(read->devices[i])] = rest % read->tiles[k];
      rest /= read->tiles[k];
    }
  }
  return Layout::of_chunks({read->tiles.begin(), read->tiles.begin() + static_cast<std::ptrdiff_t>(rank)}, chunk, mesh);
}

}  // namespace partir::validate
