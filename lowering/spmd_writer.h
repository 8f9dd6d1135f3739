// Builder of a device-local program: operations with local types, and the layout of each value.
#pragma once

#include <string_view>
#include <utility>

#include "ir/builder.h"
#include "lowering/program.h"

namespace partir {

class SpmdWriter {
 public:
  /// Starts an empty program with the function's name and attributes.
  SpmdWriter(const Function& source, const Mesh& mesh);

  [[nodiscard]] SpmdProgram& program() { return program_; }
  [[nodiscard]] const Mesh& mesh() const { return program_.mesh; }
  Builder& builder() { return builder_; }

  ValueId add_value(Type local, const SharedLayout& type);
  ValueId argument(Type local, const SharedLayout& type);
  /// Appends an operation with one operand, such as "spmd.all_gather".
  ValueId convert(std::string_view name, ValueId x, const AttributeList& attributes, Type local,
                  const SharedLayout& type);

 private:
  SpmdProgram program_;
  Builder builder_;
};

/// The "axes" attribute of spmd operations: names of mesh axes, major first.
Attribute axis_names(const std::vector<Axis>& axes, const Mesh& mesh);

}  // namespace partir
