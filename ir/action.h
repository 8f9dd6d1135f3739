// Actions on values along one mesh axis, and the tile-mapping entries that consist of them (PartIR, section on the
// tile-mapping registry).
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types.h"
#include "support/ids.h"

namespace partir {

/// A commutative, associative binary operation with an identity. conj is logical and, disj is logical or.
enum class Monoid : std::uint8_t { sum, prod, max, min, conj, disj };

std::string_view name_of(Monoid monoid);  ///< "sum", "prod", "max", "min", "and", "or"
std::optional<Monoid> monoid_from(std::string_view name);
/// The StableHLO operation that combines two values ("stablehlo.add").
std::string_view combiner_of(Monoid monoid);
/// True if collectives can reduce elements of this type by the monoid. XLA's CPU collectives and NCCL have no `and` and
/// no `or` for integers wider than i1.
bool has_collective(Monoid monoid, ElementType element);

/// The part of a value that each device along an axis holds.
struct Action {
  enum class Kind : std::uint8_t {
    any,      ///< replicated: every device holds the complete value
    tile,     ///< tiled: device r of n holds chunk r of n equal chunks of `dim`
    partial,  ///< pending reduction: the value is the combination, by `monoid`, of what the devices hold
  };
  Kind kind = Kind::any;
  Dim dim = 0;
  Monoid monoid = Monoid::sum;

  static Action any() { return {}; }
  static Action tile(Dim dim) { return {Kind::tile, dim, Monoid::sum}; }
  static Action partial(Monoid monoid) { return {Kind::partial, 0, monoid}; }
  [[nodiscard]] bool is_tile() const { return kind == Kind::tile; }
  [[nodiscard]] bool is_partial() const { return kind == Kind::partial; }
  /// "#tile<1>", "#sum", "any".
  [[nodiscard]] std::string str() const;
  static std::optional<Action> parse(std::string_view text);
  friend auto operator<=>(const Action&, const Action&) = default;
};

/// A line of the tile-mapping registry. It states, for all sizes, axis sizes and inputs, that the operation equals a
/// loop over the axis which applies the device-local operation to the parts of the operands given by the operands'
/// actions, and combines the results by the results' actions.
struct Entry {
  std::vector<Action> operands;
  std::vector<Action> results;

  [[nodiscard]] bool has_partial_operand() const;
  /// "(#tile<1>, #tile<0>) -> (#sum)".
  [[nodiscard]] std::string str() const;
  friend bool operator==(const Entry&, const Entry&) = default;
};

}  // namespace partir
