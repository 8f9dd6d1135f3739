#include "lowering/emit_sdy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/sharding/attributes.h"
#include "lowering/unit.h"

namespace partir {
namespace {

using Order = std::vector<std::int64_t>;

std::string sdy_mesh(const std::string& name, const Mesh& mesh, const Order& device_ids) {
  std::string axes;
  for (const auto& a : mesh.axes()) axes += fmt::format("{}\"{}\"={}", axes.empty() ? "" : ", ", a.name, a.size);
  const std::string ids = device_ids.empty() ? "" : fmt::format(", device_ids=[{}]", fmt::join(device_ids, ", "));
  return fmt::format("sdy.mesh @{} = <[{}]{}>", name, axes, ids);
}

std::string sdy_sharding(const Layout& type, const Mesh& mesh, const std::string& name = "mesh") {
  std::string out = fmt::format("<@{}, [", name);
  for (Dim d = 0; d < type.dims.size(); ++d) {
    out += d != 0 ? ", {" : "{";
    for (std::size_t k = 0; k < type.dims[d].size(); ++k)
      out += fmt::format("{}\"{}\"", k != 0 ? ", " : "", mesh.name(type.dims[d][k].axis()));
    out += "}";
  }
  return out + "]>";
}

/// Whether a propagation from operands would infer what a site has joined, along every axis: either exactly one entry
/// matches its tiled operands, and it is the site's; or no operand is tiled, and all uses slice the results alike.
///   add(%x #tile<0>, %y) by x          follows: only (#tile<0>, #tile<0>) -> (#tile<0>) matches
///   dot_general(%x #tile<1>, %w) by x  does not follow if the site stays replicated: (#tile<1>, #tile<0>) -> (#sum)
///                                      matches
class OperandPropagation {
 public:
  explicit OperandPropagation(const State& state) : s_(state) {}

  [[nodiscard]] bool infers(std::size_t site) const {
    for (std::size_t a = 0; a < s_.mesh().rank(); ++a) {
      if (!infers(site, Axis(a))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool infers(std::size_t site, Axis axis) const {
    const Step* step = s_.step(site, axis);
    std::vector<Entry> matching;
    bool tiled = false;
    for (const ValueId v : s_.reads(site)) tiled = tiled || tile_of(v, axis).has_value();
    for (const Entry& entry : s_.global_form(site).entries()) {
      const bool known = std::find(matching.begin(), matching.end(), entry) != matching.end();
      if (!known && !entry.has_partial_operand() && matches(site, axis, entry)) matching.push_back(entry);
    }
    if (step == nullptr) return matching.empty();
    if (!tiled) return sliced_alike(site, axis, step->entry);
    return matching.size() == 1 && matching[0] == step->entry;
  }

  [[nodiscard]] bool matches(std::size_t site, Axis axis, const Entry& entry) const {
    const auto& reads = s_.reads(site);
    bool some = false;
    for (std::size_t k = 0; k < reads.size(); ++k) {
      const auto tile = tile_of(reads[k], axis);
      if (!entry.operands[k].is_tile() || !tile) continue;
      if (*tile != entry.operands[k].dim) return false;
      some = true;
    }
    return some;
  }

  [[nodiscard]] bool sliced_alike(std::size_t site, Axis axis, const Entry& entry) const {
    const auto& defines = s_.defines(site);
    for (std::size_t k = 0; k < defines.size(); ++k) {
      for (const State::Use& use : s_.uses(defines[k])) {
        const Step* step = use.operand ? s_.step(use.site, axis) : nullptr;
        if (step == nullptr || !(step->entry.operands[*use.operand] == entry.results[k])) return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::optional<Dim> tile_of(ValueId v, Axis axis) const {
    for (const TileDecision& p : s_.natural(v)) {
      if (p.axis == axis) return p.dim;
    }
    return std::nullopt;
  }

  const State& s_;
};

class Annotator {
 public:
  Annotator(Function& function, const State& state, const std::vector<Conflict>& conflicts)
      : f_(function), s_(state), propagation_(state) {
    for (const Conflict& c : conflicts) {
      if (c.op) conflicting_.insert(*c.op);
    }
  }

  void block(Block& b) {
    std::vector<Op> ops = std::move(b.ops);
    b.ops.clear();
    for (Op& op : ops) {
      if (op.decl->control == Control::loop && conflicting_.contains(op.id)) {
        constrain_operands(op, b);
      } else {
        annotate(op);
      }
      if (runs_regions(op)) {
        for (Block& inner : op.regions) block(inner);
      }
      b.ops.push_back(std::move(op));
    }
  }

 private:
  /// Constrains the initial values of a loop's tiled values. (XLA does not accept shardings on a loop itself: it counts
  /// the values again that regions capture.)
  void constrain_operands(Op& loop, Block& to) {
    for (std::size_t k = 0; k < loop.operands.size(); ++k) {
      const std::vector<TileDecision>& tiles = s_.natural(loop.results[k]);
      if (tiles.empty()) continue;
      const Type type = f_.type(loop.operands[k]);
      Op constraint(f_.new_op(), find_decl("sdy.sharding_constraint"));
      constraint.operands = {loop.operands[k]};
      constraint.results = {f_.add_value(type)};
      constraint.place = loop.place;
      set(constraint.attributes, "sharding",
          {RawAttr{"#sdy.sharding" + sdy_sharding(layout_of(tiles, type.rank()), s_.mesh())}});
      loop.operands[k] = constraint.results[0];
      to.ops.push_back(std::move(constraint));
    }
  }

  void annotate(Op& op) {
    // Constraints of the source refer to its own mesh.
    const bool constrains = is_sharding_constraint(op);
    if (constrains) op.attributes = {};
    if (op.results.empty() || !(constrains || conflicting_.contains(op.id) || needs_annotation(op))) return;
    std::string list;
    for (const ValueId v : op.results) {
      const Layout type = layout_of(s_.natural(v), s_.function().type(v).rank());
      list += (list.empty() ? "" : ", ") + sdy_sharding(type, s_.mesh());
    }
    if (constrains) {
      set(op.attributes, "sharding", {RawAttr{"#sdy.sharding" + list}});
    } else {
      set(op.attributes, "sdy.sharding", {RawAttr{fmt::format("#sdy.sharding_per_value<[{}]>", list)}});
    }
  }

  /// Whether XLA might infer another sharding for the operation's results. Pending results are left to XLA: what they
  /// become is decided at their uses.
  [[nodiscard]] bool needs_annotation(const Op& op) const {
    const std::size_t site = s_.site_of(op.id);
    if (op.decl->kind != OpDecl::Kind::array || s_.defines(site).empty() || s_.is_constant(op.results[0])) return false;
    for (const Step& step : s_.steps(site)) {
      if (step.entry.results[0].is_partial()) return false;
    }
    return !propagation_.infers(site);
  }

  Function& f_;
  const State& s_;
  OperandPropagation propagation_;
  std::set<OpId> conflicting_;
};

}  // namespace

Module sdy_module(const SpmdProgram& program, const Module& source, const State& state,
                  const std::vector<Conflict>& conflicts) {
  Module out;
  out.name = source.name;
  out.attributes = source.attributes;
  out.declarations.push_back(sdy_mesh("mesh", program.mesh, program.mesh.device_ids()));
  // Each other order of devices becomes a mesh of its own.
  std::map<Order, std::string> meshes;
  for (const auto* orders : {&state.orders().arguments, &state.orders().results}) {
    for (const auto& [k, order] : *orders) {
      const auto [it, added] = meshes.emplace(order, fmt::format("mesh_{}", meshes.size() + 1));
      if (added) out.declarations.push_back(sdy_mesh(it->second, program.mesh, order));
    }
  }
  Function f = state.function();
  drop_shardings(f.body);
  const auto annotate = [&](std::vector<AttributeList>& attributes, const std::vector<ValueId>& local,
                            const std::map<std::size_t, Order>& orders) {
    attributes.resize(local.size());
    for (std::size_t i = 0; i < local.size(); ++i) {
      drop(attributes[i], "mhlo.sharding");
      const Layout& layout = program.layouts[local[i].index()];
      const auto order = orders.find(i);
      const std::string text = order == orders.end() ? sdy_sharding(layout, program.mesh)
                                                     : sdy_sharding(layout.in_order(order->second, program.mesh, true),
                                                                    program.mesh, meshes.at(order->second));
      set(attributes[i], "sdy.sharding", {RawAttr{"#sdy.sharding" + text}});
    }
  };
  annotate(f.argument_attributes, program.function.arguments(), state.orders().arguments);
  annotate(f.result_attributes, program.function.returned(), state.orders().results);
  Annotator(f, state, conflicts).block(f.body);
  out.functions.push_back(std::move(f));
  for (const Function* named : named_functions(source)) out.functions.push_back(*named);
  return out;
}

}  // namespace partir
