#include "lowering/spmd_writer.h"

namespace partir {

SpmdWriter::SpmdWriter(const Function& source, const Mesh& mesh) : builder_(program_.function, program_.function.body) {
  program_.mesh = mesh;
  program_.function = signature_of(source);
  program_.source_ops = source.op_ids;
  const std::size_t about = 2 * source.body.ops.size();  // roughly: one conversion for each operation
  program_.function.types.reserve(about);
  program_.function.body.ops.reserve(about);
  program_.layouts.reserve(about);
}

ValueId SpmdWriter::add_value(Type local, const SharedLayout& type) {
  program_.layouts.push_back(type);
  return program_.function.add_value(std::move(local));
}

ValueId SpmdWriter::argument(Type local, const SharedLayout& type) {
  program_.layouts.push_back(type);
  return builder_.argument(std::move(local));
}

ValueId SpmdWriter::convert(std::string_view name, ValueId x, const AttributeList& attributes, Type local,
                            const SharedLayout& type) {
  program_.layouts.push_back(type);
  return builder_.value(name, {x}, attributes, std::move(local));
}

Attribute axis_names(const std::vector<Axis>& axes, const Mesh& mesh) {
  ArrayAttr out;
  for (const Axis a : axes) out.items.push_back({StringAttr{mesh.name(a)}});
  return {std::move(out)};
}

}  // namespace partir
