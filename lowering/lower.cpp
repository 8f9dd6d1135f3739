#include "lowering/lower.h"

#include <algorithm>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/literal.h"
#include "lowering/conversions.h"

namespace partir {
namespace {

class Lowering {
 public:
  Lowering(const State& state, const Units& units, Redistributions& plans)
      : c_(state, units), pending_(c_), conversions_(c_, pending_, plans) {}

  SpmdProgram run() {
    for (std::size_t i = 0; i < c_.source.arguments().size(); ++i) {
      const ValueId v = c_.source.arguments()[i];
      LoweredValue& value = c_.at(v);
      value.argument_like = true;
      value.type = c_.units.arguments[i];
      value.local = c_.writer.argument(value.type->local(c_.source.type(v), c_.mesh), value.type);
    }
    for (const std::size_t unit : c_.units.body) lower_unit(unit);
    return std::move(c_.writer.program());
  }

 private:
  void lower_unit(std::size_t number) {
    const Unit& u = c_.units.all[number];
    c_.writer.builder().from(u.op->place, u.op->location);
    if (runs_regions(*u.op) || hands_operands_on(*u.op)) {
      control_flow(number);
      return;
    }
    if (u.shift) {
      shift(u);
      return;
    }
    Op op = copy_of(*u.op, u.local != nullptr ? u.local->attributes : u.op->attributes);
    Cloner cloner(c_.source, c_.writer.program().function);
    op.operands.reserve(u.op->operands.size());
    for (std::size_t k = 0; k < u.operands.size(); ++k) {
      const ValueId v = conversions_.converted(u.operands[k].value, u.operands[k].needed);
      if (k < u.op->operands.size()) op.operands.push_back(v);
      if (!u.op->regions.empty()) cloner.map(u.operands[k].value, v);
    }
    for (const Block& b : u.op->regions) op.regions.push_back(region(b, cloner));
    op.results.reserve(u.op->results.size());
    for (std::size_t k = 0; k < u.op->results.size(); ++k) {
      define(u.op->results[k], u.local->results[k], u.results[k]);
      LoweredValue& value = c_.at(u.op->results[k]);
      value.argument_like = is_view(*u.op) && c_.at(u.operands[0].value).argument_like;
      op.results.push_back(value.local);
    }
    if (u.instead) c_.writer.program().instead[op.id] = *u.instead;
    if (!u.passed_on.empty()) c_.writer.program().passed_on[op.id] = u.passed_on;
    c_.writer.builder().append(std::move(op));
  }

  /// Emits a collective_permute: each device sends its chunk to the device that holds it after the shift. A device that
  /// receives nothing gets zeros.
  void shift(const Unit& u) {
    const Layout& layout = u.results[0];
    Op op(u.op->id, find_decl("spmd.collective_permute"));
    op.place = u.op->place;
    op.location = u.op->location;
    op.operands = {conversions_.converted(u.operands[0].value, u.operands[0].needed)};
    set(op.attributes, "axes", axis_names(axes_of(layout.dims[u.shift->dim]), c_.mesh));
    set(op.attributes, "source_target_pairs", {DenseAttr{int_matrix(shift_pairs(layout, u))}});
    define(u.op->results[0], u.local->results[0], u.results[0]);
    op.results = {c_.at(u.op->results[0]).local};
    c_.writer.builder().append(std::move(op));
  }

  static std::vector<Axis> axes_of(const Layout::Dimension& factors) {
    std::vector<Axis> out;
    for (const Factor& f : factors) out.push_back(f.axis());
    return out;
  }

  /// The pairs (source device, target device) of a shift. Example: a shift by one chunk, in 4 chunks on 4 devices,
  /// gives [[0, 1], [1, 2], [2, 3]].
  [[nodiscard]] std::vector<std::vector<std::int64_t>> shift_pairs(const Layout& layout, const Unit& u) const {
    const Dim dim = u.shift->dim;
    const std::int64_t by = u.shift->by / u.local->results[0]->dims[dim];
    const std::int64_t parts = layout.parts(dim, c_.mesh);
    std::vector<std::vector<std::int64_t>> out;
    for (std::int64_t device = 0; device < c_.mesh.devices(); ++device) {
      const DeviceId source(static_cast<std::size_t>(device));
      const std::int64_t held = layout.chunk(dim, source, c_.mesh);
      std::int64_t chunk = u.shift->reverses ? parts - 1 - held : held + by;
      if (chunk < 0 || chunk >= parts) continue;
      std::int64_t target = c_.mesh.position_of(source);
      const Layout::Dimension& factors = layout.dims[dim];
      for (auto f = factors.rbegin(); f != factors.rend(); ++f) {
        const std::int64_t n = f->size(c_.mesh);
        target += (chunk % n - f->piece(source, c_.mesh)) * c_.mesh.stride(f->axis());
        chunk /= n;
      }
      out.push_back({device, static_cast<std::int64_t>(c_.mesh.device_at(target).index())});
    }
    return out;
  }

  /// Whether the operation only rearranges its operand. A view of an argument is gathered at each use, like the
  /// argument.
  static bool is_view(const Op& op) {
    const OpTraits& is = op.decl->traits;
    return is.permutes || (is.cuts && !is.rearranges);
  }

  static Op copy_of(const Op& op, const AttributeList& attributes) {
    Op out(op.id, op.decl);
    out.attributes = attributes;
    out.place = op.place;
    out.location = op.location;
    return out;
  }

  void define(ValueId v, const Type& local, const SharedLayout& type) {
    c_.at(v).type = type;
    c_.at(v).local = c_.writer.add_value(local, type);
  }

  /// Copies a region that does not run as part of the function, such as the combiner of a reduction; its values get
  /// replicated layouts.
  Block region(const Block& b, Cloner& cloner) {
    SpmdProgram& p = c_.writer.program();
    Block out = cloner.block(b);
    for (std::size_t v = p.layouts.size(); v < p.function.types.size(); ++v)
      p.layouts.emplace_back(Layout::replicated(p.function.types[v].rank()));
    return out;
  }

  void control_flow(std::size_t number) {
    const Unit& u = c_.units.all[number];
    const Op& from = *u.op;
    conversions_.prepare(from, number, end_of(number));
    Op op = copy_of(from, from.attributes);
    op.regions.resize(from.regions.size());
    for (const Unit::Operand& o : u.operands) op.operands.push_back(conversions_.converted(o.value, o.needed));
    const std::vector<Flow> flows = flows_of(from);
    for (std::size_t k = 0; k < flows.size(); ++k) {
      const bool argument_like =
          hands_operands_on(from) && c_.at(flows[k].from[0]).argument_like && is_unchanged(flows[k]);
      for (const ValueId v : flows[k].to) {
        define(v, u.results[k]->local(c_.source.type(v), c_.mesh), u.results[k]);
        c_.at(v).argument_like = argument_like;
      }
    }
    for (std::size_t r = 0; r < from.regions.size(); ++r) {
      for (const ValueId v : from.regions[r].arguments) op.regions[r].arguments.push_back(c_.at(v).local);
      Block* const outside = c_.writer.builder().move_to(op.regions[r]);
      const std::size_t known = conversions_.mark();
      for (const std::size_t unit : u.regions[r]) lower_unit(unit);
      conversions_.forget_since(known);  // what a region computes is not available after it
      c_.writer.builder().move_to(*outside);
    }
    for (const ValueId v : from.results) op.results.push_back(c_.at(v).local);
    c_.writer.builder().append(std::move(op));
  }

  /// Whether the regions yield the value unchanged.
  static bool is_unchanged(const Flow& flow) {
    return std::all_of(flow.from.begin() + 1, flow.from.end(),
                       [&](ValueId v) { return std::find(flow.to.begin(), flow.to.end(), v) != flow.to.end(); });
  }

  /// One past the last number among a unit and the units of its regions.
  [[nodiscard]] std::size_t end_of(std::size_t number) const {
    std::size_t end = number + 1;
    for (const auto& region : c_.units.all[number].regions) {
      if (!region.empty()) end = end_of(region.back());
    }
    return end;
  }

  LoweringContext c_;
  PendingReductions pending_;
  Conversions conversions_;
};

}  // namespace

SpmdProgram lower(const State& state) {
  Redistributions plans(state.mesh());
  return lower(state, plans, LazyInfinities(state.function()));
}

SpmdProgram lower(const State& state, Redistributions& plans, const LazyInfinities& given) {
  return lower(state, units_of(state, given), plans);
}

SpmdProgram lower(const State& state, const Units& units, Redistributions& plans) {
  return Lowering(state, units, plans).run();
}

}  // namespace partir
