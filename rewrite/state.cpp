#include "rewrite/state.h"

#include <algorithm>

#include "support/check.h"

namespace partir {
namespace {

/// The scalar that a constant, or what only moves or repeats one, consists of.
LiteralPtr splat_of(const Op& op, const std::vector<LiteralPtr>& known) {
  const std::string& name = op.name();
  if (name == "stablehlo.constant") {
    const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr || !dense->literal->splat) return nullptr;
    auto scalar = std::make_shared<Literal>(*dense->literal);
    scalar->type.dims.clear();
    return scalar;
  }
  if (name == "stablehlo.broadcast_in_dim" || name == "stablehlo.reshape" || name == "stablehlo.transpose" ||
      name == "stablehlo.slice" || name == "stablehlo.reverse") {
    return known[op.operands[0].index()];
  }
  return nullptr;
}

}  // namespace

State::State(const Function& function, const Mesh& mesh)
    : arguments(function.arguments().size()),
      results(function.returned().size()),
      function_(&function),
      mesh_(mesh),
      steps_(function.body.ops.size()),
      local_(function.body.ops.size()),
      defined_by_(function.types.size()),
      argument_of_(function.types.size()),
      result_number_(function.types.size()),
      uses_(function.types.size()),
      constant_(function.types.size()),
      splats_(function.types.size()) {
  for (std::size_t i = 0; i < function.arguments().size(); ++i) argument_of_[function.arguments()[i].index()] = i;
  for (std::size_t i = 0; i < function.body.ops.size(); ++i) {
    const Op& op = function.body.ops[i];
    bool constant = op.decl->kind == OpDecl::Kind::array && op.regions.empty();
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      uses_[op.operands[k].index()].push_back({i, k});
      constant = constant && constant_[op.operands[k].index()];
    }
    for (const ValueId v : captured(op)) uses_[v.index()].push_back({i, std::nullopt});
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      const ValueId v = op.results[k];
      defined_by_[v.index()] = i;
      result_number_[v.index()] = k;
      constant_[v.index()] = constant;
      splats_[v.index()] = splat_of(op, splats_);
    }
  }
}

OpInstance State::global(std::size_t op) const {
  const Op& o = function_->body.ops[op];
  std::vector<LiteralPtr> splats;
  for (const ValueId v : o.operands) splats.push_back(splats_[v.index()]);
  return instance_of(*function_, o, std::move(splats));
}

const OpInstance& State::local(std::size_t op) {
  if (local_[op] == nullptr) local_[op] = std::make_unique<OpInstance>(global(op));
  return *local_[op];
}

const Step* State::step(std::size_t op, Axis axis) const {
  for (const Step& s : steps_[op]) {
    if (s.axis == axis) return &s;
  }
  return nullptr;
}

std::vector<Placement> State::natural(ValueId v) const {
  std::vector<Placement> out;
  if (const auto i = argument_number(v)) {
    for (const Placement& p : arguments[*i]) {
      if (p.dim) out.push_back(p);
    }
  } else if (const auto op = defining_op(v)) {
    for (const Step& s : steps_[*op]) {
      const Action& a = s.entry.results[result_number(v)];
      if (a.is_tile()) out.push_back({s.axis, a.dim});
    }
  }
  return out;
}

void State::join(std::size_t op, Axis axis, const Entry& entry, OpInstance local) {
  PARTIR_CHECK(step(op, axis) == nullptr, "an operation that joins twice along one axis");
  steps_[op].push_back({axis, entry, tactic});
  local_[op] = std::make_unique<OpInstance>(std::move(local));
}

Function without_dead_code(const Function& function) {
  std::vector<bool> live(function.types.size(), false);
  std::vector<bool> keep(function.body.ops.size(), false);
  for (std::size_t i = function.body.ops.size(); i-- > 0;) {
    const Op& op = function.body.ops[i];
    keep[i] = !op.decl->pure || op.decl->kind == OpDecl::Kind::terminator ||
              std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return live[v.index()]; });
    if (!keep[i]) continue;
    for (const ValueId v : op.operands) live[v.index()] = true;
    for (const ValueId v : captured(op)) live[v.index()] = true;
  }
  Function out = function;
  out.body.ops.clear();
  for (std::size_t i = 0; i < function.body.ops.size(); ++i) {
    if (keep[i]) out.body.ops.push_back(function.body.ops[i]);
  }
  return out;
}

}  // namespace partir
