// Declares the operations whose sizes are operands (dynamic_iota, dynamic_pad, …), with static result types. The sizes
// are those of the result type where that determines them, and are read from the operands otherwise.
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {
namespace {

OpDecl dynamic_declaration(const char* name, std::vector<AttrSpec> attributes) {
  OpDecl d;
  d.name = name;
  d.kind = OpDecl::Kind::array;
  d.attributes = std::move(attributes);
  d.covers = all_have_arithmetic;
  d.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  return d;
}

/// Fails unless operand `operand` is a list of integers (label `kind`) with one element for each of `count` dimensions
/// (label `label`).
void require_sizes(const OpInstance& op, std::size_t operand, std::size_t count, const char* kind, const char* label) {
  const TensorType& sizes = *op.operands[operand];
  require(sizes.rank() == 1 && (is_integer(sizes.element) || sizes.element == ElementType::index), op, kind,
          "a list of integers", sizes.str());
  require(sizes.dims[0] == static_cast<std::int64_t>(count), op, label,
          fmt::format("an integer for each of {} dimensions", count), sizes.str());
}

/// Returns the operation as an instance of its static form `name`, whose sizes are attributes or given by the result's
/// type. Only the first `operands` operands are kept.
OpInstance static_form(const OpInstance& op, const char* name, std::size_t operands) {
  OpInstance out = op;
  out.decl = find_decl(name);
  out.operands.resize(operands);
  out.splats.clear();
  return out;
}

OpInstance as_iota(const OpInstance& op) { return static_form(op, "stablehlo.iota", 0); }
OpInstance as_broadcast(const OpInstance& op) { return static_form(op, "stablehlo.broadcast_in_dim", 1); }
OpInstance as_reshape(const OpInstance& op) { return static_form(op, "stablehlo.reshape", 1); }
OpInstance as_gather(const OpInstance& op) {
  OpInstance out = static_form(op, "stablehlo.gather", 2);
  IntsAttr sizes;
  for (const std::int64_t d : op.operands[0]->dims) sizes.values.push_back(std::min<std::int64_t>(d, 1));
  const auto& offset = op.ints("offset_dims");
  std::size_t next = 0;
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    const auto v = static_cast<std::int64_t>(k);
    if (contains(op.ints("collapsed_slice_dims"), v) || contains(op.ints("operand_batching_dims"), v)) continue;
    if (next < offset.size() && in_range({offset[next]}, op.results[0].rank()))  // otherwise C1 or C5 fails
      sizes.values[k] = op.results[0]->dims[at(offset[next])];
    ++next;
  }
  set(out.attributes, "slice_sizes", {std::move(sizes)});
  return out;
}

/// Checks the attributes that state which dimensions are known to expand; the static form has none of them.
void require_known(const OpInstance& op) {
  const auto& expanding = op.ints("known_expanding_dimensions");
  const auto& others = op.ints("known_nonexpanding_dimensions");
  const std::size_t rank = op.operands[0].rank();
  require(is_unique(joined(expanding, others)), op, "C8", "each dimension once among those known",
          ints_text(joined(expanding, others)));
  require(in_range(expanding, rank), op, "C9", "0 <= known_expanding_dimensions < rank", ints_text(expanding));
  require(in_range(others, rank), op, "C10", "0 <= known_nonexpanding_dimensions < rank", ints_text(others));
}

/// The operand that holds the sizes, and the labels of the constraints on its type and on its length.
struct Sizes {
  std::size_t operand;
  const char* kind;
  const char* count;
};
constexpr Sizes kIotaSizes = {0, "I1", "C2"};
constexpr Sizes kBroadcastSizes = {1, "I2", "C7"};
constexpr Sizes kReshapeSizes = {1, "I2", "C4"};
constexpr Sizes kGatherSizes = {2, "I3", "C11"};

/// Sets `verify` and `meaning` to those of the static form; the last operand holds the sizes. Constraints that both
/// forms have are reported with the labels of the dynamic one (gather.cpp translates those whose numbers differ).
template <OpInstance (*form)(const OpInstance&), const Sizes& sizes>
void use_static_form(OpDecl& d) {
  d.verify = [](const OpInstance& op) {
    require_arity(op, sizes.operand + 1);
    const bool gathers = op.decl->name == "stablehlo.dynamic_gather";
    require_sizes(op, sizes.operand, gathers ? op.operands[0].rank() : op.results[0].rank(), sizes.kind, sizes.count);
    if (op.decl->name == "stablehlo.dynamic_broadcast_in_dim") require_known(op);
    OpInstance fixed = form(op);
    const auto verify = fixed.decl->verify;
    fixed.decl = op.decl;
    verify(fixed);
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const OpInstance fixed = form(op);
    fixed.decl->meaning(fixed, b);
  };
}

/// Like pad, with low, high and interior padding as operands 2, 3 and 4.
OpDecl dynamic_pad() {
  OpDecl d = dynamic_declaration("stablehlo.dynamic_pad", {});
  d.verify = [](const OpInstance& op) {
    require_arity(op, 5);
    const TensorType& x = *op.operands[0];
    require(op.operands[1].rank() == 0, op, "I2", "a padding value of rank 0", op.operands[1].str());
    require(x.element == op.operands[1]->element && x.element == op.results[0]->element, op, "C1", "one element type");
    require_sizes(op, 2, x.rank(), "I3", "C2");
    require_sizes(op, 3, x.rank(), "I4", "C2");
    require_sizes(op, 4, x.rank(), "I5", "C2");
    require(op.results[0].rank() == x.rank(), op, "C4", "a result of the operand's rank", op.results[0].str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    std::vector<Index> from;
    std::vector<Guard> inside;
    for (std::size_t k = 0; k < i.size(); ++k) {
      const Index at = b.constant(static_cast<std::int64_t>(k));
      const Index step = b.binary(IndexTerm::Kind::max, b.read_index(4, {at}) + 1, b.constant(1));
      const Index shifted = i[k] - b.read_index(2, {at});
      from.push_back(b.binary(IndexTerm::Kind::floor_div, shifted, step));
      inside.push_back(zero(b.binary(IndexTerm::Kind::mod, shifted, step)));
      inside.push_back(non_negative(shifted));
      inside.push_back(non_negative(b.constant(op.operands[0]->dims[k] - 1) - from.back()));
    }
    b.define(0, b.guarded(inside, b.read(0, from), b.read(1, {})));
  };
  return d;
}

/// out[i] = operand[start + i * stride]; start, limit and strides are operands 1, 2 and 3.
OpDecl real_dynamic_slice() {
  OpDecl d = dynamic_declaration("stablehlo.real_dynamic_slice", {});
  d.verify = [](const OpInstance& op) {
    require_arity(op, 4);
    require_sizes(op, 1, op.operands[0].rank(), "I2", "C2");
    require_sizes(op, 2, op.operands[0].rank(), "I3", "C2");
    require_sizes(op, 3, op.operands[0].rank(), "I4", "C2");
    require(op.results[0].rank() == op.operands[0].rank() && op.results[0]->element == op.operands[0]->element, op,
            "C1", "a result of the operand's rank and element type", op.results[0].str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    std::vector<Index> from;
    for (std::size_t k = 0; k < i.size(); ++k) {
      const Index at = b.constant(static_cast<std::int64_t>(k));
      from.push_back(clamp(b.read_index(1, {at}) + i[k] * b.read_index(3, {at}), 0, op.operands[0]->dims[k] - 1));
    }
    b.define(0, b.read(0, from));
  };
  return d;
}

OpDecl get_dimension_size() {
  OpDecl d = dynamic_declaration("stablehlo.get_dimension_size", {integer_attr("dimension", "dim")});
  d.verify = [](const OpInstance& op) {
    require_arity(op, 1);
    const std::int64_t dimension = op.integer("dimension", -1);
    require(in_range({dimension}, op.operands[0].rank()), op, "C1", "0 <= dimension < rank",
            fmt::format("dimension {} of {}", dimension, op.operands[0].str()));
    require(op.results[0] == TensorType{ElementType::i32, {}}, op, "type", "tensor<i32>", op.results[0].str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    b.result();
    b.define(0, b.from_index(b.constant(op.operands[0]->dims[at(op.integer("dimension"))]), op.results[0]->element));
  };
  return d;
}

}  // namespace

std::vector<OpDecl> dynamic_forms() {
  OpDecl iota_form = dynamic_declaration("stablehlo.dynamic_iota", {integer_attr("iota_dimension", "dim")});
  use_static_form<as_iota, kIotaSizes>(iota_form);
  OpDecl broadcast = dynamic_declaration(
      "stablehlo.dynamic_broadcast_in_dim",
      {ints_attr("broadcast_dimensions", "dims"), ints_attr("known_expanding_dimensions", "", false),
       ints_attr("known_nonexpanding_dimensions", "", false)});
  use_static_form<as_broadcast, kBroadcastSizes>(broadcast);
  OpDecl reshaped = dynamic_declaration("stablehlo.dynamic_reshape", {});
  use_static_form<as_reshape, kReshapeSizes>(reshaped);
  OpDecl gathered = gather();
  gathered.name = "stablehlo.dynamic_gather";
  gathered.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && (op.operands[0]->elements() != 0 || op.results[0]->elements() == 0);
  };
  gathered.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  gathered.localize = nullptr;
  gathered.by_offsets = nullptr;
  gathered.padded = nullptr;
  std::erase_if(gathered.attributes, [](const AttrSpec& a) { return a.name == "slice_sizes"; });
  use_static_form<as_gather, kGatherSizes>(gathered);
  return {iota_form,           broadcast, reshaped, gathered, dynamic_pad(), dynamic_conv(), real_dynamic_slice(),
          get_dimension_size()};
}

}  // namespace partir::ops
