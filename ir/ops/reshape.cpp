// reshape: keeps the row-major order of elements (specification, "reshape").
//
// The dimensions of operand and result are partitioned into the smallest groups of neighbouring dimensions with equal
// products. Indices are computed group by group, so that an unchanged dimension keeps its index. Example: [2, 3, 4] to
// [6, 4] has the groups {0, 1} to {0} and {2} to {1}.
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "support/check.h"

namespace partir::ops {
namespace {

/// Neighbouring dimensions of the operand and of the result with equal products.
struct Group {
  std::vector<Dim> from;
  std::vector<Dim> to;
};

std::vector<Group> dimension_groups(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  std::vector<Group> out;
  const bool empty = std::find(from.begin(), from.end(), 0) != from.end();
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < from.size() || j < to.size()) {
    Group g;
    std::int64_t p = 1;
    std::int64_t q = 1;
    const auto take = [](const std::vector<std::int64_t>& sizes, Dim& next, std::int64_t& product,
                         std::vector<Dim>& dims) {
      PARTIR_CHECK(next < sizes.size(), "a reshape between different numbers of elements");
      product *= sizes[next];
      dims.push_back(next++);
    };
    const auto take_from = [&] { take(from, i, p, g.from); };
    const auto take_to = [&] { take(to, j, q, g.to); };
    if (empty) {
      while (i < from.size()) take_from();
      while (j < to.size()) take_to();
    } else {
      if (i < from.size()) take_from();
      if (j < to.size()) take_to();
      while (p != q) {
        if (p < q) {
          take_from();
        } else {
          take_to();
        }
      }
      // A following unit dimension belongs to this group unless the other side has a unit dimension there, too.
      while (i < from.size() && from[i] == 1 && (j == to.size() || to[j] != 1)) take_from();
      while (j < to.size() && to[j] == 1 && (i == from.size() || from[i] != 1)) take_to();
    }
    out.push_back(std::move(g));
  }
  return out;
}

/// Returns the first dimension of the list that is not of size 1; nothing if there is none.
std::optional<Dim> major(const std::vector<Dim>& dims, const std::vector<std::int64_t>& sizes) {
  for (const Dim d : dims) {
    if (sizes[d] != 1) return d;
  }
  return std::nullopt;
}

}  // namespace

OpDecl reshape() {
  OpDecl d;
  d.name = "stablehlo.reshape";
  d.kind = OpDecl::Kind::array;
  d.traits = {.rearranges = true, .permutes = true};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    require(op.operands[0]->element == op.results[0]->element, op, "C1", "a result of the operand's element type");
    require(op.operands[0]->elements() == op.results[0]->elements(), op, "C2", "as many elements as the operand");
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const auto& from = op.operands[0]->dims;
    const auto& to = op.results[0]->dims;
    std::vector<Index> at_operand(from.size());
    for (const Group& g : dimension_groups(from, to)) {
      Index linear = b.constant(0);
      for (const Dim j : g.to) {
        if (to[j] != 1) linear = linear * to[j] + i[j];
      }
      std::int64_t below = 1;
      const auto first = major(g.from, from);
      for (std::size_t k = g.from.size(); k-- > 0;) {
        const Dim dim = g.from[k];
        if (from[dim] <= 1) {
          at_operand[dim] = b.constant(0);
          continue;
        }
        const Index quotient = floor_div(linear, below);
        at_operand[dim] = first == dim ? quotient : mod(quotient, from[dim]);
        below *= from[dim];
      }
    }
    b.define(0, b.read(0, at_operand));
  };
  // Chunks of the major dimension of a group are contiguous in the operand and in the result.
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (const Group& g : dimension_groups(op.operands[0]->dims, op.results[0]->dims)) {
      const auto x = major(g.from, op.operands[0]->dims);
      const auto y = major(g.to, op.results[0]->dims);
      if (x && y) out.push_back({{Action::tile(*x)}, {Action::tile(*y)}});
    }
    index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
