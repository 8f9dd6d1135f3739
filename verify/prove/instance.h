// Proves an entry for one operation of a program, at the operation's own attributes and sizes. The certificate checker
// (verify/certificate) uses it.
//
// The operation is a member of a family: the same device-local operation on m devices, for every m. The members differ
// in the numbers (sizes and attributes) in which the operation differs from its local one; these are m times the local
// ones. The proof is for all m. Since the operation itself is one of the members to which the family is fitted, the fit
// assumes nothing about it (whereas ADR 7 assumes that what was fitted at some sizes holds at others).
#pragma once

#include "ir/op_decl.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Decides whether `whole` on n devices equals the loop, combined by the entry's result actions, of `part` on operands
/// distributed by the entry's operand actions. Never answers `refuted`: if there is no proof the answer is `unknown`.
/// Operands that are known splats are treated as those constants.
Decision decide_instance(const OpInstance& whole, const Entry& entry, std::int64_t n, const OpInstance& part,
                         const CrossChecks& cross_checks = {});

/// Decides whether two functions of the same arguments return the same results, at their own sizes. Never answers
/// `refuted`.
Decision decide_same(const Function& one, const Function& other, const CrossChecks& cross_checks = {});

/// Decides whether an operation equals its decomposition into other operations (OpDecl::by_offsets), at its own sizes.
/// Scalar operands that are known constants are replaced by them on both sides; an operation that joins slices
/// (ByOffsetsSubject) takes the slices itself. Never answers `refuted`.
Decision decide_same(const OpInstance& op, const Function& others, const CrossChecks& cross_checks = {});

}  // namespace partir::prove
