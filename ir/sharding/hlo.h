// Parses HLO shardings (mhlo.sharding) into a structure that mirrors their text.
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
  /// The meaning of a dimension of the tiling that follows the dimensions of the array.
  enum class Subgroup : std::uint8_t { replicated, manual };

  Kind kind = Kind::unknown;
  std::int64_t device = 0;          ///< for maximal: the device that holds the array
  std::vector<std::int64_t> tiles;  ///< the number of tiles per dimension of the array, then per subgroup
  std::vector<Subgroup> subgroups;
  std::vector<std::int64_t> devices;  ///< the device of each tile, row-major; each device once
  std::vector<std::int64_t> iota;     ///< the dimensions of the iota, if the devices are written as one

  /// The rank of the array.
  [[nodiscard]] std::size_t rank() const { return tiles.size() - subgroups.size(); }
};

/// Errors: malformed text, tiles and devices that do not match, a device that occurs twice.
Result<HloSharding> read_hlo_sharding(std::string_view text);

}  // namespace partir
