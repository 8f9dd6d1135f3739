// Sizes as expressions over symbols, "2*M+1", and conditions on them, "M % 2 == 0". Used in the text of claims
// (claim.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partir::prove {

using Sizes = std::map<std::string, std::int64_t>;

/// A sum, difference, product, quotient (rounded down) or remainder of numbers and symbols.
class SizeExpr {
 public:
  enum class Kind : std::uint8_t { number, symbol, negate, add, subtract, multiply, divide, remainder };

  static constexpr std::size_t kMostDegree = 6;
  /// What is known of a symbol: its value, or a number that divides it.
  struct Known {
    std::optional<std::int64_t> value;
    std::int64_t divisor = 1;
  };

  /// Returns nothing if the text is not such an expression.
  static std::optional<SizeExpr> parse(std::string_view text);
  /// Parses the longest expression over numbers and these symbols that begins at `at`, and moves `at` after it. Returns
  /// nothing and leaves `at` unchanged if there is none.
  static std::optional<SizeExpr> parse_prefix(std::string_view text, std::size_t& at,
                                              const std::vector<std::string>& symbols);

  /// Returns the value; nothing if a symbol has no size, a divisor is not positive, or the value overflows 64 bits.
  [[nodiscard]] std::optional<std::int64_t> at(const Sizes& sizes) const;
  /// Appends the symbols that are not yet in `into`, in order of their first occurrence.
  void add_symbols(std::vector<std::string>& into) const;
  [[nodiscard]] bool has_symbols() const;
  /// Whether the expression is a polynomial of the symbols, of degree kMostDegree at most, with whole coefficients: its
  /// quotients and remainders are of multiples and a constant, as (2 * M + 1) / 2, which is M.
  [[nodiscard]] bool is_polynomial(const std::map<std::string, Known>& known) const;

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(std::string_view symbol) const { return kind_ == Kind::symbol && symbol_ == symbol; }
  [[nodiscard]] bool is(std::int64_t number) const { return kind_ == Kind::number && number_ == number; }
  [[nodiscard]] const std::string& symbol() const { return symbol_; }  ///< requires kind symbol
  [[nodiscard]] std::int64_t number() const { return number_; }        ///< requires kind number
  [[nodiscard]] const std::vector<SizeExpr>& operands() const { return operands_; }

 private:
  class Parser;
  /// Coefficients by symbols, sorted; a symbol stands for its quotient by what divides it.
  using Terms = std::map<std::vector<std::string>, std::int64_t>;
  [[nodiscard]] std::optional<Terms> terms(const std::map<std::string, Known>& known) const;

  Kind kind_ = Kind::number;
  std::int64_t number_ = 0;
  std::string symbol_;
  std::vector<SizeExpr> operands_;
};

/// A comparison of two size expressions.
struct Condition {
  enum class Comparison : std::uint8_t { eq, ne, le, ge, lt, gt };

  SizeExpr left;
  Comparison comparison = Comparison::eq;
  SizeExpr right;

  /// Returns nothing if the text is not a comparison.
  static std::optional<Condition> parse(std::string_view text);

  /// True if the comparison holds; false if a side has no value.
  [[nodiscard]] bool holds(const Sizes& sizes) const;
  /// Returns the other symbol of "M == N"; null if this is not an equation between `symbol` and another symbol.
  [[nodiscard]] const std::string* equal_symbol(std::string_view symbol) const;
  /// Returns the number in "M == 8".
  [[nodiscard]] std::optional<std::int64_t> equal_number(std::string_view symbol) const;
  /// Returns the number in "M % 2 == 0".
  [[nodiscard]] std::optional<std::int64_t> divisor(std::string_view symbol) const;
};

/// True for a letter, a digit or "_".
bool is_word(char c);

}  // namespace partir::prove
