// constant: out[i] = value[i] (specification, "constant").
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"
#include "support/check.h"

namespace partir::ops {
namespace {

const Literal& literal_of(const OpInstance& op) {
  const Attribute* value = find(op.attributes, "value");
  PARTIR_CHECK(value != nullptr && value->as<DenseAttr>() != nullptr, "constant without its value");
  return *value->as<DenseAttr>()->literal;
}

}  // namespace

OpDecl constant() {
  OpDecl d;
  d.name = "stablehlo.constant";
  d.kind = OpDecl::Kind::array;
  d.traits = {.constant = true};
  d.attributes = {AttrSpec{"value", "", AttrSpec::Kind::raw, "", "", "", true}};
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    p.optional_dictionary(op.attributes);
    const Place place = p.here();
    Attribute value = p.attribute(true);
    if (value.as<DenseAttr>() == nullptr) {
      // dense_resource and quantized values are kept as text; their type follows the last colon.
      const RawAttr* raw = value.as<RawAttr>();
      const auto colon = raw == nullptr ? std::string::npos : raw->text.rfind(" : ");
      if (colon == std::string::npos) fail("constant", place, value.str().substr(0, 60), "dense<…> : tensor<…>");
      Type t;
      try {
        t = text::Parser(std::string_view(raw->text).substr(colon + 3)).type();
      } catch (const UserError& error) {
        fail("constant", place, raw->text.substr(0, 60), error.diagnostic().wanted);
      }
      set(op.attributes, "value", std::move(value));
      p.finish(f, op, {}, {t});
      return;
    }
    const TensorType type = value.as<DenseAttr>()->literal->type;
    set(op.attributes, "value", std::move(value));
    p.finish(f, op, {}, {type});
  };
  d.print = [](text::OpPrinter& p, const Function&, const Op& op) {
    p.text("stablehlo.constant");
    p.dictionary(op);
    p.text(" " + find(op.attributes, "value")->str());
  };
  d.prints = [](const Function& f, const Op& op) {
    const Attribute* value = find(op.attributes, "value");
    if (value == nullptr || !is_plain(op, 0)) return false;
    const Type& type = f.type(op.results[0]);
    if (const DenseAttr* dense = value->as<DenseAttr>()) return type == dense->literal->type;
    return value->as<RawAttr>() != nullptr && value->as<RawAttr>()->text.ends_with(" : " + type.str());
  };
  d.verify = [](const OpInstance& op) {
    require(op.operands.empty() && op.results.size() == 1, op, "arity", "no operand and one result");
    const Attribute& value = *find(op.attributes, "value");
    const DenseAttr* dense = value.as<DenseAttr>();
    const RawAttr* raw = value.as<RawAttr>();
    require(dense != nullptr || raw != nullptr, op, "I1", "a constant: dense<…> : tensor<…>");
    // The type of dense_resource follows its colon; constants of other dialects are accepted as they are.
    const bool typed = raw != nullptr && raw->text.starts_with("dense_resource<");
    const bool same = dense != nullptr ? dense->literal->type == op.results[0]
                                       : !typed || raw->text.ends_with(" : " + op.results[0].str());
    require(same, op, "C1", "a result of the value's type");
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && find(op.attributes, "value")->as<DenseAttr>() != nullptr;
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    b.define(0, b.attribute(op.results[0]->element, i));
  };
  // All chunks of a splat are equal. Other constants stay replicated and are sliced at their uses.
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    if (!literal_of(op).splat) return out;
    for (Dim k = 0; k < op.results[0].rank(); ++k) out.push_back({{}, {Action::tile(k)}});
    return out;
  };
  d.localize = [](const OpInstance& op, const Entry&, OpInstance& local) {
    auto literal = std::make_shared<Literal>(literal_of(op));
    literal->type = *local.results[0];
    set(local.attributes, "value", {DenseAttr{std::move(literal)}});
    return true;
  };
  return d;
}

}  // namespace partir::ops
