// How values are placed where they leave a block: returned by the function, or yielded to control flow.
#pragma once

#include <map>
#include <vector>

#include "rewrite/state.h"

namespace partir {

/// Placements of the results of a function and of what control flow carries, by a state.
class Yielded {
 public:
  explicit Yielded(const State& state);

  /// Of result k: what a donated argument that it aliases (tf.aliasing_output) has, else as it is computed, and what
  /// tactics asked for it. What is inherited gives way where an axis no longer divides or was asked to stay replicated.
  /// An axis by which the value comes tiled and that it loses stands there without a dimension.
  [[nodiscard]] std::vector<TileDecision> result(std::size_t k) const;
  /// Of a value that is carried under the flow's names: the same wherever it comes from.
  [[nodiscard]] std::vector<TileDecision> carried(ValueId v, const Flow& flow) const;

 private:
  [[nodiscard]] std::vector<TileDecision> with_lost_axes(ValueId v, std::vector<TileDecision> wanted) const;

  const State& s_;
  std::map<std::size_t, std::size_t> donors_;  ///< by result, the argument whose buffer it takes
};

/// The same tiles in the same order.
bool same_tiles(const std::vector<TileDecision>& a, const std::vector<TileDecision>& b);

}  // namespace partir
