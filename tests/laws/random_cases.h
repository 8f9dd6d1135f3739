// Random parts of programs for the laws: sizes, types, operations, meshes and replica groups. All of them draw from
// RapidCheck and must be called inside rc::check.
#pragma once

#include <initializer_list>
#include <utility>

#include "tests/laws/device_program.h"
#include "tests/registry/claim.h"
#include "tests/semantics/spmd_programs.h"

namespace partir::testing {

/// Returns 0 to n - 1 in a random order.
Ids some_order(std::int64_t n);
/// Returns the size of a mesh axis, 1 to 3.
std::int64_t some_size();
/// Returns two different dimensions; `rank` is at least 2.
std::pair<Dim, Dim> two_dims(std::size_t rank);

struct Fold {
  Monoid monoid;
  ElementType element;
  [[nodiscard]] Action action() const { return Action::partial(monoid); }
  [[nodiscard]] std::string combiner() const { return std::string(combiner_of(monoid)); }
};
/// Returns a random monoid and an element type on which it is defined.
Fold some_fold();
ElementType some_element();  ///< f32, i32 or i1
ElementType some_number();   ///< f32 or i32

/// Returns a type whose sizes are 1 or 2, multiplied by the divisor along each dimension that `divisors` names.
TensorType some_type(ElementType element, std::size_t rank,
                     std::initializer_list<std::pair<Dim, std::int64_t>> divisors = {});

/// Returns the name of an elementwise operation with one operand.
std::string some_unary(ElementType element);
/// Returns an operation that only moves elements: transpose, reshape, reverse, slice or broadcast_in_dim.
OpText some_move(const TensorType& type);

/// Returns a grid of at most 12 devices.
Devices some_devices();
/// Returns groups of equal size that contain each id once, under one of these readings.
Groups some_groups(const Devices& devices, std::initializer_list<Reading> readings);
/// Groups for all_reduce, all_gather and reduce_scatter.
Groups some_replica_groups(const Devices& devices);
/// Groups for all_to_all, collective_broadcast and collective_permute.
Groups some_channel_groups(const Devices& devices);

}  // namespace partir::testing
