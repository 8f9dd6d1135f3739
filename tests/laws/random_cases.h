// Random pieces of programs, drawn inside rc::check.
#pragma once

#include <initializer_list>
#include <utility>

#include "tests/laws/device_program.h"
#include "tests/registry/claim.h"
#include "tests/semantics/spmd_programs.h"

namespace partir::testing {

/// 0 to n - 1 in a random order.
Ids some_order(std::int64_t n);
/// Size of a mesh axis, 1 to 3.
std::int64_t some_size();
/// Different ones.
std::pair<Dim, Dim> two_dims(std::size_t rank);

struct Fold {
  Monoid monoid;
  ElementType element;
  [[nodiscard]] Action action() const { return Action::partial(monoid); }
  [[nodiscard]] std::string combiner() const { return std::string(combiner_of(monoid)); }
};
/// Any monoid on a type that has it.
Fold some_fold();
ElementType some_element();  ///< f32, i32 or i1
ElementType some_number();   ///< f32 or i32

/// Sizes 1 or 2, along the dimensions named times what must divide them.
TensorType some_type(ElementType element, std::size_t rank,
                     std::initializer_list<std::pair<Dim, std::int64_t>> divisors = {});

/// An elementwise operation of one operand.
std::string some_unary(ElementType element);
/// An operation that only moves elements: transpose, reshape, reverse, slice or broadcast_in_dim.
OpText some_move(const TensorType& type);

/// A grid of at most 12 devices.
Devices some_devices();
/// Groups of one size that name each id once, read in one of these ways.
Groups some_groups(const Devices& devices, std::initializer_list<Reading> readings);
/// For all_reduce, all_gather, reduce_scatter.
Groups some_replica_groups(const Devices& devices);
/// For all_to_all, collective_broadcast, collective_permute.
Groups some_channel_groups(const Devices& devices);

}  // namespace partir::testing
