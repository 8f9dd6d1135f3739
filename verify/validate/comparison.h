// Evaluates a source and a partitioned program on the same elements and compares their results. validate.cpp uses it
// for proofs, explain.cpp to locate the operation at fault.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verify/validate/layouts.h"
#include "verify/validate/program.h"

namespace partir::validate {

/// How the padding next to devices' parts of arguments is modelled: as arbitrary numbers, or as what may also be an
/// infinity or NaN, for which 0 * x is not 0.
struct BesideParts {
  bool is_anything = false;
  bool is_met = false;  ///< set if there is any padding
};

class Comparison {
 public:
  Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, Seed seed, bool exact,
             std::function<bool()> stop, Arithmetic arithmetic = Arithmetic::reals);

  /// Evaluates both programs. Returns, by result, whether all devices hold their part of it. Throws Unknown,
  /// Program::Deadlock and, in exact evaluation, Ring::TooLarge. May be called once. The observers are called after
  /// each operation.
  std::vector<bool> run(const Observer& of_source = nullptr, const Observer& of_partitioned = nullptr);

  Algebra& algebra() { return algebra_; }
  /// Models padding as what may be no number. Must be called before run().
  void pad_with_anything() { padding_.is_anything = true; }
  [[nodiscard]] bool has_padding() const { return padding_.is_met; }
  /// Number of divisors of the partitioned program that the source does not divide by and that may be zero.
  [[nodiscard]] std::size_t own_divisors() const { return own_divisors_; }
  /// Number of applications of partial functions (log, sqrt) in the partitioned program that the source does not have.
  [[nodiscard]] std::size_t own_partial_applications() const { return own_partial_applications_; }
  /// Promises of the partitioned program beyond those of the source that are not shown to hold.
  [[nodiscard]] const std::vector<std::string>& own_promises() const { return own_promises_; }
  /// Operations of both programs whose results may jump with rounding (ir/continuity.h).
  [[nodiscard]] const std::set<std::string>& jumps() const { return jumps_; }
  [[nodiscard]] const std::vector<ArrayPtr>& arguments() const { return arguments_; }  ///< of the source
  [[nodiscard]] const std::vector<DeviceArrays>& parts() const { return parts_; }      ///< of arguments, by device
  [[nodiscard]] const std::vector<ArrayPtr>& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<DeviceArrays>& found() const { return found_; }

 private:
  bool agrees(const Array& wanted, const DeviceArrays& found, std::size_t result);

  const Function& source_;
  const Function& partitioned_;
  const Layouts& layouts_;
  std::function<bool()> stop_;
  Seed seed_;
  bool exact_;
  Algebra algebra_;
  Products products_;
  BesideParts padding_;
  ObservedBits source_bits_;
  ObservedBits partitioned_bits_;
  std::size_t own_divisors_ = 0;
  std::size_t own_partial_applications_ = 0;
  std::vector<std::string> own_promises_;
  std::set<std::string> jumps_;
  std::vector<ArrayPtr> arguments_;
  std::vector<DeviceArrays> parts_;
  std::vector<ArrayPtr> wanted_;
  std::vector<DeviceArrays> found_;
};

}  // namespace partir::validate
