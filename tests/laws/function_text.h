// Builds the text of one StableHLO function, operation by operation, from values of known types. The programs of the
// laws are written with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/action.h"
#include "ir/types.h"

namespace partir::testing {

struct Value {
  std::string name;
  TensorType type;
};

/// An operation without its operands. It is written as `name` %x, %y`rest` : … -> `result`.
struct OpText {
  std::string name;
  std::string rest;
  TensorType result;
};

class FunctionText {
 public:
  Value argument(const TensorType& type);
  Value apply(const OpText& op, const std::vector<Value>& operands);
  /// The result has the first operand's type.
  Value elementwise(const std::string& name, const std::vector<Value>& operands);
  /// Appends a stablehlo.reduce that starts from the monoid's identity, or from the literal `initial`.
  Value reduce(Monoid monoid, const Value& x, Dim dim, const std::string& initial = "");
  Value constant(const TensorType& type, const std::string& value);

  std::string fresh() { return "%v" + std::to_string(next_++); }
  /// Appends a line that the caller wrote, `%v = op`, followed by the types of `operands` and `results`.
  std::vector<Value> line(const std::string& op, const std::vector<Value>& operands,
                          const std::vector<TensorType>& results);
  void append(const std::string& lines) { lines_ += lines; }
  /// Returns the lines so far and removes them from the function.
  std::string take_lines() { return std::exchange(lines_, {}); }

  [[nodiscard]] const std::vector<Value>& arguments() const { return arguments_; }
  [[nodiscard]] std::string returning(const std::vector<Value>& results) const;

 private:
  std::vector<Value> arguments_;
  std::string lines_;
  int next_ = 0;
};

/// Returns the monoid's identity as a literal.
std::string identity_text(Monoid monoid, ElementType element);
std::string names_of(const std::vector<Value>& values);

}  // namespace partir::testing
