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

std::int64_t require_range(const Function& f, ValueId value, Place place) {
  const auto* range = f.type(value).as<IndexRange>();
  if (range == nullptr) fail("core", place, f.type(value).str(), "a loop's index, of type range<n>");
  return range->extent;
}

OpDecl loop() {
  OpDecl d;
  d.name = "partir.loop";
  d.kind = OpDecl::Kind::core;
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
    // Checked here, where the body is: what the actions make of what is yielded.
    const Op& yield = op.regions[0].ops.back();
    const auto list = loop_actions(op.attributes);
    if (yield.name() != "partir.yield" || list.size() != op.results.size() || yield.operands.size() != list.size()) {
      fail("core", op.place, "a loop whose actions, results and yielded values differ in number",
           "one action for each");
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      Type want = f.type(yield.operands[i]);
      if (list[i].is_tile()) {
        if (list[i].dim >= want.rank()) fail("core", op.place, list[i].str(), "a dimension of " + want.str());
        const auto size = checked_multiply(want->dims[list[i].dim], range.as<IndexRange>()->extent);
        if (!size) fail("core", op.place, "a size that overflows", "smaller sizes");
        want->dims[list[i].dim] = *size;
      }
      const auto combined = [&](Monoid monoid, ElementType element) {
        return (monoid == Monoid::sum && element == ElementType::i1) || combines(monoid, element);
      };
      if (list[i].is_partial() && !(want.is_tensor() && combined(list[i].monoid, want->element)))
        fail("core", op.place, list[i].str() + " of " + want.str(), "a combination that the type has");
      if (f.type(op.results[i]) != want)
        fail("core", op.place, f.type(op.results[i]).str(), want.str() + " by the action");
    }
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
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    const std::int64_t dim = p.integer();
    set(op.attributes, "dim", {IntAttr{dim, ""}});
    op.operands = {p.use()};
    p.expect("[");
    op.operands.push_back(p.use());
    p.expect("]");
    p.expect(":");
    const Place place = p.here();
    const Type from_type = p.type();
    p.expect("->");
    const Type to = p.type();
    if (!from_type.is_tensor()) fail("core", place, from_type.str(), "a tensor type");
    const TensorType& from = *from_type;
    const std::int64_t n = require_range(f, op.operands[1], op.place);
    p.finish(f, op, {from, f.type(op.operands[1])}, {to});
    if (dim < 0 || at(dim) >= from.rank())
      fail("core", op.place, fmt::format("dimension {}", dim), "one of " + from.str());
    if (from.dims[at(dim)] % n != 0) fail("core", op.place, from.str(), fmt::format("a size that {} divides", n));
    std::vector<std::int64_t> dims = from.dims;
    dims[at(dim)] /= n;
    if (to != Type(from.with_dims(dims))) fail("core", op.place, to.str(), from.with_dims(dims).str());
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
