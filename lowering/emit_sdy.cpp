#include "lowering/emit_sdy.h"

#include <fmt/format.h>

#include <set>

#include "ir/control_flow.h"
#include "lowering/unit.h"

namespace partir {
namespace {

std::string sdy_sharding(const Layout& type, const Mesh& mesh) {
  std::string out = "<@mesh, [";
  for (Dim d = 0; d < type.dims.size(); ++d) {
    out += d != 0 ? ", {" : "{";
    for (std::size_t k = 0; k < type.dims[d].size(); ++k)
      out += fmt::format("{}\"{}\"", k != 0 ? ", " : "", mesh.name(type.dims[d][k].axis()));
    out += "}";
  }
  return out + "]>";
}

class Annotation {
 public:
  Annotation(const State& state, const std::vector<Conflict>& conflicts) : s_(state) {
    for (const Conflict& c : conflicts) {
      if (c.op) conflicting_.insert(*c.op);
    }
  }

  void block(Block& b) {
    for (Op& op : b.ops) {
      annotate(op);
      if (!runs_regions(op)) continue;
      for (Block& inner : op.regions) block(inner);
    }
  }

 private:
  void annotate(Op& op) {
    // Constraints of the source's own speak of its mesh.
    const bool constrains = drop(op.attributes, "partir.name") || op.name() == "sdy.sharding_constraint";
    if (!(conflicting_.contains(op.id) || constrains) || op.results.empty()) return;
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

  const State& s_;
  std::set<OpId> conflicting_;
};

}  // namespace

Module sdy_module(const SpmdProgram& program, const Module& source, const State& state,
                  const std::vector<Conflict>& conflicts) {
  Module out;
  out.name = source.name;
  out.attributes = source.attributes;
  std::string axes;
  for (const auto& a : program.mesh.axes())
    axes += fmt::format("{}\"{}\"={}", axes.empty() ? "" : ", ", a.name, a.size);
  out.declarations.push_back(fmt::format("sdy.mesh @mesh = <[{}]>", axes));
  Function f = state.function();
  const auto annotate = [&](std::vector<AttributeList>& attributes, const std::vector<ValueId>& local) {
    attributes.resize(local.size());
    for (std::size_t i = 0; i < local.size(); ++i) {
      drop(attributes[i], "mhlo.sharding");
      set(attributes[i], "sdy.sharding",
          {RawAttr{"#sdy.sharding" + sdy_sharding(program.layouts[local[i].index()], program.mesh)}});
    }
  };
  annotate(f.argument_attributes, program.function.arguments());
  annotate(f.result_attributes, program.function.returned());
  Annotation(state, conflicts).block(f.body);
  out.functions.push_back(std::move(f));
  return out;
}

}  // namespace partir
