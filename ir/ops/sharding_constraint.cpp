// sdy.sharding_constraint: out[i] = operand[i]. The sharding it requests concerns partitioners only
// (rewrite/annotations.h). Also defines the helpers of ir/ops/shardy.h.
#include "ir/ops/common.h"
#include "ir/ops/elementwise.h"
#include "ir/ops/ops.h"
#include "ir/ops/shardy.h"

namespace partir::ops {

void parse_with_sharding(text::Parser& p, Function& f, Op& op) {
  op.operands = {p.use()};
  set(op.attributes, "sharding", {RawAttr{"#sdy.sharding" + std::string(p.balanced("<"))}});
  p.optional_dictionary(op.attributes);
  p.types(f, op);
}

void verify_identity(const OpInstance& op) {
  require(op.operands.size() == 1 && op.results == op.operands, op, "C1", "a result of the operand's type");
}

OpDecl sharding_constraint() {
  OpDecl d;
  d.name = "sdy.sharding_constraint";
  d.kind = OpDecl::Kind::array;
  d.types = OpDecl::TypeForm::same;
  d.generic = true;
  d.attributes = {{"sharding", "", AttrSpec::Kind::raw, "", "", "", false}};
  d.parse = parse_with_sharding;
  d.verify = verify_identity;
  d.covers = covers_elementwise;
  d.meaning = [](const OpInstance&, MeaningBuilder& b) { b.define(0, b.read(0, b.result())); };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out = tiled_alike(op);
    index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
