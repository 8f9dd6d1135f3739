// A coroutine that runs part of a program and can wait for other devices.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace partir {

/// Lazy; awaiting one runs it and comes back when it is done. One that never waits runs like a call, so that loops take
/// no stack even where a compiler does not make tail calls of what resumes another.
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

  /// Runs from outside until it is done or waits.
  void start() { handle_.resume(); }
  [[nodiscard]] bool done() const { return handle_.done(); }
  void rethrow() const { await_resume(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace partir
