// Declares the collectives of PartIR:HLO, which name mesh axes; lowering/emit.cpp expands them to StableHLO's, which
// have replica groups. `axes` lists the mesh axes, major first.
//
//   spmd.all_reduce      %x {axes, monoid}    reduces the values of the devices along the axes
//   spmd.all_gather      %x {axes, dim}       joins the chunks of a dimension
//   spmd.reduce_scatter  %x {axes, dim, monoid}
//   spmd.all_slice       %x {axes, dim}       keeps the device's own chunk; no communication
//   spmd.all_to_all      %x {axes, from, to}  moves the tiling from one dimension to another
//   spmd.collective_permute %x {axes, source_target_pairs}  sends parts between devices
//
// If the groups of a step are not those of complete axes, all_gather and all_to_all also have replica_groups, and
// all_slice has the stride and size of the device's chunk number (id / stride mod size); `axes` then lists the axes
// along which the devices exchange.
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/pairs.h"

namespace partir::ops {

namespace {

using Kind = CollectiveKind;
constexpr std::pair<const char*, Collective> kSpmd[] = {
    {"spmd.all_reduce", {.kind = Kind::all_reduce, .combines = true, .expands_to = "stablehlo.all_reduce"}},
    {"spmd.all_gather", {.kind = Kind::all_gather, .join = "dim", .expands_to = "stablehlo.all_gather"}},
    {"spmd.reduce_scatter",
     {.kind = Kind::reduce_scatter, .split = "dim", .combines = true, .expands_to = "stablehlo.reduce_scatter"}},
    {"spmd.all_slice", {.split = "dim", .expands_to = "stablehlo.dynamic_slice"}},
    {"spmd.all_to_all",
     {.kind = Kind::all_to_all, .split = "to", .join = "from", .expands_to = "stablehlo.all_to_all"}},
    {"spmd.collective_permute",
     {.kind = Kind::collective_permute, .pairs = true, .expands_to = "stablehlo.collective_permute"}}};

}  // namespace

std::vector<OpDecl> spmd() {
  std::vector<OpDecl> out;
  for (const auto& [name, how] : kSpmd) {
    OpDecl d;
    d.name = name;
    d.kind = OpDecl::Kind::collective;
    d.collective = how;
    d.types = OpDecl::TypeForm::same;
    d.verify = [](const OpInstance& op) {
      const Attribute* axes = find(op.attributes, "axes");
      const ArrayAttr* list = axes != nullptr ? axes->as<ArrayAttr>() : nullptr;
      const bool names = list != nullptr && !list->items.empty() &&
                         std::all_of(list->items.begin(), list->items.end(),
                                     [](const Attribute& a) { return a.as<StringAttr>() != nullptr; });
      require(names, op, "axes", "axes = [\"name\", …]", axes == nullptr ? "no axes" : axes->str());
      require(op.results.size() == 1 && op.operands.size() == 1, op, "arity", "one result of one operand");
      const auto dimension = [&](const char* key) {
        const Attribute* a = find(op.attributes, key);
        const IntAttr* dim = a != nullptr ? a->as<IntAttr>() : nullptr;
        require(dim != nullptr && dim->value >= 0 && at(dim->value) < op.operands[0].rank(), op, key,
                "a dimension of the operand");
      };
      const Collective& exchange = op.decl->collective;
      if (exchange.join != nullptr) dimension(exchange.join);
      if (exchange.split != nullptr) dimension(exchange.split);
      if (exchange.pairs) require_pairs(op, "pairs");
      if (const Attribute* groups = find(op.attributes, "replica_groups")) {
        const DenseAttr* table = groups->as<DenseAttr>();
        require(table != nullptr && table->literal->type.rank() == 2 && table->literal->type.elements() > 0, op,
                "groups", "a matrix of device ids", groups->str());
      }
      const auto positive = [&](const char* key) {
        const Attribute* a = find(op.attributes, key);
        return a != nullptr && a->as<IntAttr>() != nullptr && a->as<IntAttr>()->value > 0;
      };
      if (find(op.attributes, "stride") != nullptr || find(op.attributes, "size") != nullptr)
        require(positive("stride") && positive("size"), op, "stride", "stride and size, both positive");
      if (exchange.combines) {
        const Attribute* a = find(op.attributes, "monoid");
        const StringAttr* monoid = a != nullptr ? a->as<StringAttr>() : nullptr;
        require(monoid != nullptr && monoid_from(monoid->value).has_value(), op, "monoid",
                "sum, prod, max, min, and or or");
      }
    };
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace partir::ops
