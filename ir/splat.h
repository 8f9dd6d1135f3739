// Scalars that all elements of a value are known to be, and integers that stand at places of its last dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Along the last dimension of integers, what stands at a place everywhere: of positions [8, 3] that begin windows, {none,
/// 0, 0} where only the first component varies. Empty where nothing is known.
using KnownPlaces = std::vector<std::optional<std::int64_t>>;

/// By value of a function: the scalar that all its elements are known to be, or null.
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

/// The scalar that all elements of an operation's result are known to be by those of its operands, or null.
LiteralPtr splat_of(const Op& op, const Splats& known);

/// What is known of places of its result, likewise. Of few places: components of positions.
KnownPlaces places_of(const Function& function, const Op& op, const Splats& known);

}  // namespace partir
