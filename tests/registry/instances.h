// Small programs whose last operation is the one under test. The tests of the registry and of the evaluator enumerate
// them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/op_decl.h"
#include "ir/program.h"

namespace partir::testing {

struct Instance {
  std::string family;  ///< an identifier, for names of tests: "dot_general"
  std::string text;    ///< a module whose @main returns nothing
};

/// Returns "tensor<4x6xf32>".
std::string tensor_text(const std::vector<std::int64_t>& dims, const std::string& element);
/// Returns a module with one function @main, which has these arguments ("%x: tensor<f32>, …") and runs the lines.
std::string module_text(const std::string& arguments, const std::string& lines);

/// A module that was read, and its last operation. Operands known to be splats are known as in rewrite/state.
class ReadInstance {
 public:
  /// Throws UserError if the text is refused.
  explicit ReadInstance(const std::string& text);
  [[nodiscard]] const OpInstance& op() const { return op_; }
  [[nodiscard]] const Function& function() const { return module_->functions.front(); }

 private:
  std::unique_ptr<Module> module_;
  OpInstance op_;
};

/// Returns instances of every operation that has a meaning, with sizes up to 6, over shapes, attributes, element types
/// and known or unknown splats. The list is deterministic.
const std::vector<Instance>& instances();
std::vector<std::string> families();

}  // namespace partir::testing
