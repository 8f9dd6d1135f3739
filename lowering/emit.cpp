#include "lowering/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "support/check.h"

namespace partir {
namespace {

/// Rewrites spmd.* operations over mesh axes to StableHLO collectives over devices.
class Expansion {
 public:
  Expansion(const SpmdProgram& program, Function& function) : mesh_(program.mesh), f_(function) {}

  void run() { block(f_.body); }

 private:
  /// What a block has computed of the device's place; regions do it again, so that they read nothing new from outside.
  struct Scope {
    std::map<std::int64_t, ValueId> constants;
    std::map<std::pair<std::int64_t, std::int64_t>, ValueId> digits;  ///< by stride and size
    std::optional<ValueId> partition_id;
  };

  void block(Block& b) {
    const Scope outside = std::exchange(scope_, {});
    Block* const before = std::exchange(into_, &b);
    std::vector<Op> ops = std::exchange(b.ops, {});
    for (Op& op : ops) {
      drop(op.attributes, "partir.sharding");
      drop(op.attributes, "partir.parts");
      replace_operands(op);
      if (op.name() == "sdy.sharding_constraint") {  // has done its work, and speaks of a mesh that is not there
        same_[op.results[0]] = op.operands[0];
        continue;
      }
      if (op.name().starts_with("spmd.")) {
        expand(op);
        continue;
      }
      if (runs_regions(op)) {
        for (Block& inner : op.regions) block(inner);
      }
      b.ops.push_back(std::move(op));
    }
    into_ = before;
    scope_ = outside;
  }

  static Attribute i64(std::int64_t v) { return {IntAttr{v, ""}}; }
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
    if (op.name() == "spmd.all_slice") {
      slice(op, axes);
      return;
    }
    Op out;
    out.operands = op.operands;
    out.results = op.results;
    out.place = op.place;
    const std::string& name = op.name();
    out.decl = find_decl("stablehlo." + name.substr(5));
    if (name == "spmd.collective_permute") {
      set(out.attributes, "channel_handle", channel());
      set(out.attributes, "source_target_pairs", *find(op.attributes, "source_target_pairs"));
      into_->ops.push_back(std::move(out));
      return;
    }
    const Attribute* written = find(op.attributes, "replica_groups");
    const Attribute members = written != nullptr ? *written : groups(axes);
    const std::int64_t group = members.as<DenseAttr>()->literal->type.dims[1];
    if (name == "spmd.all_gather") set(out.attributes, "all_gather_dim", i64(number_of(op, "dim")));
    if (name == "spmd.reduce_scatter") set(out.attributes, "scatter_dimension", i64(number_of(op, "dim")));
    if (name == "spmd.all_to_all") {
      set(out.attributes, "concat_dimension", i64(number_of(op, "from")));
      set(out.attributes, "split_count", i64(group));
      set(out.attributes, "split_dimension", i64(number_of(op, "to")));
    }
    set(out.attributes, "channel_handle", channel());
    set(out.attributes, "replica_groups", members);
    if (name != "spmd.all_to_all") set(out.attributes, "use_global_device_ids", {UnitAttr{}});
    if (name == "spmd.all_reduce" || name == "spmd.reduce_scatter") {
      const Monoid monoid = *monoid_from(find(op.attributes, "monoid")->as<StringAttr>()->value);
      out.regions.push_back(combiner(monoid, f_.type(op.results[0])->element));
    }
    into_->ops.push_back(std::move(out));
  }

  Attribute channel() { return {RawAttr{fmt::format("#stablehlo.channel_handle<handle = {}, type = 1>", ++channel_)}}; }

  Attribute groups(const std::vector<Axis>& axes) {
    std::string key;
    for (const Axis a : axes) key += fmt::format("{},", a.index());
    auto it = groups_.find(key);
    if (it == groups_.end()) {
      it = groups_.emplace(key, Attribute{DenseAttr{int_matrix(mesh_.groups(axes))}}).first;
    }
    return it->second;
  }

  Block combiner(Monoid monoid, ElementType element) {
    const TensorType scalar{element, {}};
    Block body;
    body.arguments = {f_.add_value(scalar), f_.add_value(scalar)};
    Op op;
    op.decl = find_decl(combiner_of(monoid));
    op.operands = body.arguments;
    op.results = {f_.add_value(scalar)};
    Op ret;
    ret.decl = find_decl("stablehlo.return");
    ret.operands = op.results;
    body.ops = {std::move(op), std::move(ret)};
    return body;
  }

  // --- Slices by device: start = position along the axes * chunk
  // -------------------------------------------------------

  ValueId emit(const char* name, std::vector<ValueId> operands, TensorType type, AttributeList attributes = {}) {
    Op op;
    op.decl = find_decl(name);
    op.operands = std::move(operands);
    op.attributes = std::move(attributes);
    op.results = {f_.add_value(std::move(type))};
    const ValueId v = op.results[0];
    into_->ops.push_back(std::move(op));
    return v;
  }
  [[nodiscard]] static TensorType ui32() { return {ElementType::ui32, {}}; }
  ValueId constant(std::int64_t value) {
    auto it = scope_.constants.find(value);
    if (it == scope_.constants.end()) {
      it = scope_.constants
               .emplace(value,
                        emit("stablehlo.constant", {}, ui32(), {{"value", {DenseAttr{int_splat(ui32(), value)}}}}))
               .first;
    }
    return it->second;
  }
  ValueId coordinate(Axis axis) { return digit(mesh_.stride(axis), mesh_.size(axis)); }
  /// The device's id / stride mod size.
  ValueId digit(std::int64_t stride, std::int64_t size) {
    const auto it = scope_.digits.find({stride, size});
    if (it != scope_.digits.end()) return it->second;
    if (!scope_.partition_id) scope_.partition_id = emit("stablehlo.partition_id", {}, ui32());
    ValueId v = *scope_.partition_id;
    if (stride != 1) v = emit("stablehlo.divide", {v, constant(stride)}, ui32());
    if (stride * size != mesh_.devices()) v = emit("stablehlo.remainder", {v, constant(size)}, ui32());
    return scope_.digits[{stride, size}] = v;
  }
  void slice(const Op& op, const std::vector<Axis>& axes) {
    const auto dim = static_cast<std::size_t>(number_of(op, "dim"));
    const TensorType local = f_.tensor(op.results[0]);  // by value: emitting adds types
    const bool part = find(op.attributes, "stride") != nullptr;
    ValueId position = part ? digit(number_of(op, "stride"), number_of(op, "size")) : coordinate(axes[0]);
    for (std::size_t k = 1; k < axes.size(); ++k) {
      const ValueId scaled = emit("stablehlo.multiply", {position, constant(mesh_.size(axes[k]))}, ui32());
      const ValueId minor = coordinate(axes[k]);
      position = emit("stablehlo.add", {scaled, minor}, ui32());
    }
    const ValueId start =
        local.dims[dim] == 1 ? position : emit("stablehlo.multiply", {position, constant(local.dims[dim])}, ui32());
    Op out;
    out.decl = find_decl("stablehlo.dynamic_slice");
    out.operands = {op.operands[0]};
    for (Dim d = 0; d < local.rank(); ++d) out.operands.push_back(d == dim ? start : constant(0));
    set(out.attributes, "slice_sizes", {IntsAttr{local.dims}});
    out.results = op.results;
    out.place = op.place;
    into_->ops.push_back(std::move(out));
  }

  void replace_operands(Op& op) {
    for (ValueId& v : op.operands) {
      if (const auto it = same_.find(v); it != same_.end()) v = it->second;
    }
    for (Block& block : op.regions) {
      for (Op& inner : block.ops) replace_operands(inner);
    }
  }

  const Mesh& mesh_;
  Function& f_;
  std::map<ValueId, ValueId> same_;  ///< results of identities that are left out
  std::int64_t channel_ = 0;
  std::map<std::string, Attribute> groups_;
  Scope scope_;
  Block* into_ = nullptr;
};

std::string sdy_sharding(const DistributedType& type, const Mesh& mesh) {
  std::string out = "<@mesh, [";
  for (Dim d = 0; d < type.dims.size(); ++d) {
    out += d != 0 ? ", {" : "{";
    for (std::size_t k = 0; k < type.dims[d].size(); ++k)
      out += fmt::format("{}\"{}\"", k != 0 ? ", " : "", mesh.name(type.dims[d][k]));
    out += "}";
  }
  return out + "]>";
}

}  // namespace

Module stablehlo_module(const SpmdProgram& program, const Module& source) {
  Module out = spmd_module(program, source);
  Expansion(program, out.functions[0]).run();
  return out;
}

Module sdy_module(const SpmdProgram& program, const Module& source, const Function& function, const State& state,
                  const std::vector<Conflict>& conflicts) {
  Module out;
  out.name = source.name;
  out.attributes = source.attributes;
  std::string axes;
  for (const auto& a : program.mesh.axes())
    axes += fmt::format("{}\"{}\"={}", axes.empty() ? "" : ", ", a.name, a.size);
  out.declarations.push_back(fmt::format("sdy.mesh @mesh = <[{}]>", axes));
  Function f = function;
  const auto annotate = [&](std::vector<AttributeList>& attributes, const std::vector<ValueId>& local) {
    attributes.resize(local.size());
    for (std::size_t i = 0; i < local.size(); ++i) {
      drop(attributes[i], "mhlo.sharding");
      set(attributes[i], "sdy.sharding",
          {RawAttr{"#sdy.sharding" + sdy_sharding(program.types[local[i].index()], program.mesh)}});
    }
  };
  annotate(f.argument_attributes, program.function.arguments());
  annotate(f.result_attributes, program.function.returned());
  // Numbered as the state numbers them.
  std::vector<Op*> ops;
  const std::function<void(Block&)> collect = [&](Block& block) {
    for (Op& op : block.ops) {
      ops.push_back(&op);
      if (!runs_regions(op)) continue;
      for (Block& b : op.regions) collect(b);
    }
  };
  collect(f.body);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    Op& op = *ops[i];
    // Constraints of the source's own speak of its mesh.
    const bool constrains = drop(op.attributes, "partir.name") || op.name() == "sdy.sharding_constraint";
    const std::string place = fmt::format("line {}:", op.place.line);
    const bool conflicting = std::any_of(conflicts.begin(), conflicts.end(),
                                         [&](const Conflict& c) { return c.operation.starts_with(place); });
    if (!(conflicting || constrains) || op.results.empty()) continue;
    std::string list;
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      DistributedType type = DistributedType::whole(f.type(op.results[k]).rank());
      for (const Placement& p : state.natural(op.results[k])) type.dims[*p.dim].push_back(p.axis);
      list += fmt::format("{}{}", k != 0 ? ", " : "", sdy_sharding(type, program.mesh));
    }
    if (constrains) {
      set(op.attributes, "sharding", {RawAttr{"#sdy.sharding" + list}});
    } else {
      set(op.attributes, "sdy.sharding", {RawAttr{fmt::format("#sdy.sharding_per_value<[{}]>", list)}});
    }
  }
  out.functions.push_back(std::move(f));
  return out;
}

}  // namespace partir
