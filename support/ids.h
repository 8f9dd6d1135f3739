// Strongly typed integer ids, so that an Axis, a ValueId and an OpId cannot be confused.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace partir {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
  [[nodiscard]] constexpr std::size_t index() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t value_ = 0;
};

using ValueId = Id<struct ValueTag>;    ///< A value of a function.
using OpId = Id<struct OpTag>;          ///< An operation of a program; passes preserve it.
using Axis = Id<struct AxisTag>;        ///< An axis of a mesh, outermost first.
using DeviceId = Id<struct DeviceTag>;  ///< A device; Mesh maps ids to positions.

/// A dimension of a tensor, numbered from 0.
using Dim = std::size_t;

}  // namespace partir

template <class Tag>
struct std::hash<partir::Id<Tag>> {
  std::size_t operator()(partir::Id<Tag> id) const noexcept { return id.index(); }
};
