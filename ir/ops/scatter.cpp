// scatter: out[i] = fold, by the body, of the updates that land on i, starting from input[i] (specification,
// "scatter"). Updates outside the input are dropped.
#include <algorithm>

#include "ir/ops/common.h"
#include "ir/ops/offsets.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"

namespace partir::ops {
namespace {

/// The dimension numbers, and the dimensions derived from them.
struct ScatterNumbers {
  const std::vector<std::int64_t>& window_dims;
  const std::vector<std::int64_t>& inserted;
  const std::vector<std::int64_t>& input_batching;
  const std::vector<std::int64_t>& indices_batching;
  const std::vector<std::int64_t>& to_operand;
  std::int64_t index_vector_dim;
  std::vector<Dim> scatter_dims;  ///< scatter dimensions of the updates, in order
  std::vector<Dim> indices_dims;  ///< the dimensions of scatter_indices that these come from
  std::vector<Dim> window_input;  ///< the input dimension of each window dimension

  /// `n` is the number of inputs.
  explicit ScatterNumbers(const OpInstance& op, std::size_t n)
      : window_dims(op.ints("update_window_dims")),
        inserted(op.ints("inserted_window_dims")),
        input_batching(op.ints("input_batching_dims")),
        indices_batching(op.ints("scatter_indices_batching_dims")),
        to_operand(op.ints("scatter_dims_to_operand_dims")),
        index_vector_dim(op.integer("index_vector_dim")) {
    for (Dim k = 0; k < op.operands[n + 1].rank(); ++k) {
      if (!contains(window_dims, static_cast<std::int64_t>(k))) scatter_dims.push_back(k);
    }
    for (Dim k = 0; k < op.operands[n].rank(); ++k) {
      if (static_cast<std::int64_t>(k) != index_vector_dim) indices_dims.push_back(k);
    }
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      const auto v = static_cast<std::int64_t>(k);
      if (!contains(inserted, v) && !contains(input_batching, v)) window_input.push_back(k);
    }
  }

  /// Returns the position in indices_dims of a dimension of scatter_indices.
  [[nodiscard]] std::size_t scatter_position(std::int64_t indices_dim) const {
    return at(indices_dim) - (indices_dim > index_vector_dim ? 1 : 0);
  }
};

void verify_scatter(const OpInstance& op) {
  const std::size_t inputs = op.operands.size() / 2;
  require(inputs >= 1 && op.operands.size() % 2 == 1 && op.results.size() == inputs, op, "C5",
          "as many inputs as updates and results");
  const TensorType& x = *op.operands[0];
  const TensorType& s = *op.operands[inputs];
  const TensorType& u = *op.operands[inputs + 1];
  const auto& window = op.ints("update_window_dims");
  const auto& inserted = op.ints("inserted_window_dims");
  const auto& xb = op.ints("input_batching_dims");
  const auto& sb = op.ints("scatter_indices_batching_dims");
  const auto& map = op.ints("scatter_dims_to_operand_dims");
  const std::int64_t vector = op.integer("index_vector_dim");
  require(is_integer(s.element), op, "I2", "integer indices");
  std::vector<ElementType> elements;
  for (std::size_t i = 0; i < inputs; ++i) {
    const TensorType& input = *op.operands[i];
    const TensorType& update = *op.operands[inputs + 1 + i];
    require(input.dims == x.dims, op, "C1", "inputs of one shape");
    require(update.dims == u.dims, op, "C3", "updates of one shape");
    require(update.element == input.element, op, "C6", "updates of the input's element type");
    elements.push_back(input.element);
  }
  require(x.rank() == window.size() + inserted.size() + xb.size(), op, "C2",
          "window, inserted and batching dims for the rank");
  require(is_unique(window) && is_sorted(window), op, "C7", "sorted, distinct update_window_dims");
  require(in_range(window, u.rank()), op, "C8", "0 <= update_window_dims < rank of updates");
  require(is_unique(joined(inserted, xb)), op, "C9", "distinct inserted and batching dims");
  require(is_sorted(inserted), op, "C10", "sorted inserted_window_dims");
  require(in_range(inserted, x.rank()), op, "C11", "0 <= inserted_window_dims < rank");
  require(is_sorted(xb), op, "C12", "sorted input_batching_dims");
  require(in_range(xb, x.rank()), op, "C13", "0 <= input_batching_dims < rank");
  require(is_unique(sb), op, "C14", "distinct scatter_indices_batching_dims");
  require(in_range(sb, s.rank()), op, "C15", "0 <= scatter_indices_batching_dims < rank of indices");
  require(!contains(sb, vector), op, "C16", "index_vector_dim not among the batching dims");
  require(xb.size() == sb.size(), op, "C17", "as many batching dims on both sides");
  for (std::size_t k = 0; k < xb.size(); ++k)
    require(x.dims[at(xb[k])] == s.dims[at(sb[k])], op, "C18", "batching dims of equal sizes");
  require(vector >= 0 && vector <= static_cast<std::int64_t>(s.rank()), op, "C22",
          "0 <= index_vector_dim <= rank of indices");
  require(static_cast<std::int64_t>(map.size()) == (at(vector) < s.rank() ? s.dims[at(vector)] : 1), op, "C19",
          "an operand dimension for each index");
  require(is_unique(joined(map, xb)), op, "C20", "distinct mapped and batching dims");
  require(in_range(map, x.rank()), op, "C21", "0 <= scatter_dims_to_operand_dims < rank");
  const ScatterNumbers n(op, inputs);
  require(n.scatter_dims.size() == n.indices_dims.size(), op, "C4", "updates of scatter and window dimensions");
  for (std::size_t k = 0; k < n.scatter_dims.size(); ++k) {
    require(u.dims[n.scatter_dims[k]] == s.dims[n.indices_dims[k]], op, "C4", "update sizes of the indices");
  }
  for (std::size_t k = 0; k < window.size(); ++k) {
    require(u.dims[at(window[k])] <= x.dims[n.window_input[k]], op, "C4", "windows no larger than the input");
  }
  const auto computed = require_combiner(op, "C23", elements);
  for (std::size_t i = 0; i < inputs; ++i) {
    require(op.results[i]->dims == x.dims, op, "C24", "results of the inputs' shape");
    require(op.results[i]->element == computed[i], op, "C25", "results of the computation's element types");
  }
}

void define_result(const OpInstance& op, std::size_t result, MeaningBuilder& b) {
  const auto i = b.result(result);
  const std::size_t inputs = op.results.size();
  const ScatterNumbers n(op, inputs);
  // Batching fixes some scatter dimensions of the updates; the others are folded over.
  std::vector<Index> update(op.operands[inputs + 1].rank());
  std::vector<Index> batch(op.operands[inputs].rank());
  std::vector<Index> over;
  for (std::size_t k = 0; k < n.scatter_dims.size(); ++k) {
    Index v;
    for (std::size_t j = 0; j < n.input_batching.size(); ++j) {
      if (n.scatter_position(n.indices_batching[j]) == k) v = i[at(n.input_batching[j])];
    }
    if (v.builder == nullptr) {
      v = b.range(op.operands[inputs + 1]->dims[n.scatter_dims[k]]);
      over.push_back(v);
    }
    update[n.scatter_dims[k]] = batch[n.indices_dims[k]] = v;
  }
  std::vector<Index> start(op.operands[0].rank(), b.constant(0));
  for (std::size_t k = 0; k < n.to_operand.size(); ++k) {
    if (at(n.index_vector_dim) < batch.size()) batch[at(n.index_vector_dim)] = b.constant(static_cast<std::int64_t>(k));
    start[at(n.to_operand[k])] = b.read_index(inputs, batch);
  }
  std::vector<Guard> lands;
  for (const std::int64_t k : n.inserted) lands.push_back(zero(i[at(k)] - start[at(k)]));
  for (std::size_t k = 0; k < n.window_dims.size(); ++k) {
    const Dim dim = n.window_input[k];
    const Index within = i[dim] - start[dim];
    const std::int64_t size = op.operands[inputs + 1]->dims[at(n.window_dims[k])];
    const bool fixed = b.constant_value(start[dim]) == 0;
    if (size == 1) {  // as for an inserted dimension
      update[at(n.window_dims[k])] = b.constant(0);
      if (!fixed || op.operands[0]->dims[dim] != 1) lands.push_back(zero(within));
      continue;
    }
    update[at(n.window_dims[k])] = within;
    if (!fixed) lands.push_back(non_negative(within));
    if (!fixed || size != op.operands[0]->dims[dim]) lands.push_back(non_negative(b.constant(size - 1) - within));
  }
  std::vector<Term> arguments;
  std::vector<Term> init;
  std::vector<Term> body;
  for (std::size_t k = 0; k < 2 * inputs; ++k) arguments.push_back(b.argument(k, op.results[k % inputs]->element));
  for (std::size_t k = 0; k < inputs; ++k) {
    init.push_back(promoted(b.read(k, i), op.results[k]->element, b));
    body.push_back(promoted(b.read(inputs + 1 + k, update), op.results[k]->element, b));
  }
  b.define(result, b.reduce(result, over, lands, region_terms(op, 0, arguments, b), init, body));
}

void scatter_meaning(const OpInstance& op, MeaningBuilder& b) {
  for (std::size_t r = 0; r < op.results.size(); ++r) define_result(op, r, b);
}

/// Whether all windows are known to begin at position 0 of an input dimension: no component of the indices addresses
/// it, or that component is known to be 0. The latter occurs under vmap of dynamic_update_slice, which has a component
/// for every dimension, 0 where the update is as large as the dimension.
bool begins_at_zero(const OpInstance& op, const ScatterNumbers& n, Dim dim) {
  const auto it = std::find(n.to_operand.begin(), n.to_operand.end(), static_cast<std::int64_t>(dim));
  if (it == n.to_operand.end()) return true;
  const std::size_t inputs = op.results.size();
  if (op.places.empty() || at(n.index_vector_dim) + 1 != op.operands[inputs].rank()) return false;
  const KnownPlaces& known = op.places[inputs];
  const auto component = static_cast<std::size_t>(it - n.to_operand.begin());
  return component < known.size() && known[component] == 0;
}

std::vector<Entry> scatter_entries(const OpInstance& op) {
  std::vector<Entry> out;
  const std::size_t inputs = op.results.size();
  const ScatterNumbers n(op, inputs);
  // If the computation promotes to another type, an identity of the input's type need not be one of the result's.
  std::optional<Monoid> monoid;
  if (inputs == 1 && op.results[0]->element == op.operands[0]->element) monoid = op.monoid();
  const auto each = [&](Action input, Action indices, Action updates) {
    Entry entry{std::vector<Action>(inputs, input), std::vector<Action>(inputs, input)};
    entry.operands.push_back(indices);
    entry.operands.insert(entry.operands.end(), inputs, updates);
    out.push_back(std::move(entry));
  };
  for (std::size_t k = 0; k < n.window_dims.size(); ++k) {
    const Dim dim = n.window_input[k];
    const bool full = op.operands[inputs + 1]->dims[at(n.window_dims[k])] == op.operands[0]->dims[dim];
    if (full && begins_at_zero(op, n, dim)) each(Action::tile(dim), Action::any(), Action::tile(at(n.window_dims[k])));
  }
  for (std::size_t k = 0; k < n.scatter_dims.size(); ++k) {
    std::optional<Dim> batching;
    for (std::size_t j = 0; j < n.input_batching.size(); ++j) {
      if (at(n.indices_batching[j]) == n.indices_dims[k]) batching = at(n.input_batching[j]);
    }
    const Action indices = Action::tile(n.indices_dims[k]);
    const Action updates = Action::tile(n.scatter_dims[k]);
    if (batching) {
      each(Action::tile(*batching), indices, updates);
    } else if (monoid) {
      // Each device folds its own updates; the input that it starts from must not be counted n times.
      const Action partial = Action::partial(*monoid);
      if (is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), indices, updates}, {partial}});
      out.push_back({{partial, indices, updates}, {partial}});
    }
  }
  if (monoid) {
    const Action partial = Action::partial(*monoid);
    out.push_back({{partial, Action::any(), partial}, {partial}});
    if (is_identity(op.splats[0], *monoid)) out.push_back({{Action::any(), Action::any(), partial}, {partial}});
  }
  return out;
}

}  // namespace

OpDecl scatter() {
  using Kind = AttrSpec::Kind;
  OpDecl d;
  d.name = "stablehlo.scatter";
  d.kind = OpDecl::Kind::array;
  d.traits = {.update = 2, .indices = 1, .by_places = true};
  d.generic = true;
  d.attributes.push_back(boolean_attr("indices_are_sorted"));
  for (const char* name : {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                           "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"}) {
    d.attributes.push_back(field_attr(name, Kind::ints, "scatter_dimension_numbers", "#stablehlo.scatter"));
  }
  d.attributes.push_back(
      field_attr("index_vector_dim", Kind::integer, "scatter_dimension_numbers", "#stablehlo.scatter"));
  d.attributes.push_back(boolean_attr("unique_indices"));
  d.verify = verify_scatter;
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, 2 * op.results.size());
  };
  d.meaning = scatter_meaning;
  d.entries = scatter_entries;
  d.by_offsets = updates_by_blocks;
  d.padded = scatter_into_padded;
  return d;
}

}  // namespace partir::ops
