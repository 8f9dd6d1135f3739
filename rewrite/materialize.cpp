#include "rewrite/materialize.h"

#include <algorithm>
#include <map>

#include "ir/core.h"
#include "support/check.h"

namespace partir {
namespace {

class Writer {
 public:
  explicit Writer(State& state)
      : s_(state), f_(state.function()), map_(f_.types.size()), donors_(aliased_arguments(f_)) {}

  CoreProgram run() {
    Function& out = program_.function = signature_of(f_);
    out.types.reserve(4 * f_.types.size());  // a loop, its index and a slice to an operation
    program_.origin.reserve(f_.body.ops.size() + f_.arguments().size());
    out.body.ops.reserve(f_.body.ops.size() + f_.arguments().size());
    for (const ValueId v : f_.arguments()) out.body.arguments.push_back(map_[v.index()] = out.add_value(f_.type(v)));
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      const ValueId v = f_.arguments()[i];
      map_[v.index()] = placed(map_[v.index()], s_.arguments[i], out.body);
    }
    block(f_.body, out.body, nullptr);
    return std::move(program_);
  }

 private:
  /// `yielded`: what the block's terminator hands on, if anything.
  void block(const Block& from, Block& into, const std::vector<Flow>* yielded) {
    for (const Op& op : from.ops) {
      const std::size_t number = next_++;
      if (op.decl->kind == OpDecl::Kind::terminator) {
        terminate(number, op, into, yielded);
      } else if (runs_regions(op) || hands_operands_on(op)) {
        control_flow(number, op, into);
      } else {
        std::vector<ValueId> operands;
        for (const ValueId v : op.operands) operands.push_back(map_[v.index()]);
        const auto results = s_.steps(number).empty() ? emit(op, operands, op.attributes, types_of(op), into)
                                                      : nest(number, op, operands, s_.global(number), 0, into);
        for (std::size_t k = 0; k < results.size(); ++k) map_[op.results[k].index()] = results[k];
        program_.origin.emplace_back(number);
      }
    }
  }

  void control_flow(std::size_t number, const Op& op, Block& into) {
    const std::vector<Flow> flows = flows_of(op);
    Op out{op.decl, {}, {}, op.attributes, std::vector<Block>(op.regions.size()), op.place, op.location};
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = op.operands[k];
      out.operands.push_back(hands_operands_on(op) ? handed_on(v, flows[k], into) : map_[v.index()]);
    }
    program_.origin.emplace_back(number);
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      for (const ValueId v : op.regions[r].arguments)
        out.regions[r].arguments.push_back(map_[v.index()] = program_.function.add_value(f_.type(v)));
      block(op.regions[r], out.regions[r], hands_on_from(op, r) ? &flows : nullptr);
    }
    for (const ValueId v : op.results) out.results.push_back(map_[v.index()] = program_.function.add_value(f_.type(v)));
    into.ops.push_back(std::move(out));
  }

  void terminate(std::size_t number, const Op& op, Block& into, const std::vector<Flow>* yielded) {
    Op out = op;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = op.operands[k];
      out.operands[k] = &into == &program_.function.body ? returned(k, v)
                        : yielded != nullptr             ? handed_on(v, (*yielded)[k], into)
                                                         : map_[v.index()];
    }
    program_.origin.emplace_back(number);
    into.ops.push_back(std::move(out));
  }

  /// What is handed on is placed alike wherever it comes from.
  ValueId handed_on(ValueId v, const Flow& flow, Block& into) { return as(v, s_.natural(flow.to.back()), into); }

  /// The value placed so; axes of it that are left out become whole.
  ValueId as(ValueId v, std::vector<Placement> wanted, Block& into) {
    const std::vector<Placement> have = s_.natural(v);
    for (const Placement& p : have) {
      if (!names(wanted, p.axis)) wanted.push_back({p.axis, std::nullopt});
    }
    const bool same =
        std::equal(have.begin(), have.end(), wanted.begin(), wanted.end(),
                   [](const Placement& a, const Placement& b) { return a.axis == b.axis && a.dim == b.dim; });
    return same ? map_[v.index()] : placed(map_[v.index()], wanted, into);
  }

  static bool names(const std::vector<Placement>& list, Axis axis) {
    return std::any_of(list.begin(), list.end(), [&](const Placement& p) { return p.axis == axis; });
  }

  Op loop(Axis axis, const std::vector<Action>& actions) {
    Op op;
    op.decl = loop_;
    AttributeList& attributes = loop_attributes_[{axis, actions}];
    if (attributes.empty()) {
      set(attributes, "axis", {StringAttr{s_.mesh().name(axis)}});
      ArrayAttr list;
      for (const Action& a : actions)
        list.items.push_back({KeywordAttr{a.kind == Action::Kind::any ? "#any" : a.str()}});
      set(attributes, "actions", {std::move(list)});
    }
    op.attributes = attributes;
    op.regions.emplace_back();
    op.regions[0].arguments = {program_.function.add_value(Type(IndexRange{s_.mesh().size(axis)}))};
    return op;
  }

  ValueId slice(ValueId x, Dim dim, ValueId index, std::int64_t n, Block& into) {
    Op op;
    op.decl = slice_;
    AttributeList& attributes = slice_attributes_[dim];
    if (attributes.empty()) set(attributes, "dim", {IntAttr{static_cast<std::int64_t>(dim), ""}});
    op.attributes = attributes;
    op.operands = {x, index};
    Type type = program_.function.type(x);
    PARTIR_CHECK(type->dims[dim] % n == 0, "a slice that does not divide");
    type->dims[dim] /= n;
    op.results = {program_.function.add_value(std::move(type))};
    into.ops.push_back(std::move(op));
    return into.ops.back().results[0];
  }

  /// Closes a loop over what its body computed; its results, by the actions.
  std::vector<ValueId> close(Op op, const std::vector<Action>& actions, const std::vector<ValueId>& yielded,
                             std::int64_t n, Block& into) {
    Op yield;
    yield.decl = yield_;
    yield.operands = yielded;
    op.regions[0].ops.push_back(std::move(yield));
    for (std::size_t k = 0; k < actions.size(); ++k) {
      Type type = program_.function.type(yielded[k]);
      if (actions[k].is_tile()) type->dims[actions[k].dim] *= n;
      op.results.push_back(program_.function.add_value(std::move(type)));
    }
    into.ops.push_back(std::move(op));
    return into.ops.back().results;
  }

  ValueId placed(ValueId v, const std::vector<Placement>& placements, Block& into) {
    if (placements.empty()) return v;
    program_.origin.emplace_back(std::nullopt);
    return place(v, placements, 0, into);
  }

  ValueId place(ValueId v, const std::vector<Placement>& placements, std::size_t from, Block& into) {
    if (from == placements.size()) return v;
    const Placement& p = placements[from];
    const std::int64_t n = s_.mesh().size(p.axis);
    const std::vector<Action> actions = {p.dim ? Action::tile(*p.dim) : Action::any()};
    Op op = loop(p.axis, actions);
    const ValueId index = op.regions[0].arguments[0];
    Block& body = op.regions[0];
    ValueId inner = p.dim ? slice(v, *p.dim, index, n, body) : v;
    inner = place(inner, placements, from + 1, body);
    return close(std::move(op), actions, {inner}, n, into)[0];
  }

  std::vector<ValueId> nest(std::size_t number, const Op& op, std::vector<ValueId> operands, OpInstance instance,
                            std::size_t from, Block& into) {
    const auto& steps = s_.steps(number);
    if (from == steps.size()) return emit(op, operands, instance.attributes, instance.results, into);
    const Step& step = steps[from];
    const std::int64_t n = s_.mesh().size(step.axis);
    auto local = localize(instance, step.entry, n);
    PARTIR_CHECK(local.has_value(), "a joined entry that does not divide");
    Op outer = loop(step.axis, step.entry.results);
    Block& body = outer.regions[0];
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (step.entry.operands[k].is_tile())
        operands[k] = slice(operands[k], step.entry.operands[k].dim, body.arguments[0], n, body);
    }
    const auto inner = nest(number, op, std::move(operands), std::move(*local), from + 1, body);
    return close(std::move(outer), step.entry.results, inner, n, into);
  }

  [[nodiscard]] std::vector<Type> types_of(const Op& op) const {
    std::vector<Type> out;
    for (const ValueId v : op.results) out.push_back(f_.type(v));
    return out;
  }

  std::vector<ValueId> emit(const Op& op, const std::vector<ValueId>& operands, const AttributeList& attributes,
                            const std::vector<Type>& types, Block& into) {
    Op out;
    out.decl = op.decl;
    out.operands = operands;
    out.attributes = attributes;
    out.place = op.place;
    for (const Type& t : types) out.results.push_back(program_.function.add_value(t));
    for (const Block& b : op.regions) out.regions.push_back(copy(b));
    into.ops.push_back(std::move(out));
    return into.ops.back().results;
  }

  Block copy(const Block& block) {
    Block out;
    for (const ValueId v : block.arguments)
      out.arguments.push_back(map_[v.index()] = program_.function.add_value(f_.type(v)));
    for (const Op& op : block.ops) {
      Op c = op;
      for (ValueId& v : c.operands) v = map_[v.index()];
      c.regions.clear();
      for (const Block& b : op.regions) c.regions.push_back(copy(b));
      for (ValueId& v : c.results) v = map_[v.index()] = program_.function.add_value(f_.type(v));
      out.ops.push_back(std::move(c));
    }
    return out;
  }

  ValueId returned(std::size_t k, ValueId v) {
    const std::vector<Placement> have = s_.natural(v);
    const auto donor = donors_.find(k);
    return as(v, placed_result(k, have, donor != donors_.end() ? s_.arguments[donor->second] : have),
              program_.function.body);
  }

  /// The result's placements: what it inherits, in order, then what tactics asked for. What is inherited gives way
  /// where an axis no longer divides or was asked to stay whole.
  std::vector<Placement> placed_result(std::size_t k, const std::vector<Placement>& have,
                                       const std::vector<Placement>& inherited) const {
    const auto& asked = s_.results[k];
    std::vector<std::int64_t> rest = f_.type(f_.returned()[k])->dims;
    for (const Placement& p : asked) {
      if (p.dim) rest[*p.dim] /= s_.mesh().size(p.axis);
    }
    std::vector<Placement> wanted;
    for (const Placement& p : inherited) {
      // An axis asked for where it stands already keeps its place.
      const auto same = std::find_if(asked.begin(), asked.end(), [&](const Placement& q) { return q.axis == p.axis; });
      if (!p.dim || (same != asked.end() && same->dim != p.dim)) continue;
      if (same == asked.end()) {
        if (rest[*p.dim] % s_.mesh().size(p.axis) != 0) continue;
        rest[*p.dim] /= s_.mesh().size(p.axis);
      }
      wanted.push_back(p);
    }
    for (const Placement& p : asked) {
      if (!names(wanted, p.axis) && (p.dim || names(have, p.axis))) wanted.push_back(p);
    }
    return wanted;
  }

  /// By result, the argument whose buffer it takes.
  static std::map<std::size_t, std::size_t> aliased_arguments(const Function& f) {
    std::map<std::size_t, std::size_t> out;
    for (std::size_t i = 0; i < f.argument_attributes.size(); ++i) {
      const Attribute* a = find(f.argument_attributes[i], "tf.aliasing_output");
      const IntAttr* number = a != nullptr ? a->as<IntAttr>() : nullptr;
      if (number == nullptr || number->value < 0) continue;
      const auto result = static_cast<std::size_t>(number->value);
      if (result < f.returned().size() && f.type(f.arguments()[i]) == f.type(f.returned()[result]))
        out.emplace(result, i);
    }
    return out;
  }

  State& s_;
  const Function& f_;
  std::vector<ValueId> map_;
  std::map<std::size_t, std::size_t> donors_;
  // Programs repeat their loops: equal ones share their attributes.
  std::map<std::pair<Axis, std::vector<Action>>, AttributeList> loop_attributes_;
  std::map<Dim, AttributeList> slice_attributes_;
  CoreProgram program_;
  std::size_t next_ = 0;  ///< number of the next operation
  const OpDecl* loop_ = find_decl("partir.loop");
  const OpDecl* slice_ = find_decl("partir.slice");
  const OpDecl* yield_ = find_decl("partir.yield");
};

}  // namespace

CoreProgram materialize(State& state) { return Writer(state).run(); }

}  // namespace partir
