#include "ir/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/text/scanner.h"

namespace partir {
namespace {
constexpr std::int64_t kMaxDevices = std::int64_t{1} << 20;
constexpr std::string_view kDeviceIds = "device_ids=";

tl::unexpected<Diagnostic> mesh_error(std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"mesh", "--mesh", {}, std::move(found), std::move(wanted)});
}

/// Parses "[1,2,3,0]", followed by the end of the text.
std::optional<std::vector<std::int64_t>> numbers_in(std::string_view text) {
  text::Scanner s(text);
  if (!s.accept("[")) return std::nullopt;
  auto out = s.integers("]");
  return s.done() ? std::move(out) : std::nullopt;
}
}  // namespace

Result<Mesh> Mesh::parse(std::string_view text) {
  std::vector<AxisInfo> axes;
  std::int64_t devices = 1;
  std::string_view rest = text;
  std::optional<std::vector<std::int64_t>> ids;
  while (true) {
    if (!axes.empty() && rest.starts_with(kDeviceIds) && rest.substr(kDeviceIds.size()).starts_with("[")) {
      ids = numbers_in(rest.substr(kDeviceIds.size()));
      if (!ids) return mesh_error(fmt::format("'{}'", rest), "device ids at the end, such as device_ids=[1,2,3,0]");
      break;
    }
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const auto equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return mesh_error(fmt::format("'{}'", item), "axes such as batch=4,model=2");
    }
    const std::string_view name = item.substr(0, equals);
    const std::string_view digits = item.substr(equals + 1);
    const bool plain =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!plain) return mesh_error(fmt::format("axis name '{}'", name), "letters, digits and _");
    std::int64_t size = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (ec != std::errc() || end != digits.data() + digits.size() || size < 1) {
      return mesh_error(fmt::format("axis '{}' of size '{}'", name, digits), "a size of at least 1");
    }
    for (const AxisInfo& a : axes) {
      if (a.name == name) return mesh_error(fmt::format("axis '{}' twice", name), "each axis once");
    }
    if (size > kMaxDevices / devices) return mesh_error(fmt::format("'{}'", text), "at most 2^20 devices");
    devices *= size;
    axes.push_back({std::string(name), size});
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  Mesh out(std::move(axes));
  return ids ? out.with_device_ids(std::move(*ids)) : out;
}

Result<Mesh> Mesh::with_device_ids(std::vector<std::int64_t> ids) const {
  const auto wrong = [&](std::string found) {
    return mesh_error(std::move(found), fmt::format("the ids of {} devices, each from 0 once", devices()));
  };
  if (static_cast<std::int64_t>(ids.size()) != devices()) return wrong(fmt::format("{} device ids", ids.size()));
  std::vector<std::int64_t> positions(ids.size(), -1);
  for (std::size_t p = 0; p < ids.size(); ++p) {
    if (ids[p] < 0 || ids[p] >= devices()) return wrong(fmt::format("device {}", ids[p]));
    std::int64_t& position = positions[static_cast<std::size_t>(ids[p])];
    if (position >= 0) return wrong(fmt::format("device {} twice", ids[p]));
    position = static_cast<std::int64_t>(p);
  }
  Mesh out(axes_);
  if (std::is_sorted(ids.begin(), ids.end())) return out;
  out.device_ids_ = std::move(ids);
  out.positions_ = std::move(positions);
  return out;
}

DeviceId Mesh::device_at(std::int64_t position) const {
  const auto p = static_cast<std::size_t>(position);
  return DeviceId(device_ids_.empty() ? p : static_cast<std::size_t>(device_ids_.at(p)));
}

std::int64_t Mesh::position_of(DeviceId device) const {
  return positions_.empty() ? static_cast<std::int64_t>(device.index()) : positions_.at(device.index());
}

std::optional<Axis> Mesh::find(std::string_view name) const {
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].name == name) return Axis(i);
  }
  return std::nullopt;
}

std::int64_t Mesh::devices() const {
  std::int64_t count = 1;
  for (const AxisInfo& a : axes_) count *= a.size;
  return count;
}

std::int64_t Mesh::stride(Axis axis) const {
  std::int64_t stride = 1;
  for (std::size_t i = axis.index() + 1; i < axes_.size(); ++i) stride *= axes_[i].size;
  return stride;
}

std::int64_t Mesh::coordinate(DeviceId device, Axis axis) const {
  return position_of(device) / stride(axis) % size(axis);
}

std::vector<std::vector<std::int64_t>> Mesh::groups(const std::vector<Axis>& axes) const {
  std::int64_t group_size = 1;
  for (const Axis a : axes) group_size *= size(a);
  std::vector<std::vector<std::int64_t>> out;
  for (std::int64_t position = 0; position < devices(); ++position) {
    const bool first =
        std::all_of(axes.begin(), axes.end(), [&](Axis a) { return position / stride(a) % size(a) == 0; });
    if (!first) continue;
    std::vector<std::int64_t> group;
    for (std::int64_t k = 0; k < group_size; ++k) {
      std::int64_t at = position;
      std::int64_t rest = k;
      for (std::size_t i = axes.size(); i-- > 0;) {
        at += rest % size(axes[i]) * stride(axes[i]);
        rest /= size(axes[i]);
      }
      group.push_back(static_cast<std::int64_t>(device_at(at).index()));
    }
    out.push_back(std::move(group));
  }
  return out;
}

std::string Mesh::str() const {
  std::string out;
  for (const AxisInfo& a : axes_) out += fmt::format("{}{}={}", out.empty() ? "" : ",", a.name, a.size);
  if (!device_ids_.empty()) out += fmt::format(",{}[{}]", kDeviceIds, fmt::join(device_ids_, ","));
  return out;
}

}  // namespace partir
