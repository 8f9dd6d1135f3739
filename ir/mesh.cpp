#include "ir/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace partir {
namespace {
constexpr std::int64_t kMaxDevices = std::int64_t{1} << 20;

tl::unexpected<Diagnostic> mesh_error(std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"mesh", "--mesh", {}, std::move(found), std::move(wanted)});
}
}  // namespace

Result<Mesh> Mesh::parse(std::string_view text) {
  std::vector<AxisInfo> axes;
  std::int64_t devices = 1;
  std::string_view rest = text;
  while (true) {
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
  return Mesh(std::move(axes));
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
  return static_cast<std::int64_t>(device.index()) / stride(axis) % size(axis);
}

std::vector<std::vector<std::int64_t>> Mesh::groups(const std::vector<Axis>& axes) const {
  std::int64_t group_size = 1;
  for (const Axis a : axes) group_size *= size(a);
  std::vector<std::vector<std::int64_t>> out;
  for (std::int64_t device = 0; device < devices(); ++device) {
    const bool first = std::all_of(axes.begin(), axes.end(), [&](Axis a) {
      return coordinate(DeviceId(static_cast<std::size_t>(device)), a) == 0;
    });
    if (!first) continue;
    std::vector<std::int64_t> group;
    for (std::int64_t k = 0; k < group_size; ++k) {
      std::int64_t id = device;
      std::int64_t rest = k;
      for (std::size_t i = axes.size(); i-- > 0;) {
        id += rest % size(axes[i]) * stride(axes[i]);
        rest /= size(axes[i]);
      }
      group.push_back(id);
    }
    out.push_back(std::move(group));
  }
  return out;
}

std::string Mesh::str() const {
  std::string out;
  for (const AxisInfo& a : axes_) out += fmt::format("{}{}={}", out.empty() ? "" : ",", a.name, a.size);
  return out;
}

}  // namespace partir
