#include "verify/validate/comparison.h"

#include <algorithm>
#include <map>

namespace partir::validate {
namespace {

/// What one device holds of a global array of elements.
ArrayPtr part_of_global(const Array& global, const TensorType& local, const Placement& p, std::size_t device,
                        std::size_t argument, Algebra& algebra) {
  auto out = std::make_shared<Array>();
  out->type = local;
  out->data.resize(static_cast<std::size_t>(local.elements()));
  if (out->data.empty()) return out;
  const auto strides = strides_of(global.type.dims);
  std::vector<std::int64_t> index(local.rank(), 0);
  std::size_t at = 0;
  const bool absent = !p.absent.empty() && p.absent[device];
  do {
    std::int64_t position = 0;
    bool inside = !absent;
    for (std::size_t d = 0; d < local.rank(); ++d) {
      const std::int64_t i = p.chunk[d][device] * local.dims[d] + index[d];
      inside = inside && i < global.type.dims[d];
      position += i * strides[d];
    }
    if (inside) {
      out->data[at] = global.data[static_cast<std::size_t>(position)];
    } else {
      // Padding is anything, on each device.
      const Element where[] = {Element::integer(static_cast<std::int64_t>(argument)),
                               Element::integer(static_cast<std::int64_t>(device)),
                               Element::integer(static_cast<std::int64_t>(at))};
      out->data[at] = algebra.opaque("padding", local.element, where);
    }
    ++at;
  } while (advance(index, local.dims));
  return out;
}

/// Parts of a value that devices hold in common are one array.
DeviceArrays parts_of_global(const ArrayPtr& global, const TensorType& local, const Placement& p, std::size_t devices,
                             std::size_t argument, Algebra& algebra) {
  DeviceArrays out(devices);
  if (p.is_replicated()) {
    std::fill(out.begin(), out.end(), global);
    return out;
  }
  std::map<std::vector<std::int64_t>, ArrayPtr> made;
  for (std::size_t d = 0; d < devices; ++d) {
    std::vector<std::int64_t> chunks;
    for (const auto& dim : p.chunk) chunks.push_back(dim[d]);
    if (!p.absent.empty() && p.absent[d]) chunks.push_back(static_cast<std::int64_t>(d));
    ArrayPtr& a = made[chunks];
    if (a == nullptr) a = part_of_global(*global, local, p, d, argument, algebra);
    out[d] = a;
  }
  return out;
}

}  // namespace

Comparison::Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, std::uint64_t seed,
                       bool exact, std::function<bool()> stop)
    : source_(source), partitioned_(partitioned), layouts_(layouts), stop_(std::move(stop)), algebra_(seed, exact) {}

std::vector<bool> Comparison::run(const Observer& of_source, const Observer& of_partitioned) {
  std::vector<DeviceArrays> sequential;
  for (std::size_t k = 0; k < source_.arguments().size(); ++k) {
    const TensorType& t = source_.tensor(source_.arguments()[k]);
    auto a = std::make_shared<Array>();
    a->type = t;
    for (std::int64_t p = 0; p < t.elements(); ++p) a->data.push_back(algebra_.input(k, p, t.element));
    arguments_.push_back(a);
    sequential.push_back({a});
  }
  Program source(source_, Devices{}, algebra_, stop_);
  for (const DeviceArrays& r : source.run(sequential, of_source)) wanted_.push_back(r[0]);
  const auto divisors = algebra_.divisors();
  const auto devices = static_cast<std::size_t>(layouts_.devices.count());
  for (std::size_t k = 0; k < arguments_.size(); ++k)
    parts_.push_back(parts_of_global(arguments_[k], partitioned_.tensor(partitioned_.arguments()[k]),
                                     layouts_.arguments[k], devices, k, algebra_));
  Program target(partitioned_, layouts_.devices, algebra_, stop_);
  found_ = target.run(parts_, of_partitioned);
  for (const Element e : algebra_.divisors()) {
    if (!divisors.contains(e)) ++own_divisors_;
  }
  std::vector<bool> out;
  for (std::size_t k = 0; k < wanted_.size(); ++k) out.push_back(agrees(*wanted_[k], found_[k], layouts_.results[k]));
  return out;
}

bool Comparison::agrees(const Array& wanted, const DeviceArrays& found, const Placement& p) {
  if (!p.partial.empty()) throw Unknown{"a result with a pending reduction"};
  const auto strides = strides_of(wanted.type.dims);
  for (std::size_t d = 0; d < found.size(); ++d) {
    if (!p.absent.empty() && p.absent[d]) continue;
    const Array& part = *found[d];
    if (part.data.empty()) continue;
    std::vector<std::int64_t> index(part.type.rank(), 0);
    std::size_t at = 0;
    do {
      std::int64_t position = 0;
      bool inside = true;
      for (std::size_t dim = 0; dim < index.size(); ++dim) {
        const std::int64_t i = p.chunk[dim][d] * part.type.dims[dim] + index[dim];
        inside = inside && i < wanted.type.dims[dim];
        position += i * strides[dim];
      }
      const Element e = part.data[at++];
      if (!inside) continue;
      const Element w = wanted.data[static_cast<std::size_t>(position)];
      if (algebra_.contains(e, Special::poison) || algebra_.contains(w, Special::poison))
        throw Unknown{"a read outside its operand"};
      if (!algebra_.equal(w, e)) return false;
    } while (advance(index, part.type.dims));
  }
  return true;
}

}  // namespace partir::validate
