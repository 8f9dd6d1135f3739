// A device-local program: what every device runs, with collectives over mesh axes and the layout of each
// value (PartIR:HLO).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/layout.h"
#include "ir/mesh.h"
#include "ir/program.h"
#include "rewrite/state.h"

namespace partir {

struct SpmdProgram {
  Mesh mesh;
  Function function;            ///< of local types; collectives are spmd.* operations
  std::vector<Layout> layouts;  ///< by ValueId; replicated in regions that are no part of the function (of reductions)
  /// Operations of the source keep their ids; those at or above this number are conversions.
  std::size_t source_ops = 0;
  /// By operation of the source: entries, besides those of the state, by which it passes pending reductions on.
  std::map<OpId, std::vector<std::pair<Axis, Entry>>> passed_on;

  /// Whether an operation is a device's part of one of the source.
  [[nodiscard]] bool is_local_part(const Op& op) const { return op.id.index() < source_ops; }
};

/// Collectives of a program by kind. A collective in a loop counts once here.
struct CollectiveCounts {
  /// The first five of CollectiveKind.
  static constexpr std::array<std::string_view, 5> kinds = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                                            "collective_permute"};
  std::array<std::int64_t, 5> counts{};
  friend bool operator==(const CollectiveCounts&, const CollectiveCounts&) = default;
  /// "290 all_reduce, 2 all_gather", or "none".
  [[nodiscard]] std::string str() const;
};

/// Of spmd.* and of StableHLO collectives alike.
CollectiveCounts count_collectives(const Function& function);

/// Collectives of one run. Those in a loop count as often as it runs, of branches the largest counts are taken.
struct ExecutedCounts {
  CollectiveCounts collectives;
  std::vector<Place> uncounted;  ///< loops whose trip count is not known; what is in them counts once
};
ExecutedCounts executed_collectives(const Function& function);

/// How many collectives of a kind run over an axis, alone or with others: {"all_gather", "batch"} -> 2. Of spmd.* only.
std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis(const Function& function);

/// Floating-point operations of one run, from the operations' meanings; loops of unknown trip count once, of branches
/// the largest.
double flops_of(const Function& function);

/// The module in which every value's layout is written beside it, for --emit spmd.
Module spmd_module(const SpmdProgram& program, const Module& source);

}  // namespace partir
