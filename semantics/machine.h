// The execution of a function on one device, as a coroutine that suspends at collectives until the interpreter resumes
// it with the received values.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"
#include "semantics/evaluate.h"
#include "semantics/host.h"
#include "semantics/interpreter.h"
#include "semantics/task.h"

namespace partir {

/// The compiled meanings of the operations of one function, created on first use and shared by all devices.
class CompiledMeanings {
 public:
  CompiledMeanings(const Function& function, const Domain& domain);

  /// Evaluates an operation. Throws UserError "unsupported" if it has no meaning. `pause`: see CompiledMeaning.
  std::vector<Tensor> run(const Op& op, const std::vector<const Tensor*>& operands,
                          const std::function<void()>& pause = nullptr);
  /// The cost of a run of the operation (Meaning::steps).
  double steps(const Op& op) { return of(op).steps(); }
  /// Applies the computation of a collective to complete tensors.
  Tensor fold(const Op& op, const Tensor& a, const Tensor& b);

  [[nodiscard]] const Function& function() const { return function_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// The last operation of the function's body that reads a value; null if there is none.
  [[nodiscard]] const Op* last_use(ValueId v) const { return last_use_[v.index()]; }

 private:
  const CompiledMeaning& of(const Op& op);

  const Function& function_;
  const Domain& domain_;
  std::vector<const Op*> last_use_;  ///< by value
  std::unordered_map<const Op*, CompiledMeaning> meanings_;
  std::map<std::pair<const Op*, std::vector<std::int64_t>>, CompiledMeaning> folds_;  ///< by shape
};

/// One device of a run.
class Machine {
 public:
  Machine(CompiledMeanings& meanings, Host& host, std::int64_t id, const Devices& devices);

  /// Runs until the first collective or the end.
  void begin(const std::vector<Tensor>& inputs);
  [[nodiscard]] bool done() const { return task_->done(); }
  /// The collective or recv at which the device waits; null if it has finished.
  [[nodiscard]] const Op* waiting_at() const { return waiting_at_; }
  [[nodiscard]] const Tensor& operand(std::size_t number) const { return *at(waiting_at_->operands[number]); }
  [[nodiscard]] std::vector<const Tensor*> waiting_operands() const { return operands(*waiting_at_); }
  /// Continues with the results of the collective, until the next one or the end.
  void resume(std::vector<Tensor> received);
  [[nodiscard]] std::vector<Tensor> results() const;
  [[nodiscard]] CompiledMeanings& meanings() const { return meanings_; }

 private:
  using TensorPtr = std::shared_ptr<const Tensor>;
  /// Awaiting it suspends the machine at `op`.
  struct Meet {
    Machine& machine;
    const Op& op;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) noexcept {
      machine.waiting_ = handle;
      machine.waiting_at_ = &op;
    }
    void await_resume() const noexcept {}
  };

  [[nodiscard]] const TensorPtr& at(ValueId v) const { return values_[v.index()]; }
  void set(ValueId v, TensorPtr t) { values_[v.index()] = std::move(t); }
  void set(const std::vector<ValueId>& to, std::vector<Tensor> results);
  [[nodiscard]] std::vector<const Tensor*> operands(const Op& op) const;
  /// Rethrows the exception with which the task ended, if any.
  void rethrow_failure() const {
    if (task_->done()) task_->rethrow();
  }

  Task block(const Block& b, std::vector<TensorPtr>& out);
  Task control(const Op& op);
  Task loop(const Op& op);
  Task host(const Op& op);
  Task manual(const Op& op);
  void device_id(const Op& op);
  void slice(const Op& op);

  CompiledMeanings& meanings_;
  Host& host_;
  std::int64_t id_;
  Devices devices_;
  std::vector<TensorPtr> values_;
  std::unordered_map<ValueId, std::int64_t> index_;  ///< the current indices of PartIR:Core loops
  std::vector<TensorPtr> results_;
  std::coroutine_handle<> waiting_;
  const Op* waiting_at_ = nullptr;
  std::unique_ptr<Task> task_;
};

}  // namespace partir
