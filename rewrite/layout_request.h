// A layout that a value is to have, with all its axes at once: what annotations in a program's text ask for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "rewrite/named_values.h"

namespace partir {

/// Worked example, on a mesh x=2, y=2: `[{"y", "x"}, {?}]` tiles dimension 0 along y and, inside, along x; nothing is
/// closed, as both axes are used up. `[{"x"}, {}]` tiles dimension 0 along x, and y may tile no dimension.
struct LayoutRequest {
  enum class Of : std::uint8_t {
    argument,    ///< the one of this number
    constraint,  ///< the result of a sharding_constraint of the program
    manual,      ///< of this operation, a manual computation: its operands and results are what its body says
    value,       ///< an internal value or a result, at the identity that is put behind it (rewrite/named_values.h)
  };
  struct Tile {
    Axis axis;
    Dim dim = 0;
    std::size_t priority = 0;  ///< propagates with the tactic of this number, from 0
  };
  struct Closed {
    Axis axis;
    std::uint64_t dims = 0;  ///< by bit: those that the axis may not tile, though uses may still slice the value
  };

  Of of = Of::value;
  std::size_t number = 0;
  NamedValue value;
  OpId op = {};
  std::vector<std::pair<Axis, Entry>> entries = {};  ///< of a manual computation, outermost first
  std::vector<Tile> tiles;                           ///< of others; major to minor
  std::vector<Closed> closed;
  /// Of another order of devices than the mesh's: the device at each position. [{"x"}] in the order 1 2 3 0 has the first
  /// part on device 1. Empty: the mesh's.
  std::vector<std::int64_t> device_ids = {};
  Place place;
  std::string text;  ///< as the program says it
};

}  // namespace partir
