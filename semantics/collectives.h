// The semantics of collectives: functions from the operands that the devices of a group hold to the results that they
// receive (specification, the sections of each collective). The SPMD interpreter calls them.
#pragma once

#include <functional>
#include <vector>

#include "ir/program.h"
#include "semantics/interpreter.h"

namespace partir {

/// The process groups of a collective, as device ids, according to the interpretation of its replica groups
/// (specification, "Grouping of processes"); for collective_permute, the source-target pairs. Throws UserError for a
/// device that is out of range or occurs twice.
std::vector<std::vector<std::int64_t>> process_groups(const Op& op, const Devices& devices);

/// The sets of devices that synchronise at the operation: all devices of a set must arrive before any continues. These
/// are the process groups; for collective_permute, the connected components of the pairs; and a singleton for each
/// device in no group.
std::vector<std::vector<std::int64_t>> meetings(const Op& op, const Devices& devices);

/// The devices of one meeting, and the index in the group of the root of a broadcast or a collective_reduce.
struct Meeting {
  const std::vector<std::int64_t>& group;
  std::int64_t root = 0;
};

/// Returns the result on each device of a meeting, in the order of the group, for one operand that the devices hold.
/// `fold(a, b)` applies the computation of the operation to complete tensors.
std::vector<Tensor> collective(const Op& op, const Meeting& meeting, const std::vector<const Tensor*>& held,
                               const TensorType& result, const Devices& devices,
                               const std::function<Tensor(const Tensor&, const Tensor&)>& fold, const Domain& domain);

}  // namespace partir
