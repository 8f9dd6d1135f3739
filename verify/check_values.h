// Runs a program and its partition on the same seeded inputs, by both interpreters, in exact arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.h"
#include "verify/verdict.h"

namespace partir {

struct ValueCheckOptions {
  std::uint64_t seed = 1;
  double limit = 2e8;  ///< steps of all devices together above which the check is skipped
};

/// The judgement that the program is too large to run on so many devices, or nothing.
std::optional<Judgement> too_large(const Module& sequential, std::int64_t devices,
                                   const ValueCheckOptions& options = {});

/// Sums and products are compared modulo a prime, so equal means equal; functions that are not rational are
/// uninterpreted (see semantics/domain.h). `sequential` has its calls inlined.
Judgement check_values(const Module& sequential, const Module& partitioned, const ValueCheckOptions& options = {});

}  // namespace partir
