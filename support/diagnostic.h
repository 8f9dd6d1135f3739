// What a user is told when input is wrong: where, what was found, what would be right.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tl/expected.hpp>

namespace partir {

/// A place in a text; line and column count from 1. Line 0 means "the file as a whole", column 0 "the line as a whole".
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// "12:7", or "12" where the column is 0.
  [[nodiscard]] std::string text() const;
};

/// One user error. `code` is a stable label such as "dot_general (C10)" or "parse".
struct Diagnostic {
  std::string code;
  std::string file;
  Place place;
  std::string found;
  std::string wanted;

  /// "file:line:column: error [code]: found X; wanted Y".
  [[nodiscard]] std::string text() const;
};

/// Carries a Diagnostic out of deeply nested code (readers); public functions return Result instead.
class UserError : public std::runtime_error {
 public:
  explicit UserError(Diagnostic diagnostic);
  [[nodiscard]] const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

template <class T>
using Result = tl::expected<T, Diagnostic>;

[[noreturn]] void fail(std::string code, Place place, std::string found, std::string wanted);

/// The value, or a UserError with the diagnostic.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw UserError(std::move(result.error()));
  return std::move(*result);
}

}  // namespace partir
