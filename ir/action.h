// Actions along one mesh axis, and tile-mapping entries made of them (PartIR, section on the tile-mapping registry).
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types.h"
#include "support/ids.h"

namespace partir {

/// A commutative, associative combination with an identity.
enum class Monoid : std::uint8_t { sum, prod, max, min, conj, disj };

std::string_view name_of(Monoid monoid);  ///< "sum", "prod", "max", "min", "and", "or"
std::optional<Monoid> monoid_from(std::string_view name);
/// The StableHLO operation that combines two values ("stablehlo.add").
std::string_view combiner_of(Monoid monoid);
/// Whether collectives combine elements of the type by the monoid: XLA's on CPU and NCCL's have no `and` and no `or` of
/// integers wider than i1.
bool has_collective(Monoid monoid, ElementType element);

/// What devices along an axis hold of a value.
struct Action {
  enum class Kind : std::uint8_t {
    any,      ///< the whole value, the same on every device
    tile,     ///< chunk r of n equal chunks of `dim`
    partial,  ///< the value is the combination by `monoid` of what the devices hold
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

/// For all sizes, axis sizes and inputs: the operation equals the loop, with the results' actions, of the device-local
/// operation on operands taken by the operands' actions.
struct Entry {
  std::vector<Action> operands;
  std::vector<Action> results;

  [[nodiscard]] bool has_partial_operand() const;
  /// "(#tile<1>, #tile<0>) -> (#sum)".
  [[nodiscard]] std::string str() const;
  friend bool operator==(const Entry&, const Entry&) = default;
};

}  // namespace partir
