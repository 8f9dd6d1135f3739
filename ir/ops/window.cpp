// Declares reduce_window and select_and_scatter (specification, the section of each), and computes what windows read.
//
//   reduce_window       out[i] = fold over taps k, from the initial value, of x[i * stride + k * dilation - low], or of
//                       the initial value again where that position is padding
//   select_and_scatter  out[i] = fold, by `scatter`, of source[w] over the windows w whose selected element is i
#include "ir/ops/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/ops.h"
#include "ir/ops/padded.h"
#include "support/checked.h"

namespace partir::ops {

std::int64_t Window::count(std::int64_t extent) const {
  const std::int64_t dilated = extent == 0 ? 0 : (extent - 1) * base_dilation + 1;
  const std::int64_t padded = low + dilated + high;
  const std::int64_t reach = (size - 1) * window_dilation + 1;
  return padded <= 0 || reach > padded ? 0 : (padded - reach) / stride + 1;
}

std::optional<Reach> reach_of(const Window& w, std::int64_t windows) {
  const std::int64_t last = (windows - 1) * w.stride + (w.size - 1) * w.window_dilation - w.low;
  Reach out;
  out.first = -floor_divide(w.low, w.base_dilation);
  out.end = floor_divide(last, w.base_dilation) + 1;
  out.low = w.low + out.first * w.base_dilation;
  out.high = last - (out.end - 1) * w.base_dilation;
  return out.end > out.first ? std::optional(out) : std::nullopt;
}

bool is_scan(const Window& w, std::int64_t extent) {
  const bool forward = w.low == w.size - 1 && w.high == 0;
  const bool backward = w.low == 0 && w.high == w.size - 1;
  return w.size >= extent && extent > 1 && std::max({w.stride, w.base_dilation, w.window_dilation}) == 1 &&
         (forward || backward);
}

Index tap_position(const Window& w, Index window, Index tap, std::int64_t extent, std::vector<Guard>& inside) {
  const Index padded = window * w.stride + tap * w.window_dilation - w.low;
  const Index at = floor_div(padded, w.base_dilation);
  if (w.base_dilation != 1) inside.push_back(zero(mod(padded, w.base_dilation)));
  if (w.low > 0) inside.push_back(non_negative(padded));
  if (w.high > 0 || w.low < 0) inside.push_back(non_negative(window.builder->constant(extent - 1) - at));
  return at;
}

std::pair<std::int64_t, std::int64_t> padding_of(const OpInstance& op, std::size_t k) {
  const Attribute* padding = find(op.attributes, "padding");
  const DenseAttr* dense = padding != nullptr ? padding->as<DenseAttr>() : nullptr;
  if (dense == nullptr || dense->literal->type.elements() == 0) return {0, 0};  // absent, or an empty list
  const auto at = static_cast<std::int64_t>(2 * k);
  return {dense->literal->as_int(at), dense->literal->as_int(at + 1)};
}

Window window_of(const OpInstance& op, std::size_t k, const char* base_dilations, const char* window_dilations) {
  const auto pick = [&](const char* name) {
    const auto& list = op.ints(name);
    return k < list.size() ? list[k] : 1;
  };
  const auto [low, high] = padding_of(op, k);
  return {pick("window_dimensions"), pick("window_strides"), low, high, pick(base_dilations), pick(window_dilations)};
}

bool is_cut_by_strides(const Window& w, std::int64_t extent) {
  return (w.size - 1) * w.window_dilation < w.stride && w.low == 0 && w.high == 0 && w.base_dilation == 1 &&
         extent % w.stride == 0;
}

namespace {

/// Fails unless the list, if present, has one positive number for each dimension (labels `size` and `sign`).
void require_per_dimension(const OpInstance& op, const char* name, std::size_t rank, const char* size,
                           const char* sign) {
  if (find(op.attributes, name) == nullptr) return;
  const auto& list = op.ints(name);
  require(list.size() == rank, op, size, std::string(name) + " for each dimension", ints_text(list));
  for (const std::int64_t v : list) require(v > 0, op, sign, std::string("0 < ") + name, ints_text(list));
}

void require_padding(const OpInstance& op, std::size_t rank, const char* kind, const char* shape) {
  const Attribute* padding = find(op.attributes, "padding");
  if (padding == nullptr) return;
  const DenseAttr* dense = padding->as<DenseAttr>();
  const TensorType* type = dense != nullptr ? &dense->literal->type : nullptr;
  require(type != nullptr && type->rank() == 2 && type->element == ElementType::i64, op, kind,
          "padding as a dense matrix of i64", type != nullptr ? type->str() : padding->str());
  require(type->dims == std::vector<std::int64_t>{static_cast<std::int64_t>(rank), 2}, op, shape,
          "a low and a high padding for each dimension", type->str());
}

/// Whether positions of `size` elements at distance `step` are in the range of index notation (is_index).
bool fits_index_notation(std::int64_t size, std::int64_t step) {
  const auto reach = checked_multiply(size, step);
  return is_index(size) && is_index(step) && reach && is_index(*reach);
}

/// Returns the number of windows along each dimension. Fails with `label` if a number is beyond index notation.
std::vector<std::int64_t> window_counts(const OpInstance& op, const char* label) {
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < op.operands[0].rank(); ++k) {
    const Window w = window_of(op, k);
    const std::int64_t extent = op.operands[0]->dims[k];
    require(fits_index_notation(extent, w.base_dilation) && fits_index_notation(w.size, w.window_dilation) &&
                is_index(w.low) && is_index(w.high) && is_index(w.stride),
            op, label, "sizes, padding, strides and dilations below 2^60", fmt::format("dimension {}", k));
    out.push_back(w.count(extent));
  }
  return out;
}

/// Checks the region `select` of select_and_scatter. An instance without a function passes.
void require_select(const OpInstance& op, ElementType element) {
  if (op.regions == nullptr || op.function == nullptr) return;
  const char* const wanted = "a select of two scalars to i1";
  require(op.regions->size() == 2 && !op.regions->front().ops.empty(), op, "C9", wanted,
          fmt::format("{} regions, or an empty one", op.regions->size()));
  const Block& body = op.regions->front();
  const auto is_scalar = [&](ValueId v, ElementType type) { return op.function->type(v) == TensorType{type, {}}; };
  require(body.arguments.size() == 2 && is_scalar(body.arguments[0], element) &&
              is_scalar(body.arguments[1], element) && body.ops.back().operands.size() == 1 &&
              is_scalar(body.ops.back().operands[0], ElementType::i1),
          op, "C9", wanted,
          types_text(*op.function, body.arguments) + " -> " + types_text(*op.function, body.ops.back().operands));
}

}  // namespace

std::optional<Monoid> scattered_monoid(const OpInstance& op) {
  if (op.regions == nullptr || op.regions->size() != 2) return std::nullopt;
  const std::vector<Block> scatter = {op.regions->back()};
  OpInstance of_scatter = op;
  of_scatter.regions = &scatter;
  return of_scatter.monoid();
}

OpDecl reduce_window() {
  OpDecl d;
  d.name = "stablehlo.reduce_window";
  d.kind = OpDecl::Kind::array;
  d.generic = true;
  d.attributes = {ints_attr("window_dimensions"), ints_attr("window_strides", "", false),
                  ints_attr("base_dilations", "", false), ints_attr("window_dilations", "", false),
                  raw_attr("padding")};
  d.verify = [](const OpInstance& op) {
    const std::size_t n = op.results.size();
    require(n > 0 && op.operands.size() == 2 * n, op, "C1", "as many inputs as initial values and results");
    const std::size_t rank = op.operands[0].rank();
    std::vector<ElementType> scalars;
    for (std::size_t k = 0; k < n; ++k) {
      require(op.operands[k]->dims == op.operands[0]->dims, op, "C2", "inputs of one shape", op.operands[k].str());
      require(op.operands[n + k].rank() == 0, op, "I2", "initial values of rank 0", op.operands[n + k].str());
      require(op.operands[n + k]->element == op.operands[k]->element, op, "C3",
              "initial values of the input's element type", op.operands[n + k].str());
      scalars.push_back(op.operands[k]->element);
    }
    require_per_dimension(op, "window_dimensions", rank, "C4", "C5");
    require_per_dimension(op, "window_strides", rank, "C6", "C7");
    require_per_dimension(op, "base_dilations", rank, "C8", "C9");
    require_per_dimension(op, "window_dilations", rank, "C10", "C11");
    require_padding(op, rank, "I7", "C12");
    const auto computed = require_combiner(op, "C13", scalars);
    const auto counts = window_counts(op, "C15");
    for (std::size_t k = 0; k < n; ++k) {
      require(op.results[k]->dims == op.results[0]->dims, op, "C14", "results of one shape", op.results[k].str());
      require(op.results[k]->dims == counts, op, "C15", "a result of shape " + op.results[k]->with_dims(counts).str(),
              op.results[k].str());
      require(op.results[k]->element == computed[k], op, "C16", "results of the body's element types",
              op.results[k].str());
    }
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, op.operands.size());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const std::size_t n = op.results.size();
    for (std::size_t r = 0; r < n; ++r) {
      const auto i = b.result(r);
      std::vector<Index> at;
      std::vector<Index> over;
      std::vector<Guard> inside;
      for (std::size_t k = 0; k < i.size(); ++k) {
        const Window w = window_of(op, k);
        const Index tap = b.range(w.size);
        over.push_back(tap);
        at.push_back(tap_position(w, i[k], tap, op.operands[0]->dims[k], inside));
      }
      std::vector<Term> arguments;
      std::vector<Term> init;
      std::vector<Term> body;
      for (std::size_t k = 0; k < 2 * n; ++k) arguments.push_back(b.argument(k, op.results[k % n]->element));
      for (std::size_t k = 0; k < n; ++k) {
        init.push_back(promoted(b.read(n + k, {}), op.results[k]->element, b));
        const Term element = promoted(b.read(k, at), op.results[k]->element, b);
        body.push_back(inside.empty() ? element : b.guarded(inside, element, init.back()));
      }
      b.define(r, b.reduce(r, over, {}, region_terms(op, 0, arguments, b), init, body));
    }
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    const std::size_t n = op.results.size();
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      if (!is_cut_by_strides(window_of(op, k), op.operands[0]->dims[k])) continue;
      Entry entry{std::vector<Action>(2 * n), std::vector<Action>(n, Action::tile(k))};
      std::fill_n(entry.operands.begin(), n, Action::tile(k));
      out.push_back(std::move(entry));
    }
    const auto monoid = op.monoid();
    if (n == 1 && op.results[0]->element == op.operands[0]->element && monoid && is_identity(op.splats[1], *monoid))
      out.push_back({{Action::partial(*monoid), Action::any()}, {Action::partial(*monoid)}});
    return out;
  };
  d.in_blocks = windows_in_blocks;
  d.by_offsets = windows_by_blocks;
  d.padded = windows_over_padded;
  return d;
}

OpDecl select_and_scatter() {
  OpDecl d;
  d.name = "stablehlo.select_and_scatter";
  d.kind = OpDecl::Kind::array;
  d.generic = true;
  d.attributes = {ints_attr("window_dimensions", "", false), ints_attr("window_strides", "", false),
                  raw_attr("padding")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    const TensorType& x = *op.operands[0];
    const std::size_t rank = x.rank();
    require(op.operands[1]->element == x.element, op, "C1", "operand and source of one element type",
            op.operands[1].str());
    require(op.operands[2].rank() == 0, op, "I3", "an initial value of rank 0", op.operands[2].str());
    require(op.operands[2]->element == x.element, op, "C3", "an initial value of the operand's element type",
            op.operands[2].str());
    require_per_dimension(op, "window_dimensions", rank, "C4", "C5");
    require_per_dimension(op, "window_strides", rank, "C6", "C7");
    require_padding(op, rank, "I6", "C8");
    const auto counts = window_counts(op, "C2");
    require(op.operands[1]->dims == counts, op, "C2", "a source of shape " + op.operands[1]->with_dims(counts).str(),
            op.operands[1].str());
    require_select(op, x.element);
    const ElementType computed = require_combiner(op, "C10", {x.element}, 1)[0];
    require(op.results[0]->dims == x.dims, op, "C11", "a result of the operand's shape", op.results[0].str());
    require(op.results[0]->element == computed, op, "C12", "a result of the scatter's element type",
            op.results[0].str());
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, 2) && has_scalar_region(op, 1, 2);
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const ElementType type = op.results[0]->element;
    const ElementType place = ElementType::i64;
    const std::size_t rank = i.size();
    // In each iteration of the outer fold, element i is at place `mine` of window `window`.
    std::vector<Index> outer;
    std::vector<Index> window;
    std::vector<Guard> met;
    Index mine = b.constant(0);
    // The taps of that window, over which the inner fold runs.
    std::vector<Index> inner;
    std::vector<Index> at;
    std::vector<Guard> inside;
    Index tap_number = b.constant(0);
    for (std::size_t k = 0; k < rank; ++k) {
      const Window w = window_of(op, k);
      const std::int64_t count = op.operands[1]->dims[k];
      outer.push_back(b.range(w.size));
      const Index place_in_window = b.constant(w.size - 1) - outer.back();  // so that windows are visited in order
      const Index start = i[k] + w.low - place_in_window;
      window.push_back(floor_div(start, w.stride));
      if (w.stride != 1) met.push_back(zero(mod(start, w.stride)));
      met.push_back(non_negative(start));
      met.push_back(non_negative(b.constant(count - 1) - window.back()));
      mine = mine * w.size + place_in_window;
      inner.push_back(b.range(w.size));
      const std::int64_t extent = op.operands[0]->dims[k];
      at.push_back(window.back() * w.stride + inner.back() - w.low);
      if (w.low > 0) inside.push_back(non_negative(at.back()));
      if (w.high > 0 || w.low < 0) inside.push_back(non_negative(b.constant(extent - 1) - at.back()));
      tap_number = tap_number * w.size + inner.back();
    }
    // Fold of (value, tap) over the window's elements: the first is taken, then each that `select` prefers.
    const ElementType element = op.operands[0]->element;
    const Term zero_value = b.from_index(b.constant(0), element);
    const Term none = b.from_index(b.constant(-1), place);
    const Term value = b.argument(0, element);
    const Term tap = b.argument(1, place);
    const Term next_value = b.argument(2, element);
    const Term next_tap = b.argument(3, place);
    const Term first = b.apply(ScalarFn::compare_eq, ElementType::i1, {tap, none});
    const Term keeps =
        b.apply(ScalarFn::logical_and, ElementType::i1,
                {b.apply(ScalarFn::logical_not, ElementType::i1, {first}), region_term(op, 0, {value, next_value}, b)});
    const Term selected = b.reduce(1, inner, inside,
                                   {b.apply(ScalarFn::select, element, {keeps, value, next_value}),
                                    b.apply(ScalarFn::select, place, {keeps, tap, next_tap})},
                                   {zero_value, none}, {b.read(0, at), b.from_index(tap_number, place)});
    // Fold of source[w] over the windows that chose this element.
    const Term mine_term = b.from_index(mine, place);
    const Term is_mine = b.apply(ScalarFn::compare_eq, ElementType::i1, {selected, mine_term});
    // Accumulators: the value, and whether this window selected i (present only to pass that to the combination).
    const Term accumulated = b.argument(0, type);
    const Term source = b.argument(2, type);
    const Term counts = b.argument(3, ElementType::i1);
    const Term combined =
        b.apply(ScalarFn::select, type, {counts, region_term(op, 1, {accumulated, source}, b), accumulated});
    b.define(0, b.reduce(0, outer, met, {combined, counts},
                         {promoted(b.read(2, {}), type, b), b.from_index(b.constant(0), ElementType::i1)},
                         {promoted(b.read(1, window), type, b), is_mine}));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      if (is_cut_by_strides(window_of(op, k), op.operands[0]->dims[k]))
        out.push_back({{Action::tile(k), Action::tile(k), Action::any()}, {Action::tile(k)}});
    }
    // Which elements are selected does not depend on the source.
    const auto monoid = scattered_monoid(op);
    if (monoid && op.results[0]->element == op.operands[0]->element && is_identity(op.splats[2], *monoid)) {
      const Action partial = Action::partial(*monoid);
      out.push_back({{Action::any(), partial, Action::any()}, {partial}});
    }
    return out;
  };
  d.in_blocks = scatter_entries_by_taps;
  d.by_offsets = scatter_by_taps;
  d.padded = scatter_over_padded;
  d.traits.selects = true;
  return d;
}

}  // namespace partir::ops
