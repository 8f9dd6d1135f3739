// Moves of local improvement: plans one change away.
#pragma once

#include <vector>

#include "search/space.h"

namespace partir {

/// Choices for one class or for ZeRO, as the steps that they add to a plan; the first is to do nothing.
using Decision = std::vector<Plan>;

/// What the tree decides, in order: for each class the axes that tile it, then ZeRO along each axis. A plan of these is
/// canonical: its steps stand in this order. Of few classes the order is also a choice, by local improvement.
std::vector<Decision> decisions_of(const SearchSpace& space);

/// The plan with two axes exchanged.
Plan with_axes_exchanged(Plan plan, Axis a, Axis b);

/// Plans to begin with, the simplest first: nothing; each class along each axis and along all; with ZeRO.
std::vector<Plan> starting_plans(const SearchSpace& space);

struct Neighbourhood {
  std::vector<Plan> plans;
  std::size_t classes = 0;  ///< the first so many change what is done with classes and ZeRO
  std::size_t single = 0;   ///< up to here, single families; the rest are pairs of tiles in one new tactic
};

/// All plans that one move makes of a plan: drop a step, give it another axis, class or place, swap axes, add a step,
/// change who takes part in ZeRO, choose a resolution, ask for a tile more in one tactic, or for two in a new one. In a fixed order, without repetition and without the plan
/// itself.
Neighbourhood neighbours(const Plan& plan, const SearchSpace& space);

}  // namespace partir
