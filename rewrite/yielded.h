// Tilings of values where they leave a block: returned by the function, or yielded to a control-flow operation. Used by
// materialize.cpp and by the lowering, so that both agree.
#pragma once

#include <map>
#include <vector>

#include "rewrite/state.h"

namespace partir {

/// Tilings of the results of a function and of loop-carried values, in a given state.
class Yielded {
 public:
  explicit Yielded(const State& state);

  /// The tiling of result k: that of the donated argument that it aliases (tf.aliasing_output), if any, or else that
  /// with which it is computed, changed by what tactics requested for it. An inherited tile is dropped if its axis no
  /// longer divides the remaining size or if the request for that axis differs. An axis that tiles the computed value
  /// but not the result is listed without a dimension.
  [[nodiscard]] std::vector<TileDecision> result(std::size_t k) const;
  /// The tiling of a value where it enters a flow: the same for all values of the flow.
  [[nodiscard]] std::vector<TileDecision> carried(ValueId v, const Flow& flow) const;

 private:
  [[nodiscard]] std::vector<TileDecision> with_lost_axes(ValueId v, std::vector<TileDecision> wanted) const;

  const State& s_;
  std::map<std::size_t, std::size_t> donors_;  ///< by result: the argument whose buffer it reuses
};

/// Whether both lists have the same axes and dimensions in the same order.
bool same_tiles(const std::vector<TileDecision>& a, const std::vector<TileDecision>& b);

}  // namespace partir
