// Lowering walks the Core program once, and the regions of control flow as parts of it. A value that control flow hands
// on has the distributed type in which it comes in, and is never partial (law handed-on). The laws that keep
// collectives few:
//
//   reduce-late       a partial value stays partial through operations with an entry from partial to partial that do
//   not
//                     enlarge it, when this is its only use; so sums of partial values are reduced once, where smallest
//   reduce-shared     otherwise it is reduced once, over all its axes together, for all its uses
//   reduce-scatter    an all_reduce whose uses all slice the same dimension along the axis
//   argument-gather   an argument (through transposes and reshapes) is gathered at each operation that uses it: ZeRO-3
//   shared            other equal conversions of a value are made once, in a region or before it, and steps on the way
//   normal-form       a conversion gathers nothing that it slices or moves (lowering/redistribute.h)
//   loop-invariant    a value from outside a loop is reduced, and moved without growing, before it; gathers stay
//   inside,
//                     since the whole value would live as long as the loop
#include "lowering/lower.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ir/control_flow.h"
#include "ir/core.h"
#include "ir/literal.h"
#include "ir/op_decl.h"
#include "lowering/redistribute.h"
#include "support/check.h"

namespace partir {
namespace {

/// What an operation of the Core program comes down to: one operation (or none) inside a nest of loops.
struct Unit {
  const Op* outer = nullptr;
  const Op* inner = nullptr;  ///< null for a nest that only places a value
  struct Operand {
    ValueId base;
    DistributedType needed;
  };
  std::vector<Operand> operands;                  ///< of the inner operation, or the value placed
  std::vector<DistributedType> results;           ///< as the loops' actions make them, without what passes partial
  std::vector<Axis> axes;                         ///< of the loops
  std::vector<std::vector<std::size_t>> regions;  ///< of control flow: the units of each region
};

class Lowering {
 public:
  Lowering(const CoreProgram& core, const State& source)
      : core_(core), f_(core.function), s_(source), mesh_(source.mesh()), values_(f_.types.size()) {}

  SpmdProgram run() {
    for (const ValueId v : f_.arguments()) at(v).natural = DistributedType::whole(f_.type(v).rank());
    const auto body = read(f_.body, true);
    collect_uses();
    out_.mesh = mesh_;
    Function& to = out_.function = signature_of(f_);
    const std::size_t about = 2 * core_.function.body.ops.size();  // conversions among the operations
    to.types.reserve(about);
    to.body.ops.reserve(about);
    out_.types.reserve(about);
    out_.local_ops.reserve(about);
    arguments();
    for (const std::size_t unit : body) lower_unit(unit);
    return std::move(out_);
  }

 private:
  struct Value {
    std::vector<std::pair<std::size_t, std::size_t>> uses;  ///< (unit, operand)
    bool argument_like = false;
    bool placed_argument = false;         ///< an argument that comes in as its only use places it
    DistributedType natural;              ///< as its unit gives it, without what is partial
    DistributedType type;                 ///< of `local`, perhaps partial
    ValueId local;                        ///< in the output
    std::map<std::string, ValueId> made;  ///< conversions, by the text of their types
    std::optional<std::pair<ValueId, DistributedType>> reduced;
  };

  Value& at(ValueId v) { return values_[v.index()]; }

  // --- Reading the program
  // ---------------------------------------------------------------------------------------------

  /// Units of a block; they are numbered as for_each_op numbers operations. `yields`: its terminator gives each value
  /// as it comes.
  std::vector<std::size_t> read(const Block& block, bool yields) {
    std::vector<std::size_t> out;
    for (const Op& op : block.ops) {
      const std::size_t number = units_.size();
      out.push_back(number);
      units_.push_back(unit_of(op));
      if (runs_regions(op) || hands_operands_on(op)) {
        read_control_flow(number, op);
      } else if (op.decl->kind == OpDecl::Kind::terminator && yields) {
        take_naturally(units_[number]);
      }
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        DistributedType& natural = at(op.results[k]).natural;
        natural.dims = units_[number].results[k].dims;
      }
    }
    return out;
  }

  void take_naturally(Unit& u) {
    for (Unit::Operand& o : u.operands) o.needed = at(o.base).natural;
  }

  void read_control_flow(std::size_t number, const Op& op) {
    const std::vector<Flow> flows = flows_of(op);
    if (hands_operands_on(op)) take_naturally(units_[number]);
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const Block& b = op.regions[r];
      for (std::size_t k = 0; k < b.arguments.size(); ++k) at(b.arguments[k]).natural = at(flows[k].from[0]).natural;
      auto units = read(b, hands_on_from(op, r));
      units_[number].regions.push_back(std::move(units));
    }
    for (std::size_t k = 0; k < flows.size(); ++k) {
      units_[number].results[k] = at(flows[k].from[0]).natural;
      for (const ValueId v : flows[k].from)
        PARTIR_CHECK(at(v).natural == units_[number].results[k], "a value that is handed on in different types");
    }
  }

  // --- Reading the nest
  // ------------------------------------------------------------------------------------------------

  Unit unit_of(const Op& outer) {
    Unit u;
    u.outer = &outer;
    std::vector<std::pair<ValueId, Unit::Operand>> views;  // of an operation's operands, so few
    std::vector<std::pair<Axis, const Op*>> loops;
    const auto operand = [&](ValueId v) {
      const auto it = std::find_if(views.begin(), views.end(), [&](const auto& view) { return view.first == v; });
      return it != views.end() ? it->second : Unit::Operand{v, DistributedType::whole(f_.type(v).rank())};
    };
    const Op* op = &outer;
    while (op->decl == loop_) {
      loops.emplace_back(*mesh_.find(find(op->attributes, "axis")->as<StringAttr>()->value), op);
      u.axes.push_back(loops.back().first);
      const Op* next = nullptr;
      for (const Op& inner : op->regions[0].ops) {
        if (inner.decl == slice_) {
          Unit::Operand view = operand(inner.operands[0]);
          const auto by = std::find_if(loops.begin(), loops.end(), [&](const auto& loop) {
            return loop.second->regions[0].arguments[0] == inner.operands[1];
          });
          PARTIR_CHECK(by != loops.end(), "a slice by what is no index of a loop");
          view.needed.dims.at(static_cast<std::size_t>(find(inner.attributes, "dim")->as<IntAttr>()->value))
              .push_back(by->first);
          views.emplace_back(inner.results[0], std::move(view));
        } else if (inner.decl->kind == OpDecl::Kind::terminator) {
          if (next == nullptr) {  // a nest that places a value
            for (const ValueId v : inner.operands) u.operands.push_back(operand(v));
          }
        } else {
          PARTIR_CHECK(next == nullptr, "a loop with several operations");
          next = &inner;
        }
      }
      if (next == nullptr) break;
      op = next;
    }
    if (op->decl != loop_) {
      u.inner = op;
      u.operands.reserve(op->operands.size());
      for (const ValueId v : op->operands) u.operands.push_back(operand(v));
      if (!op->regions.empty() && !runs_regions(*op)) {
        for (const ValueId v : captured(*op)) {
          if (values_known(v)) u.operands.push_back(operand(v));
        }
      }
    }
    for (std::size_t k = 0; k < outer.results.size(); ++k)
      u.results.push_back(DistributedType::whole(f_.type(outer.results[k]).rank()));
    for (const auto& [axis, loop] : loops) {
      const std::vector<Action> actions = loop_actions(loop->attributes);
      for (std::size_t k = 0; k < actions.size(); ++k) {
        if (actions[k].is_tile()) u.results[k].dims[actions[k].dim].push_back(axis);
        if (actions[k].is_partial()) u.results[k].add_partial(axis, actions[k].monoid);
      }
    }
    return u;
  }

  /// Tensors, not loop indices.
  [[nodiscard]] bool values_known(ValueId v) const { return f_.type(v).as<IndexRange>() == nullptr; }

  void collect_uses() {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      for (std::size_t k = 0; k < units_[i].operands.size(); ++k)
        at(units_[i].operands[k].base).uses.emplace_back(i, k);
    }
  }

  // --- Writing
  // ---------------------------------------------------------------------------------------------------------

  ValueId add_value(Type local, const DistributedType& type) {
    out_.types.push_back(type);
    return out_.function.add_value(std::move(local));
  }

  void arguments() {
    for (const ValueId v : f_.arguments()) {
      Value& value = at(v);
      value.argument_like = true;
      value.type = DistributedType::whole(f_.type(v).rank());
      if (value.uses.size() == 1 && units_[value.uses[0].first].inner == nullptr) {
        value.type = units_[value.uses[0].first].results[0];
        value.placed_argument = true;
      }
      value.local = add_value(value.type.local(f_.type(v), mesh_), value.type);
      out_.function.body.arguments.push_back(value.local);
    }
  }

  /// Appends to the block that is being written. `why`: nothing for a conversion.
  void append(Op op, std::optional<LocalOp> why) {
    out_.local_ops.push_back(std::move(why));
    into_->ops.push_back(std::move(op));
  }

  ArrayAttr axis_names(const std::vector<Axis>& axes) const {
    ArrayAttr out;
    for (const Axis a : axes) out.items.push_back({StringAttr{mesh_.name(a)}});
    return out;
  }

  ValueId emit_collective(const char* name, ValueId x, AttributeList attributes, const Type& local,
                          const DistributedType& type) {
    Op op;
    op.decl = find_decl(name);
    op.operands = {x};
    op.attributes = std::move(attributes);
    op.results = {add_value(local, type)};
    op.place = place_;
    const ValueId result = op.results[0];
    append(std::move(op), std::nullopt);
    return result;
  }

  static Attribute number(Dim d) { return {IntAttr{static_cast<std::int64_t>(d), "i64"}}; }

  // --- Partial values
  // --------------------------------------------------------------------------------------------------

  /// The value, partial only over the axes in `stay`; without those it is made once for all uses (laws reduce-shared,
  /// reduce-scatter).
  std::pair<ValueId, DistributedType> reduced(ValueId v, const std::vector<Axis>& stay) {
    Value& value = at(v);
    if (value.type.partial.empty()) return {value.local, value.type};
    if (value.reduced) return *value.reduced;
    const auto stays = [&](Axis a) { return std::find(stay.begin(), stay.end(), a) != stay.end(); };
    ValueId local = value.local;
    DistributedType type = value.type;
    // Axes by which all uses slice the same dimension, directly behind what tiles it already.
    for (const auto& [axis, monoid] : value.type.partial) {
      if (stays(axis)) continue;
      std::optional<Dim> dim;
      const bool all = std::all_of(value.uses.begin(), value.uses.end(), [&, a = axis](const auto& use) {
        const DistributedType& needed = units_[use.first].operands[use.second].needed;
        const auto d = needed.tiled_by(a);
        if (!d || (dim && *dim != *d)) return false;
        dim = d;
        std::vector<Axis> want = type.dims[*d];
        want.push_back(a);
        return want.size() <= needed.dims[*d].size() && std::equal(want.begin(), want.end(), needed.dims[*d].begin());
      });
      if (!all || !dim) continue;
      type.drop_partial(axis);
      type.dims[*dim].push_back(axis);
      AttributeList attributes = {{"axes", {axis_names({axis})}},
                                  {"dim", number(*dim)},
                                  {"monoid", {StringAttr{std::string(name_of(monoid))}}}};
      local = emit_collective("spmd.reduce_scatter", local, std::move(attributes), type.local(f_.type(v), mesh_), type);
    }
    std::map<Monoid, std::vector<Axis>> rest;
    for (const auto& [axis, monoid] : type.partial) {
      if (!stays(axis)) rest[monoid].push_back(axis);
    }
    for (const auto& [monoid, axes] : rest) {
      for (const Axis a : axes) type.drop_partial(a);
      AttributeList attributes = {{"axes", {axis_names(axes)}}, {"monoid", {StringAttr{std::string(name_of(monoid))}}}};
      local = emit_collective("spmd.all_reduce", local, std::move(attributes), type.local(f_.type(v), mesh_), type);
    }
    if (!stay.empty()) return {local, type};  // this is the only use
    value.reduced = {local, type};
    return *value.reduced;
  }

  /// The axes over which a unit lets its operands stay partial, and what becomes of its results (law reduce-late).
  std::vector<std::pair<Axis, Entry>> passes(std::size_t number) {
    const Unit& u = units_[number];
    std::vector<std::pair<Axis, Entry>> out;
    const auto is_partial = [&](const Unit::Operand& o) { return !at(o.base).type.partial.empty(); };
    if (std::none_of(u.operands.begin(), u.operands.end(), is_partial)) return out;
    if (u.inner == nullptr || u.inner->decl->entries == nullptr || u.outer->results.size() != 1) return out;
    std::vector<std::pair<Axis, Monoid>> axes;
    for (const Unit::Operand& o : u.operands) {
      for (const auto& p : at(o.base).type.partial) {
        if (std::find(axes.begin(), axes.end(), p) == axes.end()) axes.push_back(p);
      }
    }
    std::sort(axes.begin(), axes.end());
    std::optional<OpInstance> instance;
    for (const auto& [axis, monoid] : axes) {
      if (std::find(u.axes.begin(), u.axes.end(), axis) != u.axes.end()) continue;
      std::vector<bool> stays(u.operands.size(), false);
      bool possible = true;
      std::int64_t largest = 0;
      for (std::size_t k = 0; k < u.operands.size() && possible; ++k) {
        const Value& value = at(u.operands[k].base);
        const auto held = value.type.partial_over(axis);
        if (!held) continue;
        // Once reduced for another use it is whole; so is what other units use too.
        const bool only_here =
            std::all_of(value.uses.begin(), value.uses.end(), [&](const auto& use) { return use.first == number; });
        possible = *held == monoid && only_here && !value.reduced;
        stays[k] = true;
        largest = std::max(largest, f_.type(u.operands[k].base)->bytes());
      }
      if (!possible || f_.type(u.outer->results[0])->bytes() > largest) continue;
      if (!instance) {
        std::vector<LiteralPtr> splats;
        for (const ValueId v : s_.op(source_of(number)).operands) splats.push_back(s_.splat(v));
        instance = instance_of(f_, *u.inner, std::move(splats));
      }
      for (const Entry& e : entries_of(*instance)) {
        bool fits =
            e.results[0].is_partial() && e.results[0].monoid == monoid && e.operands.size() == u.operands.size();
        for (std::size_t k = 0; fits && k < u.operands.size(); ++k) {
          fits = e.operands[k] == (stays[k] ? Action::partial(monoid) : Action::any());
        }
        if (fits) {
          out.emplace_back(axis, e);
          break;
        }
      }
    }
    return out;
  }

  // --- Conversion
  // ------------------------------------------------------------------------------------------------------

  /// The value as `needed`, partial still over the axes in `stay`.
  ValueId converted(ValueId v, const DistributedType& needed, const std::vector<Axis>& stay) {
    const Value& value = at(v);
    if (value.type.partial.empty()) return redistributed(v, value.local, value.type, needed, true);
    const auto [local, type] = reduced(v, stay);
    return redistributed(v, local, type, needed, type.partial.empty());
  }

  ValueId redistributed(ValueId v, ValueId local, const DistributedType& from, const DistributedType& needed,
                        bool share) {
    if (from.dims == needed.dims) return local;
    Value& value = at(v);
    DistributedType target = needed;
    target.partial = from.partial;
    const auto steps = redistribution(from, target, mesh_);
    const bool gathers = std::any_of(steps.begin(), steps.end(), [](const Conversion& c) { return c.communicates(); });
    if (value.argument_like && gathers) share = false;
    std::size_t first = 0;  // behind the last step that another use has made already
    for (std::size_t k = steps.size(); share && k-- > 0;) {
      if (!steps[k].after) continue;
      const auto it = value.made.find(steps[k].after->str(mesh_));
      if (it == value.made.end()) continue;
      local = it->second;
      first = k + 1;
      break;
    }
    for (std::size_t k = first; k < steps.size(); ++k) {
      local = converted_by(steps[k], local, f_.type(v));
      if (!share || !steps[k].after) continue;
      const std::string key = steps[k].after->str(mesh_);
      value.made[key] = local;
      made_.emplace_back(v, key);
    }
    return local;
  }

  ValueId converted_by(const Conversion& step, ValueId x, const Type& global) {
    AttributeList attributes = {{"axes", {axis_names(step.axes)}}};
    const char* name = "spmd.all_slice";
    switch (step.kind) {
      case Conversion::Kind::all_slice: set(attributes, "dim", number(step.to)); break;
      case Conversion::Kind::all_gather:
        name = "spmd.all_gather";
        set(attributes, "dim", number(step.from));
        break;
      case Conversion::Kind::all_to_all:
        name = "spmd.all_to_all";
        set(attributes, "from", number(step.from));
        set(attributes, "to", number(step.to));
        break;
      case Conversion::Kind::permute:
        name = "spmd.collective_permute";
        std::vector<std::vector<std::int64_t>> pairs;
        for (const auto& [source, target] : step.pairs) pairs.push_back({source, target});
        set(attributes, "source_target_pairs", {DenseAttr{int_matrix(pairs)}});
        break;
    }
    if (!step.groups.empty()) set(attributes, "replica_groups", {DenseAttr{int_matrix(step.groups)}});
    if (step.digit) {
      set(attributes, "stride", {IntAttr{step.digit->stride, "i64"}});
      set(attributes, "size", {IntAttr{step.digit->size, "i64"}});
    }
    if (step.after)
      return emit_collective(name, x, std::move(attributes), step.after->local(global, mesh_), *step.after);
    const ValueId out = emit_collective(name, x, std::move(attributes), step.layout->local(global),
                                        DistributedType::whole(global.rank()));
    out_.layouts[out] = step.layout;
    return out;
  }

  // --- Units
  // -----------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::size_t source_of(std::size_t number) const {
    PARTIR_CHECK(core_.origin[number].has_value(), "an operation without its source");
    return *core_.origin[number];
  }

  void lower_unit(std::size_t number) {
    Unit& u = units_[number];
    place_ = u.inner != nullptr ? u.inner->place : u.outer->place;
    if (u.inner == nullptr) {
      Value& to = at(u.outer->results[0]);
      const Unit::Operand& x = u.operands[0];
      to.local = at(x.base).placed_argument ? at(x.base).local : converted(x.base, u.results[0], {});
      to.type = u.results[0];
      to.argument_like = at(x.base).argument_like;
      return;
    }
    if (runs_regions(*u.inner) || hands_operands_on(*u.inner)) {
      lower_control_flow(number);
      return;
    }
    const auto passing = passes(number);
    std::vector<Axis> stay;
    for (const auto& [axis, entry] : passing) stay.push_back(axis);
    std::unordered_map<ValueId, ValueId> local;  // for values read inside regions
    Op op{u.inner->decl, u.inner->operands, u.inner->results, u.inner->attributes, {}, place_, u.inner->location};
    for (std::size_t k = 0; k < u.operands.size(); ++k) {
      const ValueId v = converted(u.operands[k].base, u.operands[k].needed, stay);
      if (k < op.operands.size()) {
        op.operands[k] = v;
      }
      if (!u.inner->regions.empty()) local[u.operands[k].base] = v;
    }
    for (const Block& b : u.inner->regions) op.regions.push_back(copy(b, local));
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      DistributedType type = u.results[k];
      for (const auto& [axis, entry] : passing) type.add_partial(axis, entry.results[0].monoid);
      define(u.outer->results[k], f_.type(u.inner->results[k]), type);
      op.results[k] = at(u.outer->results[k]).local;
      const std::string& name = op.name();
      at(u.outer->results[k]).argument_like =
          (name == "stablehlo.transpose" || name == "stablehlo.reshape" || name == "stablehlo.dynamic_slice") &&
          at(u.operands[0].base).argument_like;
    }
    if (op.decl->kind == OpDecl::Kind::terminator) {
      append(std::move(op), std::nullopt);
    } else {
      append(std::move(op), local_op(number, passing));
    }
  }

  LocalOp local_op(std::size_t number, const std::vector<std::pair<Axis, Entry>>& passing) const {
    LocalOp out{source_of(number), s_.steps(source_of(number))};
    for (const auto& [axis, entry] : passing) out.steps.push_back({axis, entry});
    return out;
  }

  void define(ValueId v, const Type& local, const DistributedType& type) {
    at(v).type = type;
    at(v).local = add_value(local, type);
  }

  void lower_control_flow(std::size_t number) {
    const Unit& u = units_[number];
    const Op& from = *u.inner;
    prepare(from, number);
    Op op{from.decl, {}, {}, from.attributes, std::vector<Block>(from.regions.size()), from.place, from.location};
    for (const Unit::Operand& o : u.operands) op.operands.push_back(converted(o.base, o.needed, {}));
    out_.local_ops.push_back(LocalOp{source_of(number), {}});  // before those in its regions
    const std::vector<Flow> flows = flows_of(from);
    for (std::size_t k = 0; k < flows.size(); ++k) {
      const bool argument_like =
          hands_operands_on(from) && at(flows[k].from[0]).argument_like && is_unchanged(flows[k]);
      for (const ValueId v : flows[k].to) {
        define(v, u.results[k].local(f_.type(v), mesh_), u.results[k]);
        at(v).argument_like = argument_like;
      }
    }
    Block* const outside = into_;
    for (std::size_t r = 0; r < from.regions.size(); ++r) {
      for (const ValueId v : from.regions[r].arguments) op.regions[r].arguments.push_back(at(v).local);
      into_ = &op.regions[r];
      const std::size_t known = made_.size();
      for (const std::size_t unit : units_[number].regions[r]) lower_unit(unit);
      // What is made in a region is not known behind it.
      for (; made_.size() > known; made_.pop_back()) at(made_.back().first).made.erase(made_.back().second);
    }
    into_ = outside;
    for (const ValueId v : from.results) op.results.push_back(at(v).local);
    into_->ops.push_back(std::move(op));
  }

  /// Whether the regions yield the value that they got.
  static bool is_unchanged(const Flow& flow) {
    return std::all_of(flow.from.begin() + 1, flow.from.end(),
                       [&](ValueId v) { return std::find(flow.to.begin(), flow.to.end(), v) != flow.to.end(); });
  }

  /// Law loop-invariant: converts values that the regions of an operation read from outside.
  void prepare(const Op& op, std::size_t number) {
    if (op.regions.empty()) return;
    const std::size_t end = end_of(number);
    for (const ValueId v : captured(op)) {
      Value& value = at(v);
      if (!value.type.partial.empty()) reduced(v, {});
      if (!hands_operands_on(op) || value.argument_like) continue;
      auto use = std::lower_bound(value.uses.begin(), value.uses.end(), std::pair(number, std::size_t{0}));
      for (; use != value.uses.end() && use->first < end; ++use) {
        const DistributedType& needed = units_[use->first].operands[use->second].needed;
        if (only_moves(reduced(v, {}).second, needed)) converted(v, needed, {});
      }
    }
  }

  /// Whether a conversion communicates without making the value larger.
  [[nodiscard]] bool only_moves(const DistributedType& from, const DistributedType& to) const {
    const auto steps = redistribution(from, to, mesh_);
    return std::any_of(steps.begin(), steps.end(), [](const Conversion& c) { return c.communicates(); }) &&
           std::none_of(steps.begin(), steps.end(),
                        [](const Conversion& c) { return c.kind == Conversion::Kind::all_gather; });
  }

  /// The number behind those of a unit and what is in its regions.
  [[nodiscard]] std::size_t end_of(std::size_t number) const {
    std::size_t end = number + 1;
    for (const auto& region : units_[number].regions) {
      if (!region.empty()) end = end_of(region.back());
    }
    return end;
  }

  Block copy(const Block& block, std::unordered_map<ValueId, ValueId>& map) {
    Block out;
    const auto fresh = [&](ValueId v) {
      const ValueId to = add_value(f_.type(v), DistributedType::whole(f_.type(v).rank()));
      map[v] = to;
      return to;
    };
    for (const ValueId v : block.arguments) out.arguments.push_back(fresh(v));
    for (const Op& op : block.ops) {
      Op c = op;
      for (ValueId& v : c.operands) v = map.at(v);
      c.regions.clear();
      for (const Block& b : op.regions) c.regions.push_back(copy(b, map));
      for (ValueId& v : c.results) v = fresh(v);
      out.ops.push_back(std::move(c));
    }
    return out;
  }

  const CoreProgram& core_;
  const Function& f_;
  const State& s_;
  const Mesh& mesh_;
  std::vector<Value> values_;
  std::vector<Unit> units_;
  SpmdProgram out_;
  Block* into_ = &out_.function.body;
  std::vector<std::pair<ValueId, std::string>> made_;  ///< all shared conversions, in order
  Place place_;
  const OpDecl* loop_ = find_decl("partir.loop");
  const OpDecl* slice_ = find_decl("partir.slice");
};

}  // namespace

SpmdProgram lower(const CoreProgram& core, const State& source) { return Lowering(core, source).run(); }

}  // namespace partir
