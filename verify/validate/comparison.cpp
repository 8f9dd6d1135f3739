#include "verify/validate/comparison.h"

#include <algorithm>
#include <map>

namespace partir::validate {
namespace {

/// What one device holds of argument `argument` of the source, at the positions of the grid.
ArrayPtr part_of_argument(const TensorType& global, const TensorType& local, const GridPtr& grid, const Placement& p,
                          std::int64_t device, std::size_t argument, Algebra& algebra) {
  auto out = std::make_shared<Array>();
  out->type = local;
  out->grid = grid;
  const auto extents = out->extents();
  if (count_of(extents) == 0) return out;
  const auto strides = strides_of(global.dims);
  std::vector<std::int64_t> index(extents.size(), 0);
  const auto id = static_cast<std::size_t>(device);
  const bool absent = !p.absent.empty() && p.absent[id];
  do {
    std::int64_t position = 0;
    std::int64_t own = 0;
    bool inside = !absent;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t at = position_at(grid, d, index[d]);
      const std::int64_t i = p.chunk[d][id] * local.dims[d] + at;
      inside = inside && i < global.dims[d];
      position += i * strides[d];
      own = own * local.dims[d] + at;
    }
    if (inside) {
      out->data.push_back(algebra.input(argument, position, local.element));
    } else {
      // Padding is anything, on each device.
      const Element where[] = {Element::integer(static_cast<std::int64_t>(argument)), Element::integer(device),
                               Element::integer(own)};
      out->data.push_back(algebra.opaque("padding", local.element, where));
    }
  } while (advance(index, extents));
  return out;
}

/// On each device; parts that devices hold in common are one array.
DeviceArrays parts_of_argument(const TensorType& global, const TensorType& local, const GridPtr& grid,
                               const Placement& p, const std::vector<std::int64_t>& devices, std::size_t argument,
                               Algebra& algebra) {
  DeviceArrays out;
  std::map<std::vector<std::int64_t>, ArrayPtr> made;
  for (const std::int64_t device : devices) {
    std::vector<std::int64_t> chunks;
    for (const auto& dim : p.chunk) chunks.push_back(dim[static_cast<std::size_t>(device)]);
    if (!p.absent.empty() && p.absent[static_cast<std::size_t>(device)]) chunks.push_back(device);
    ArrayPtr& a = made[chunks];
    if (a == nullptr) a = part_of_argument(global, local, grid, p, device, argument, algebra);
    out.push_back(a);
  }
  return out;
}

}  // namespace

Comparison::Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, std::uint64_t seed,
                       bool exact, std::function<bool()> stop)
    : source_(source), partitioned_(partitioned), layouts_(layouts), stop_(std::move(stop)), algebra_(seed, exact) {}

std::vector<bool> Comparison::run(const Observer& of_source, const Observer& of_partitioned, bool at_some_positions) {
  std::optional<Plans> plans;
  algebra_.collapse_choices(at_some_positions);
  if (at_some_positions) plans = plan(source_, partitioned_, layouts_, algebra_);
  std::vector<std::int64_t> devices;
  if (plans) {
    devices = plans->partitioned.devices;
  } else {
    for (std::int64_t d = 0; d < layouts_.devices.count(); ++d) devices.push_back(d);
  }
  std::vector<DeviceArrays> sequential;
  for (std::size_t k = 0; k < source_.arguments().size(); ++k) {
    const ValueId v = source_.arguments()[k];
    const TensorType& t = source_.tensor(v);
    const GridPtr grid = plans ? plans->source.grids[v.index()] : nullptr;
    arguments_.push_back(part_of_argument(t, t, grid, Placement::replicated(t.rank(), 1), 0, k, algebra_));
    sequential.push_back({arguments_.back()});
  }
  Program source(source_, Devices{}, algebra_, stop_, plans ? &plans->source : nullptr);
  for (const DeviceArrays& r : source.run(sequential, of_source)) wanted_.push_back(r[0]);
  const auto divisors = algebra_.divisors();
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    const ValueId v = partitioned_.arguments()[k];
    const GridPtr grid = plans ? plans->partitioned.grids[v.index()] : nullptr;
    if (!plans && layouts_.arguments[k].is_replicated()) {
      parts_.emplace_back(devices.size(), arguments_[k]);
      continue;
    }
    parts_.push_back(parts_of_argument(source_.tensor(source_.arguments()[k]), partitioned_.tensor(v), grid,
                                       layouts_.arguments[k], devices, k, algebra_));
  }
  Program target(partitioned_, layouts_.devices, algebra_, stop_, plans ? &plans->partitioned : nullptr);
  found_ = target.run(parts_, of_partitioned);
  for (const Element e : algebra_.divisors()) {
    if (!divisors.contains(e)) ++own_divisors_;
  }
  std::vector<bool> out;
  for (std::size_t k = 0; k < wanted_.size(); ++k)
    out.push_back(agrees(*wanted_[k], found_[k], layouts_.results[k], devices));
  return out;
}

bool Comparison::agrees(const Array& wanted, const DeviceArrays& found, const Placement& p,
                        const std::vector<std::int64_t>& devices) {
  if (!p.partial.empty()) throw Unknown{"a result with a pending reduction"};
  const auto strides = strides_of(wanted.extents());
  for (std::size_t d = 0; d < found.size(); ++d) {
    const auto id = static_cast<std::size_t>(devices[d]);
    if (!p.absent.empty() && p.absent[id]) continue;
    const Array& part = *found[d];
    if (part.data.empty()) continue;
    const auto extents = part.extents();
    std::vector<std::int64_t> index(extents.size(), 0);
    std::size_t at = 0;
    do {
      std::int64_t position = 0;
      bool inside = true;
      for (std::size_t dim = 0; dim < index.size(); ++dim) {
        const std::int64_t global = p.chunk[dim][id] * part.type.dims[dim] + position_at(part.grid, dim, index[dim]);
        if (global >= wanted.type.dims[dim]) {
          inside = false;
          continue;
        }
        const std::int64_t i = index_of(wanted.grid, wanted.type, dim, global);
        if (i < 0) throw Unknown{"a position that was not foreseen"};
        position += i * strides[dim];
      }
      const Element e = part.data[at++];
      if (!inside) continue;
      const Element w = wanted.data[static_cast<std::size_t>(position)];
      if (algebra_.contains(e, Special::poison) || algebra_.contains(w, Special::poison))
        throw Unknown{"a read outside its operand"};
      if (!algebra_.equal(w, e)) return false;
    } while (advance(index, extents));
  }
  return true;
}

}  // namespace partir::validate
