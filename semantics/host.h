// The host of an interpreter run: the state that devices share apart from collectives (channels between devices,
// infeeds) and the execution of host operations (tokens, tuples, and the checks and probes of test programs). It also
// bounds the steps and the time of a run.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "semantics/interpreter.h"
#include "semantics/tensor.h"

namespace partir {

/// A check operation that failed.
struct FailedCheck {
  Place place;
  std::string what;  ///< the element, its value and the expected value
};

class Host {
 public:
  /// `module` contains the functions that interpreter.run_parallel names; it may be null. `budget` bounds the total
  /// number of steps of all devices: about one per term evaluated for an element, and one per element stored. `is_up`
  /// is called regularly and returns true when the time limit is reached.
  explicit Host(const Domain& domain, const Module* module = nullptr,
                double budget = std::numeric_limits<double>::infinity(), std::function<bool()> is_up = nullptr)
      : domain_(domain), module_(module), budget_(budget), time_is_up_(std::move(is_up)) {}

  /// Takes steps from the budget before they are executed. Throws UserError "budget" if the steps or the time are
  /// exhausted.
  void spend(double steps, Place place);
  /// Checks the time limit inside a long operation. Throws UserError "budget" if it is reached.
  void pause(Place place) const;
  /// The remaining steps.
  [[nodiscard]] double budget() const { return budget_; }
  /// Spends one step per element of the tensors.
  void spend_on(const std::vector<const Tensor*>& tensors, Place place);
  /// Spends one step per element of values of these types.
  void spend_on(const Function& function, const std::vector<ValueId>& values, Place place);

  /// Whether each device runs the body of a manual computation.
  [[nodiscard]] bool in_manual() const { return in_manual_; }
  /// True if the operation can be executed now: a recv waits until a value has been sent on its channel.
  [[nodiscard]] bool ready(const Op& op) const;
  /// Executes an operation of kind `host`. Throws UserError: "unsupported", "infeed" and others.
  std::vector<Tensor> run(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);

  void observe(Observer observer) { observer_ = std::move(observer); }
  /// Shows an operation to the observer, if there is one.
  void executed(const Op& op, const std::vector<const Tensor*>& operands, const std::vector<Tensor>& results) const {
    if (observer_) observer_(op, operands, results);
  }

  /// The number of checks that held.
  [[nodiscard]] std::int64_t held() const { return held_; }
  [[nodiscard]] const std::vector<FailedCheck>& failed() const { return failed_; }
  /// The output of interpreter.print.
  [[nodiscard]] const std::string& printed() const { return printed_; }

 private:
  std::vector<Tensor> custom_call(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);
  /// The distances that check.expect_almost_eq and check.expect_close accept.
  struct Limits {
    double tolerance;          ///< absolute, for expect_almost_eq
    std::uint64_t ulps;        ///< at most, for expect_close
    std::uint64_t least_ulps;  ///< at least, for expect_close
  };
  void check(const Op& op, std::string_view kind, const Limits& limits, const Tensor& got, const Tensor& wanted);
  void check_probe(const Op& op, const Tensor& wanted);
  std::vector<Tensor> run_parallel(const Op& op, const std::vector<const Tensor*>& operands);
  std::vector<Tensor> run_manual(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);

  const Domain& domain_;
  const Module* module_;
  double budget_;
  std::function<bool()> time_is_up_;
  Observer observer_;
  double unchecked_steps_ = 0;  ///< steps since time_is_up_ was last called
  std::size_t depth_ = 0;       ///< nesting depth of run_parallel and manual computations
  bool in_manual_ = false;      ///< runs the body of a manual computation on each device
  std::map<std::int64_t, std::deque<std::vector<Tensor>>> channels_;
  std::deque<std::vector<Tensor>> infeed_;
  std::map<std::string, std::vector<Tensor>> probes_;
  std::int64_t held_ = 0;
  std::vector<FailedCheck> failed_;
  std::string printed_;
};

/// True if the host implements the target of a custom_call.
bool knows_target(const Op& op);

}  // namespace partir
