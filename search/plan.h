// Plans: what a search decides, as an ordered list of steps that the engine's tactics carry out.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "search/classes.h"

namespace partir {

using FamilyId = Id<struct FamilyTag>;  ///< Arguments of one role in repeated layers (search/space.h).

/// A dimension of a family's arguments.
struct FamilyTile {
  std::uint32_t family = 0;
  Dim dim = 0;
  friend auto operator<=>(const FamilyTile&, const FamilyTile&) = default;
};

/// One step: a tactic along one axis.
struct PlanStep {
  enum class Kind : std::uint8_t {
    shard,       ///< tiles the dimensions of a class in all arguments that computation reads
    tile,        ///< tiles one dimension of a family's arguments
    keep,        ///< keeps a family's arguments replicated (PartIR's atomic)
    zero_state,  ///< ZeRO 2: what only updates read is tiled along its first divisible dimension, what computation
                 ///< reads stays replicated
    zero_all,    ///< ZeRO 3: both are tiled
  };
  Kind kind = Kind::shard;
  Axis axis;
  std::uint32_t what = 0;      ///< number of the class or family
  Dim dim = 0;                 ///< of tile
  std::uint64_t families = 0;  ///< of ZeRO: a bit for each family that takes part
  std::uint64_t resolutions =
      0;  ///< of shard: two bits for each class of resolutions: 1 keeps the first dimension, 2 the second

  /// Tiles that the same tactic asks for as well, sorted. An operation that cannot take both tiles takes neither, so that
  /// neither passes through it: a product of rows and columns along one axis gathers. One tactic behind the other, the
  /// first passes.
  std::vector<FamilyTile> with;

  [[nodiscard]] bool is_zero() const { return kind == Kind::zero_state || kind == Kind::zero_all; }
  friend auto operator<=>(const PlanStep&, const PlanStep&) = default;
};

using Plan = std::vector<PlanStep>;

}  // namespace partir
