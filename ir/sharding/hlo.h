// Shardings as HLO prints them (mhlo.sharding), as their text says them.
//
//   {replicated}  {maximal device=3}  {manual}
//   {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
//   {devices=[2,4]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}      an iota, reshaped and transposed
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

struct HloSharding {
  enum class Kind : std::uint8_t { replicated, maximal, manual, unknown, tiled };
  /// What a dimension of the tiling behind those of the array stands for.
  enum class Subgroup : std::uint8_t { replicated, manual };

  Kind kind = Kind::unknown;
  std::int64_t device = 0;          ///< of maximal: the one that has the array
  std::vector<std::int64_t> tiles;  ///< how many, by dimension of the array, then by subgroup
  std::vector<Subgroup> subgroups;
  std::vector<std::int64_t> devices;  ///< tile by tile, the last dimension fastest; each once
  std::vector<std::int64_t> iota;     ///< dimensions of the iota that the devices are, if they are written so

  /// Dimensions of the array.
  [[nodiscard]] std::size_t rank() const { return tiles.size() - subgroups.size(); }
};

/// Errors: another form, tiles and devices that do not fit, a device that stands twice.
Result<HloSharding> read_hlo_sharding(std::string_view text);

}  // namespace partir
