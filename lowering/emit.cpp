#include "lowering/emit.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ir/builder.h"
#include "ir/control_flow.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/manual.h"

namespace partir {
namespace {

const TensorType kScalarId{ElementType::ui32, {}};

/// Rewrites spmd.* operations over mesh axes as StableHLO collectives over devices.
class Expansion {
 public:
  Expansion(const SpmdProgram& program, Function& function)
      : mesh_(program.mesh), f_(function), builder_(function, function.body) {}

  void run() { block(f_.body); }

 private:
  /// Values that a block has computed from the device's position, cached. Regions compute their own, so that they
  /// capture nothing new from outside.
  struct Scope {
    std::map<std::int64_t, ValueId> constants;
    std::map<std::pair<std::int64_t, std::int64_t>, ValueId> digits;  ///< by stride and size
    std::optional<ValueId> position;
  };

  void block(Block& b) {
    const Scope outside = std::exchange(scope_, {});
    Block* const before = builder_.move_to(b);
    std::vector<Op> ops = std::exchange(b.ops, {});
    for (Op& op : ops) operation(std::move(op));
    builder_.move_to(*before);
    scope_ = outside;
  }

  void operation(Op op) {
    drop(op.attributes, "partir.sharding");
    drop(op.attributes, "partir.parts");
    if (is_manual_computation(op)) {
      manual(std::move(op));
      return;
    }
    if (op.decl->collective.expands_to != nullptr) {
      expand(op);
      return;
    }
    if (runs_regions(op)) {
      for (Block& inner : op.regions) block(inner);
    }
    builder_.append(std::move(op));
  }

  /// Replaces a manual computation by its body, between identities that mark of which value's part each body argument
  /// is made and which result it returns. Certificates refer to these identities.
  void manual(Op op) {
    const auto boundary = [&](ValueId from, ValueId to, const char* side, std::size_t k) {
      Op out(op.id, find_decl("stablehlo.reshape"));
      out.operands = {from};
      out.results = {to};
      out.place = op.place;
      set_frontend_attribute(out.attributes, "partir.manual", fmt::format("{} {}", side, k));
      builder_.append(std::move(out));
    };
    Block& body = op.regions[0];
    for (std::size_t k = 0; k < op.operands.size(); ++k) boundary(op.operands[k], body.arguments[k], "argument", k);
    for (Op& inner : body.ops) {
      if (inner.decl->kind == OpDecl::Kind::terminator) {
        for (std::size_t k = 0; k < op.results.size(); ++k) boundary(inner.operands[k], op.results[k], "result", k);
        continue;
      }
      number_channels(inner);
      operation(std::move(inner));
    }
  }

  /// Renumbers the source's own channel handles, which must not coincide with ours.
  void number_channels(Op& op) {
    if (find(op.attributes, "channel_handle") != nullptr) set(op.attributes, "channel_handle", channel());
    for (Block& region : op.regions) {
      for (Op& inner : region.ops) number_channels(inner);
    }
  }

  static Attribute number(std::int64_t v) { return {IntAttr{v, ""}}; }
  std::vector<Axis> axes_of(const Op& op) const {
    std::vector<Axis> out;
    for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items)
      out.push_back(*mesh_.find(a.as<StringAttr>()->value));
    return out;
  }
  static std::int64_t number_of(const Op& op, const char* key) {
    return find(op.attributes, key)->as<IntAttr>()->value;
  }

  void expand(const Op& op) {
    const std::vector<Axis> axes = axes_of(op);
    const Collective& own = op.decl->collective;
    if (!own.kind) {
      slice(op, axes);
      return;
    }
    Op out(op.id, find_decl(own.expands_to));
    const Collective& target = out.decl->collective;
    out.operands = op.operands;
    out.results = op.results;
    out.place = op.place;
    if (own.pairs) {
      set(out.attributes, "channel_handle", channel());
      set(out.attributes, "source_target_pairs", *find(op.attributes, "source_target_pairs"));
      builder_.append(std::move(out));
      return;
    }
    const Attribute* written = find(op.attributes, "replica_groups");
    const Attribute members = written != nullptr ? *written : groups(axes);
    if (own.join != nullptr) set(out.attributes, target.join, number(number_of(op, own.join)));
    if (own.join != nullptr && own.split != nullptr)
      set(out.attributes, "split_count", number(members.as<DenseAttr>()->literal->type.dims[1]));
    if (own.split != nullptr) set(out.attributes, target.split, number(number_of(op, own.split)));
    set(out.attributes, "channel_handle", channel());
    set(out.attributes, "replica_groups", members);
    if (!target.by_partition) set(out.attributes, "use_global_device_ids", {UnitAttr{}});
    if (own.combines) {
      const Monoid monoid = *monoid_from(find(op.attributes, "monoid")->as<StringAttr>()->value);
      out.regions.push_back(builder_.combiner(find_decl(combiner_of(monoid)), f_.type(op.results[0])->element));
    }
    builder_.append(std::move(out));
  }

  Attribute channel() { return {RawAttr{fmt::format("#stablehlo.channel_handle<handle = {}, type = 1>", ++channel_)}}; }

  Attribute groups(const std::vector<Axis>& axes) {
    auto it = groups_.find(axes);
    if (it == groups_.end()) it = groups_.emplace(axes, Attribute{DenseAttr{int_matrix(mesh_.groups(axes))}}).first;
    return it->second;
  }

  // --- Slices by device: shard offset = position along the axes * chunk size -----------------------------------------

  ValueId constant(std::int64_t value) {
    auto it = scope_.constants.find(value);
    if (it == scope_.constants.end()) it = scope_.constants.emplace(value, builder_.constant(kScalarId, value)).first;
    return it->second;
  }
  ValueId coordinate(Axis axis) { return digit(mesh_.stride(axis), mesh_.size(axis)); }
  /// (the device's position in the mesh / stride) % size.
  ValueId digit(std::int64_t stride, std::int64_t size) {
    const auto it = scope_.digits.find({stride, size});
    if (it != scope_.digits.end()) return it->second;
    if (!scope_.position) scope_.position = position();
    ValueId v = *scope_.position;
    if (stride != 1) v = builder_.divide(v, constant(stride));
    if (stride * size != mesh_.devices()) v = builder_.remainder(v, constant(size));
    return scope_.digits[{stride, size}] = v;
  }
  /// The device's position: its id, or an element of a table if the mesh has its own device order. With
  /// device_ids=[1,2,3,0], device 0 has position 3.
  ValueId position() {
    const ValueId id = builder_.partition_id();
    if (mesh_.positions().empty()) return id;
    const TensorType type{ElementType::ui32, {mesh_.devices()}};
    const ValueId table = builder_.constant(int_literal(type, mesh_.positions()));
    return builder_.reshape(builder_.dynamic_slice(table, {id}, {1}), {});
  }
  void slice(const Op& op, const std::vector<Axis>& axes) {
    const auto dim = static_cast<std::size_t>(number_of(op, "dim"));
    const TensorType local = f_.tensor(op.results[0]);  // a copy: building adds types
    const bool part = find(op.attributes, "stride") != nullptr;
    ValueId position = part ? digit(number_of(op, "stride"), number_of(op, "size")) : coordinate(axes[0]);
    for (std::size_t k = 1; k < axes.size(); ++k) {
      const ValueId scaled = builder_.multiply(position, constant(mesh_.size(axes[k])));
      position = builder_.add(scaled, coordinate(axes[k]));
    }
    const ValueId start = local.dims[dim] == 1 ? position : builder_.multiply(position, constant(local.dims[dim]));
    Op out(op.id, find_decl("stablehlo.dynamic_slice"));
    out.operands = {op.operands[0]};
    for (Dim d = 0; d < local.rank(); ++d) out.operands.push_back(d == dim ? start : constant(0));
    set(out.attributes, "slice_sizes", {IntsAttr{local.dims}});
    out.results = op.results;
    out.place = op.place;
    builder_.append(std::move(out));
  }

  const Mesh& mesh_;
  Function& f_;
  Builder builder_;
  std::int64_t channel_ = 0;
  std::map<std::vector<Axis>, Attribute> groups_;
  Scope scope_;
};

}  // namespace

Module stablehlo_module(const SpmdProgram& program, const Module& source) {
  Module out = spmd_module(program, source);
  drop_sharding_constraints(out.functions[0]);
  Expansion(program, out.functions[0]).run();
  return out;
}

}  // namespace partir
