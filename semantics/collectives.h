// Collectives as functions from what the devices of a group hold to what they hold afterwards (specification, the
// sections of each collective).
#pragma once

#include <functional>
#include <vector>

#include "ir/program.h"
#include "semantics/interpreter.h"

namespace partir {

/// Groups of device ids that meet at the operation, by the way its replica groups are to be read (specification,
/// "Grouping of processes"); of collective_permute, its pairs. Errors: a device out of range or named twice.
std::vector<std::vector<std::int64_t>> process_groups(const Op& op, const Devices& devices);

/// Devices that must all arrive before any goes on: the groups; of collective_permute, those that pairs connect; and
/// each device that stands in none alone.
std::vector<std::vector<std::int64_t>> meetings(const Op& op, const Devices& devices);

/// Devices of one meeting, and which of them is the root of a broadcast or a collective_reduce.
struct Meeting {
  const std::vector<std::int64_t>& group;
  std::int64_t root = 0;
};

/// What an operand becomes on each device of a meeting, in its order.
/// `fold(a, b)` is the computation of the operation on whole tensors.
std::vector<Tensor> collective(const Op& op, const Meeting& meeting, const std::vector<const Tensor*>& held,
                               const TensorType& result, const Devices& devices,
                               const std::function<Tensor(const Tensor&, const Tensor&)>& fold, const Domain& domain);

}  // namespace partir
