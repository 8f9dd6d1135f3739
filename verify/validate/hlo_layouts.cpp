// Shardings as HLO prints them (mhlo.sharding).
//
//   {replicated}  {maximal device=3}  {manual}
//   {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
//   {devices=[2,4]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}      an iota, reshaped and transposed
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "verify/validate/layouts.h"
#include "verify/validate/scanner.h"

namespace partir::validate {
namespace {

struct Tiles {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> devices;
  std::vector<std::int64_t> shape;  ///< of the iota
};

std::int64_t product(const std::vector<std::int64_t>& list) {
  std::int64_t out = 1;
  for (const std::int64_t v : list) {
    if (v < 1 || v > (1 << 20) || (out *= v) > (1 << 20)) return -1;
  }
  return out;
}

std::optional<Tiles> read_tiles(Scanner& s) {
  Tiles out;
  if (!s.accept("[")) return std::nullopt;
  const auto dims = s.integers("]");
  if (!dims) return std::nullopt;
  out.dims = *dims;
  const std::int64_t count = product(out.dims);
  if (count < 1) return std::nullopt;
  if (!s.accept("<=")) {
    do {
      const auto id = s.integer();
      if (!id) return std::nullopt;
      out.devices.push_back(*id);
    } while (s.accept(","));
    return static_cast<std::int64_t>(out.devices.size()) == count ? std::optional(out) : std::nullopt;
  }
  if (!s.accept("[")) return std::nullopt;
  const auto shape = s.integers("]");
  if (!shape || product(*shape) != count) return std::nullopt;
  out.shape = *shape;
  std::vector<std::int64_t> order(shape->size());
  std::iota(order.begin(), order.end(), 0);
  if (s.accept("T(")) {
    const auto permutation = s.integers(")");
    if (!permutation || permutation->size() != order.size()) return std::nullopt;
    order = *permutation;
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      if (sorted[k] != static_cast<std::int64_t>(k)) return std::nullopt;
    }
  }
  std::vector<std::int64_t> strides(shape->size(), 1);
  for (std::size_t k = strides.size(); k-- > 1;) strides[k - 1] = strides[k] * (*shape)[k];
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t id = 0;
    for (std::size_t k = order.size(); k-- > 0;) {
      const auto d = static_cast<std::size_t>(order[k]);
      id += rest % (*shape)[d] * strides[d];
      rest /= (*shape)[d];
    }
    out.devices.push_back(id);
  }
  return out;
}

}  // namespace

std::int64_t mhlo_devices(const std::string& text) {
  Scanner s(text);
  if (!s.find("devices=")) return 0;
  const auto tiles = read_tiles(s);
  return tiles ? static_cast<std::int64_t>(tiles->devices.size()) : 0;
}

Result<std::optional<Layout>> mhlo_layout(const std::string& text, std::size_t rank, const Mesh& mesh,
                                          std::vector<std::int64_t>* shape) {
  const auto devices = static_cast<std::size_t>(mesh.devices());
  const auto wrong = [&](const std::string& wanted) {
    return tl::unexpected(Diagnostic{"sharding", "", {}, text, wanted});
  };
  Scanner s(text);
  if (!s.accept("{")) return wrong("a sharding in braces");
  if (s.accept("replicated")) return Layout::replicated(rank);
  if (s.accept("manual") || s.accept("unknown") || s.at("}")) return std::optional<Layout>();
  if (s.accept("maximal")) {
    if (!s.accept("device=")) return wrong("{maximal device=N}");
    const auto id = s.integer();
    if (!id || *id >= static_cast<std::int64_t>(devices)) return wrong("a device of the mesh");
    Layout out = Layout::replicated(rank);
    if (devices > 1) out.only = DeviceId(static_cast<std::size_t>(*id));
    return out;
  }
  if (!s.accept("devices=")) return wrong("{replicated}, {maximal …}, {manual} or {devices=[…]…}");
  const auto tiles = read_tiles(s);
  if (!tiles) return wrong("tiles and as many devices");
  if (shape != nullptr) *shape = tiles->shape;
  std::size_t subgroups = 0;
  if (s.accept("last_tile_dim_replicate")) {
    subgroups = 1;
  } else if (s.accept("last_tile_dims=")) {
    if (!s.accept("{")) return wrong("last_tile_dims={…}");
    while (!s.accept("}")) {
      const auto kind = s.word();
      if (kind == "manual") return std::optional<Layout>();
      if (kind != "replicated") return wrong("last_tile_dims of replicated and manual");
      ++subgroups;
      (void)s.accept(",");
    }
  }
  if (tiles->dims.size() != rank + subgroups) return wrong(fmt::format("{} dimensions", rank));
  if (tiles->devices.size() != devices) return wrong(fmt::format("{} devices", devices));
  std::vector<std::vector<std::int64_t>> chunk(rank, std::vector<std::int64_t>(devices, 0));
  std::vector<bool> seen(devices, false);
  for (std::size_t i = 0; i < tiles->devices.size(); ++i) {
    const std::int64_t id = tiles->devices[i];
    if (id < 0 || id >= static_cast<std::int64_t>(devices) || seen[static_cast<std::size_t>(id)])
      return wrong("each device once");
    seen[static_cast<std::size_t>(id)] = true;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t k = tiles->dims.size(); k-- > 0;) {
      if (k < rank) chunk[k][static_cast<std::size_t>(id)] = rest % tiles->dims[k];
      rest /= tiles->dims[k];
    }
  }
  return Layout::of_chunks({tiles->dims.begin(), tiles->dims.begin() + static_cast<std::ptrdiff_t>(rank)}, chunk, mesh);
}

}  // namespace partir::validate
