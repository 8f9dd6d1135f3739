// Printing modules: StableHLO text that MLIR reads, and PartIR:Core.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace partir {

std::string print_module(const Module& module);
/// One operation on one line (regions follow), values named by number; for messages and tests.
std::string print_op(const Function& function, const Op& op);

namespace text {

/// What the declarations' own forms print with.
class OpPrinter {
 public:
  explicit OpPrinter(std::string& out) : out_(out) {}
  void text(std::string_view s) { out_ += s; }
  [[nodiscard]] std::string value(ValueId value) const;
  [[nodiscard]] std::string values(const std::vector<ValueId>& values) const;
  /// Names a value before use.
  void name(ValueId value, std::string name);
  std::string fresh(ValueId value);
  /// "{…}" of what the declaration does not know, and of `also`; nothing if empty.
  void dictionary(const Op& op, const std::vector<std::string>& hidden = {});
  /// "(t, u) -> t" or "t" as the declaration's form asks.
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
