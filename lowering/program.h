// A device-local program: what every device runs, with collectives over mesh axes and the distributed type of each
// value (PartIR:HLO).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/device_layout.h"
#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

struct SpmdProgram {
  Mesh mesh;
  Function function;                   ///< of local types; collectives are spmd.* operations
  std::vector<DistributedType> types;  ///< by ValueId; of values inside regions, and of those in `layouts`: whole
  /// Of values between the steps of a conversion that no distributed type describes.
  std::map<ValueId, std::shared_ptr<const DeviceLayout>> layouts;
  /// For each operation of the body, the operation of the source program that it is the local program of.
  std::vector<std::optional<std::size_t>> origin;
};

/// Collectives of a program by kind.
struct CollectiveCounts {
  static constexpr std::array<std::string_view, 5> kinds = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                                            "collective_permute"};
  std::array<std::int64_t, 5> counts{};
  friend bool operator==(const CollectiveCounts&, const CollectiveCounts&) = default;
  /// "290 all_reduce, 2 all_gather", or "none".
  [[nodiscard]] std::string str() const;
};

/// Of spmd.* and of StableHLO collectives alike.
CollectiveCounts count_collectives(const Function& function);

/// How many collectives of a kind run over an axis, alone or with others: {"all_gather", "batch"} -> 2. Of spmd.* only.
std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis(const Function& function);

/// Floating-point operations of one run, from the operations' meanings; loops of unknown trip count once.
double flops_of(const Function& function);

/// The module in which every value's distributed type is written beside it, for --emit spmd.
Module spmd_module(const SpmdProgram& program, const Module& source);

}  // namespace partir
