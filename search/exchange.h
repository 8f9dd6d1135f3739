// Exchanges: two classes of dimensions that share an axis, each where it divides the matrix products.
//
// Some values have a dimension of both classes, such as the tokens that are sent to experts: `[expert, group, ...]`. A
// tactic that tiles both classes along one axis leaves their products in conflict, as only one of the dimensions can be
// tiled. An exchange decides it for each product: where only the guest's class occurs without the other (the products
// with the weights of the experts), the guest is tiled; elsewhere the host is. Values between the two are resharded,
// which takes an all_to_all. Expert parallelism (GShard) is the exchange of groups of tokens with experts; multi-query
// attention (Pope et al., MLSys 2023) that of heads with the batch.
#pragma once

#include <utility>
#include <vector>

#include "driver/session.h"
#include "search/classes.h"

namespace partir {

/// A dimension of an internal value.
struct ValueTile {
  NamedValue value;  ///< its `name` refers to it alone, or to values with the same tile
  Dim dim = 0;
};

struct Exchange {
  ClassId host;
  ClassId guest;
  std::vector<std::pair<std::size_t, Dim>> arguments;  ///< of the guest's class that the guest's products read
  std::vector<ValueTile> values;                       ///< where the tile changes, in program order
};

/// All exchanges of a program: between classes for which the tile changes in both directions, where the guest's products
/// read a part of the arguments that matters. The session has no tactics.
std::vector<Exchange> exchanges_of(const Session& session, const Dimensions& dimensions,
                                   const DimensionClasses& classes);

}  // namespace partir
