// The decisions of the tree search, its starting plans, and the moves of local improvement.
#pragma once

#include <vector>

#include "search/space.h"

namespace partir {

/// The options for one class or for ZeRO, each as the steps that it adds to a plan. Option 0 is to do nothing.
using Decision = std::vector<Plan>;

/// The decisions of the tree, in order: for each of these exchanges and then for each class the axes that tile it, then
/// ZeRO along each axis. A plan made of these is canonical: its steps are in this order. Other orders of steps, and
/// other exchanges, are reached by local improvement.
std::vector<Decision> decisions_of(const SearchSpace& space, const std::vector<std::size_t>& exchanges);

/// The plan with two axes exchanged in all steps.
Plan with_axes_exchanged(Plan plan, Axis a, Axis b);

/// Plans to start with, the simplest first: the empty plan; then, for each class, tiled along each axis, along all
/// axes, and along all axes with ZeRO.
std::vector<Plan> starting_plans(const SearchSpace& space);

/// Plans that consist of one exchange, along each axis and along all axes.
std::vector<Plan> plans_of_exchange(const SearchSpace& space, std::size_t exchange);

struct Neighbourhood {
  std::vector<Plan> plans;
  std::size_t classes = 0;  ///< the first so many change classes or ZeRO
  std::size_t single = 0;   ///< from there to this index: changes to single families; then pairs of tiles
};

/// All plans that are one move away from a plan: drop a step; change its axis, class or position; swap axes; add a
/// step; change the families that take part in ZeRO; choose a resolution; add a tile to a tactic, or add a new tactic
/// with two tiles. The order is fixed; no plan occurs twice, and the plan itself does not occur.
Neighbourhood neighbours(const Plan& plan, const SearchSpace& space);

}  // namespace partir
