// Definedness check: whatever a device computes must be defined whenever the source program is. For example, a source
// that computes log(max x) lets us assume that max x > 0; this does not imply that log of every x[k], which a device
// might compute instead, is defined. Used by forms.cpp and rewrite.cpp after the two sides have equal canonical forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/prove/elements.h"

namespace partir::prove {

/// A symbolic program, the elements of its arguments, and the ranges that occur in these elements in addition to the
/// program's own indices (such as the device's coordinate).
struct Computed {
  const SymbolicProgram& program;
  DeviceElement arguments;
  std::vector<AtomId> around;
  DeviceAt device = {};

  Computed(const SymbolicProgram& p, const ArgumentElement& elements, std::vector<AtomId> ranges);
  Computed(const SymbolicProgram& p, DeviceElement elements, DeviceAt at);
};

/// Returns a description of a function application in `target` whose argument may lie outside the function's domain
/// although all applications in `source` are inside theirs; nothing if there is none. Each application of a function
/// that is not defined everywhere, in any operation and at all indices, must either occur in the source with the same
/// argument, or be shown to be defined (exp x is positive; a product is 0 only if a factor is). `splits`: the axis
/// sizes by which ranges are split before comparing.
std::optional<std::string> not_defined(const Computed& source, const Computed& target,
                                       const std::vector<AtomId>& splits, Context& c, const OutOfTime& out_of_time);

}  // namespace partir::prove
