// convolution: out[b, s, o] = sum k, i : lhs[b, (s * stride + k * rhs_dilation - low) / lhs_dilation, i] * rhs[k, i,
// o], where that is a whole index inside lhs (specification, "convolution"). A reversed window counts k from its end;
// groups split the features (or the batch) of lhs by the output feature.
#include <fmt/format.h>

#include <charconv>
#include <functional>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

/// One side of the dimension numbers: "[b, 0, 1, f]".
struct Side {
  std::optional<Dim> first;   ///< b, or i of the kernel
  std::optional<Dim> second;  ///< f, or o of the kernel
  std::vector<Dim> spatial;   ///< dimension of each spatial number
  std::size_t rank = 0;
};

std::optional<Side> side_of(std::string_view text, char first, char second) {
  Side out;
  std::vector<std::pair<std::size_t, Dim>> spatial;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    const Dim dim = out.rank++;
    std::size_t number = 0;
    if (item.size() == 1 && item[0] == first) {
      if (out.first) return std::nullopt;
      out.first = dim;
    } else if (item.size() == 1 && item[0] == second) {
      if (out.second) return std::nullopt;
      out.second = dim;
    } else if (std::from_chars(item.data(), item.data() + item.size(), number).ptr == item.data() + item.size() &&
               !item.empty()) {
      spatial.emplace_back(number, dim);
    } else {
      return std::nullopt;
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::sort(spatial.begin(), spatial.end());
  for (std::size_t k = 0; k < spatial.size(); ++k) {
    if (spatial[k].first != k) return std::nullopt;
    out.spatial.push_back(spatial[k].second);
  }
  return out.first && out.second ? std::optional(out) : std::nullopt;
}

struct Numbers {
  Side lhs;
  Side rhs;
  Side out;
};

/// "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"; nothing for other spellings.
std::optional<Numbers> numbers_of(const OpInstance& op) {
  const Attribute* a = find(op.attributes, "dimension_numbers");
  const RawAttr* raw = a != nullptr ? a->as<RawAttr>() : nullptr;
  if (raw == nullptr) return std::nullopt;
  std::string_view rest = raw->text;
  std::vector<std::string_view> lists;
  while (lists.size() < 3) {
    const auto open = rest.find('[');
    const auto close = rest.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    lists.push_back(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
  }
  const auto lhs = side_of(lists[0], 'b', 'f');
  const auto rhs = side_of(lists[1], 'i', 'o');
  const auto out = side_of(lists[2], 'b', 'f');
  if (!lhs || !rhs || !out) return std::nullopt;
  return Numbers{*lhs, *rhs, *out};
}

/// The attributes of the window along one spatial dimension, with their defaults.
struct Window {
  std::int64_t stride = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t lhs_dilation = 1;
  std::int64_t rhs_dilation = 1;
  bool reversed = false;
};

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

Window window_of(const OpInstance& op, std::size_t k) {
  Window out;
  const auto pick = [&](const char* name, std::int64_t otherwise) {
    const auto& list = op.ints(name);
    return k < list.size() ? list[k] : otherwise;
  };
  out.stride = pick("window_strides", 1);
  out.lhs_dilation = pick("lhs_dilation", 1);
  out.rhs_dilation = pick("rhs_dilation", 1);
  if (const Attribute* padding = find(op.attributes, "padding");
      padding != nullptr && padding->as<DenseAttr>() != nullptr) {
    const Literal& l = *padding->as<DenseAttr>()->literal;
    out.low = l.as_int(static_cast<std::int64_t>(2 * k));
    out.high = l.as_int(static_cast<std::int64_t>(2 * k + 1));
  }
  const auto reversed = reversals(op);
  out.reversed = k < reversed.size() && reversed[k];
  return out;
}

std::int64_t group_count(const OpInstance& op, const char* name) { return op.integer(name, 1); }

void parse(text::Parser& p, Function& f, Op& op) {
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
        const TensorType type{ElementType::i64, {static_cast<std::int64_t>(values.size() / 2), 2}, ""};
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

void verify(const OpInstance& op) {
  require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "two operands and one result");
  const auto numbers = numbers_of(op);
  if (!numbers) return;  // another spelling of the dimension numbers: carried as opaque
  const TensorType& lhs = op.operands[0];
  const TensorType& rhs = op.operands[1];
  const TensorType& out = op.results[0];
  const std::size_t rank = lhs.rank();
  require(rhs.rank() == rank && rank >= 2, op, "C1", "operands of one rank of at least 2");
  const std::size_t spatial = rank - 2;
  const auto sized = [&](const char* name, const char* label, const char* positive) {
    const Attribute* a = find(op.attributes, name);
    if (a == nullptr) return;
    require(op.ints(name).size() == spatial, op, label, fmt::format("{} {} for the spatial dimensions", spatial, name));
    for (const std::int64_t v : op.ints(name))
      require(v > 0 && v < (std::int64_t{1} << 30), op, positive, fmt::format("{} of at least 1", name));
  };
  sized("window_strides", "C2", "C3");
  sized("lhs_dilation", "C5", "C6");
  sized("rhs_dilation", "C7", "C8");
  if (const Attribute* padding = find(op.attributes, "padding"); padding != nullptr) {
    const DenseAttr* dense = padding->as<DenseAttr>();
    require(dense != nullptr &&
                dense->literal->type.dims == std::vector<std::int64_t>{static_cast<std::int64_t>(spatial), 2},
            op, "C4", "a low and a high padding for each spatial dimension");
  }
  require(reversals(op).empty() || reversals(op).size() == spatial, op, "C9",
          "a window_reversal for each spatial dimension");
  require(numbers->lhs.rank == rank && numbers->lhs.spatial.size() == spatial, op, "C13",
          "the input's dimensions, each once");
  require(numbers->rhs.rank == rank && numbers->rhs.spatial.size() == spatial, op, "C18",
          "the kernel's dimensions, each once");
  require(numbers->out.rank == rank && numbers->out.spatial.size() == spatial, op, "C20",
          "the output's dimensions, each once");
  const std::int64_t features = group_count(op, "feature_group_count");
  const std::int64_t batches = group_count(op, "batch_group_count");
  require(features > 0, op, "C21", "feature_group_count of at least 1");
  require(batches > 0, op, "C22", "batch_group_count of at least 1");
  require(features == 1 || batches == 1, op, "C23", "groups of features or of the batch, not both");
  require(lhs.dims[*numbers->lhs.first] % batches == 0, op, "C10", "a batch that batch_group_count divides");
  require(lhs.dims[*numbers->lhs.second] % features == 0, op, "C11", "features that feature_group_count divides");
  require(rhs.dims[*numbers->rhs.first] == lhs.dims[*numbers->lhs.second] / features, op, "C14",
          "kernel input features of a group");
  require(rhs.dims[*numbers->rhs.second] % batches == 0, op, "C15", "output features that batch_group_count divides");
  require(rhs.dims[*numbers->rhs.second] % features == 0, op, "C16",
          "output features that feature_group_count divides");
  require(out.rank() == rank, op, "C26", "a result of the operands' rank");
  require(lhs.element == rhs.element, op, "C27", "operands of one element type");
  std::vector<std::int64_t> dims(rank);
  dims[*numbers->out.first] = lhs.dims[*numbers->lhs.first] / batches;
  dims[*numbers->out.second] = rhs.dims[*numbers->rhs.second];
  for (std::size_t k = 0; k < spatial; ++k) {
    const Window w = window_of(op, k);
    const std::int64_t size = lhs.dims[numbers->lhs.spatial[k]];
    const std::int64_t kernel = rhs.dims[numbers->rhs.spatial[k]];
    constexpr std::int64_t limit = std::int64_t{1} << 30;
    require(size < limit && kernel < limit && std::abs(w.low) < limit && std::abs(w.high) < limit, op, "C25",
            "sizes and padding below 2^30");
    const std::int64_t dilated = size == 0 ? 0 : (size - 1) * w.lhs_dilation + 1;
    const std::int64_t padded = w.low + dilated + w.high;
    const std::int64_t window = kernel == 0 ? 0 : (kernel - 1) * w.rhs_dilation + 1;
    dims[numbers->out.spatial[k]] = padded <= 0 || window > padded ? 0 : (padded - window) / w.stride + 1;
  }
  require(out.dims == dims, op, "C25", "a result of shape " + out.with_dims(dims).str());
}

/// `low` overrides the low padding of spatial dimension k where it is data.
void meaning_with(const OpInstance& op, MeaningBuilder& b, const std::function<Index(std::size_t)>& low) {
  const Numbers n = *numbers_of(op);
  const auto i = b.result();
  std::vector<Index> lhs(i.size());
  std::vector<Index> rhs(i.size());
  std::vector<Index> over;
  std::vector<Guard> inside;
  const Index feature = i[*n.out.second];
  const std::int64_t inputs = op.operands[1].dims[*n.rhs.first];
  const std::int64_t outputs = op.operands[1].dims[*n.rhs.second];
  const std::int64_t features = group_count(op, "feature_group_count");
  const std::int64_t batches = group_count(op, "batch_group_count");
  const Index input = b.range(inputs);
  over.push_back(input);
  lhs[*n.lhs.first] = batches == 1
                          ? i[*n.out.first]
                          : floor_div(feature, outputs / batches) * op.results[0].dims[*n.out.first] + i[*n.out.first];
  lhs[*n.lhs.second] = features == 1 ? input : floor_div(feature, outputs / features) * inputs + input;
  rhs[*n.rhs.first] = input;
  rhs[*n.rhs.second] = feature;
  for (std::size_t k = 0; k < n.lhs.spatial.size(); ++k) {
    const Window w = window_of(op, k);
    const std::int64_t kernel = op.operands[1].dims[n.rhs.spatial[k]];
    const std::int64_t size = op.operands[0].dims[n.lhs.spatial[k]];
    const Index tap = b.range(kernel);
    over.push_back(tap);
    rhs[n.rhs.spatial[k]] = tap;
    const Index place = w.reversed ? b.constant(kernel - 1) - tap : tap;
    const Index start = low ? low(k) : b.constant(w.low);
    const Index padded = i[n.out.spatial[k]] * w.stride + place * w.rhs_dilation - start;
    lhs[n.lhs.spatial[k]] = floor_div(padded, w.lhs_dilation);
    if (w.lhs_dilation != 1) inside.push_back(zero(mod(padded, w.lhs_dilation)));
    const std::int64_t last =
        (op.results[0].dims[n.out.spatial[k]] - 1) * w.stride + (kernel - 1) * w.rhs_dilation - w.low;
    if (low || w.low > 0) inside.push_back(non_negative(padded));
    if (low || floor_divide(last, w.lhs_dilation) >= size)
      inside.push_back(non_negative(b.constant(size - 1) - lhs[n.lhs.spatial[k]]));
  }
  const ElementType type = op.results[0].element;
  const auto widened = [&](Term t) { return b.type_of(t) == type ? t : b.apply(ScalarFn::convert, type, {t}); };
  const Term zero_term = b.from_index(b.constant(0), type);
  Term product = b.apply(ScalarFn::multiply, type, {widened(b.read(0, lhs)), widened(b.read(1, rhs))});
  if (!inside.empty()) product = b.guarded(inside, product, zero_term);
  b.define(0, b.reduce(Monoid::sum, over, zero_term, product));
}

void meaning(const OpInstance& op, MeaningBuilder& b) { meaning_with(op, b, nullptr); }

/// The batch, the output features and the contracted input features; groups must not be cut, and neither may windows.
std::vector<Entry> entries(const OpInstance& op) {
  std::vector<Entry> out;
  const Numbers n = *numbers_of(op);
  const bool grouped_features = group_count(op, "feature_group_count") != 1;
  const bool grouped_batch = group_count(op, "batch_group_count") != 1;
  const Action sum = Action::partial(Monoid::sum);
  if (!grouped_batch) out.push_back({{Action::tile(*n.lhs.first), Action::any()}, {Action::tile(*n.out.first)}});
  if (!grouped_batch && !grouped_features) {
    out.push_back({{Action::any(), Action::tile(*n.rhs.second)}, {Action::tile(*n.out.second)}});
  }
  if (!grouped_features) out.push_back({{Action::tile(*n.lhs.second), Action::tile(*n.rhs.first)}, {sum}});
  if (!converts_additively(op.operands[0].element, op.results[0].element)) return out;
  out.push_back({{sum, Action::any()}, {sum}});
  out.push_back({{Action::any(), sum}, {sum}});
  return out;
}

}  // namespace

OpDecl convolution() {
  const auto raw = [](const char* name) { return AttrSpec{name, "", AttrSpec::Kind::raw, "", "", "", false}; };
  OpDecl d;
  d.name = "stablehlo.convolution";
  d.kind = OpDecl::Kind::array;
  d.generic = true;
  d.attributes = {raw("dimension_numbers"),
                  ints_attr("window_strides", "stride", false),
                  raw("padding"),
                  ints_attr("lhs_dilation", "lhs_dilate", false),
                  ints_attr("rhs_dilation", "rhs_dilate", false),
                  raw("window_reversal"),
                  raw("feature_group_count"),
                  raw("batch_group_count"),
                  keywords_attr("precision_config", "", "precision")};
  d.parse = parse;
  d.verify = verify;
  d.covers = [](const OpInstance& op) { return all_have_arithmetic(op) && numbers_of(op).has_value(); };
  d.meaning = meaning;
  d.entries = entries;
  return d;
}

// --- dynamic_conv: the padding is operand 2, a matrix of low and high
// ----------------------------------------------------

OpDecl dynamic_conv() {
  OpDecl d = convolution();
  d.name = "stablehlo.dynamic_conv";
  d.parse = nullptr;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    require(op.operands[2].rank() == 2 && op.operands[2].dims[1] == 2 && is_integer(op.operands[2].element) &&
                op.operands[2].dims[0] + 2 == static_cast<std::int64_t>(op.operands[0].rank()),
            op, "C4", "a low and a high padding for each spatial dimension", op.operands[2].str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    meaning_with(op, b, [&](std::size_t k) {
      return b.read_index(2, {b.constant(static_cast<std::int64_t>(k)), b.constant(0)});
    });
  };
  d.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  return d;
}

}  // namespace partir::ops
