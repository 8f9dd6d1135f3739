// Declares operations that only the interpreter executes: tokens, tuples, channels, feeds, custom calls, and the checks
// and probes of StableHLO's test programs (its dialects "check" and "interpreter"). Semantics: semantics/host.cpp.
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/pairs.h"
#include "ir/text/parser.h"

namespace partir::ops {
namespace {

OpDecl host(std::string name, std::vector<AttrSpec> attributes = {}) {
  OpDecl d;
  d.name = std::move(name);
  d.kind = OpDecl::Kind::host;
  d.attributes = std::move(attributes);
  d.generic = true;
  d.pure = false;
  return d;
}

// --- Constraints. Types that are kept as text (dynamic, quantized) are accepted as tensors.

bool is_token(const Type& t) { return t.as<TokenType>() != nullptr; }
bool is_tuple(const Type& t) { return t.as<TupleType>() != nullptr; }

void require_token(const OpInstance& op, const std::vector<Type>& types, const char* label) {
  require(!types.empty() && is_token(types.back()), op, label, "a token as the last one", types_text(types));
}

/// Fails unless all types but the last are tensors.
void require_values(const OpInstance& op, const std::vector<Type>& types, const char* label) {
  for (std::size_t k = 0; k + 1 < types.size(); ++k)
    require(!is_token(types[k]) && !is_tuple(types[k]), op, label, "tensors before the token", types[k].str());
}

void require_string(const OpInstance& op, const char* name, const char* label) {
  const Attribute* a = find(op.attributes, name);
  require(a == nullptr || a->as<StringAttr>() != nullptr, op, label, fmt::format("{} as a string", name),
          a != nullptr ? a->str() : "");
}

void verify_tuple(const OpInstance& op) {
  require(op.results.size() == 1, op, "arity", "one result");
  const Type& t = op.results[0];
  require(is_tuple(t) && t.as<TupleType>()->elements == op.operands, op, "C1",
          "a tuple of the operands' types " + types_text(op.operands), t.str());
}

void verify_get_tuple_element(const OpInstance& op) {
  require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
  require(is_tuple(op.operands[0]), op, "I1", "a tuple", op.operands[0].str());
  const auto& elements = op.operands[0].as<TupleType>()->elements;
  const std::int64_t index = op.integer("index", -1);
  require(in_range({index}, elements.size()), op, "C1", "0 <= index < size of the tuple",
          fmt::format("index {} of {}", index, op.operands[0].str()));
  const Type& element = elements[at(index)];
  require(element == op.results[0], op, "C2", "a result of type " + element.str(), op.results[0].str());
}

/// Returns field "type" of the channel: 1 between devices, 2 to the host, 3 from the host; 0 if there is none.
std::int64_t channel_type(const OpInstance& op) {
  const Attribute* a = find(op.attributes, "channel_handle");
  const RawAttr* raw = a != nullptr ? a->as<RawAttr>() : nullptr;
  if (raw == nullptr) return 0;
  const AttributeList fields = text::struct_fields(raw->text, op.place);
  const Attribute* type = find(fields, "type");
  const IntAttr* number = type != nullptr ? type->as<IntAttr>() : nullptr;
  return number != nullptr ? number->value : 0;
}

/// `of_host` is the type required of a channel to or from the host. The specification gives recv the type that send
/// has; the dialect and its programs use HOST_TO_DEVICE.
void require_channel(const OpInstance& op, const char* pairs, std::int64_t of_host) {
  const bool host = is_set(op.attributes, "is_host_transfer");
  if (find(op.attributes, "source_target_pairs") != nullptr) require_pairs(op, pairs);
  const std::int64_t wanted = host ? of_host : 1;
  require(channel_type(op) == wanted, op, "C5",
          fmt::format("a channel of type {} where is_host_transfer = {}", wanted, host),
          fmt::format("type {}", channel_type(op)));
}

void verify_send(const OpInstance& op) {
  require(op.results.size() == 1, op, "arity", "one result");
  require_token(op, op.operands, "I2");
  require_values(op, op.operands, "I1");
  require_token(op, op.results, "type");
  require_channel(op, "I6", 2);
}

void verify_recv(const OpInstance& op) {
  require(op.operands.size() == 1 && !op.results.empty(), op, "arity", "one operand, and results");
  require_token(op, op.operands, "I1");
  require_token(op, op.results, "type");
  require_values(op, op.results, "type");
  require_channel(op, "I5", 3);
}

void verify_infeed(const OpInstance& op) {
  require(op.operands.size() == 1, op, "arity", "one operand");
  require_token(op, op.operands, "I1");
  require_string(op, "infeed_config", "I2");
  require(!op.results.empty(), op, "C1", "at least one result", "no result");
  require_values(op, op.results, "C2");
  require_token(op, op.results, "C3");
}

void verify_outfeed(const OpInstance& op) {
  require(op.results.size() == 1, op, "arity", "one result");
  require_token(op, op.operands, "I2");
  require_values(op, op.operands, "I1");
  require_string(op, "outfeed_config", "I3");
  require_token(op, op.results, "type");
}

/// Checks after_all, and create_token, which is after_all of no tokens.
void verify_after_all(const OpInstance& op) {
  const bool creates = op.decl->name == "stablehlo.create_token";
  require(op.results.size() == 1 && (!creates || op.operands.empty()), op, "arity",
          creates ? "no operand and one result" : "tokens and one result");
  for (const Type& t : op.operands) require(is_token(t), op, "I1", "tokens", t.str());
  require_token(op, op.results, "type");
}

/// Pretty form: custom_call @target(%x, …) {…} : …
OpDecl custom_call() {
  OpDecl d = host("stablehlo.custom_call",
                  {raw_attr("call_target_name"), raw_attr("has_side_effect"), raw_attr("backend_config"),
                   raw_attr("api_version"), raw_attr("called_computations"), raw_attr("operand_layouts"),
                   raw_attr("result_layouts"), raw_attr("output_operand_aliases")});
  d.generic = true;
  d.pure = false;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    set(op.attributes, "call_target_name", {StringAttr{p.symbol()}});
    p.expect("(");
    if (!p.accept(")")) {
      op.operands = p.uses();
      p.expect(")");
    }
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  return d;
}

/// Pretty forms: check.expect_eq %a, %b : type, and check.expect_eq_const %a, dense<…> : type. Tolerances and other
/// limits follow as "key = value".
OpDecl check(const char* name) {
  OpDecl d = host(
      name, {raw_attr("value"), raw_attr("tolerance", "tolerance"),
             raw_attr("max_ulp_difference", "max_ulp_difference"), raw_attr("min_ulp_difference", "min_ulp_difference"),
             raw_attr("probe_id", "probe_id"), raw_attr("iteration", "iter")});
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    op.operands = {p.use()};
    p.expect(",");
    if (p.at("dense")) {
      set(op.attributes, "value", p.attribute(true));
      if (p.accept(",")) p.items(op);
      p.optional_dictionary(op.attributes);
      p.finish(f, op, {f.type(op.operands[0])}, {});
      return;
    }
    p.items(op);
    p.expect(":");
    std::vector<Type> types = p.types_until_end();
    types.resize(op.operands.size(), types.at(0));
    p.finish(f, op, types, {});
  };
  return d;
}

}  // namespace

std::vector<OpDecl> host() {
  std::vector<OpDecl> out;
  out.push_back(custom_call());
  for (const char* name : {"stablehlo.tuple", "stablehlo.create_token", "stablehlo.after_all"}) {
    OpDecl d = host(name);
    d.verify = d.name == "stablehlo.tuple" ? verify_tuple : verify_after_all;
    d.generic = false;
    // The pretty form has the result's type only: a token's operands are tokens, and a tuple's type lists theirs.
    d.parse = [](text::Parser& p, Function& f, Op& op) {
      p.items(op);
      p.expect(":");
      if (p.at("(")) {
        const auto operands = p.type_or_list();
        p.expect("->");
        return p.finish(f, op, operands, p.type_or_list());
      }
      std::vector<Type> operands;
      for (const ValueId v : op.operands) operands.push_back(f.type(v));
      p.finish(f, op, operands, {p.type()});
    };
    out.push_back(std::move(d));
  }
  OpDecl element = host("stablehlo.get_tuple_element", {integer_attr("index")});
  element.verify = verify_get_tuple_element;
  element.parse = [](text::Parser& p, Function& f, Op& op) {  // %t[0] : (tuple<…>) -> type
    op.operands = {p.use()};
    p.expect("[");
    set(op.attributes, "index", {IntAttr{p.integer(), ""}});
    p.expect("]");
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  out.push_back(std::move(element));
  const auto push = [&](const char* name, std::vector<AttrSpec> attributes, void (*verify)(const OpInstance&)) {
    out.push_back(host(name, std::move(attributes)));
    out.back().verify = verify;
  };
  const std::vector<AttrSpec> channel = {raw_attr("channel_handle"), raw_attr("is_host_transfer"),
                                         raw_attr("source_target_pairs")};
  push("stablehlo.send", channel, verify_send);
  push("stablehlo.recv", channel, verify_recv);
  push("stablehlo.infeed", {raw_attr("infeed_config"), raw_attr("layout")}, verify_infeed);
  push("stablehlo.outfeed", {raw_attr("outfeed_config")}, verify_outfeed);
  for (const char* name : {"check.expect_eq", "check.expect_eq_const", "check.expect_almost_eq",
                           "check.expect_almost_eq_const", "check.expect_close", "check.expect_serialized_eq"})
    out.push_back(check(name));
  OpDecl probe = host("interpreter.probe", {raw_attr("probe_id", "probe_id")});
  probe.types = OpDecl::TypeForm::same;
  out.push_back(std::move(probe));
  OpDecl print = host("interpreter.print");
  print.parse = [](text::Parser& p, Function& f, Op& op) {
    op.operands = {p.use()};
    p.expect(":");
    p.finish(f, op, {p.type()}, {});
  };
  out.push_back(std::move(print));
  out.push_back(host("interpreter.run_parallel", {raw_attr("programs"), raw_attr("infeed")}));
  return out;
}

}  // namespace partir::ops
