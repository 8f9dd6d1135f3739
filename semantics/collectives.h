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

/// One operand (by number) of the operation, for one group, in the group's order.
/// `fold(a, b)` is the computation of the operation on whole tensors.
std::vector<Tensor> collective(const Op& op, const std::vector<const Tensor*>& held, const TensorType& result,
                               const std::function<Tensor(const Tensor&, const Tensor&)>& fold, const Domain& domain);

/// collective_permute over all devices: who sends to whom; a device that nobody sends to gets zeros.
std::vector<Tensor> permute(const Op& op, const std::vector<const Tensor*>& held, const Devices& devices,
                            const Domain& domain);

}  // namespace partir
