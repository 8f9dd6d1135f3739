// convolution and dynamic_conv (specification, "convolution"):
//
//   out[b, s, o] = sum k, i : lhs[b, (s * stride + k * rhs_dilation - low) / lhs_dilation, i] * rhs[k, i, o]
//
// over the terms whose index is an integer inside lhs. A reversed window counts k from its end. With groups, the output
// feature determines which group of lhs's features (or of its batch) is read.
#include <fmt/format.h>

#include <functional>

#include "ir/ops/convolution_blocks.h"
#include "ir/ops/convolution_numbers.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"
#include "ir/ops/window.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

std::vector<bool> reversals(const OpInstance& op) {
  std::vector<bool> out;
  const Attribute* a = find(op.attributes, "window_reversal");
  if (a == nullptr) return out;
  if (const DenseAttr* dense = a->as<DenseAttr>()) {
    for (std::int64_t k = 0; k < dense->literal->type.elements() && k < 64; ++k)
      out.push_back(dense->literal->as_int(k) != 0);
  } else if (const RawAttr* raw = a->as<RawAttr>()) {
    for (std::size_t at = 0; (at = raw->text.find_first_of("tf", at)) != std::string::npos; at += 4)
      out.push_back(raw->text[at] == 't');
  }
  return out;
}

}  // namespace

Window convolution_window(const OpInstance& op, const ConvolutionNumbers& n, std::size_t k) {
  Window out = window_of(op, k, "lhs_dilation", "rhs_dilation");
  out.size = op.operands[1]->dims[n.rhs.spatial[k]];
  return out;
}

bool is_window_reversed(const OpInstance& op, std::size_t k) {
  const auto reversed = reversals(op);
  return k < reversed.size() && reversed[k];
}

namespace {

std::int64_t group_count(const OpInstance& op, const char* name) { return op.integer(name, 1); }

void parse_convolution(text::Parser& p, Function& f, Op& op) {
  p.expect("(");
  op.operands = p.uses();
  p.expect(")");
  p.expect("dim_numbers");
  p.expect("=");
  std::string numbers(p.balanced("["));
  p.expect("x");
  numbers += "x" + std::string(p.balanced("["));
  p.expect("->");
  numbers += "->" + std::string(p.balanced("["));
  set(op.attributes, "dimension_numbers", {RawAttr{"#stablehlo.conv<" + numbers + ">"}});
  p.expect(",");
  p.expect("window");
  p.expect("=");
  p.expect("{");
  if (!p.at("}")) {
    do {
      const Place place = p.here();
      const std::string key = p.identifier();
      p.expect("=");
      if (key == "stride" || key == "lhs_dilate" || key == "rhs_dilate") {
        set(op.attributes,
            key == "stride"       ? "window_strides"
            : key == "lhs_dilate" ? "lhs_dilation"
                                  : "rhs_dilation",
            {IntsAttr{p.int_list()}});
      } else if (key == "reverse") {
        std::string list;
        p.expect("[");
        if (!p.at("]")) {
          do
            list +=
                (list.empty() ? ": " : ", ") + std::string(p.accept("true") ? "true" : (p.expect("false"), "false"));
          while (p.accept(","));
        }
        p.expect("]");
        set(op.attributes, "window_reversal", {RawAttr{"array<i1" + list + ">"}});
      } else if (key == "pad") {
        std::vector<std::int64_t> values;
        p.expect("[");
        if (!p.at("]")) {
          do {
            const auto pair = p.int_list();
            if (pair.size() != 2) fail("convolution", place, "padding", "pairs of low and high");
            values.insert(values.end(), pair.begin(), pair.end());
          } while (p.accept(","));
        }
        p.expect("]");
        const TensorType type{ElementType::i64, {static_cast<std::int64_t>(values.size() / 2), 2}};
        set(op.attributes, "padding", {DenseAttr{int_literal(type, values)}});
      } else {
        fail("parse", place, fmt::format("'{}'", key), "stride, pad, lhs_dilate, rhs_dilate or reverse");
      }
    } while (p.accept(","));
  }
  p.expect("}");
  AttributeList rest;
  p.optional_dictionary(rest);
  for (const auto& [name, value] : rest) {
    set(op.attributes, name,
        name == "precision_config" ? text::normalized(keywords_attr(name, "", "precision"), value, op.place) : value);
  }
  p.functional_type(f, op);
}

/// Returns the extent of `size` elements at distance `step`: 0 for none, else (size - 1) * step + 1. Nothing if that is
/// beyond the range of index notation (is_index). Example: 3 elements at distance 2 have extent 5.
std::optional<std::int64_t> dilated_extent(std::int64_t size, std::int64_t step) {
  const auto out = checked_multiply(std::max<std::int64_t>(size - 1, 0), step);
  if (!out || !is_index(*out) || !is_index(size)) return std::nullopt;
  return size == 0 ? 0 : *out + 1;
}

/// Checks the attributes of the window. The dialect writes absent lists as empty ones, too.
void verify_window(const OpInstance& op, std::size_t spatial) {
  const auto sized = [&](const char* name, const char* label, const char* positive) {
    const auto& list = op.ints(name);
    if (list.empty()) return;
    require(list.size() == spatial, op, label, fmt::format("{} {} for the spatial dimensions", spatial, name),
            ints_text(list));
    for (const std::int64_t v : list)
      require(v > 0, op, positive, fmt::format("{} of at least 1", name), ints_text(list));
  };
  sized("window_strides", "C2", "C3");
  if (const Attribute* padding = find(op.attributes, "padding")) {
    const DenseAttr* dense = padding->as<DenseAttr>();
    const TensorType* type = dense != nullptr ? &dense->literal->type : nullptr;
    require(type != nullptr && type->rank() == 2 && type->element == ElementType::i64, op, "I4",
            "padding as a dense matrix of i64", type != nullptr ? type->str() : padding->str());
    require(type->dims[0] == 0 || type->dims == std::vector<std::int64_t>{static_cast<std::int64_t>(spatial), 2}, op,
            "C4", "a low and a high padding for each spatial dimension", type->str());
  }
  sized("lhs_dilation", "C5", "C6");
  sized("rhs_dilation", "C7", "C8");
  if (const Attribute* reversal = find(op.attributes, "window_reversal")) {
    const DenseAttr* dense = reversal->as<DenseAttr>();
    const RawAttr* raw = reversal->as<RawAttr>();
    const bool booleans = dense != nullptr
                              ? dense->literal->type.rank() == 1 && dense->literal->type.element == ElementType::i1
                              : raw != nullptr && raw->text.starts_with("array<i1");
    require(booleans, op, "I7", "a list of booleans", reversal->str());
    const std::size_t count = reversals(op).size();
    require(count == 0 || count == spatial, op, "C9", "a window_reversal for each spatial dimension", reversal->str());
  }
}

void verify_groups(const OpInstance& op) {
  for (const auto& [name, kind, positive] :
       {std::tuple("feature_group_count", "I17", "C21"), std::tuple("batch_group_count", "I18", "C22")}) {
    const Attribute* a = find(op.attributes, name);
    require(a == nullptr || a->as<IntAttr>() != nullptr, op, kind, fmt::format("a {} that is an integer", name));
    require(group_count(op, name) > 0, op, positive, fmt::format("a {} of at least 1", name));
  }
  require(group_count(op, "feature_group_count") == 1 || group_count(op, "batch_group_count") == 1, op, "C23",
          "groups of features or of the batch, not both");
}

/// Checks all constraints. The result's spatial sizes must follow from the padding, unless that is data (dynamic_conv).
void verify_with(const OpInstance& op, bool padding_is_data) {
  const auto numbers = convolution_numbers(op);
  require(numbers.has_value(), op, "attributes", "dimension_numbers such as [b, 0, f]x[0, i, o]->[b, 0, f]");
  const TensorType& lhs = *op.operands[0];
  const TensorType& rhs = *op.operands[1];
  const TensorType& out = *op.results[0];
  const std::size_t rank = lhs.rank();
  require(rhs.rank() == rank && rank >= 2, op, "C1", "operands of one rank of at least 2");
  const std::size_t spatial = rank - 2;
  verify_window(op, spatial);
  verify_groups(op);
  require_precisions(op, "I19", "C24");
  const auto& [l, r, o] = *numbers;
  require(l.spatial.size() == spatial, op, "C12", "a spatial dimension of the input for each but two");
  require(l.is_within(rank), op, "C13", "distinct dimensions of the input below its rank");
  require(r.spatial.size() == spatial, op, "C17", "a spatial dimension of the kernel for each but two");
  require(r.is_within(rank), op, "C18", "distinct dimensions of the kernel below its rank");
  require(o.spatial.size() == spatial, op, "C19", "a spatial dimension of the output for each but two");
  require(o.is_within(rank), op, "C20", "distinct dimensions of the output below its rank");
  const std::int64_t features = group_count(op, "feature_group_count");
  const std::int64_t batches = group_count(op, "batch_group_count");
  require(lhs.dims[l.first] % batches == 0, op, "C10", "a batch that batch_group_count divides");
  require(lhs.dims[l.second] % features == 0, op, "C11", "features that feature_group_count divides");
  require(rhs.dims[r.first] == lhs.dims[l.second] / features, op, "C14", "kernel input features of a group");
  require(rhs.dims[r.second] % batches == 0, op, "C15", "output features that batch_group_count divides");
  require(rhs.dims[r.second] % features == 0, op, "C16", "output features that feature_group_count divides");
  require(out.rank() == rank, op, "C26", "a result of the operands' rank");
  // The specification requires this type of the result, too; its own verifier and JAX allow a wider one.
  require(may_be_multiplied(lhs.element, rhs.element, out.element), op, "C27",
          "operands of one element type, or floats that the result's type holds exactly");
  std::vector<std::int64_t> dims(rank);
  dims[o.first] = lhs.dims[l.first] / batches;
  dims[o.second] = rhs.dims[r.second];
  for (std::size_t k = 0; k < spatial; ++k) {
    const Window w = convolution_window(op, *numbers, k);
    const auto dilated = dilated_extent(lhs.dims[l.spatial[k]], w.base_dilation);
    const auto window = dilated_extent(w.size, w.window_dilation);
    require(dilated && window && is_index(w.low) && is_index(w.high) && is_index(w.stride), op, "C25",
            "sizes, padding and strides below 2^60");
    const std::int64_t padded = w.low + *dilated + w.high;
    dims[o.spatial[k]] = padding_is_data                   ? out.dims[o.spatial[k]]
                         : padded <= 0 || *window > padded ? 0
                                                           : (padded - *window) / w.stride + 1;
  }
  if (out.dims != dims) require(false, op, "C25", "a result of shape " + out.with_dims(dims).str());
}

void verify_convolution(const OpInstance& op) {
  require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "two operands and one result");
  verify_with(op, false);
}

/// Defines the meaning. `low`, if set, returns the low padding of spatial dimension k, which is then data
/// (dynamic_conv).
void meaning_with(const OpInstance& op, MeaningBuilder& b, const std::function<Index(std::size_t)>& low) {
  const ConvolutionNumbers n = *convolution_numbers(op);
  const auto i = b.result();
  std::vector<Index> lhs(i.size());
  std::vector<Index> rhs(i.size());
  std::vector<Index> over;
  std::vector<Guard> inside;
  const Index feature = i[n.out.second];
  const std::int64_t inputs = op.operands[1]->dims[n.rhs.first];
  const std::int64_t outputs = op.operands[1]->dims[n.rhs.second];
  const std::int64_t features = group_count(op, "feature_group_count");
  const std::int64_t batches = group_count(op, "batch_group_count");
  const Index input = b.range(inputs);
  over.push_back(input);
  lhs[n.lhs.first] = batches == 1
                         ? i[n.out.first]
                         : floor_div(feature, outputs / batches) * op.results[0]->dims[n.out.first] + i[n.out.first];
  lhs[n.lhs.second] = features == 1 ? input : floor_div(feature, outputs / features) * inputs + input;
  rhs[n.rhs.first] = input;
  rhs[n.rhs.second] = feature;
  for (std::size_t k = 0; k < n.lhs.spatial.size(); ++k) {
    const Window w = convolution_window(op, n, k);
    const std::int64_t size = op.operands[0]->dims[n.lhs.spatial[k]];
    const Index tap = b.range(w.size);
    over.push_back(tap);
    rhs[n.rhs.spatial[k]] = tap;
    const Index place = is_window_reversed(op, k) ? b.constant(w.size - 1) - tap : tap;
    const Index start = low ? low(k) : b.constant(w.low);
    const Index padded = i[n.out.spatial[k]] * w.stride + place * w.window_dilation - start;
    lhs[n.lhs.spatial[k]] = floor_div(padded, w.base_dilation);
    if (w.base_dilation != 1) inside.push_back(zero(mod(padded, w.base_dilation)));
    const std::int64_t last =
        (op.results[0]->dims[n.out.spatial[k]] - 1) * w.stride + (w.size - 1) * w.window_dilation - w.low;
    if (low || w.low > 0) inside.push_back(non_negative(padded));
    if (low || floor_divide(last, w.base_dilation) >= size)
      inside.push_back(non_negative(b.constant(size - 1) - lhs[n.lhs.spatial[k]]));
  }
  const ElementType type = op.results[0]->element;
  const auto widened = [&](Term t) { return b.type_of(t) == type ? t : b.apply(ScalarFn::convert, type, {t}); };
  const Term zero_term = b.from_index(b.constant(0), type);
  Term product = b.apply(ScalarFn::multiply, type, {widened(b.read(0, lhs)), widened(b.read(1, rhs))});
  if (!inside.empty()) product = b.guarded(inside, product, zero_term);
  b.define(0, b.reduce(Monoid::sum, over, zero_term, product));
}

void convolution_meaning(const OpInstance& op, MeaningBuilder& b) { meaning_with(op, b, nullptr); }

/// Entries that tile the batch, the output features, the contracted input features, groups (of features, or of the
/// batch), and spatial dimensions whose windows do not overlap. Neither a group nor a window may be divided between
/// devices.
std::vector<Entry> convolution_entries(const OpInstance& op) {
  std::vector<Entry> out;
  const ConvolutionNumbers n = *convolution_numbers(op);
  const bool grouped_features = group_count(op, "feature_group_count") != 1;
  const bool grouped_batch = group_count(op, "batch_group_count") != 1;
  const Action sum = Action::partial(Monoid::sum);
  if (!grouped_batch) out.push_back({{Action::tile(n.lhs.first), Action::any()}, {Action::tile(n.out.first)}});
  if (!grouped_batch && !grouped_features) {
    out.push_back({{Action::any(), Action::tile(n.rhs.second)}, {Action::tile(n.out.second)}});
  }
  if (!grouped_features) out.push_back({{Action::tile(n.lhs.second), Action::tile(n.rhs.first)}, {sum}});
  const Action of_kernel = Action::tile(n.rhs.second);
  const Action of_result = Action::tile(n.out.second);
  if (grouped_features) out.push_back({{Action::tile(n.lhs.second), of_kernel}, {of_result}});
  if (grouped_batch) out.push_back({{Action::tile(n.lhs.first), of_kernel}, {of_result}});
  for (std::size_t k = 0; k < n.lhs.spatial.size(); ++k) {
    if (is_cut_by_strides(convolution_window(op, n, k), op.operands[0]->dims[n.lhs.spatial[k]]))
      out.push_back({{Action::tile(n.lhs.spatial[k]), Action::any()}, {Action::tile(n.out.spatial[k])}});
  }
  for (std::size_t k = 0; k < n.lhs.spatial.size(); ++k) {
    // A single window covers all of the input, so its taps are contracted.
    const Window w = convolution_window(op, n, k);
    if (w.size == op.operands[0]->dims[n.lhs.spatial[k]] && w.low == 0 && w.high == 0 && w.base_dilation == 1 &&
        w.window_dilation == 1 && !is_window_reversed(op, k))
      out.push_back({{Action::tile(n.lhs.spatial[k]), Action::tile(n.rhs.spatial[k])}, {sum}});
  }
  if (!converts_additively(op)) return out;
  out.push_back({{sum, Action::any()}, {sum}});
  out.push_back({{Action::any(), sum}, {sum}});
  return out;
}

/// Scales the number of groups for an entry that tiles them; false if it would divide a group.
bool localize_groups(const OpInstance& op, const Entry& entry, OpInstance& local) {
  const ConvolutionNumbers n = *convolution_numbers(op);
  if (entry.operands[1] != Action::tile(n.rhs.second)) return true;
  for (const auto& [name, dim] :
       {std::pair("feature_group_count", n.lhs.second), std::pair("batch_group_count", n.lhs.first)}) {
    const std::int64_t groups = group_count(op, name);
    if (groups == 1 || entry.operands[0] != Action::tile(dim)) continue;
    const std::int64_t own = groups * local.operands[0]->dims[dim];
    const std::int64_t size = op.operands[0]->dims[dim];
    if (size == 0 || own % size != 0) return false;
    IntAttr count = *find(op.attributes, name)->as<IntAttr>();
    count.value = own / size;
    set(local.attributes, name, {std::move(count)});
  }
  return true;
}

}  // namespace

OpDecl convolution() {
  OpDecl d;
  d.name = "stablehlo.convolution";
  d.kind = OpDecl::Kind::array;
  d.traits = {.contracts = true};
  d.generic = true;
  d.attributes = {raw_attr("dimension_numbers"),
                  ints_attr("window_strides", "stride", false),
                  raw_attr("padding"),
                  ints_attr("lhs_dilation", "lhs_dilate", false),
                  ints_attr("rhs_dilation", "rhs_dilate", false),
                  raw_attr("window_reversal"),
                  raw_attr("feature_group_count"),
                  raw_attr("batch_group_count"),
                  keywords_attr("precision_config", "", "precision")};
  d.parse = parse_convolution;
  d.verify = verify_convolution;
  d.covers = [](const OpInstance& op) { return all_have_arithmetic(op) && convolution_numbers(op).has_value(); };
  d.meaning = convolution_meaning;
  d.entries = convolution_entries;
  d.localize = localize_groups;
  d.in_blocks = convolution_entries_in_blocks;
  d.by_offsets = convolution_by_blocks;
  d.padded = convolution_over_padded;
  return d;
}

// --- dynamic_conv: the padding is operand 2, a matrix of low and high ------------------------------------------------

OpDecl dynamic_conv() {
  OpDecl d = convolution();
  d.name = "stablehlo.dynamic_conv";
  d.parse = nullptr;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    OpInstance fixed = op;
    fixed.operands.resize(2);
    drop(fixed.attributes, "padding");
    verify_with(fixed, true);
    const TensorType& padding = *op.operands[2];
    require(padding.rank() == 2 && is_integer(padding.element), op, "I3", "padding as a matrix of integers",
            padding.str());
    require(padding.dims[1] == 2 && padding.dims[0] == static_cast<std::int64_t>(op.operands[0].rank()) - 2, op, "C4",
            "a low and a high padding for each spatial dimension", padding.str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    meaning_with(op, b, [&](std::size_t k) {
      return b.read_index(2, {b.constant(static_cast<std::int64_t>(k)), b.constant(0)});
    });
  };
  d.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  d.in_blocks = nullptr;
  d.by_offsets = nullptr;
  d.padded = nullptr;
  return d;
}

}  // namespace partir::ops
