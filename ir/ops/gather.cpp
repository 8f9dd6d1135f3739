// gather: out[batch, offset] = operand[clamp(start_indices[batch]) + offset] (specification, "gather").
#include "ir/ops/common.h"
#include "ir/ops/offsets.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"

namespace partir::ops {
namespace {

/// The dimension numbers, and the dimensions derived from them.
struct GatherNumbers {
  const std::vector<std::int64_t>& offset_dims;
  const std::vector<std::int64_t>& collapsed;
  const std::vector<std::int64_t>& operand_batching;
  const std::vector<std::int64_t>& indices_batching;
  const std::vector<std::int64_t>& start_index_map;
  std::int64_t index_vector_dim;
  const std::vector<std::int64_t>& slice_sizes;
  std::vector<Dim> batch_dims;      ///< batch dimensions of the result, in order
  std::vector<Dim> indices_dims;    ///< the dimensions of start_indices that these come from
  std::vector<Dim> offset_operand;  ///< the operand dimension of each offset dimension

  explicit GatherNumbers(const OpInstance& op)
      : offset_dims(op.ints("offset_dims")),
        collapsed(op.ints("collapsed_slice_dims")),
        operand_batching(op.ints("operand_batching_dims")),
        indices_batching(op.ints("start_indices_batching_dims")),
        start_index_map(op.ints("start_index_map")),
        index_vector_dim(op.integer("index_vector_dim")),
        slice_sizes(op.ints("slice_sizes")) {
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      if (!contains(offset_dims, static_cast<std::int64_t>(k))) batch_dims.push_back(k);
    }
    for (Dim k = 0; k < op.operands[1].rank(); ++k) {
      if (static_cast<std::int64_t>(k) != index_vector_dim) indices_dims.push_back(k);
    }
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      const auto v = static_cast<std::int64_t>(k);
      if (!contains(collapsed, v) && !contains(operand_batching, v)) offset_operand.push_back(k);
    }
  }

  /// Returns the position in indices_dims of a dimension of start_indices.
  [[nodiscard]] std::size_t batch_position(std::int64_t indices_dim) const {
    return at(indices_dim) - (indices_dim > index_vector_dim ? 1 : 0);
  }
};

/// Translates the label of a constraint of gather to that of dynamic_gather, which numbers its constraints differently.
/// The specification of dynamic_gather has no batching dimensions, so constraints on them are labelled "batching".
std::string_view dynamic_label(std::string_view label) {
  struct Row {
    std::string_view of_gather;
    std::string_view of_dynamic;
  };
  static constexpr Row kRows[] = {{"C7", "C6"},   {"C8", "C7"},   {"C9", "C8"},   {"C18", "C9"}, {"C19", "C10"},
                                  {"C20", "C11"}, {"C21", "C12"}, {"C22", "C13"}, {"C23", "C14"}};
  for (const Row& row : kRows) {
    if (row.of_gather == label) return row.of_dynamic;
  }
  return label.starts_with("C1") && label.size() == 3 ? "batching" : label;
}

void verify_gather(const OpInstance& op) {
  const bool dynamic = op.decl->name == "stablehlo.dynamic_gather";
  const auto must = [&](bool condition, std::string_view label, std::string_view wanted) {
    require(condition, op, dynamic ? dynamic_label(label) : label, wanted);
  };
  must(op.operands.size() == 2 && op.results.size() == 1, "arity", "an operand, indices and one result");
  const TensorType& x = *op.operands[0];
  const TensorType& s = *op.operands[1];
  const TensorType& out = *op.results[0];
  const auto& offset = op.ints("offset_dims");
  const auto& collapsed = op.ints("collapsed_slice_dims");
  const auto& ob = op.ints("operand_batching_dims");
  const auto& sb = op.ints("start_indices_batching_dims");
  const auto& map = op.ints("start_index_map");
  const auto& sizes = op.ints("slice_sizes");
  const std::int64_t vector = op.integer("index_vector_dim");
  must(is_integer(s.element), "I2", "integer indices");
  must(x.rank() == offset.size() + collapsed.size() + ob.size(), "C1",
       "offset, collapsed and batching dims for the rank");
  must(vector >= 0 && vector <= static_cast<std::int64_t>(s.rank()), "C2", "0 <= index_vector_dim <= rank of indices");
  must(static_cast<std::int64_t>(map.size()) == (at(vector) < s.rank() ? s.dims[at(vector)] : 1), "C3",
       "a start_index_map for each index");
  must(is_unique(offset) && is_sorted(offset), "C4", "sorted, distinct offset_dims");
  must(in_range(offset, out.rank()), "C5", "0 <= offset_dims < rank of the result");
  must(is_unique(joined(collapsed, ob)), "C6", "distinct collapsed and batching dims");
  must(is_sorted(collapsed), "C7", "sorted collapsed_slice_dims");
  must(in_range(collapsed, x.rank()), "C8", "0 <= collapsed_slice_dims < rank");
  must(is_sorted(ob), "C10", "sorted operand_batching_dims");
  must(in_range(ob, x.rank()), "C11", "0 <= operand_batching_dims < rank");
  must(sizes.size() == x.rank(), "C20", "a slice size for each dimension");
  for (const std::int64_t k : collapsed) must(sizes[at(k)] <= 1, "C9", "slice sizes of at most 1 where collapsed");
  for (const std::int64_t k : ob) must(sizes[at(k)] <= 1, "C12", "slice sizes of at most 1 where batching");
  must(is_unique(sb), "C13", "distinct start_indices_batching_dims");
  must(in_range(sb, s.rank()), "C14", "0 <= start_indices_batching_dims < rank of indices");
  must(!contains(sb, vector), "C15", "index_vector_dim not among the batching dims");
  must(ob.size() == sb.size(), "C16", "as many batching dims on both sides");
  for (std::size_t k = 0; k < ob.size(); ++k)
    must(x.dims[at(ob[k])] == s.dims[at(sb[k])], "C17", "batching dims of equal sizes");
  must(is_unique(joined(map, ob)), "C18", "distinct mapped and batching dims");
  must(in_range(map, x.rank()), "C19", "0 <= start_index_map < rank");
  for (std::size_t k = 0; k < sizes.size(); ++k)
    must(sizes[k] >= 0 && sizes[k] <= x.dims[k], "C21", "0 <= slice_sizes <= sizes");
  const GatherNumbers n(op);
  must(out.rank() == n.indices_dims.size() + offset.size(), "C22", "batch and offset dimensions");
  for (std::size_t k = 0; k < n.batch_dims.size(); ++k) {
    must(out.dims[n.batch_dims[k]] == s.dims[n.indices_dims[k]], "C22", "batch sizes of the indices");
  }
  for (std::size_t k = 0; k < offset.size(); ++k) {
    must(out.dims[at(offset[k])] == sizes[n.offset_operand[k]], "C22", "offset sizes of slice_sizes");
  }
  must(x.element == out.element, "C23", "a result of the operand's element type");
}

void gather_meaning(const OpInstance& op, MeaningBuilder& b) {
  const auto i = b.result();
  const GatherNumbers n(op);
  std::vector<Index> batch(op.operands[1].rank());
  for (std::size_t k = 0; k < n.batch_dims.size(); ++k) batch[n.indices_dims[k]] = i[n.batch_dims[k]];
  std::vector<Index> from(op.operands[0].rank(), b.constant(0));
  for (std::size_t k = 0; k < n.offset_dims.size(); ++k) from[n.offset_operand[k]] = i[at(n.offset_dims[k])];
  for (std::size_t k = 0; k < n.start_index_map.size(); ++k) {
    const Dim dim = at(n.start_index_map[k]);
    if (at(n.index_vector_dim) < batch.size()) batch[at(n.index_vector_dim)] = b.constant(static_cast<std::int64_t>(k));
    const std::int64_t slack = op.operands[0]->dims[dim] - n.slice_sizes[dim];
    if (slack != 0) from[dim] = clamp(b.read_index(1, batch), 0, slack) + from[dim];
  }
  for (std::size_t k = 0; k < n.operand_batching.size(); ++k) {
    from[at(n.operand_batching[k])] = i[n.batch_dims[n.batch_position(n.indices_batching[k])]];
  }
  b.define(0, b.read(0, from));
}

std::vector<Entry> gather_entries(const OpInstance& op) {
  std::vector<Entry> out;
  const GatherNumbers n(op);
  for (std::size_t k = 0; k < n.offset_dims.size(); ++k) {
    const Dim dim = n.offset_operand[k];
    // A window as large as the dimension always starts at 0 after clamping.
    if (n.slice_sizes[dim] == op.operands[0]->dims[dim]) {
      out.push_back({{Action::tile(dim), Action::any()}, {Action::tile(at(n.offset_dims[k]))}});
    }
  }
  for (std::size_t k = 0; k < n.batch_dims.size(); ++k) {
    Action operand = Action::any();
    for (std::size_t j = 0; j < n.operand_batching.size(); ++j) {
      if (at(n.indices_batching[j]) == n.indices_dims[k]) operand = Action::tile(at(n.operand_batching[j]));
    }
    out.push_back({{operand, Action::tile(n.indices_dims[k])}, {Action::tile(n.batch_dims[k])}});
  }
  index_only_entries(op, {0}, out);
  return out;
}

}  // namespace

OpDecl gather() {
  using Kind = AttrSpec::Kind;
  OpDecl d;
  d.name = "stablehlo.gather";
  d.kind = OpDecl::Kind::array;
  d.traits = {.looks_up = true, .indices = 1};
  d.generic = true;
  for (const char* name : {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                           "start_indices_batching_dims", "start_index_map"}) {
    d.attributes.push_back(field_attr(name, Kind::ints, "dimension_numbers", "#stablehlo.gather"));
  }
  d.attributes.push_back(field_attr("index_vector_dim", Kind::integer, "dimension_numbers", "#stablehlo.gather"));
  d.attributes.push_back(boolean_attr("indices_are_sorted"));
  d.attributes.push_back(ints_attr("slice_sizes"));
  d.verify = verify_gather;
  d.covers = [](const OpInstance& op) {
    // A collapsed slice of size 0 leaves no element to read (C9 allows it).
    const auto& sizes = op.ints("slice_sizes");
    const bool readable = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s > 0; });
    return all_have_arithmetic(op) && (readable || op.results[0]->elements() == 0);
  };
  d.meaning = gather_meaning;
  d.entries = gather_entries;
  d.localize = [](const OpInstance& op, const Entry& entry, OpInstance& local) {
    if (!entry.operands[0].is_tile()) return true;
    const Dim dim = entry.operands[0].dim;
    IntsAttr sizes{op.ints("slice_sizes")};
    std::int64_t& size = sizes.values[dim];  // all of the dimension, unless it is a batching one
    if (!contains(op.ints("operand_batching_dims"), static_cast<std::int64_t>(dim)))
      size = size * local.operands[0]->dims[dim] / op.operands[0]->dims[dim];
    set(local.attributes, "slice_sizes", {std::move(sizes)});
    return true;
  };
  d.by_offsets = lookup_by_blocks;
  d.padded = gather_of_padded;
  return d;
}

}  // namespace partir::ops
