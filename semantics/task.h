// The coroutine type of the interpreter: a task runs a part of a program and can suspend to wait for other devices.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace partir {

/// A lazy task: awaiting it runs it, and the awaiting coroutine continues when it is done. A task that never suspends
/// runs like a call, so that loops need no stack even if the compiler does not implement symmetric transfer by tail
/// calls.
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> continuation;
    std::exception_ptr error;

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        const auto next = done.promise().continuation;
        return next ? next : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> waiter) noexcept { handle_.promise().continuation = waiter; }
  void await_resume() const {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
  }

  /// Runs the outermost task until it is done or suspends.
  void start() { handle_.resume(); }
  [[nodiscard]] bool done() const { return handle_.done(); }
  void rethrow() const { await_resume(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace partir
