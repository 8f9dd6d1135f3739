// Small programs, each about one operation: its last one. They are what the tests of the registry and of the evaluator
// enumerate.
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

/// "tensor<4x6xf32>".
std::string tensor_text(const std::vector<std::int64_t>& dims, const std::string& element);
/// A module of one function @main with these arguments ("%x: tensor<f32>, …") that runs the lines.
std::string module_text(const std::string& arguments, const std::string& lines);

/// A module that was read, and its last operation. What is known to be a splat is known as rewrite/state knows it.
class ReadInstance {
 public:
  /// Throws UserError where the text is refused.
  explicit ReadInstance(const std::string& text);
  [[nodiscard]] const OpInstance& op() const { return op_; }
  [[nodiscard]] const Function& function() const { return module_->functions.front(); }

 private:
  std::unique_ptr<Module> module_;
  OpInstance op_;
};

/// Instances of every operation that has a meaning, sizes up to 6: shapes, attributes, element types, known and unknown
/// splats. Deterministic.
const std::vector<Instance>& instances();
std::vector<std::string> families();

}  // namespace partir::testing
