#include "ir/sharding/hlo.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "ir/text/scanner.h"

namespace partir {
namespace {

using text::Scanner;

std::int64_t product_of(const std::vector<std::int64_t>& list) {
  std::int64_t out = 1;
  for (const std::int64_t v : list) {
    if (v < 1 || v > (1 << 20) || (out *= v) > (1 << 20)) return -1;
  }
  return out;
}

bool is_permutation_of_iota(std::vector<std::int64_t> list) {
  std::sort(list.begin(), list.end());
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k] != static_cast<std::int64_t>(k)) return false;
  }
  return true;
}

/// The device list of a transposed iota: [4,2]T(1,0) -> 0, 2, 4, 6, 1, 3, 5, 7.
std::vector<std::int64_t> transposed_iota(const std::vector<std::int64_t>& shape,
                                          const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t k = strides.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  std::vector<std::int64_t> out;
  const std::int64_t count = product_of(shape);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t id = 0;
    for (std::size_t k = order.size(); k-- > 0;) {
      const auto d = static_cast<std::size_t>(order[k]);
      id += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    out.push_back(id);
  }
  return out;
}

/// Parses [2,4]<=[4,2]T(1,0), or [2,2]0,1,2,3; returns false if malformed.
bool read_tiles(Scanner& s, HloSharding& out) {
  if (!s.accept("[")) return false;
  const auto dims = s.integers("]");
  if (!dims) return false;
  out.tiles = *dims;
  const std::int64_t count = product_of(out.tiles);
  if (count < 1) return false;
  if (!s.accept("<=")) {
    do {
      const auto id = s.integer();
      if (!id) return false;
      out.devices.push_back(*id);
    } while (s.accept(","));
    return static_cast<std::int64_t>(out.devices.size()) == count && is_permutation_of_iota(out.devices);
  }
  if (!s.accept("[")) return false;
  const auto shape = s.integers("]");
  if (!shape || product_of(*shape) != count) return false;
  out.iota = *shape;
  std::vector<std::int64_t> order(shape->size());
  std::iota(order.begin(), order.end(), 0);
  if (s.accept("T(")) {
    const auto permutation = s.integers(")");
    if (!permutation || permutation->size() != order.size() || !is_permutation_of_iota(*permutation)) return false;
    order = *permutation;
  }
  out.devices = transposed_iota(*shape, order);
  return true;
}

}  // namespace

Result<HloSharding> read_hlo_sharding(std::string_view text) {
  using Kind = HloSharding::Kind;
  const auto wrong = [&](const char* wanted) {
    return tl::unexpected(Diagnostic{"sharding", "", {}, std::string(text), wanted});
  };
  HloSharding out;
  Scanner s(text);
  if (!s.accept("{")) return wrong("a sharding in braces");
  if (s.accept("replicated")) {
    out.kind = Kind::replicated;
    return out;
  }
  if (s.accept("manual")) {
    out.kind = Kind::manual;
    return out;
  }
  if (s.accept("unknown") || s.at("}")) return out;
  if (s.accept("maximal")) {
    if (!s.accept("device=")) return wrong("{maximal device=N}");
    const auto id = s.integer();
    if (!id) return wrong("{maximal device=N}");
    out.kind = Kind::maximal;
    out.device = *id;
    return out;
  }
  if (!s.accept("devices=")) return wrong("{replicated}, {maximal …}, {manual} or {devices=[…]…}");
  out.kind = Kind::tiled;
  if (!read_tiles(s, out)) return wrong("tiles and as many devices, each once");
  if (s.accept("last_tile_dim_replicate")) {
    out.subgroups = {HloSharding::Subgroup::replicated};
  } else if (s.accept("last_tile_dims=")) {
    if (!s.accept("{")) return wrong("last_tile_dims={…}");
    while (!s.accept("}")) {
      const auto kind = s.word();
      if (kind != "manual" && kind != "replicated") return wrong("last_tile_dims of replicated and manual");
      out.subgroups.push_back(kind == "manual" ? HloSharding::Subgroup::manual : HloSharding::Subgroup::replicated);
      (void)s.accept(",");
    }
  }
  if (out.subgroups.size() > out.tiles.size()) return wrong("a dimension of tiles for each subgroup");
  return out;
}

}  // namespace partir
