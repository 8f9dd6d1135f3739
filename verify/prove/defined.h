// Definedness: what a device computes must be defined whenever the source is. log(max x) may be assumed to have an
// argument above 0; that says nothing of log of each x, which a device would compute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/prove/elements.h"

namespace partir::prove {

/// A program, what its arguments are, and the ranges that these speak of besides those of its own indices.
struct Computed {
  const SymbolicProgram& program;
  DeviceElement arguments;
  std::vector<AtomId> around;
  DeviceAt device = {};

  Computed(const SymbolicProgram& p, const ArgumentElement& elements, std::vector<AtomId> ranges);
  Computed(const SymbolicProgram& p, DeviceElement elements, DeviceAt at);
};

/// An argument of `target` that may lie outside of a function's domain although all those of `source` lie in theirs, as
/// text; nothing where there is none. Every function that is not defined everywhere, of every operation, at all its
/// indices, must be one that the source applies to the same argument, or be shown to be defined (exp x is above 0, a
/// product is 0 only where a factor is). `splits`: the axis sizes by which ranges are split.
std::optional<std::string> not_defined(const Computed& source, const Computed& target,
                                       const std::vector<AtomId>& splits, Context& c, const OutOfTime& out_of_time);

}  // namespace partir::prove
