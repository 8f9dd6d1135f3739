// Proves an entry of one operation at its real attributes and sizes, as a certificate uses it.
//
// The operation is one of a family: the same device-local operation on m devices, for every m. Its members differ in
// the numbers in which the operation differs from its local one, which are m times the local ones. The proof is for all
// m. Since the operation itself is a member that the family is fitted to, nothing is assumed of it (ADR 7 assumes that
// what was fitted at some sizes holds at others).
#pragma once

#include "ir/op_decl.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Whether `whole` on n devices is the loop, with the entry's result actions, of `part` on operands taken by the
/// entry's actions. Never refuted: what has no proof is unknown. Operands with known splats are those constants.
Verdict decide_instance(const OpInstance& whole, const Entry& entry, std::int64_t n, const OpInstance& part,
                        const Doubts& doubts = {});

/// Whether two functions of the same arguments give the same results, at their own sizes. Never refuted.
Verdict decide_same(const Function& one, const Function& other, const Doubts& doubts = {});

/// Whether an operation is the same written in others (OpDecl::by_offsets), at its own sizes. Scalars that are known
/// are those constants on both sides; what joins slices (ByOffsetsSubject) takes them itself. Never refuted.
Verdict decide_same(const OpInstance& op, const Function& others, const Doubts& doubts = {});

}  // namespace partir::prove
