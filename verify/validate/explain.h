// Locates the operation at which a partitioned program departs from its source, for the report of a failed validation.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/program.h"
#include "verify/validate/field.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

/// The operation at fault: the earliest one in the partitioned program that cannot be explained although its operands
/// can.
struct Defect {
  Place place;
  std::string operation;
  std::string why;
};

/// Evaluates both programs and follows unexplained operations backwards from the results that differ, to the first. A
/// value is explained if the devices hold parts of one source value, sharded along mesh axes, or would after a
/// reduction over some axes. Returns nothing if there is no such operation or time runs out.
std::optional<Defect> locate_defect(const Function& source, const Function& partitioned, const Layouts& layouts,
                                    Seed seed, const std::function<bool()>& stop);

}  // namespace partir::validate
