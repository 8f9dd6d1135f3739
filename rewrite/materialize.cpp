#include "rewrite/materialize.h"

#include <map>

#include "ir/builder.h"
#include "ir/cloner.h"
#include "rewrite/yielded.h"
#include "support/check.h"

namespace partir {
namespace {

class Writer {
 public:
  explicit Writer(const State& state)
      : s_(state),
        f_(state.function()),
        yielded_(state),
        out_(signature_of(f_)),
        cloner_(f_, out_),
        builder_(out_, out_.body) {}

  Function run() {
    out_.types.reserve(4 * f_.types.size());  // per operation: a loop, its index and a slice
    out_.body.ops.reserve(f_.body.ops.size() + f_.arguments().size());
    for (const ValueId v : f_.arguments()) cloner_.map(v, builder_.argument(f_.type(v)));
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      const ValueId v = f_.arguments()[i];
      cloner_.map(v, placed(cloner_.at(v), s_.argument(i), 0));
    }
    block(f_.body, [&](std::size_t k, ValueId v) { return with_tiling(v, yielded_.result(k)); });
    return std::move(out_);
  }

 private:
  /// Writes the operations of a block; `operand(k, v)` returns the new value for operand k of its terminator.
  template <class F>
  void block(const Block& from, const F& operand) {
    for (const Op& op : from.ops) {
      builder_.from(op.place, op.location);
      if (op.decl->kind == OpDecl::Kind::terminator) {
        Op end = copy_of(op, op.attributes);
        for (std::size_t k = 0; k < op.operands.size(); ++k) end.operands.push_back(operand(k, op.operands[k]));
        builder_.append(std::move(end));
      } else if (runs_regions(op) || hands_operands_on(op)) {
        control_flow(op);
      } else {
        std::vector<ValueId> operands;
        for (const ValueId v : op.operands) operands.push_back(cloner_.at(v));
        const std::size_t site = s_.site_of(op.id);
        const auto results = s_.steps(site).empty()
                                 ? emit(op, std::move(operands), op.attributes, types_of(op))
                                 : nest(op, s_.computed(site), std::move(operands), s_.global_form(site), 0);
        for (std::size_t k = 0; k < results.size(); ++k) cloner_.map(op.results[k], results[k]);
      }
    }
  }

  void control_flow(const Op& op) {
    const std::vector<Flow> flows = flows_of(op);
    Op out = copy_of(op, op.attributes);
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = op.operands[k];
      out.operands.push_back(hands_operands_on(op) ? with_tiling(v, yielded_.carried(v, flows[k])) : cloner_.at(v));
    }
    out.regions.resize(op.regions.size());
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      Block* const outside = builder_.move_to(out.regions[r]);
      for (const ValueId v : op.regions[r].arguments) cloner_.map(v, builder_.argument(f_.type(v)));
      const bool yields = hands_on_from(op, r);
      block(op.regions[r], [&](std::size_t k, ValueId v) {
        return yields ? with_tiling(v, yielded_.carried(v, flows[k])) : cloner_.at(v);
      });
      builder_.move_to(*outside);
    }
    for (const ValueId v : op.results) out.results.push_back(cloner_.declare(v));
    builder_.append(std::move(out));
  }

  /// The value with the tiling `wanted`.
  ValueId with_tiling(ValueId v, const std::vector<TileDecision>& wanted) {
    return same_tiles(s_.natural(v), wanted) ? cloner_.at(v) : placed(cloner_.at(v), wanted, 0);
  }

  /// A nest of loops over slices of a value, for the placements from index `from` on.
  ValueId placed(ValueId v, const std::vector<TileDecision>& placements, std::size_t from) {
    if (from == placements.size()) return v;
    const TileDecision& p = placements[from];
    return loop(p.axis, {p.dim ? Action::tile(*p.dim) : Action::any()}, [&](ValueId index) {
      const ValueId inner = p.dim ? slice(v, *p.dim, index, s_.mesh().size(p.axis)) : v;
      return std::vector<ValueId>{placed(inner, placements, from + 1)};
    })[0];
  }

  /// The operation `form` inside the loops of its steps from index `from` on. For a shift, each iteration computes the
  /// shifted value and takes its chunk of that.
  std::vector<ValueId> nest(const Op& op, const State::Computation& how, std::vector<ValueId> operands,
                            const Form& form, std::size_t from) {
    if (from == how.steps.size())
      return emit(op, std::move(operands), form.instance().attributes, form.instance().results);
    const Step& step = *how.steps[from];
    const std::int64_t n = s_.mesh().size(step.axis);
    if (how.shift && step.entry.operands[0] == Action::tile(how.shift->dim)) {
      return loop(step.axis, step.entry.results, [&](ValueId index) {
        const ValueId shifted = nest(op, how, operands, form, from + 1)[0];
        return std::vector<ValueId>{slice(shifted, how.shift->dim, index, n)};
      });
    }
    const Form* local = form.localized(step.entry, n);
    PARTIR_CHECK(local != nullptr, "a joined entry that does not divide");
    return loop(step.axis, step.entry.results, [&](ValueId index) {
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const Action& action = step.entry.operands[k];
        if (action.is_tile()) operands[k] = slice(operands[k], action.dim, index, n);
      }
      return nest(op, how, std::move(operands), *local, from + 1);
    });
  }

  /// Writes a loop whose body yields what `body(index)` computes, and returns its results.
  template <class F>
  std::vector<ValueId> loop(Axis axis, const std::vector<Action>& actions, const F& body) {
    const std::int64_t n = s_.mesh().size(axis);
    Op op = builder_.make("partir.loop");
    op.attributes = loop_attributes(axis, actions);
    op.regions.emplace_back();
    Block* const outside = builder_.move_to(op.regions[0]);
    const std::vector<ValueId> yielded = body(builder_.argument(Type(IndexRange{n})));
    Op yield = builder_.make("partir.yield");
    yield.operands = yielded;
    builder_.append(std::move(yield));
    builder_.move_to(*outside);
    for (std::size_t k = 0; k < actions.size(); ++k) {
      Type type = out_.type(yielded[k]);
      if (actions[k].is_tile()) type->dims[actions[k].dim] *= n;
      op.results.push_back(out_.add_value(std::move(type)));
    }
    return builder_.append(std::move(op)).results;
  }

  const AttributeList& loop_attributes(Axis axis, const std::vector<Action>& actions) {
    AttributeList& out = loop_attributes_[{axis, actions}];
    if (!out.empty()) return out;
    ArrayAttr list;
    for (const Action& a : actions) list.items.push_back({KeywordAttr{a.kind == Action::Kind::any ? "#any" : a.str()}});
    set(out, "axis", {StringAttr{s_.mesh().name(axis)}});
    set(out, "actions", {std::move(list)});
    return out;
  }

  ValueId slice(ValueId x, Dim dim, ValueId index, std::int64_t n) {
    AttributeList& attributes = slice_attributes_[dim];
    if (attributes.empty()) set(attributes, "dim", {IntAttr{static_cast<std::int64_t>(dim), ""}});
    Type type = out_.type(x);
    PARTIR_CHECK(type->dims[dim] % n == 0, "a slice that does not divide");
    type->dims[dim] /= n;
    return builder_.value("partir.slice", {x, index}, attributes, std::move(type));
  }

  [[nodiscard]] std::vector<Type> types_of(const Op& op) const {
    std::vector<Type> out;
    for (const ValueId v : op.results) out.push_back(f_.type(v));
    return out;
  }

  static Op copy_of(const Op& op, const AttributeList& attributes) {
    Op out(op.id, op.decl);
    out.attributes = attributes;
    out.place = op.place;
    out.location = op.location;
    return out;
  }

  std::vector<ValueId> emit(const Op& op, std::vector<ValueId> operands, const AttributeList& attributes,
                            const std::vector<Type>& types) {
    Op out = copy_of(op, attributes);
    out.operands = std::move(operands);
    for (const Type& t : types) out.results.push_back(out_.add_value(t));
    for (const Block& b : op.regions) out.regions.push_back(cloner_.block(b));
    return builder_.append(std::move(out)).results;
  }

  const State& s_;
  const Function& f_;
  Yielded yielded_;
  Function out_;
  Cloner cloner_;
  Builder builder_;
  // Programs repeat their loops, so equal loops share their attributes.
  std::map<std::pair<Axis, std::vector<Action>>, AttributeList> loop_attributes_;
  std::map<Dim, AttributeList> slice_attributes_;
};

}  // namespace

Function materialize(const State& state) { return Writer(state).run(); }

}  // namespace partir
