// Diagnostics for wrong input. A diagnostic states the place, what was found, and what was expected.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tl/expected.hpp>

namespace partir {

/// A position in a text; lines and columns are numbered from 1. Line 0 denotes the entire file, column 0 the entire
/// line.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// "12:7", or "12" where the column is 0.
  [[nodiscard]] std::string text() const;
};

/// A user error. `code` is a stable label such as "dot_general (C10)" or "parse".
struct Diagnostic {
  std::string code;
  std::string file;
  Place place;
  std::string found;
  std::string wanted;

  /// "file:line:column: error [code]: found X; wanted Y".
  [[nodiscard]] std::string text() const;
};

/// Carries a Diagnostic out of deeply nested code such as parsers. Public functions return Result instead.
class UserError : public std::runtime_error {
 public:
  explicit UserError(Diagnostic diagnostic);
  [[nodiscard]] const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

template <class T>
using Result = tl::expected<T, Diagnostic>;

/// Throws a UserError without a file name, which the caller adds.
[[noreturn]] void fail(std::string code, Place place, std::string found, std::string wanted);

/// Returns the value, or throws a UserError with the diagnostic.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw UserError(std::move(result.error()));
  return std::move(*result);
}

}  // namespace partir
