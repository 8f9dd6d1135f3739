// Writes each operation of a Core program twice, sequentially and per device, and compares the two readings.
#include "tests/laws/loop_program.h"

#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

Mesh mesh_of(const std::vector<std::int64_t>& sizes) {
  std::vector<Mesh::AxisInfo> axes;
  for (const std::int64_t n : sizes) axes.push_back({std::string(1, static_cast<char>('a' + axes.size())), n});
  return Mesh(std::move(axes));
}

std::vector<Value> side(const std::vector<LoopProgram::Both>& values, Value LoopProgram::Both::*which) {
  std::vector<Value> out;
  for (const auto& v : values) out.push_back(v.*which);
  return out;
}

}  // namespace

LoopProgram::LoopProgram(const std::vector<std::int64_t>& sizes)
    : mesh_(mesh_of(sizes)), order_(some_order(mesh_.devices())), device_({1, mesh_.devices()}) {
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) coordinates_.push_back(device_.position(groups(axis)));
}

Groups LoopProgram::groups(std::size_t axis) const {
  std::vector<Ids> out = mesh_.groups({Axis(axis)});
  for (Ids& group : out) {
    for (std::int64_t& id : group) id = order_[static_cast<std::size_t>(id)];
  }
  return read_groups(std::move(out), Reading::flattened, device_.devices());
}

LoopProgram::Both LoopProgram::argument(const TensorType& type) {
  return {core_.argument(type), device_.argument(type, {order_})};
}

LoopProgram::Both LoopProgram::apply(const OpText& op, const std::vector<Both>& operands) {
  return {core_.apply(op, side(operands, &Both::core)), device_.apply(op, side(operands, &Both::device))};
}

LoopProgram::Both LoopProgram::elementwise(const std::string& name, const std::vector<Both>& operands) {
  return apply({name, "", operands.front().type()}, operands);
}

LoopProgram::Both LoopProgram::reduce(Monoid monoid, const Both& x, Dim dim, const std::string& initial) {
  return {core_.reduce(monoid, x.core, dim, initial), device_.reduce(monoid, x.device, dim, initial)};
}

LoopProgram::Both LoopProgram::slice(Dim dim, const Both& x, const Index& r) {
  const Value local = device_.chunk(x.device, dim, size(r.axis), coordinates_[r.axis]);
  const Value out{core_.fresh(), local.type};
  core_.append(fmt::format("  {} = slice {} {}[{}] : {} -> {}\n", out.name, dim, x.core.name, r.name, x.type().str(),
                           out.type.str()));
  return {out, local};
}

LoopProgram::Both LoopProgram::loop(std::size_t axis, const Action& action,
                                    const std::function<Both(const Index&)>& body) {
  const Index r{axis, core_.fresh()};
  const std::string before = core_.take_lines();
  const Both yielded = body(r);
  const std::string inside = core_.take_lines();
  Value local = yielded.device;
  if (action.is_tile()) local = device_.all_gather(local, action.dim, groups(axis));
  if (action.is_partial()) local = device_.all_reduce(local, action.monoid, groups(axis));
  const Value out{core_.fresh(), local.type};
  core_.append(before + fmt::format("  {} = loop \"{}\" [{}] ({}: range<{}>) {{\n{}  yield {} : {}\n  }} : {}\n",
                                    out.name, mesh_.name(Axis(axis)), action == Action::any() ? "#any" : action.str(),
                                    r.name, size(axis), inside, yielded.core.name, yielded.type().str(),
                                    out.type.str()));
  return {out, local};
}

bool LoopProgram::equal(const Both& a, const Both& b) const {
  const Domain& domain = modular_domain();
  const auto seed = pick<std::uint64_t>(0, 1 << 30);
  const std::string text = core_.returning({a.core, b.core});
  RC_LOG() << fmt::format("{}, seed {}, sequential\n{}", mesh_.str(), seed, text);
  const Module module = module_of(text);
  std::vector<Tensor> inputs;
  for (const Value& v : core_.arguments()) inputs.push_back(varied_tensor(v.type, seed + inputs.size(), domain));
  const auto sequential = run_sequential(module.functions[0], inputs, domain);
  RC_LOG() << (sequential ? "" : sequential.error().text());
  RC_ASSERT(sequential.has_value());
  const std::vector<std::vector<Tensor>> same(order_.size(), inputs);
  for (const auto& device : device_.run({a.device, b.device}, same)) {
    for (std::size_t k = 0; k < 2; ++k) {
      RC_ASSERT(device[k].type == (*sequential)[k].type);
      RC_ASSERT(difference(device[k], (*sequential)[k], domain).elements == 0);
    }
  }
  return a.type() == b.type() && difference((*sequential)[0], (*sequential)[1], domain).elements == 0;
}

}  // namespace partir::testing
