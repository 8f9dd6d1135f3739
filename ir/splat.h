// A small constant analysis: the scalar that all elements of a value are known to equal, and the known integers at
// positions of its last dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace partir {

/// For an integer tensor, the value at each position of the last dimension, if it is the same for all other indices.
/// For start indices of type tensor<8x3xi32> of which only the first component varies, {nullopt, 0, 0}. Empty if
/// nothing is known.
using KnownPlaces = std::vector<std::optional<std::int64_t>>;

/// The known facts about the values of a function: the scalar that all elements equal, or null; and KnownPlaces.
class Splats {
 public:
  explicit Splats(std::size_t values = 0) : known_(values), places_(values) {}

  [[nodiscard]] const LiteralPtr& operator[](ValueId v) const { return known_.at(v.index()); }
  LiteralPtr& operator[](ValueId v) { return known_.at(v.index()); }
  [[nodiscard]] const KnownPlaces& places(ValueId v) const { return places_.at(v.index()); }
  KnownPlaces& places(ValueId v) { return places_.at(v.index()); }

 private:
  std::vector<LiteralPtr> known_;
  std::vector<KnownPlaces> places_;
};

/// The scalar that all elements of the operation's result equal, inferred from the facts about its operands; or null.
LiteralPtr splat_of(const Op& op, const Splats& known);

/// The scalar that all elements of all operands are known to equal, or null.
LiteralPtr same_splat(const Op& op, const Splats& known);

/// The known integers at positions of the result's last dimension, inferred likewise. Only last dimensions of at most 8
/// positions are analysed, which suffices for the components of start indices.
KnownPlaces places_of(const Function& function, const Op& op, const Splats& known);

}  // namespace partir
