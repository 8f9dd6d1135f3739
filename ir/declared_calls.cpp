#include "ir/declared_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/meaning.h"
#include "ir/ops/common.h"
#include "ir/sharding/sharding_rule.h"
#include "support/check.h"

namespace partir {
namespace {

using rules::FactorIndex;
using rules::FactorKind;
using rules::ShardingRule;
using rules::TensorFactors;

constexpr const char* kRule = "sdy.sharding_rule";

/// The dimension that is this factor alone; nothing if there is none.
std::optional<Dim> dim_of(const TensorFactors& tensor, FactorIndex factor) {
  const auto it = std::find(tensor.begin(), tensor.end(), rules::DimFactors{factor});
  if (it == tensor.end()) return std::nullopt;
  return static_cast<Dim>(it - tensor.begin());
}

bool has_part_of(const TensorFactors& tensor, FactorIndex factor) {
  return std::any_of(tensor.begin(), tensor.end(), [&](const rules::DimFactors& dim) {
    return dim.size() > 1 && std::find(dim.begin(), dim.end(), factor) != dim.end();
  });
}

/// The factors along which the call is computed slice by slice.
std::vector<FactorIndex> slicing_factors(const ShardingRule& rule) {
  std::vector<FactorIndex> out;
  for (FactorIndex f = 0; f < rule.sizes.size(); ++f) {
    const auto in = [&](const TensorFactors& t) { return dim_of(t, f).has_value(); };
    const auto part = [&](const TensorFactors& t) { return has_part_of(t, f); };
    if (rule.kind(f) == FactorKind::pass_through && !rule.is_blocked(f) &&
        std::any_of(rule.operands.begin(), rule.operands.end(), in) &&
        std::all_of(rule.results.begin(), rule.results.end(), in) &&
        std::none_of(rule.operands.begin(), rule.operands.end(), part))
      out.push_back(f);
  }
  return out;
}

ShardingRule rule_of(const AttributeList& attributes) {
  const auto* raw = find(attributes, kRule)->as<RawAttr>();
  return value_or_throw(rules::read_sharding_rule(raw->text, raw->place));
}

void define_slice_by_slice(const OpInstance& op, MeaningBuilder& b) {
  const ShardingRule rule = rule_of(op.attributes);
  const std::vector<FactorIndex> factors = slicing_factors(rule);
  const std::string function = fmt::format("{} {} {}", kDeclaredCall, text_of_call(op.attributes), rule.str(false));
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const auto i = b.result(r);
    std::vector<Index> whole(i.begin(), i.end());  // indices of the dimensions that are no slices
    const auto index_of = [&](FactorIndex f) { return i[*dim_of(rule.results[r], f)]; };
    std::vector<bool> is_sliced(i.size(), false);
    for (const FactorIndex f : factors) is_sliced[*dim_of(rule.results[r], f)] = true;
    std::vector<Index> inner;
    for (std::size_t d = 0; d < whole.size(); ++d) {
      if (!is_sliced[d]) inner.push_back(whole[d]);
    }
    std::vector<MeaningBuilder::Array> slices;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      std::vector<Index> at;
      std::vector<Index> over;
      for (Dim d = 0; d < op.operands[k].rank(); ++d) {
        const auto& dim = rule.operands[k][d];
        if (dim.size() == 1 && std::find(factors.begin(), factors.end(), dim[0]) != factors.end()) {
          at.push_back(index_of(dim[0]));
        } else {
          over.push_back(b.range(op.operands[k]->dims[d]));
          at.push_back(over.back());
        }
      }
      slices.push_back({over, b.read(k, at)});
    }
    b.define(r, b.library(function, r, op.results[r]->element, slices, inner));
  }
}

std::vector<Entry> tiled_by_factors(const OpInstance& op) {
  const ShardingRule rule = rule_of(op.attributes);
  std::vector<Entry> out;
  const auto action = [](const TensorFactors& tensor, FactorIndex f) {
    const auto dim = dim_of(tensor, f);
    return dim ? Action::tile(*dim) : Action::any();
  };
  for (const FactorIndex f : slicing_factors(rule)) {
    Entry entry;
    for (const TensorFactors& t : rule.operands) entry.operands.push_back(action(t, f));
    for (const TensorFactors& t : rule.results) entry.results.push_back(action(t, f));
    out.push_back(std::move(entry));
  }
  return out;
}

/// Writes the sizes of the types into the rule.
void set_sizes(OpInstance& op) {
  ShardingRule rule = rule_of(op.attributes);
  const auto read = [&](const std::vector<TensorFactors>& tensors, const std::vector<Type>& types) {
    for (FactorIndex f = 0; f < rule.sizes.size(); ++f) {
      for (std::size_t k = 0; k < tensors.size(); ++k) {
        if (const auto dim = dim_of(tensors[k], f)) rule.sizes[f] = types[k]->dims[*dim];
      }
    }
  };
  read(rule.operands, op.operands);
  read(rule.results, op.results);
  const Place place = find(op.attributes, kRule)->as<RawAttr>()->place;
  set(op.attributes, kRule, {RawAttr{fmt::format("#sdy.op_sharding_rule<{}>", rule.str()), place}});
}

}  // namespace

const OpDecl* declared_call_decl(const Function& function, const Op& op) {
  static const OpDecl decl = [] {
    OpDecl d = *find_decl("stablehlo.custom_call");
    d.kind = OpDecl::Kind::array;
    d.pure = true;
    d.meaning = define_slice_by_slice;
    d.entries = tiled_by_factors;
    d.repeat_sizes = set_sizes;
    return d;
  }();
  if (op.name() != "stablehlo.custom_call" || ops::is_set(op.attributes, "has_side_effect")) return nullptr;
  const Attribute* attribute = find(op.attributes, kRule);
  if (attribute == nullptr || call_target(op.attributes) == nullptr || op.operands.empty() || op.results.empty())
    return nullptr;
  const auto is_array = [&](ValueId v) { return function.type(v).is_tensor(); };
  if (!std::all_of(op.operands.begin(), op.operands.end(), is_array) ||
      !std::all_of(op.results.begin(), op.results.end(), is_array))
    return nullptr;
  const RawAttr* raw = attribute->as<RawAttr>();
  if (raw == nullptr) return nullptr;
  const ShardingRule rule = value_or_throw(rules::read_sharding_rule(raw->text, raw->place));
  if (auto fits = rules::verify_sharding_rule(rule, instance_of(function, op), raw->place); !fits)
    throw UserError(fits.error());
  const auto has_sizes = [&](const TensorFactors& tensor, ValueId v) {
    for (Dim d = 0; d < tensor.size(); ++d) {
      if (tensor[d].size() == 1 && rule.sizes[tensor[d][0]] != function.tensor(v).dims[d]) return false;
    }
    return true;
  };
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    if (!has_sizes(rule.operands[k], op.operands[k])) return nullptr;
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    if (!has_sizes(rule.results[k], op.results[k])) return nullptr;
  }
  return &decl;
}

bool is_declared_call(const OpDecl& decl) { return decl.entries == tiled_by_factors; }

std::set<std::string> declared_calls(const Function& function) {
  std::set<std::string> out;
  for_each_op(function.body, [&](const Op& op) {
    if (is_declared_call(*op.decl)) out.insert(*call_target(op.attributes));
  });
  return out;
}

std::string text_of_declared_calls(const std::set<std::string>& targets) {
  if (targets.empty()) return "";
  return fmt::format("the sharding rule{} of @{} {} assumed; ", targets.size() == 1 ? "" : "s",
                     fmt::join(targets, ", @"), targets.size() == 1 ? "is" : "are");
}

}  // namespace partir
