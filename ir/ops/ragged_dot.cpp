// chlo.ragged_dot: a dot whose left side is divided, along its ragged dimension, into groups whose sizes are data
// (chlo, "ragged_dot"). If the ragged dimension is free, the rows of group g are multiplied with matrix g of the right
// side; if it is contracted, result g is the sum over the part of group g.
#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {
namespace {

constexpr const char* kHead = "#chlo.ragged_dot";

/// The dimension numbers; free dimensions are those in none of the lists.
struct RaggedDims {
  std::vector<std::int64_t> lhs_batch, rhs_batch, lhs_contract, rhs_contract, group;
  std::int64_t ragged = 0;
  std::vector<Dim> lhs_free, rhs_free;

  explicit RaggedDims(const OpInstance& op)
      : lhs_batch(op.ints("lhs_batching_dimensions")),
        rhs_batch(op.ints("rhs_batching_dimensions")),
        lhs_contract(op.ints("lhs_contracting_dimensions")),
        rhs_contract(op.ints("rhs_contracting_dimensions")),
        group(op.ints("rhs_group_dimensions")),
        ragged(op.ints("lhs_ragged_dimensions").empty() ? 0 : op.ints("lhs_ragged_dimensions")[0]) {
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (!contains(lhs_batch, static_cast<std::int64_t>(k)) && !contains(lhs_contract, static_cast<std::int64_t>(k)))
        lhs_free.push_back(k);
    }
    for (Dim k = 0; k < op.operands[1].rank(); ++k) {
      const auto v = static_cast<std::int64_t>(k);
      if (!contains(rhs_batch, v) && !contains(rhs_contract, v) && !contains(group, v)) rhs_free.push_back(k);
    }
  }
};

/// The most groups for which there is a meaning; more would make the term too large.
constexpr std::int64_t kMaxGroups = 1024;

/// Returns the sizes of the dimensions along which group sizes may differ: on the left side, the batching dimensions
/// and the dimensions of the same kind as the ragged one (contracting or free), up to the ragged one.
std::vector<std::int64_t> sizes_before(const OpInstance& op, const RaggedDims& n) {
  std::vector<std::int64_t> out;
  const auto append = [&](const std::vector<std::int64_t>& list) {
    for (const std::int64_t k : list) {
      if (k == n.ragged) return;
      out.push_back(op.operands[0]->dims[at(k)]);
    }
  };
  append(n.lhs_batch);
  if (contains(n.lhs_batch, n.ragged)) return out;
  append(contains(n.lhs_contract, n.ragged) ? n.lhs_contract
                                            : std::vector<std::int64_t>(n.lhs_free.begin(), n.lhs_free.end()));
  return out;
}

/// Returns, for each group, the number of elements of the ragged dimension before it, and last the number of all.
/// Example: group sizes 2, 0, 3 give 0, 2, 2, 5.
std::vector<Index> group_boundaries(std::int64_t groups, MeaningBuilder& b) {
  std::vector<Index> out = {b.constant(0)};
  for (std::int64_t g = 0; g < groups; ++g) out.push_back(out.back() + b.read_index(2, {b.constant(g)}));
  return out;
}

}  // namespace

OpDecl ragged_dot() {
  OpDecl d;
  d.name = "chlo.ragged_dot";
  d.kind = OpDecl::Kind::array;
  d.traits = {.contracts = true};
  d.generic = true;
  for (const char* name : {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                           "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"})
    d.attributes.push_back(field_attr(name, AttrSpec::Kind::ints, "ragged_dot_dimension_numbers", kHead));
  d.attributes.push_back(keywords_attr("precision_config", "", "precision"));
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    const RaggedDims n(op);
    require(in_range(n.lhs_batch, op.operands[0].rank()) && in_range(n.lhs_contract, op.operands[0].rank()) &&
                in_range(n.rhs_batch, op.operands[1].rank()) && in_range(n.rhs_contract, op.operands[1].rank()) &&
                in_range(n.group, op.operands[1].rank()) && in_range({n.ragged}, op.operands[0].rank()),
            op, "C1", "dimensions below the ranks");
    require(op.ints("lhs_ragged_dimensions").size() == 1 && n.group.size() <= 1 &&
                n.lhs_batch.size() == n.rhs_batch.size() && n.lhs_contract.size() == n.rhs_contract.size(),
            op, "C2", "one ragged dimension, at most one of groups, and pairs of the others");
    const bool free = !contains(n.lhs_contract, n.ragged) && !contains(n.lhs_batch, n.ragged);
    require(n.group.size() == (free ? 1U : 0U), op, "C2",
            "a group dimension of the right side where the ragged one is neither contracted nor batching, else none");
    require(is_unique(joined(n.lhs_batch, n.lhs_contract)) &&
                is_unique(joined(joined(n.rhs_batch, n.rhs_contract), n.group)),
            op, "C2", "each dimension in one list");
    const TensorType& sizes = *op.operands[2];
    require(is_integer(sizes.element), op, "C3", "integer group sizes", sizes.str());
    std::vector<std::int64_t> each = sizes_before(op, n);
    each.push_back(sizes.rank() == 0 ? 0 : sizes.dims.back());
    require(sizes.rank() == 1 || (sizes.rank() > 1 && sizes.dims == each), op, "C3",
            "a group size for each group, or " + sizes.with_dims(each).str(), sizes.str());
    require(n.group.empty() || op.operands[1]->dims[at(n.group[0])] == sizes.dims.back(), op, "C3",
            "a group size for each group", sizes.str());
    std::vector<std::int64_t> dims;
    const bool contracted = contains(n.lhs_contract, n.ragged);
    if (contracted) dims.push_back(op.operands[2]->dims.back());
    for (std::size_t k = 0; k < n.lhs_batch.size(); ++k) {
      require(op.operands[0]->dims[at(n.lhs_batch[k])] == op.operands[1]->dims[at(n.rhs_batch[k])], op, "C4",
              "batching dimensions of equal sizes");
      dims.push_back(op.operands[0]->dims[at(n.lhs_batch[k])]);
    }
    for (std::size_t k = 0; k < n.lhs_contract.size(); ++k) {
      require(op.operands[0]->dims[at(n.lhs_contract[k])] == op.operands[1]->dims[at(n.rhs_contract[k])], op, "C5",
              "contracting dimensions of equal sizes");
    }
    for (const Dim k : n.lhs_free) dims.push_back(op.operands[0]->dims[k]);
    for (const Dim k : n.rhs_free) dims.push_back(op.operands[1]->dims[k]);
    require(op.results[0]->dims == dims, op, "C6", "a result of shape " + op.results[0]->with_dims(dims).str(),
            op.results[0].str());
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && op.operands[2].rank() == 1 && op.operands[2]->dims[0] > 0 &&
           op.operands[2]->dims[0] <= kMaxGroups;
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const RaggedDims n(op);
    const auto i = b.result();
    const std::int64_t groups = op.operands[2]->dims[0];
    const bool contracted = contains(n.lhs_contract, n.ragged);
    std::vector<Index> lhs(op.operands[0].rank());
    std::vector<Index> rhs(op.operands[1].rank());
    std::size_t next = contracted ? 1 : 0;
    for (std::size_t k = 0; k < n.lhs_batch.size(); ++k) lhs[at(n.lhs_batch[k])] = rhs[at(n.rhs_batch[k])] = i[next++];
    for (const Dim k : n.lhs_free) lhs[k] = i[next++];
    for (const Dim k : n.rhs_free) rhs[k] = i[next++];
    std::vector<Index> over;
    for (std::size_t k = 0; k < n.lhs_contract.size(); ++k) {
      over.push_back(b.range(op.operands[0]->dims[at(n.lhs_contract[k])]));
      lhs[at(n.lhs_contract[k])] = rhs[at(n.rhs_contract[k])] = over.back();
    }
    const Index row = lhs[at(n.ragged)];
    std::vector<Guard> inside;
    if (contracted) {  // rows of group i[0], which start after the rows of the groups before it
      Index start = b.constant(0);
      Index end = b.constant(0);
      for (std::int64_t g = 0; g < groups; ++g) {
        const Index earlier = clamp(i[0] - g, 0, 1);    // g < i[0]
        const Index up_to = clamp(i[0] - g + 1, 0, 1);  // g <= i[0]
        start = start + b.read_index(2, {b.constant(g)}) * earlier;
        end = end + b.read_index(2, {b.constant(g)}) * up_to;
      }
      inside = {non_negative(row - start), non_negative(end - row - 1)};
    } else {  // the row's group is the number of groups that end before it
      const std::vector<Index> end = group_boundaries(groups, b);
      inside = {non_negative(end.back() - row - 1)};
      Index group = b.constant(0);
      for (std::int64_t g = 1; g <= groups; ++g) group = group + clamp(row - end[at(g)] + 1, 0, 1);
      if (!n.group.empty()) rhs[at(n.group[0])] = clamp(group, 0, groups - 1);
    }
    const ElementType type = op.results[0]->element;
    const auto widened = [&](Term t) { return b.type_of(t) == type ? t : b.apply(ScalarFn::convert, type, {t}); };
    const Term product = b.apply(ScalarFn::multiply, type, {widened(b.read(0, lhs)), widened(b.read(1, rhs))});
    const Term nothing = b.from_index(b.constant(0), type);
    b.define(0, b.reduce(Monoid::sum, over, nothing, b.guarded(inside, product, nothing)));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    const RaggedDims n(op);
    const std::size_t offset = contains(n.lhs_contract, n.ragged) ? 1 : 0;
    for (std::size_t k = 0; k < n.lhs_batch.size(); ++k) {
      if (n.lhs_batch[k] != n.ragged)
        out.push_back({{Action::tile(at(n.lhs_batch[k])), Action::tile(at(n.rhs_batch[k])), Action::any()},
                       {Action::tile(offset + k)}});
    }
    for (std::size_t k = 0; k < n.lhs_free.size(); ++k) {
      if (static_cast<std::int64_t>(n.lhs_free[k]) != n.ragged)
        out.push_back({{Action::tile(n.lhs_free[k]), Action::any(), Action::any()},
                       {Action::tile(offset + n.lhs_batch.size() + k)}});
    }
    for (std::size_t k = 0; k < n.lhs_contract.size(); ++k) {
      if (n.lhs_contract[k] != n.ragged && ops::combines(Monoid::sum, op.results[0]->element))
        out.push_back({{Action::tile(at(n.lhs_contract[k])), Action::tile(at(n.rhs_contract[k])), Action::any()},
                       {Action::partial(Monoid::sum)}});
    }
    for (std::size_t k = 0; k < n.rhs_free.size(); ++k) {
      out.push_back({{Action::any(), Action::tile(n.rhs_free[k]), Action::any()},
                     {Action::tile(offset + n.lhs_batch.size() + n.lhs_free.size() + k)}});
    }
    return out;
  };
  return d;
}

}  // namespace partir::ops
