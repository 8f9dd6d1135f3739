// What the devices of a run share apart from collectives: channels between devices, feeds from outside, tokens, tuples,
// and the checks and probes of test programs.
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
#include "semantics/tensor.h"

namespace partir {

/// One check operation that did not hold.
struct FailedCheck {
  Place place;
  std::string what;  ///< which element, what came and what was wanted
};

class Host {
 public:
  /// `module` has the functions that interpreter.run_parallel names; it may be null. `budget` bounds the steps that all
  /// devices may take together: about one for each term evaluated for an element, or element stored.
  /// `is_up` is asked now and then whether time is up.
  explicit Host(const Domain& domain, const Module* module = nullptr,
                double budget = std::numeric_limits<double>::infinity(), std::function<bool()> is_up = nullptr)
      : domain_(domain), module_(module), budget_(budget), is_up_(std::move(is_up)) {}

  /// Takes steps from the budget before they are done. Errors: "budget", of time, too.
  void spend(double steps, Place place);
  /// Asks inside a long operation whether time is up. Errors: "budget".
  void pause(Place place) const;
  /// Steps that may still be taken.
  [[nodiscard]] double budget() const { return budget_; }
  /// As many as there are elements.
  void spend_on(const std::vector<const Tensor*>& tensors, Place place);
  /// As many as elements of these types.
  void spend_on(const Function& function, const std::vector<ValueId>& values, Place place);

  /// Whether the operation can be carried out now: a recv waits for what is sent on its channel.
  [[nodiscard]] bool ready(const Op& op) const;
  /// Carries out an operation of kind `host`. Errors: "unsupported", "infeed".
  std::vector<Tensor> run(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);

  [[nodiscard]] std::int64_t held() const { return held_; }
  [[nodiscard]] const std::vector<FailedCheck>& failed() const { return failed_; }
  /// What interpreter.print wrote.
  [[nodiscard]] const std::string& printed() const { return printed_; }

 private:
  std::vector<Tensor> custom_call(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);
  /// How near check.expect_almost_eq and check.expect_close want values to be.
  struct Limits {
    double tolerance;
    std::uint64_t ulps;
    std::uint64_t least_ulps;
  };
  void check(const Op& op, std::string_view kind, const Limits& limits, const Tensor& got, const Tensor& wanted);
  void check_probe(const Op& op, const Tensor& wanted);
  std::vector<Tensor> run_parallel(const Op& op, const std::vector<const Tensor*>& operands);
  std::vector<Tensor> run_manual(const Function& function, const Op& op, const std::vector<const Tensor*>& operands);

  const Domain& domain_;
  const Module* module_;
  double budget_;
  std::function<bool()> is_up_;
  double since_asked_ = 0;  ///< steps
  std::size_t depth_ = 0;   ///< of run_parallel within run_parallel
  std::map<std::int64_t, std::deque<std::vector<Tensor>>> channels_;
  std::deque<std::vector<Tensor>> infeed_;
  std::map<std::string, std::vector<Tensor>> probes_;
  std::int64_t held_ = 0;
  std::vector<FailedCheck> failed_;
  std::string printed_;
};

/// Whether the host knows the target of a custom_call.
bool knows_target(const Op& op);

}  // namespace partir
