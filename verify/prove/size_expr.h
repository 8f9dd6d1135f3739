// Sizes as expressions of symbols, "2*M+1", and conditions on them, "M % 2 == 0".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partir::prove {

using Sizes = std::map<std::string, std::int64_t>;

/// Sums, differences, products, quotients rounded down and remainders of numbers and symbols.
class SizeExpr {
 public:
  enum class Kind : std::uint8_t { number, symbol, negate, add, subtract, multiply, divide, remainder };

  /// Nothing where the text is no such expression.
  static std::optional<SizeExpr> parse(std::string_view text);
  /// The longest expression on numbers and these symbols that begins at `at`, which moves behind it; nothing, and `at`
  /// as before, where there is none.
  static std::optional<SizeExpr> parse_prefix(std::string_view text, std::size_t& at,
                                              const std::vector<std::string>& symbols);

  /// The value; nothing where a symbol has no size, a divisor is not positive or 64 bits do not hold it.
  [[nodiscard]] std::optional<std::int64_t> at(const Sizes& sizes) const;
  /// Adds the symbols that are not among `into` yet, in order of their first occurrence.
  void add_symbols(std::vector<std::string>& into) const;
  [[nodiscard]] bool has_symbols() const;

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(std::string_view symbol) const { return kind_ == Kind::symbol && symbol_ == symbol; }
  [[nodiscard]] bool is(std::int64_t number) const { return kind_ == Kind::number && number_ == number; }
  [[nodiscard]] const std::string& symbol() const { return symbol_; }  ///< of one that is a symbol
  [[nodiscard]] std::int64_t number() const { return number_; }        ///< of one that is a number
  [[nodiscard]] const std::vector<SizeExpr>& operands() const { return operands_; }

 private:
  class Parser;

  Kind kind_ = Kind::number;
  std::int64_t number_ = 0;
  std::string symbol_;
  std::vector<SizeExpr> operands_;
};

/// A comparison of sizes.
struct Condition {
  enum class Comparison : std::uint8_t { eq, ne, le, ge, lt, gt };

  SizeExpr left;
  Comparison comparison = Comparison::eq;
  SizeExpr right;

  /// Nothing where the text is none.
  static std::optional<Condition> parse(std::string_view text);

  /// False where a side has no value.
  [[nodiscard]] bool holds(const Sizes& sizes) const;
  /// The other symbol in "M == N"; null where this is no equation of this symbol and another one.
  [[nodiscard]] const std::string* equal_symbol(std::string_view symbol) const;
  /// The number in "M == 8".
  [[nodiscard]] std::optional<std::int64_t> equal_number(std::string_view symbol) const;
  /// The number in "M % 2 == 0".
  [[nodiscard]] std::optional<std::int64_t> divisor(std::string_view symbol) const;
};

/// A letter, a digit or "_".
bool is_word(char c);

}  // namespace partir::prove
