#include "ir/sharding/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "support/check.h"

namespace partir {
namespace {

/// The name with characters replaced that mesh syntax does not allow: letters, digits and _ are kept.
std::string plain_name(const std::string& name) {
  std::string out = name.empty() ? "axis" : name;
  for (char& c : out) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return out;
}

/// The size of the digit above blocks of `block` devices: the number of consecutive blocks whose first ids are 0,
/// stride, 2 * stride, …, reduced to a divisor of the number of blocks.
std::int64_t run_length(const std::vector<std::int64_t>& ids, std::int64_t block, std::int64_t stride) {
  const auto count = static_cast<std::int64_t>(ids.size()) / block;
  std::int64_t length = 1;
  while (length < count && ids[static_cast<std::size_t>(length * block)] == length * stride) ++length;
  while (count % length != 0) --length;
  return length;
}

}  // namespace

std::optional<DeviceDigits> digits_of(const std::vector<std::int64_t>& ids) {
  const auto count = static_cast<std::int64_t>(ids.size());
  if (count == 0 || ids[0] != 0) return std::nullopt;
  DeviceDigits out;
  for (std::int64_t block = 1; block < count;) {
    const std::int64_t stride = ids[static_cast<std::size_t>(block)];
    const std::int64_t length = run_length(ids, block, stride);
    if (stride < 1 || length < 2) return std::nullopt;
    out.insert(out.begin(), {stride, length});
    block *= length;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t id = 0;
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit) {
      id += rest % digit->size * digit->stride;
      rest /= digit->size;
    }
    if (ids[static_cast<std::size_t>(i)] != id) return std::nullopt;
  }
  return out;
}

std::optional<DeviceDigits> take_major(DeviceDigits& digits, std::int64_t count) {
  DeviceDigits out;
  while (count > 1) {
    if (digits.empty()) return std::nullopt;
    DeviceDigit& first = digits.front();
    if (count % first.size == 0) {
      count /= first.size;
      out.push_back(first);
      digits.erase(digits.begin());
    } else if (first.size % count == 0) {
      out.push_back({first.stride * (first.size / count), count});
      first.size /= count;
      count = 1;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::vector<std::int64_t> seen_from(const std::vector<std::int64_t>& order, std::vector<std::int64_t> ids) {
  if (order.empty()) return ids;
  PARTIR_CHECK(order.size() == ids.size(), "orders of other devices");
  std::vector<std::int64_t> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p)
    position[static_cast<std::size_t>(order[p])] = static_cast<std::int64_t>(p);
  for (std::int64_t& id : ids) id = position.at(static_cast<std::size_t>(id));
  return ids;
}

Result<DeviceDigits> digits_of(const NamedMesh& mesh, const AxisReference& axis) {
  const std::int64_t devices = mesh.mesh.devices();
  std::int64_t stride = devices;
  for (const Mesh::AxisInfo& a : mesh.mesh.axes()) {
    stride /= a.size;
    if (a.name != axis.axis) continue;
    DeviceDigits digits = {{stride, a.size}};
    if (!mesh.device_ids.empty()) {
      const auto all = digits_of(mesh.device_ids);
      if (!all || static_cast<std::int64_t>(mesh.device_ids.size()) != devices) {
        return tl::unexpected(Diagnostic{"unsupported",
                                         "",
                                         {},
                                         "the device_ids of sdy.mesh @" + mesh.name,
                                         "ids that are those of a mesh in another order of its axes"});
      }
      DeviceDigits rest = *all;
      const auto before = take_major(rest, devices / (stride * a.size));
      auto own = before ? take_major(rest, a.size) : std::nullopt;
      if (!own) {
        return tl::unexpected(Diagnostic{"unsupported",
                                         "",
                                         {},
                                         fmt::format("\"{}\" of sdy.mesh @{}", a.name, mesh.name),
                                         "axes that the device_ids do not cut"});
      }
      digits = std::move(*own);
    }
    const std::int64_t size = axis.size == 0 ? a.size : axis.size;
    std::optional<DeviceDigits> part;
    if (a.size % (axis.before * size) == 0 && take_major(digits, axis.before)) part = take_major(digits, size);
    if (!part) {
      return tl::unexpected(Diagnostic{"sharding",
                                       "",
                                       {},
                                       fmt::format("\"{}\":({}){}", a.name, axis.before, size),
                                       fmt::format("digits of {}", a.size)});
    }
    return *part;
  }
  return tl::unexpected(
      Diagnostic{"sharding", "", {}, fmt::format("axis \"{}\"", axis.axis), "an axis of sdy.mesh @" + mesh.name});
}

void DigitMesh::name(const std::string& axis, const DeviceDigit& digit) { names_.push_back({axis, digit}); }

void DigitMesh::need(const DeviceDigit& digit) {
  cuts_.insert(digit.stride);
  cuts_.insert(digit.stride * digit.size);
}

Result<void> DigitMesh::finish() {
  // Named digits that are not split become axes with that name; the parts of the others get numbered names.
  for (const Named& n : names_) need(n.digit);
  cuts_.insert(1);
  cuts_.insert(devices_);
  std::vector<Mesh::AxisInfo> axes;
  for (auto cut = cuts_.rbegin(); std::next(cut) != cuts_.rend(); ++cut) {
    const std::int64_t above = *cut;
    const std::int64_t below = *std::next(cut);
    if (above > devices_) {
      return tl::unexpected(Diagnostic{"unsupported",
                                       "",
                                       {},
                                       fmt::format("shardings over {} devices", above),
                                       fmt::format("shardings over {} devices, as others", devices_)});
    }
    if (above % below != 0) {
      return tl::unexpected(
          Diagnostic{"unsupported",
                     "",
                     {},
                     fmt::format("shardings that split {} devices into groups of {} and of {}", devices_, above, below),
                     "meshes of which one refines the other"});
    }
    std::string name;
    for (const Named& n : names_) {
      const std::int64_t top = n.digit.stride * n.digit.size;
      if (below < n.digit.stride || above > top) continue;
      const bool whole = below == n.digit.stride && above == top;
      const auto part = std::distance(cuts_.lower_bound(above), cuts_.lower_bound(top));
      name = whole ? plain_name(n.name) : fmt::format("{}_{}", plain_name(n.name), part);
      break;
    }
    if (name.empty()) name = fmt::format("axis_{}", axes.size());
    while (std::any_of(axes.begin(), axes.end(), [&](const auto& a) { return a.name == name; })) name += "_";
    axes.push_back({std::move(name), above / below});
  }
  if (axes.empty()) axes.push_back({names_.empty() ? "devices" : plain_name(names_.front().name), 1});
  mesh_ = Mesh(std::move(axes));
  return {};
}

std::vector<Axis> DigitMesh::axes_of(const DeviceDigits& digits) const {
  std::vector<Axis> out;
  for (const DeviceDigit& d : digits) {
    std::int64_t size = 1;
    for (std::size_t a = 0; a < mesh_.rank(); ++a) {
      const std::int64_t stride = mesh_.stride(Axis(a));
      const bool inside = d.stride <= stride && stride * mesh_.size(Axis(a)) <= d.stride * d.size;
      if (!inside || mesh_.size(Axis(a)) == 1) continue;
      out.push_back(Axis(a));
      size *= mesh_.size(Axis(a));
    }
    PARTIR_CHECK(size == d.size, "a digit that nobody asked for");
  }
  return out;
}

}  // namespace partir
