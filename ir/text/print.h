// Prints modules as StableHLO text that MLIR parses, and as PartIR:Core text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace partir {

std::string print_module(const Module& module);
/// Prints one operation (followed by its regions), with values named by number; for messages and tests.
std::string print_op(const Function& function, const Op& op);

namespace text {

/// The printer of operations, which declarations with a custom form (OpDecl::print) write to.
class OpPrinter {
 public:
  explicit OpPrinter(std::string& out) : out_(out) {}
  void text(std::string_view s) { out_ += s; }
  [[nodiscard]] std::string value(ValueId value) const;
  [[nodiscard]] std::string values(const std::vector<ValueId>& values) const;
  /// Sets the name of a value before it is used.
  void name(ValueId value, std::string name);
  /// Gives a value the next number as its name, and returns the name.
  std::string fresh(ValueId value);
  /// Prints " {…}" with the attributes that are not in the declaration's table, except those in `hidden`. Prints
  /// nothing if there are none.
  void dictionary(const Op& op, const std::vector<std::string>& hidden = {});
  /// Prints " : (t, u) -> t" or " : t", depending on the declaration's TypeForm.
  void types(const Function& function, const Op& op);
  void functional_type(const Function& function, const Op& op);
  void operation(const Function& function, const Op& op);
  void block(const Function& function, const Block& block);
  void region(const Function& function, const Block& block, bool header);
  void newline();
  int indent = 0;

 private:
  void generic(const Function& function, const Op& op);
  void pretty(const Function& function, const Op& op);
  std::string& out_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;
};

}  // namespace text
}  // namespace partir
