// The checker's bookkeeping of parts: which source value each value of the partitioned module is a part of, in which
// layout. Also its rules for the arguments and results of the main function, and the facts that it collects from the
// source before the walk.
#include <fmt/format.h>

#include "ir/op_decl.h"
#include "verify/certificate/checker.h"

namespace partir {

const std::string* frontend(const AttributeList& attributes, std::string_view name) {
  const Attribute* dict = find(attributes, "mhlo.frontend_attributes");
  const DictAttr* entries = dict != nullptr ? dict->as<DictAttr>() : nullptr;
  const Attribute* value = entries != nullptr ? find(entries->entries, name) : nullptr;
  const StringAttr* text = value != nullptr ? value->as<StringAttr>() : nullptr;
  return text != nullptr ? &text->value : nullptr;
}

void Checker::note_source(const Block& block, const OpPath& path) {
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    const Op& op = block.ops[i];
    OpPath here = path;
    here.push_back(i);
    for (const ValueId v : op.results) {
      splats_[v] = checked_splat(op, splats_);
      splats_.places(v) = places_of(s_, op, splats_);
    }
    if (op.name() == "sdy.sharding_constraint") same_[op.results[0]] = the(op.operands[0]);
    if (op.name() == "sdy.manual_computation") note_manual(op, block);
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      here.push_back(r);
      note_source(op.regions[r], here);
      here.pop_back();
    }
    sources_.emplace(std::move(here), Source{&op, &block});
  }
}

LiteralPtr checked_splat(const Op& op, const Splats& known) {
  const std::string& n = op.name();
  if (n == "stablehlo.constant") {
    const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr || !dense->literal->splat) return nullptr;
    auto scalar = std::make_shared<Literal>(*dense->literal);
    scalar->type.dims.clear();
    return scalar;
  }
  if (n == "stablehlo.concatenate") return same_splat(op, known);
  const bool moves = n == "stablehlo.broadcast_in_dim" || n == "stablehlo.reshape" || n == "stablehlo.transpose" ||
                     n == "stablehlo.slice" || n == "stablehlo.reverse";
  return moves ? known[op.operands[0]] : nullptr;
}

ValueId Checker::the(ValueId v) const {
  const auto it = same_.find(v);
  return it == same_.end() ? v : it->second;
}

const Checker::Part& Checker::part(ValueId v) const {
  const auto it = parts_.find(v);
  if (it == parts_.end()) throw Refused{"reads a value that is no part of a source value"};
  return it->second;
}

void Checker::set_part(ValueId v, ValueId source, Layout layout, Exactness exactness) {
  exactness.over_reals = exactness.over_reals || rewritten_.reassociated.contains(source);
  // Only integers can hold the bits of floats. Control flow passes one exactness for all of its values, floats too.
  const Type& type = s_.type(source);
  exactness.are_bits = exactness.are_bits && type.is_tensor() && !is_float(type->element) && !is_complex(type->element);
  if (!is_layout_of(layout, s_.type(source), mesh_))
    throw Refused{fmt::format("{} is no layout of {}", layout.str(mesh_), s_.type(source).str())};
  if (manual_values_.contains(source) && !layout.is_replicated())
    throw Refused{"a value that each device has its own of, in a layout"};
  const Type local = layout.local(s_.type(source), mesh_);
  if (local != t_.type(v))
    throw Refused{fmt::format("a value of type {} where a part is {}", t_.type(v).str(), local.str())};
  parts_[v] = {source, std::move(layout), exactness};
  exactness_within_ = exactness_within_.with(exactness);
}

Layout Checker::parsed(const std::string& text, ValueId source) const {
  auto layout = Layout::parse(text, mesh_, s_.type(source).rank());
  if (!layout) throw Refused{"no layout: " + text};
  return std::move(*layout);
}

void Checker::arguments() {
  if (t_.arguments().size() != s_.arguments().size()) throw Refused{"another number of arguments"};
  for (std::size_t i = 0; i < t_.arguments().size(); ++i) {
    const std::string* text =
        i < t_.argument_attributes.size() ? frontend(t_.argument_attributes[i], "partir.sharding") : nullptr;
    if (text == nullptr) throw Refused{fmt::format("argument {} without partir.sharding", i)};
    const ValueId source = s_.arguments()[i];
    Layout layout = parsed(*text, source);
    if (!layout.pending.empty()) throw Refused{fmt::format("argument {} comes in partial", i)};
    set_part(t_.arguments()[i], source, std::move(layout), {});
  }
}

void Checker::returned(const Op& op) {
  const auto& wanted = s_.returned();
  if (op.operands.size() != wanted.size()) throw Refused{"another number of results"};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const Part& p = part(op.operands[k]);
    if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("result {} is a part of another value", k)};
    const std::string* text =
        k < t_.result_attributes.size() ? frontend(t_.result_attributes[k], "partir.sharding") : nullptr;
    if (text == nullptr) throw Refused{fmt::format("result {} without partir.sharding", k)};
    if (!(parsed(*text, wanted[k]) == p.layout))
      throw Refused{fmt::format("result {} is {}, not {}", k, p.layout.str(mesh_), *text)};
    if (p.exactness.are_bits && p.exactness.over_reals)
      not_proved(fmt::format("result {} has bits of a reassociated value", k));
    report_.over_reals.push_back(p.exactness.over_reals);
  }
}

}  // namespace partir
