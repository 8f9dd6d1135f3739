// Plans: the decisions of a search, as an ordered list of steps. Each step is realised as one tactic (search/space.h).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "search/classes.h"

namespace partir {

using FamilyId = Id<struct FamilyTag>;  ///< Arguments with the same role in repeated layers (search/space.h).

/// A dimension of the arguments of a family.
struct FamilyTile {
  std::uint32_t family = 0;
  Dim dim = 0;
  friend auto operator<=>(const FamilyTile&, const FamilyTile&) = default;
};

/// One step of a plan: a tactic along one axis.
struct PlanStep {
  enum class Kind : std::uint8_t {
    exchange,    ///< tiles the two classes of an exchange (search/exchange.h)
    shard,       ///< tiles the dimensions of a class in all arguments that computation reads
    tile,        ///< tiles one dimension of a family's arguments
    keep,        ///< keeps a family's arguments replicated (PartIR's atomic)
    zero_state,  ///< ZeRO 2: arguments that only updates read are tiled along their first divisible dimension; those
                 ///< that computation reads stay replicated
    zero_all,    ///< ZeRO 3: both are tiled
  };
  Kind kind = Kind::shard;
  Axis axis;
  std::uint32_t what = 0;      ///< index of the exchange, class or family
  Dim dim = 0;                 ///< for tile
  std::uint64_t families = 0;  ///< for ZeRO: a bit for each family that takes part
  /// For shard: two bits for each resolution class; 1 keeps the first dimension tiled, 2 the second.
  std::uint64_t resolutions = 0;

  /// Further tiles requested by the same tactic, sorted. An operation that cannot take both tiles takes neither and its
  /// operands are gathered: for example, a product whose rows and columns are tiled along one axis. In two successive
  /// tactics, the first tile would be taken.
  std::vector<FamilyTile> with;

  [[nodiscard]] bool is_zero() const { return kind == Kind::zero_state || kind == Kind::zero_all; }
  friend auto operator<=>(const PlanStep&, const PlanStep&) = default;
};

using Plan = std::vector<PlanStep>;

}  // namespace partir
