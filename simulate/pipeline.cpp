#include "simulate/pipeline.h"

#include <algorithm>

#include "ir/op_decl.h"

namespace partir {
namespace {

/// Returns the value that `part` was sliced or reshaped from.
ValueId sliced_from(const Block& body, std::size_t before, ValueId part) {
  for (std::size_t i = before; i-- > 0;) {
    const Op& op = body.ops[i];
    const bool makes = std::find(op.results.begin(), op.results.end(), part) != op.results.end();
    if (!makes) continue;
    if (!op.decl->traits.permutes && !op.decl->traits.cuts) return part;
    part = op.operands[0];
  }
  return part;
}

/// Returns the number of elements of the value that `v` becomes after being concatenated with others or selected.
std::int64_t joined_elements(const Function& f, const Block& body, std::size_t position, ValueId v) {
  for (std::size_t i = position + 1; i < body.ops.size(); ++i) {
    const Op& op = body.ops[i];
    if (std::find(op.operands.begin(), op.operands.end(), v) == op.operands.end()) continue;
    const bool joins = op.name() == "stablehlo.concatenate" || op.name() == "stablehlo.select";
    if (!joins && !op.decl->traits.permutes) break;
    v = op.results[0];
  }
  return f.tensor(v).elements();
}

}  // namespace

std::optional<Axis> shifted_axis(const Op& permute, const Mesh& mesh) {
  const Attribute* a = find(permute.attributes, "source_target_pairs");
  const DenseAttr* dense = a != nullptr ? a->as<DenseAttr>() : nullptr;
  if (dense == nullptr || dense->literal->type.rank() != 2 || dense->literal->type.dims[1] != 2) return std::nullopt;
  const Literal& ids = *dense->literal;
  std::optional<Axis> along;
  std::int64_t by = 0;
  const auto device = [&](std::int64_t at) { return DeviceId(static_cast<std::size_t>(ids.as_int(at))); };
  for (std::int64_t p = 0; p < ids.type.dims[0]; ++p) {
    for (std::int64_t k = 0; k < 2; ++k) {
      if (ids.as_int(2 * p + k) < 0 || ids.as_int(2 * p + k) >= mesh.devices()) return std::nullopt;
    }
    for (std::size_t i = 0; i < mesh.rank(); ++i) {
      const std::int64_t moved = mesh.coordinate(device(2 * p + 1), Axis(i)) - mesh.coordinate(device(2 * p), Axis(i));
      if (moved == 0) continue;
      if ((along && *along != Axis(i)) || (by != 0 && moved != by) || (moved != 1 && moved != -1)) return std::nullopt;
      along = Axis(i);
      by = moved;
    }
  }
  if (!along) return std::nullopt;
  const std::int64_t lines = mesh.devices() / mesh.size(*along);
  return ids.type.dims[0] == lines * (mesh.size(*along) - 1) ? along : std::nullopt;
}

std::optional<Stages> moved_on(const Op& loop, const Block& body, std::size_t position, const Mesh& mesh,
                               const Function& function) {
  const Op& permute = body.ops[position];
  const auto axis = shifted_axis(permute, mesh);
  if (!axis) return std::nullopt;
  const TensorType& moved = function.tensor(permute.operands[0]);
  const std::int64_t state = function.tensor(sliced_from(body, position, permute.operands[0])).elements();
  if (moved.elements() == 0 || state % moved.elements() != 0) return std::nullopt;
  if (joined_elements(function, body, position, permute.results[0]) != state) return std::nullopt;
  const bool carried = std::any_of(loop.operands.begin(), loop.operands.end(), [&](ValueId v) {
    const Type& t = function.type(v);
    return t.is_tensor() && t->element == moved.element && t->elements() == state;
  });
  if (!carried) return std::nullopt;
  return Stages{*axis, mesh.size(*axis) * (state / moved.elements())};
}

}  // namespace partir
