// Declares the operations of Shardy's dialect other than the sharding constraint (ir/ops/sharding_constraint.cpp). Its
// collectives and reshards change layouts only: on global values each is the identity, and inline_calls replaces it by
// that.
#include "ir/ops/shardy.h"

#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {
namespace {

OpDecl shardy_op(std::string name) {
  OpDecl d;
  d.name = std::move(name);
  d.generic = true;
  return d;
}

/// Declares an identity on global values that is read by `parse` and has this attribute.
OpDecl identity(std::string name, const char* attribute, void (*parse)(text::Parser&, Function&, Op&)) {
  OpDecl d = shardy_op(std::move(name));
  d.types = OpDecl::TypeForm::same;
  d.attributes = {raw_attr(attribute)};
  d.verify = verify_identity;
  d.parse = parse;
  return d;
}

/// Parses `%x <key>=<value> : type`.
void parse_keyed(text::Parser& p, Function& f, Op& op, const char* key, Attribute (*value)(text::Parser&)) {
  op.operands = {p.use()};
  p.expect(key);
  p.expect("=");
  set(op.attributes, key, value(p));
  p.optional_dictionary(op.attributes);
  p.types(f, op);
}

/// Pretty form: `[{"x"}, {}] %x out_sharding=<@mesh, …> : type`. The axes, by which the shardings differ, are skipped.
OpDecl layout_collective(std::string name) {
  return identity(std::move(name), "out_sharding", [](text::Parser& p, Function& f, Op& op) {
    if (p.kind() == text::Token::Kind::identifier) (void)p.identifier();  // the reduction of all_reduce
    if (p.at("[")) {
      (void)p.balanced("[");
    } else if (p.at("{")) {
      (void)p.balanced("{");
    }
    parse_keyed(p, f, op, "out_sharding",
                [](text::Parser& q) -> Attribute { return {RawAttr{"#sdy.sharding" + std::string(q.balanced("<"))}}; });
  });
}

OpDecl reshard() { return identity("sdy.reshard", "sharding", parse_with_sharding); }

/// Pretty form: %x allowed_direction=NONE : type
OpDecl propagation_barrier() {
  return identity("sdy.propagation_barrier", "allowed_direction", [](text::Parser& p, Function& f, Op& op) {
    parse_keyed(p, f, op, "allowed_direction", [](text::Parser& q) -> Attribute { return {KeywordAttr{q.keyword()}}; });
  });
}

/// Pretty form: %x group_id=1 : type
OpDecl sharding_group() {
  OpDecl d = shardy_op("sdy.sharding_group");
  d.attributes = {raw_attr("group_id")};
  d.pure = false;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    op.operands = {p.use()};
    p.expect("group_id");
    p.expect("=");
    set(op.attributes, "group_id", {IntAttr{p.integer(), "i64"}});
    p.optional_dictionary(op.attributes);
    p.expect(":");
    p.finish(f, op, {p.type()}, {});
  };
  return d;
}

/// Like stablehlo.constant, by which inline_calls replaces it.
OpDecl shardy_constant() {
  OpDecl d = constant();
  d.name = "sdy.constant";
  d.kind = OpDecl::Kind::opaque;
  d.traits = {};
  d.generic = true;
  d.print = nullptr;
  d.prints = nullptr;
  d.meaning = nullptr;
  d.covers = nullptr;
  d.entries = nullptr;
  d.localize = nullptr;
  return d;
}

/// Pretty form:
/// sdy.manual_computation(%x) in_shardings=[…] out_shardings=[…] manual_axes={…} (%a: t) { … } : (t) -> t
OpDecl manual_computation() {
  OpDecl d = shardy_op("sdy.manual_computation");
  d.kind = OpDecl::Kind::host;
  d.pure = false;
  d.attributes = {raw_attr("in_shardings"), raw_attr("out_shardings"), raw_attr("manual_axes")};
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    p.expect("(");
    if (!p.accept(")")) {
      op.operands = p.uses();
      p.expect(")");
    }
    for (const char* key : {"in_shardings", "out_shardings", "manual_axes"}) {
      p.expect(key);
      p.expect("=");
      const std::string_view head = key[0] == 'm' ? "#sdy<manual_axes" : "#sdy.sharding_per_value<";
      set(op.attributes, key, {RawAttr{std::string(head) + std::string(p.balanced(key[0] == 'm' ? "{" : "[")) + ">"}});
    }
    std::vector<std::pair<std::string, Type>> arguments;
    p.expect("(");
    if (!p.accept(")")) {
      do {
        std::string name = p.definition();
        p.expect(":");
        arguments.emplace_back(std::move(name), p.type());
        p.skip_location();
      } while (p.accept(","));
      p.expect(")");
    }
    op.regions.push_back(p.region(f, arguments));
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  return d;
}

}  // namespace

std::vector<OpDecl> shardy() {
  std::vector<OpDecl> out;
  out.push_back(reshard());
  for (const char* name : {"all_gather", "all_slice", "all_to_all", "collective_permute", "all_reduce",
                           "reduce_scatter", "sharded_to_unreduced", "replicated_to_unreduced"})
    out.push_back(layout_collective(fmt::format("sdy.{}", name)));
  out.push_back(propagation_barrier());
  out.push_back(sharding_group());
  out.push_back(shardy_constant());
  out.push_back(manual_computation());
  return out;
}

}  // namespace partir::ops
