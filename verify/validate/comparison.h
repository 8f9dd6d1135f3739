// A source and a partitioned program, run on the same elements and compared.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verify/validate/layouts.h"
#include "verify/validate/program.h"

namespace partir::validate {

/// What devices hold beside their parts of arguments: any numbers, or NaN, of which 0 times is none.
struct BesideParts {
  bool is_nan = false;
  bool is_met = false;  ///< whether there is any
};

class Comparison {
 public:
  Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, std::uint64_t seed,
             bool exact, std::function<bool()> stop, Arithmetic arithmetic = Arithmetic::reals);

  /// By result: whether all devices hold their part of it. Throws Unknown, Program::Deadlock, and Ring::TooLarge where
  /// exact. To be called once.
  std::vector<bool> run(const Observer& of_source = nullptr, const Observer& of_partitioned = nullptr);

  Algebra& algebra() { return algebra_; }
  /// To be called before it is run.
  void pad_with_nan() { padding_.is_nan = true; }
  [[nodiscard]] bool has_padding() const { return padding_.is_met; }
  /// Divisors of the partitioned program that the source does not divide by, and that may be zero.
  [[nodiscard]] std::size_t own_divisors() const { return own_divisors_; }
  /// Applications of log, sqrt and the like in the partitioned program that the source does not have.
  [[nodiscard]] std::size_t own_partial_applications() const { return own_partial_applications_; }
  /// Promises of the partitioned program that it is not shown to keep, and the source does not make.
  [[nodiscard]] const std::vector<std::string>& own_promises() const { return own_promises_; }
  /// Operations of the partitioned program at which rounding may decide.
  [[nodiscard]] const std::set<std::string>& jumps() const { return jumps_; }
  [[nodiscard]] const std::vector<ArrayPtr>& arguments() const { return arguments_; }  ///< of the source
  [[nodiscard]] const std::vector<DeviceArrays>& parts() const { return parts_; }      ///< of them on devices
  [[nodiscard]] const std::vector<ArrayPtr>& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<DeviceArrays>& found() const { return found_; }

 private:
  bool agrees(const Array& wanted, const DeviceArrays& found, const Layout& layout);

  const Function& source_;
  const Function& partitioned_;
  const Layouts& layouts_;
  std::function<bool()> stop_;
  std::uint64_t seed_;
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
