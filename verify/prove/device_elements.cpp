// The part of Evaluation (evaluation.h) for operations whose elements depend on the device: loops and slices of
// PartIR:Core, and collectives over mesh axes.
#include <algorithm>

#include "ir/core.h"
#include "ir/op_decl.h"
#include "verify/prove/evaluation.h"

namespace partir::prove {
namespace {

Dim device_dim_of(const Op& op, const char* name) {
  return static_cast<Dim>(find(op.attributes, name)->as<IntAttr>()->value);
}

}  // namespace

/// Splits an index into the number of its chunk and the index within the chunk, for chunks of equal size.
std::pair<Poly, Poly> Evaluation::split_index(const Poly& index, const Poly& size) {
  const Poly part = c_.div(index, size);
  return {part, index - part * size};
}

Expr Evaluation::core(const SymbolicOp& op, std::size_t number, ValueId v, std::vector<Poly> at) {
  if (op.op->name() == "partir.slice") {
    const Dim d = device_dim_of(*op.op, "dim");
    at[d] = iteration_.at(op.op->operands[1]) * dims(v)[d] + at[d];
    return element(op.op->operands[0], at);
  }
  const Action action = loop_actions(op.op->attributes)[number];
  const ValueId index = op.op->regions[0].arguments[0];
  const ValueId yielded = op.op->regions[0].ops.back().operands[number];
  const auto iteration = [&](const Poly& r) {
    iteration_[index] = r;
    return element(yielded, at);
  };
  if (action.is_tile()) {
    const auto [part, inside] = split_index(at[action.dim], dims(yielded)[action.dim]);
    at[action.dim] = inside;
    return iteration(part);
  }
  const AtomId r = c_.range(op.iterations);
  const Expr body = simplified(iteration(Poly::atom(r)), c_);
  if (action.is_partial()) return over_devices(action.monoid, {r}, body);
  if (contains(body, r, c_)) throw GiveUp{"an #any loop whose iterations differ"};
  return body;
}

Expr Evaluation::over_devices(Monoid m, const std::vector<AtomId>& devices, const Expr& body) {
  return folded(m, devices, {}, simplified(body, c_));
}

Expr Evaluation::collective(const Op& op, ValueId v, std::vector<Poly> at) {
  const ValueId x = op.operands[0];
  std::vector<std::string> axes;
  for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items) {
    axes.push_back(a.as<StringAttr>()->value);
    if (!device_.contains(axes.back())) throw GiveUp{"a collective over an axis that the claim does not name"};
  }
  const auto position = [&] {  // of this device within its group
    Poly out;
    for (const std::string& a : axes) out = out * device_.at(a).size + device_.at(a).coordinate;
    return out;
  };
  const auto chunk = [&](Dim d, const Poly& of) { at[d] = of * dims(v)[d] + at[d]; };
  const auto from_part = [&](Dim d) {  // the device that holds the chunk containing the index
    auto [part, inside] = split_index(at[d], dims(x)[d]);
    at[d] = inside;
    DeviceAt there = device_;
    for (std::size_t k = axes.size(); k-- > 0;) {
      const auto [rest, digit] = split_index(part, device_.at(axes[k]).size);
      there.at(axes[k]).coordinate = k == 0 ? part : digit;
      part = rest;
    }
    return there;
  };
  const Collective& how = op.decl->collective;
  if (how.expands_to == nullptr || how.pairs) throw GiveUp{op.name() + " in a claim"};
  DeviceAt there = device_;
  if (how.join != nullptr) there = from_part(device_dim_of(op, how.join));
  if (how.split != nullptr) chunk(device_dim_of(op, how.split), position());
  if (!how.kind) return element(x, at);  // a slice: no communication
  if (!how.combines) return element_on(there, x, at);
  std::vector<AtomId> devices;
  for (const std::string& a : axes) {
    devices.push_back(c_.range(device_.at(a).size));
    there.at(a).coordinate = Poly::atom(devices.back());
  }
  const Monoid m = *monoid_from(find(op.attributes, "monoid")->as<StringAttr>()->value);
  return over_devices(m, devices, element_on(there, x, at));
}

Expr Evaluation::element_on(DeviceAt there, ValueId v, const std::vector<Poly>& at) {
  std::swap(device_, there);
  Expr out = element(v, at);
  std::swap(device_, there);
  return out;
}

}  // namespace partir::prove
