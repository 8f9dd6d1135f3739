// Conversion between layouts in a normal form: slices and all_to_alls and at most one permute, then gathers
// (after arXiv 2112.01075), or the same backwards, or a gather before its turn where that saves a collective. Nothing
// between is larger than the larger of source and target. The law: proofs_notes/redistribution.md.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/attribute.h"
#include "ir/layout.h"

namespace partir {

/// One collective, or a local slice, on the way from one layout to another.
struct Conversion {
  enum class Kind : std::uint8_t { all_slice, all_to_all, permute, all_gather };
  /// A device's number along part of an axis: its id / stride mod size.
  struct Digit {
    std::int64_t stride = 1;
    std::int64_t size = 1;
  };
  Kind kind = Kind::all_slice;
  /// Major first. Of a permute and of a step with groups: along which devices exchange.
  std::vector<Axis> axes = {};
  Dim from = 0;  ///< the dimension that loses parts (all_to_all, all_gather)
  Dim to = 0;    ///< the dimension that gets them (all_to_all, all_slice)
  /// Where a step is along no list of whole axes: who exchanges with whom, or which chunk a device keeps.
  std::vector<std::vector<std::int64_t>> groups = {};
  std::optional<Digit> digit = std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs = {};  ///< of a permute: from device, to device; all devices
  Layout after = {};

  [[nodiscard]] bool communicates() const { return kind != Kind::all_slice; }
};

/// Steps from `source` to `target`; both divide the global shape, and have the same reductions pending. Where axes of
/// several sizes change places, steps go by the prime factors of their sizes.
std::vector<Conversion> redistribution(const Layout& source, const Layout& target, const Mesh& mesh);

/// A conversion as an operation of a device-local program.
struct PlannedConversion {
  Conversion step;
  std::string_view operation;  ///< "spmd.all_gather"
  AttributeList attributes;
};

/// Plans of conversions on one mesh, made once for each pair of types.
class Redistributions {
 public:
  explicit Redistributions(const Mesh& mesh) : mesh_(mesh) {}

  /// redistribution(source, target, mesh). The reference stays valid.
  const std::vector<PlannedConversion>& between(const Layout& source, const Layout& target);

 private:
  [[nodiscard]] PlannedConversion planned(Conversion step) const;

  Mesh mesh_;
  std::map<std::pair<Layout, Layout>, std::vector<PlannedConversion>> plans_;
};

}  // namespace partir
