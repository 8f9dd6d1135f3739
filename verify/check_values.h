// Compares a program with its partition by running both: the sequential interpreter and the interpreter of many devices
// get the same seeded inputs and compute in exact modular arithmetic. This is a test, not a proof: its best verdict is
// `passed`. Called by the driver and by tests.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.h"
#include "verify/verdict.h"

namespace partir {

struct ValueCheckOptions {
  std::uint64_t seed = 1;
  double limit = 2e8;  ///< total interpreter steps over all devices above which the check is skipped
};

/// Returns a `skipped` judgement if the program is too large to interpret on this many devices, otherwise nothing.
std::optional<Judgement> too_large(const Module& sequential, std::int64_t devices,
                                   const ValueCheckOptions& options = {});

/// Floats are integers modulo 2^61 - 1, in which sums and products are exact, so reassociated sums compare equal;
/// functions that are not rational are uninterpreted (see semantics/domain.h). Calls in `sequential` must be inlined.
Judgement check_values(const Module& sequential, const Module& partitioned, const ValueCheckOptions& options = {});

}  // namespace partir
