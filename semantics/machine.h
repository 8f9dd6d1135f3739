// One device's run of a function, as a coroutine that waits at collectives.
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

/// The meanings of the operations of one function, made when first met; shared by all devices.
class CompiledMeanings {
 public:
  CompiledMeanings(const Function& function, const Domain& domain) : function_(function), domain_(domain) {}

  /// Errors: "unsupported".
  /// `pause`: see CompiledMeaning.
  std::vector<Tensor> run(const Op& op, const std::vector<const Tensor*>& operands,
                          const std::function<void()>& pause = nullptr);
  /// What a run of the operation costs (Meaning::steps).
  double steps(const Op& op) { return of(op).steps(); }
  /// The computation of a collective, on whole tensors.
  Tensor fold(const Op& op, const Tensor& a, const Tensor& b);

  [[nodiscard]] const Function& function() const { return function_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }

 private:
  const CompiledMeaning& of(const Op& op);

  const Function& function_;
  const Domain& domain_;
  std::unordered_map<const Op*, CompiledMeaning> meanings_;
  std::map<std::pair<const Op*, std::vector<std::int64_t>>, CompiledMeaning> folds_;  ///< by shape
};

class Machine {
 public:
  Machine(CompiledMeanings& meanings, Host& host, std::int64_t id, const Devices& devices);

  void begin(const std::vector<Tensor>& inputs);
  [[nodiscard]] bool done() const { return task_->done(); }
  /// The collective, or the recv, at which the device waits; null when it is done.
  [[nodiscard]] const Op* waiting_at() const { return waiting_at_; }
  [[nodiscard]] const Tensor& operand(std::size_t number) const { return *at(waiting_at_->operands[number]); }
  /// Goes on with what the collective gave.
  void resume(std::vector<Tensor> received);
  [[nodiscard]] std::vector<Tensor> results() const;
  [[nodiscard]] CompiledMeanings& meanings() const { return meanings_; }

 private:
  using TensorPtr = std::shared_ptr<const Tensor>;
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
  void settle() const {
    if (task_->done()) task_->rethrow();
  }

  Task block(const Block& b, std::vector<TensorPtr>& out);
  Task control(const Op& op);
  Task loop(const Op& op);
  Task host(const Op& op);
  void device_id(const Op& op);
  void slice(const Op& op);

  CompiledMeanings& meanings_;
  Host& host_;
  std::int64_t id_;
  Devices devices_;
  std::vector<TensorPtr> values_;
  std::vector<const Op*> last_use_;  ///< of values of the function's body, the last of its operations that reads them
  std::unordered_map<ValueId, std::int64_t> index_;  ///< of loops
  std::vector<TensorPtr> results_;
  std::coroutine_handle<> waiting_;
  const Op* waiting_at_ = nullptr;
  std::unique_ptr<Task> task_;
};

}  // namespace partir
