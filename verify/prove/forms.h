// The prover's core: a program and its device-local part, both at symbolic sizes, have one normal form.
#pragma once

#include <string>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Whether `whole` equals the loop over n devices, with the results' actions, of `part` on arguments taken by their
/// actions. False when the two sides have different forms (`why` says which); throws GiveUp where a step has no rule.
bool equal_forms(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
                 const std::vector<Action>& results, AtomId n, Context& c, std::string& why,
                 const OutOfTime& out_of_time = nullptr);

}  // namespace partir::prove
