// dynamic_slice: out[i] = operand[clamp(start, 0, size - slice size) + i] (specification, "dynamic_slice").
// dynamic_update_slice: out[i] = update[i - start] inside the clamped window, else operand[i].
#include "ir/ops/common.h"
#include "ir/ops/offsets.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"

namespace partir::ops {
namespace {

/// Fails unless the operands from `first` on are scalar integers (label `kind`) of one type (label `same`).
void verify_starts(const OpInstance& op, std::size_t first, std::string_view kind, std::string_view same) {
  for (std::size_t k = first; k < op.operands.size(); ++k) {
    require(op.operands[k].rank() == 0 && is_integer(op.operands[k]->element), op, kind,
            "start indices of integer type and rank 0");
    require(op.operands[k] == op.operands[first], op, same, "start indices of one type");
  }
}

}  // namespace

OpDecl dynamic_slice() {
  OpDecl d;
  d.name = "stablehlo.dynamic_slice";
  d.kind = OpDecl::Kind::array;
  d.traits = {.cuts = true};
  d.attributes = {ints_attr("slice_sizes", "sizes")};
  d.verify = [](const OpInstance& op) {
    require(!op.operands.empty() && op.results.size() == 1, op, "arity",
            "an operand, its start indices and one result");
    const TensorType& x = *op.operands[0];
    const auto& sizes = op.ints("slice_sizes");
    require(x.element == op.results[0]->element, op, "C1", "a result of the operand's element type");
    require(op.operands.size() == x.rank() + 1 && sizes.size() == x.rank(), op, "C2",
            "a start and a size for each dimension");
    verify_starts(op, 1, "I2", "C3");
    for (std::size_t k = 0; k < x.rank(); ++k) {
      require(sizes[k] >= 0 && sizes[k] <= x.dims[k], op, "C4", "0 <= slice_sizes <= sizes");
    }
    require(op.results[0]->dims == sizes, op, "C5", "a result of slice_sizes");
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    std::vector<Index> from = b.result();
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::int64_t slack = op.operands[0]->dims[k] - op.results[0]->dims[k];
      if (slack != 0) from[k] = clamp(b.read_index(k + 1, {}), 0, slack) + from[k];
    }
    b.define(0, b.read(0, from));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (op.operands[0]->dims[k] != op.results[0]->dims[k]) continue;
      Entry entry{std::vector<Action>(op.operands.size()), {Action::tile(k)}};
      entry.operands[0] = Action::tile(k);
      out.push_back(std::move(entry));
    }
    index_only_entries(op, {0}, out);
    return out;
  };
  d.localize = [](const OpInstance&, const Entry&, OpInstance& local) {
    set(local.attributes, "slice_sizes", {IntsAttr{local.results[0]->dims}});
    return true;
  };
  d.by_offsets = slice_by_sum;
  d.padded = dynamic_slice_of_padded;
  return d;
}

OpDecl dynamic_update_slice() {
  OpDecl d;
  d.name = "stablehlo.dynamic_update_slice";
  d.kind = OpDecl::Kind::array;
  d.traits = {.update = 1};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() >= 2 && op.results.size() == 1, op, "arity",
            "an operand, an update, starts and one result");
    const TensorType& x = *op.operands[0];
    const TensorType& update = *op.operands[1];
    require(x == op.results[0], op, "C1", "a result of the operand's type");
    require(x.element == update.element, op, "C2", "an update of the operand's element type");
    require(x.rank() == update.rank(), op, "C3", "an update of the operand's rank");
    require(op.operands.size() == x.rank() + 2, op, "C4", "a start for each dimension");
    verify_starts(op, 2, "I3", "C5");
    for (std::size_t k = 0; k < x.rank(); ++k) {
      require(update.dims[k] <= x.dims[k], op, "C6", "an update no larger than the operand");
    }
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    std::vector<Index> from;
    std::vector<Guard> inside;
    for (std::size_t k = 0; k < i.size(); ++k) {
      const std::int64_t size = op.operands[1]->dims[k];
      const std::int64_t slack = op.operands[0]->dims[k] - size;
      if (slack == 0) {
        from.push_back(i[k]);
        continue;
      }
      from.push_back(i[k] - clamp(b.read_index(k + 2, {}), 0, slack));
      inside.push_back(non_negative(from.back()));
      inside.push_back(non_negative(b.constant(size - 1) - from.back()));
    }
    const Term update = b.read(1, from);
    b.define(0, inside.empty() ? update : b.guarded(inside, update, b.read(0, i)));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (op.operands[0]->dims[k] != op.operands[1]->dims[k]) continue;
      Entry entry{std::vector<Action>(op.operands.size()), {Action::tile(k)}};
      entry.operands[0] = entry.operands[1] = Action::tile(k);
      out.push_back(std::move(entry));
    }
    index_only_entries(op, {0, 1}, out);
    return out;
  };
  d.by_offsets = update_by_mask;
  d.padded = update_of_padded;
  return d;
}

}  // namespace partir::ops
