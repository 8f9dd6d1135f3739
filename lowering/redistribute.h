// Conversion between layouts (resharding) in a normal form: slices, all_to_alls and at most one permute, then gathers
// (after arXiv 2112.01075). The inverse of such a plan, or a plan with an earlier gather, is used where that saves a
// collective. No intermediate is larger than the larger of source and target. The law: proofs_notes/redistribution.md.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/attribute.h"
#include "ir/shared_layout.h"

namespace partir {

/// One step of a resharding plan: a collective or a local slice.
struct Conversion {
  enum class Kind : std::uint8_t { all_slice, all_to_all, permute, all_gather };
  /// A digit of a device's position in the mesh: position / stride % size.
  struct Digit {
    std::int64_t stride = 1;
    std::int64_t size = 1;
  };
  Kind kind = Kind::all_slice;
  /// Major first. For a permute, and for a step with groups: the axes along which devices exchange data.
  std::vector<Axis> axes = {};
  Dim from = 0;  ///< the dimension that loses chunks (all_to_all, all_gather)
  Dim to = 0;    ///< the dimension that gains chunks (all_to_all, all_slice)
  /// Set if a step does not run along whole axes: the devices that exchange data (groups), or the chunk that a device
  /// keeps (digit).
  std::vector<std::vector<std::int64_t>> groups = {};
  std::optional<Digit> digit = std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs = {};  ///< for a permute: (from, to) for every device
  /// The layout after the step.
  Layout after = {};

  [[nodiscard]] bool communicates() const { return kind != Kind::all_slice; }
};

/// The steps from `source` to `target`. Both must divide the global shape and have the same pending reductions. Where
/// axes of different sizes change places, the steps use the prime factors of their sizes.
std::vector<Conversion> redistribution(const Layout& source, const Layout& target, const Mesh& mesh);

/// A conversion step as an operation of a device-local program.
struct PlannedConversion {
  Conversion step;
  SharedLayout after;          ///< step.after
  std::string_view operation;  ///< "spmd.all_gather"
  AttributeList attributes;
};

/// Caches the resharding plans on one mesh, for each pair of layouts.
class Redistributions {
 public:
  explicit Redistributions(const Mesh& mesh) : mesh_(mesh) {}

  /// Returns redistribution(source, target, mesh) as operations. The reference stays valid.
  const std::vector<PlannedConversion>& between(const Layout& source, const Layout& target);

 private:
  [[nodiscard]] PlannedConversion planned(Conversion step) const;

  using Key = std::pair<Layout, Layout>;
  /// Compares keys with pairs of references, so that a lookup copies no layout.
  struct Before {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return std::tie(a.first, a.second) < std::tie(b.first, b.second);
    }
  };

  Mesh mesh_;
  std::map<Key, std::vector<PlannedConversion>, Before> plans_;
};

}  // namespace partir
