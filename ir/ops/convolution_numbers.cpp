#include "ir/ops/convolution_numbers.h"

#include <charconv>

#include "ir/ops/common.h"
#include "ir/text/parser.h"

namespace partir::ops {
namespace {

std::optional<ConvolutionSide> side_of(std::string_view text, char first, char second) {
  std::optional<Dim> a;
  std::optional<Dim> b;
  std::vector<std::pair<std::size_t, Dim>> spatial;
  for (Dim dim = 0; !text.empty(); ++dim) {
    const auto comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    std::size_t number = 0;
    if (item.size() == 1 && (item[0] == first || item[0] == second)) {
      std::optional<Dim>& named = item[0] == first ? a : b;
      if (named) return std::nullopt;
      named = dim;
    } else if (!item.empty() &&
               std::from_chars(item.data(), item.data() + item.size(), number).ptr == item.data() + item.size()) {
      spatial.emplace_back(number, dim);
    } else if (item != "?") {  // `?` is a dimension that has none of these roles
      return std::nullopt;
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (!a || !b) return std::nullopt;
  ConvolutionSide out{*a, *b, {}};
  std::sort(spatial.begin(), spatial.end());
  for (std::size_t k = 0; k < spatial.size(); ++k) {
    if (spatial[k].first != k) return std::nullopt;
    out.spatial.push_back(spatial[k].second);
  }
  return out;
}

std::optional<ConvolutionNumbers> of_lists(std::string_view text) {
  std::vector<std::string_view> lists;
  while (lists.size() < 3) {
    const auto open = text.find('[');
    const auto close = text.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    lists.push_back(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  const auto lhs = side_of(lists[0], 'b', 'f');
  const auto rhs = side_of(lists[1], 'i', 'o');
  const auto out = side_of(lists[2], 'b', 'f');
  if (!lhs || !rhs || !out) return std::nullopt;
  return ConvolutionNumbers{*lhs, *rhs, *out};
}

/// Parses "<input_batch_dimension = 0, …>". Absent fields are 0, or empty lists. Throws UserError.
ConvolutionNumbers of_fields(const std::string& fields, Place place) {
  const AttributeList list = text::struct_fields(fields, place);
  const auto value = [&](const char* name, AttrSpec::Kind kind) {
    const Attribute* a = find(list, name);
    return a == nullptr ? Attribute{} : text::normalized(field_attr(name, kind, "", ""), *a, place);
  };
  const auto one = [&](const char* name) {
    const Attribute a = value(name, AttrSpec::Kind::integer);
    return a.as<IntAttr>() != nullptr ? at(a.as<IntAttr>()->value) : 0;
  };
  const auto all = [&](const char* name) {
    std::vector<Dim> out;
    const Attribute a = value(name, AttrSpec::Kind::ints);
    if (a.as<IntsAttr>() == nullptr) return out;
    for (const std::int64_t dim : a.as<IntsAttr>()->values) out.push_back(at(dim));
    return out;
  };
  return {
      {one("input_batch_dimension"), one("input_feature_dimension"), all("input_spatial_dimensions")},
      {one("kernel_input_feature_dimension"), one("kernel_output_feature_dimension"), all("kernel_spatial_dimensions")},
      {one("output_batch_dimension"), one("output_feature_dimension"), all("output_spatial_dimensions")}};
}

}  // namespace

bool ConvolutionSide::is_within(std::size_t rank) const {
  std::vector<Dim> all = spatial;
  all.push_back(first);
  all.push_back(second);
  std::sort(all.begin(), all.end());
  return all.back() < rank && std::adjacent_find(all.begin(), all.end()) == all.end();
}

std::optional<ConvolutionNumbers> convolution_numbers(const OpInstance& op) {
  const Attribute* a = find(op.attributes, "dimension_numbers");
  const RawAttr* raw = a != nullptr ? a->as<RawAttr>() : nullptr;
  if (raw == nullptr) return std::nullopt;
  constexpr std::string_view head = "#stablehlo.conv<raw";
  if (!raw->text.starts_with(head)) return of_lists(raw->text);
  try {
    return of_fields("<" + raw->text.substr(head.size()), op.place);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace partir::ops
