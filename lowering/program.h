// The device-local program: what every device runs, with collectives over mesh axes and the layout of each value
// (PartIR:HLO). The lowering writes it; emission, certificates, simulation and counting read it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/mesh.h"
#include "ir/program.h"
#include "ir/shared_layout.h"
#include "rewrite/state.h"

namespace partir {

struct SpmdProgram {
  Mesh mesh;
  Function function;                  ///< with local types; collectives are spmd.* operations
  std::vector<SharedLayout> layouts;  ///< by ValueId; replicated in the regions of reductions and the like
  /// Operations of the source keep their ids; operations with ids from this number on are conversions.
  std::size_t source_ops = 0;
  /// By operation of the source: entries, in addition to those of the state, by which it passes on pending reductions.
  std::map<OpId, std::vector<std::pair<Axis, Entry>>> passed_on;
  /// By operation of the source: entries that it uses instead of all that the state has for it.
  std::map<OpId, std::vector<std::pair<Axis, Entry>>> instead;

  /// Whether an operation is the device-local part of an operation of the source.
  [[nodiscard]] bool is_local_part(const Op& op) const { return op.id.index() < source_ops; }
};

/// Number of collectives of each kind. A collective in a loop counts once here.
struct CollectiveCounts {
  /// The first five kinds of CollectiveKind.
  static constexpr std::array<std::string_view, 5> kinds = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                                            "collective_permute"};
  std::array<std::int64_t, 5> counts{};
  friend bool operator==(const CollectiveCounts&, const CollectiveCounts&) = default;
  /// "290 all_reduce, 2 all_gather", or "none".
  [[nodiscard]] std::string str() const;
};

/// Counts spmd.* and StableHLO collectives.
CollectiveCounts count_collectives(const Function& function);

/// Collectives executed in one run. Those in a loop count once per iteration; of branches, the largest counts are
/// taken.
struct ExecutedCounts {
  CollectiveCounts collectives;
  std::vector<Place> uncounted;  ///< loops of unknown trip count, whose bodies count once
};
ExecutedCounts executed_collectives(const Function& function);

/// Number of collectives of each kind that run over an axis, alone or with other axes: {"all_gather", "batch"} -> 2.
/// Counts spmd.* operations only.
std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis(const Function& function);

/// Floating-point operations of one run, derived from the operations' meanings. Loops of unknown trip count count once;
/// of branches, the largest count is taken.
double flops_of(const Function& function);

/// The module with the layout of every value in an attribute (partir.sharding), for --emit spmd.
Module spmd_module(const SpmdProgram& program, const Module& source);

}  // namespace partir
