// Operations that are the interpreter's own: tokens, tuples, channels, feeds, and the checks and probes of StableHLO's
// test programs (its dialects "check" and "interpreter"). What they do is in semantics/host.cpp.
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
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

AttrSpec raw_attr(std::string name, std::string pretty = "") {
  return {std::move(name), std::move(pretty), AttrSpec::Kind::raw, "", "", "", false};
}

/// custom_call @target(%x, …) {…} : …
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

/// check.expect_eq %a, %b : type; check.expect_eq_const %a, dense<…> : type; further limits as "key = value".
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
    std::vector<TensorType> types = p.types_until_end();
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
    d.generic = false;
    // The pretty form writes the result's type alone: a token's operands are tokens, a tuple's type lists theirs.
    d.parse = [](text::Parser& p, Function& f, Op& op) {
      p.items(op);
      p.expect(":");
      if (p.at("(")) {
        const auto operands = p.type_or_list();
        p.expect("->");
        return p.finish(f, op, operands, p.type_or_list());
      }
      std::vector<TensorType> operands;
      for (const ValueId v : op.operands) operands.push_back(f.type(v));
      p.finish(f, op, operands, {p.type()});
    };
    out.push_back(std::move(d));
  }
  OpDecl element = host("stablehlo.get_tuple_element", {integer_attr("index")});
  element.parse = [](text::Parser& p, Function& f, Op& op) {  // %t[0] : (tuple<…>) -> type
    op.operands = {p.use()};
    p.expect("[");
    set(op.attributes, "index", {IntAttr{p.integer(), ""}});
    p.expect("]");
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  out.push_back(std::move(element));
  for (const char* name : {"stablehlo.send", "stablehlo.recv"})
    out.push_back(
        host(name, {raw_attr("channel_handle"), raw_attr("is_host_transfer"), raw_attr("source_target_pairs")}));
  out.push_back(host("stablehlo.infeed", {raw_attr("infeed_config"), raw_attr("layout")}));
  out.push_back(host("stablehlo.outfeed", {raw_attr("outfeed_config")}));
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
