// Where a partitioned program goes wrong.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/program.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

/// The earliest operation of the partitioned program that cannot be explained while its operands can.
struct Defect {
  Place place;
  std::string operation;
  std::string why;
};

/// A value of the partitioned program is explained when its parts are parts of one value of the source, laid out along
/// mesh axes, or when they are pending: combined over some axes they are such parts. From the results that differ the
/// operations without an explanation are followed backwards to the first. Nothing where there is none, or no time.
std::optional<Defect> locate_defect(const Function& source, const Function& partitioned, const Layouts& layouts,
                                    std::uint64_t seed, const std::function<bool()>& stop);

}  // namespace partir::validate
