// The StableHLO text of the device programs of the laws, and how they run on the interpreter of many devices.
#include "tests/laws/device_program.h"

#include <numeric>

#include "tests/laws/random_cases.h"

namespace partir::testing {

Groups read_groups(std::vector<Ids> written, Reading reading, const Devices& devices) {
  Groups out{std::move(written), reading, {}};
  const auto id = [&](std::int64_t replica, std::int64_t partition) {
    return replica * devices.partitions + partition;
  };
  for (const Ids& group : out.written) {
    switch (reading) {
      case Reading::flattened: out.devices.push_back(group); break;
      case Reading::cross_replica:
        for (std::int64_t p = 0; p < devices.partitions; ++p) {
          out.devices.emplace_back();
          for (const std::int64_t r : group) out.devices.back().push_back(id(r, p));
        }
        break;
      case Reading::cross_partition:
        for (std::int64_t r = 0; r < devices.replicas; ++r) {
          out.devices.emplace_back();
          for (const std::int64_t p : group) out.devices.back().push_back(id(r, p));
        }
        break;
      case Reading::cross_replica_and_partition:
        out.devices.emplace_back();
        for (std::int64_t p = 0; p < devices.partitions; ++p) {
          for (const std::int64_t r : group) out.devices.back().push_back(id(r, p));
        }
        break;
    }
  }
  return out;
}

Groups flattened(const Groups& groups) { return {groups.devices, Reading::flattened, groups.devices}; }

Value DeviceProgram::argument(const TensorType& type, const std::vector<Ids>& shared) {
  shared_.push_back(shared);
  return FunctionText::argument(type);
}

Value DeviceProgram::per_device(const Ids& numbers) {
  const TensorType scalar{ElementType::i32, {}};
  const TensorType id{ElementType::ui32, {}};
  const Value table = constant(scalar.with_dims({devices_.count()}), fmt::format("{}", numbers));
  const Value replica = apply({"stablehlo.replica_id", "", id}, {});
  const Value partition = apply({"stablehlo.partition_id", "", id}, {});
  const Value grid =
      apply({"stablehlo.reshape", "", scalar.with_dims({devices_.replicas, devices_.partitions})}, {table});
  const Value entry =
      apply({"stablehlo.dynamic_slice", ", sizes = [1, 1]", scalar.with_dims({1, 1})}, {grid, replica, partition});
  return apply({"stablehlo.reshape", "", scalar}, {entry});
}

Value DeviceProgram::position(const Groups& groups) {
  Ids positions(static_cast<std::size_t>(devices_.count()), -1);
  for (const Ids& group : groups.devices) {
    for (std::size_t k = 0; k < group.size(); ++k)
      positions[static_cast<std::size_t>(group[k])] = static_cast<std::int64_t>(k);
  }
  return per_device(positions);
}

Value DeviceProgram::chunk(const Value& x, Dim dim, std::int64_t n, const Value& at) {
  TensorType part = x.type;
  part.dims[dim] /= n;
  const Value size = constant(at.type, fmt::format("{}", part.dims[dim]));
  const Value zero = constant(at.type, "0");
  std::vector<Value> operands(x.type.rank() + 1, zero);
  operands[0] = x;
  operands[dim + 1] = elementwise("stablehlo.multiply", {at, size});
  return apply({"stablehlo.dynamic_slice", fmt::format(", sizes = [{}]", fmt::join(part.dims, ", ")), part}, operands);
}

Value DeviceProgram::where(const Ids& numbers, const Value& x) {
  const Value number = per_device(numbers);
  const Value is_set =
      apply({"stablehlo.compare NE,", "", TensorType{ElementType::i1, {}}}, {number, constant(number.type, "0")});
  const Value zeros =
      constant(x.type, identity_text(x.type.element == ElementType::i1 ? Monoid::disj : Monoid::sum, x.type.element));
  return apply({"stablehlo.select", "", x.type}, {is_set, x, zeros});
}

Value DeviceProgram::held_by(const Ids& sources, const Value& x) {
  Ids everyone(sources.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  TensorType row = x.type;
  row.dims.insert(row.dims.begin(), 1);
  const Value own = apply({"stablehlo.reshape", "", row}, {x});
  const Value all = all_gather(own, 0, read_groups({everyone}, Reading::flattened, devices_));
  return apply({"stablehlo.reshape", "", x.type}, {chunk(all, 0, devices_.count(), per_device(sources))});
}

std::vector<Value> DeviceProgram::collective(const std::string& name, const std::string& attributes,
                                             const Groups& groups, std::optional<Monoid> fold,
                                             const std::vector<Value>& operands,
                                             const std::vector<TensorType>& results) {
  const bool permutes = name == "collective_permute";
  std::string ids = groups.written.empty() ? "dense<>" : fmt::format("dense<{}>", groups.written);
  ids = fmt::format("{} = {} : tensor<{}x{}xi64>", permutes ? "source_target_pairs" : "replica_groups", ids,
                    groups.written.size(),
                    permutes                 ? 2
                    : groups.written.empty() ? 0
                                             : groups.written[0].size());
  const char* channel = groups.reading == Reading::cross_replica ? ""
                        : groups.reading == Reading::flattened   ? kFlattened
                                                                 : kChannel;
  std::string region;
  if (fold) {
    region =
        " " + fold_of(std::string(combiner_of(*fold)).c_str(), std::string(name_of(operands[0].type.element)).c_str());
  }
  return line(fmt::format("\"stablehlo.{}\"({}) <{{{}{}{}{}}}>{}", name, names_of(operands), attributes,
                          attributes.empty() ? "" : ", ", ids, channel, region),
              operands, results);
}

Value DeviceProgram::all_reduce(const Value& x, Monoid monoid, const Groups& groups) {
  return collective("all_reduce", "", groups, monoid, {x}, {x.type})[0];
}

Value DeviceProgram::all_gather(const Value& x, Dim dim, const Groups& groups) {
  TensorType whole = x.type;
  whole.dims[dim] *= groups.size();
  return collective("all_gather", fmt::format("all_gather_dim = {} : i64", dim), groups, {}, {x}, {whole})[0];
}

Value DeviceProgram::reduce_scatter(const Value& x, Monoid monoid, Dim dim, const Groups& groups) {
  TensorType part = x.type;
  part.dims[dim] /= groups.size();
  return collective("reduce_scatter", fmt::format("scatter_dimension = {} : i64", dim), groups, monoid, {x}, {part})[0];
}

Value DeviceProgram::all_to_all(const Value& x, Dim split, Dim concat, const Groups& groups) {
  TensorType after = x.type;
  after.dims[split] /= groups.size();
  after.dims[concat] *= groups.size();
  return collective("all_to_all",
                    fmt::format("concat_dimension = {} : i64, split_count = {} : i64, split_dimension = {} : i64",
                                concat, groups.size(), split),
                    groups, {}, {x}, {after})[0];
}

Value DeviceProgram::broadcast(const Value& x, const Groups& groups) {
  return collective("collective_broadcast", "", groups, {}, {x}, {x.type})[0];
}

Value DeviceProgram::permute(const Value& x, const Groups& pairs) {
  return collective("collective_permute", "", pairs, {}, {x}, {x.type})[0];
}

std::vector<std::vector<Tensor>> DeviceProgram::run(const std::vector<Value>& values,
                                                    const std::vector<std::vector<Tensor>>& inputs) const {
  const std::string text = returning(values);
  const auto shuffle = pick<std::uint64_t>(0, 4);
  RC_LOG() << fmt::format("{} replicas x {} partitions, shuffle {}\n{}", devices_.replicas, devices_.partitions,
                          shuffle, text);
  const Module module = module_of(text);
  const auto out = run_spmd(module.functions[0], inputs, devices_, modular_domain(), shuffle);
  RC_LOG() << (out ? "" : out.error().text());
  RC_ASSERT(out.has_value());
  return *out;
}

bool DeviceProgram::equal(const Value& a, const Value& b) const {
  const auto seed = pick<std::uint64_t>(0, 1 << 30);
  RC_LOG() << "seed " << seed << ", ";
  std::vector<std::vector<Tensor>> inputs(static_cast<std::size_t>(devices_.count()));
  for (std::size_t k = 0; k < shared_.size(); ++k) {
    std::vector<std::uint64_t> which(inputs.size());  // by device, which of the argument's values it gets
    for (std::size_t d = 0; d < which.size(); ++d) which[d] = shared_[k].size() + d;
    for (std::size_t g = 0; g < shared_[k].size(); ++g) {
      for (const std::int64_t id : shared_[k][g]) which[static_cast<std::size_t>(id)] = g;
    }
    for (std::size_t d = 0; d < inputs.size(); ++d)
      inputs[d].push_back(varied_tensor(arguments()[k].type, seed + 1000 * k + which[d], modular_domain()));
  }
  bool out = true;
  for (const auto& device : run({a, b}, inputs))
    out = device[0].type == device[1].type && difference(device[0], device[1], modular_domain()).elements == 0 && out;
  return out;
}

}  // namespace partir::testing
