// PartIR:Core: loops over a mesh axis, and slices by the loop's index.
//
//   %1 = loop "B" [#tile<0>] (%r: range<4>) {
//     %2 = slice 0 %x[%r] : tensor<256x8xf32> -> tensor<64x8xf32>
//     …
//     yield %3 : tensor<64x16xf32>
//   } : tensor<256x16xf32>
//
// Sequential reading: iterations one after another; parallel reading: iteration r on the devices whose coordinate is r.
#include "ir/core.h"

#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"
#include "support/checked.h"

namespace partir {

std::vector<Action> loop_actions(const AttributeList& attributes) {
  std::vector<Action> out;
  const Attribute* list = find(attributes, "actions");
  if (list == nullptr || list->as<ArrayAttr>() == nullptr) return out;
  for (const Attribute& a : list->as<ArrayAttr>()->items) {
    out.push_back(Action::parse(a.as<KeywordAttr>()->value).value_or(Action::any()));
  }
  return out;
}

}  // namespace partir

namespace partir::ops {
namespace {

void core_expect(bool condition, const OpInstance& op, const std::string& found, const std::string& wanted) {
  if (!condition) fail("core", op.place, found, wanted);
}

/// What a loop gives of a yielded value by an action: a tiled dimension is as many times larger as there are
/// iterations.
Type result_by(const Action& action, Type yielded, std::int64_t iterations, const OpInstance& op) {
  if (action.is_tile()) {
    core_expect(action.dim < yielded.rank(), op, action.str(), "a dimension of " + yielded.str());
    const auto size = checked_multiply(yielded->dims[action.dim], iterations);
    core_expect(size.has_value(), op, "a size that overflows", "smaller sizes");
    yielded->dims[action.dim] = *size;
  }
  if (action.is_partial()) {
    const bool combined =
        yielded.is_tensor() && ((action.monoid == Monoid::sum && yielded->element == ElementType::i1) ||
                                combines(action.monoid, yielded->element));
    core_expect(combined, op, action.str() + " of " + yielded.str(), "a combination that the type has");
  }
  return yielded;
}

void verify_loop(const OpInstance& op) {
  core_expect(op.function != nullptr && op.regions != nullptr && op.regions->size() == 1, op, "regions", "one region");
  const Block& body = op.regions->front();
  const auto* range = body.arguments.size() == 1 ? op.function->type(body.arguments[0]).as<IndexRange>() : nullptr;
  core_expect(range != nullptr && range->extent >= 1, op, "another index",
              "an index of type range<n> with n of at least 1");
  const auto actions = loop_actions(op.attributes);
  const bool yields = !body.ops.empty() && body.ops.back().name() == "partir.yield";
  core_expect(yields && actions.size() == op.results.size() && body.ops.back().operands.size() == actions.size(), op,
              "a loop whose actions, results and yielded values differ in number", "one action for each");
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Type want = result_by(actions[i], op.function->type(body.ops.back().operands[i]), range->extent, op);
    core_expect(op.results[i] == want, op, op.results[i].str(), want.str() + " by the action");
  }
}

void verify_slice(const OpInstance& op) {
  core_expect(op.operands.size() == 2 && op.results.size() == 1, op, "a slice",
              "one result of a tensor and a loop's index");
  core_expect(op.operands[0].is_tensor(), op, op.operands[0].str(), "a tensor type");
  const auto* range = op.operands[1].as<IndexRange>();
  core_expect(range != nullptr && range->extent >= 1, op, op.operands[1].str(), "a loop's index, of type range<n>");
  const TensorType& from = *op.operands[0];
  const std::int64_t dim = op.integer("dim", -1);
  core_expect(dim >= 0 && at(dim) < from.rank(), op, fmt::format("dimension {}", dim), "one of " + from.str());
  std::vector<std::int64_t> dims = from.dims;
  core_expect(dims[at(dim)] % range->extent == 0, op, from.str(), fmt::format("a size that {} divides", range->extent));
  dims[at(dim)] /= range->extent;
  core_expect(op.results[0] == Type(from.with_dims(dims)), op, op.results[0].str(), from.with_dims(dims).str());
}

OpDecl loop() {
  OpDecl d;
  d.name = "partir.loop";
  d.kind = OpDecl::Kind::core;
  d.verify = verify_loop;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    set(op.attributes, "axis", {StringAttr{p.string()}});
    ArrayAttr actions;
    p.expect("[");
    do {
      const Place place = p.here();
      if (p.kind() != text::Token::Kind::hash) p.unexpected("an action such as #tile<0>");
      std::string text(p.take().text);
      if (p.at("<")) text += p.balanced("<");
      if (!Action::parse(text) || !text.starts_with('#'))
        fail("core", place, text, "#tile<d>, #any, #sum, #max, #min, #prod, #and or #or");
      actions.items.push_back({KeywordAttr{text}});
    } while (p.accept(","));
    p.expect("]");
    set(op.attributes, "actions", {std::move(actions)});
    p.expect("(");
    const std::string index = p.definition();
    p.expect(":");
    const Place place = p.here();
    const Type range = p.type();
    if (range.as<IndexRange>() == nullptr) fail("core", place, range.str(), "range<n> with n of at least 1");
    p.expect(")");
    op.regions.push_back(p.region(f, {{index, range}}));
    p.expect(":");
    p.finish(f, op, {}, p.type_or_list());
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    std::string actions;
    for (const Attribute& a : find(op.attributes, "actions")->as<ArrayAttr>()->items) {
      actions += (actions.empty() ? "" : ", ") + a.as<KeywordAttr>()->value;
    }
    const ValueId index = op.regions[0].arguments[0];
    p.text(fmt::format("loop {} [{}] (", find(op.attributes, "axis")->str(), actions));
    p.text(fmt::format("{}: {}) ", p.fresh(index), f.type(index).str()));
    p.region(f, op.regions[0], false);
    std::string types;
    for (const ValueId v : op.results) types += (types.empty() ? "" : ", ") + f.type(v).str();
    p.text(" : " + (op.results.size() == 1 ? types : "(" + types + ")"));
  };
  return d;
}

OpDecl slice_by_index() {
  OpDecl d;
  d.name = "partir.slice";
  d.kind = OpDecl::Kind::core;
  d.verify = verify_slice;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    const std::int64_t dim = p.integer();
    set(op.attributes, "dim", {IntAttr{dim, ""}});
    op.operands = {p.use()};
    p.expect("[");
    op.operands.push_back(p.use());
    p.expect("]");
    p.expect(":");
    const Type from_type = p.type();
    p.expect("->");
    const Type to = p.type();
    p.finish(f, op, {from_type, f.type(op.operands[1])}, {to});
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    p.text(fmt::format("slice {} {}[{}] : {} -> {}", find(op.attributes, "dim")->str(), p.value(op.operands[0]),
                       p.value(op.operands[1]), f.type(op.operands[0]).str(), f.type(op.results[0]).str()));
  };
  return d;
}

}  // namespace

std::vector<OpDecl> core() {
  OpDecl yield;
  yield.name = "partir.yield";
  yield.kind = OpDecl::Kind::terminator;
  yield.parse = [](text::Parser& p, Function& f, Op& op) {
    op.operands = p.uses();
    p.expect(":");
    p.finish(f, op, p.types_until_end(), {});
  };
  yield.prints = [](const Function&, const Op& op) {
    return !op.operands.empty() && op.results.empty() && op.attributes.empty() && op.regions.empty();
  };
  yield.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    std::string types;
    for (const ValueId v : op.operands) types += (types.empty() ? "" : ", ") + f.type(v).str();
    p.text(fmt::format("yield {} : {}", p.values(op.operands), types));
  };
  return {loop(), slice_by_index(), std::move(yield)};
}

}  // namespace partir::ops
