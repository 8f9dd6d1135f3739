// A layout requested for a value, with all its axes at once. The shardings annotated in a program are read as such
// requests (rewrite/annotations.h) and put into the state by rewrite/pin_layouts.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "rewrite/named_values.h"

namespace partir {

/// Worked example, on a mesh x=2, y=2: `[{"y", "x"}, {?}]` tiles dimension 0 along y and, minor to it, along x; nothing
/// is closed, because both axes are used. `[{"x"}, {}]` tiles dimension 0 along x, and y may tile no dimension.
struct LayoutRequest {
  enum class Of : std::uint8_t {
    argument,    ///< function argument `number`
    constraint,  ///< the result of a sharding_constraint of the program
    manual,      ///< the manual computation `op`: its body states the tiling of its operands and results
    value,       ///< an internal value or a result, at the identity inserted after it (rewrite/named_values.h)
  };
  struct Tile {
    Axis axis;
    Dim dim = 0;
    std::size_t priority = 0;  ///< index of the tactic with which it propagates, from 0
  };
  struct Closed {
    Axis axis;
    std::uint64_t dims = 0;  ///< bit d: the axis may not tile dimension d where the value is defined; uses may slice it
  };

  Of of = Of::value;
  std::size_t number = 0;
  NamedValue value;
  OpId op = {};
  std::vector<std::pair<Axis, Entry>> entries = {};  ///< for a manual computation, outermost first
  std::vector<Tile> tiles;                           ///< for all others, major to minor
  std::vector<Closed> closed;
  /// The device at each position, if the layout uses another order of devices than the mesh; empty if it uses the
  /// mesh's. Example: [{"x"}] in the order 1 2 3 0 puts the first chunk on device 1.
  std::vector<std::int64_t> device_ids = {};
  Place place;
  std::string text;  ///< as written in the program, for diagnostics
};

}  // namespace partir
