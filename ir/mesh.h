// A mesh: named axes, outermost first, and which device stands at each of its positions. Positions are row-major; a
// device's id is its position, unless the mesh lists ids: in x=4,device_ids=[1,2,3,0] device 0 stands at x=3.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"
#include "support/ids.h"

namespace partir {

class Mesh {
 public:
  struct AxisInfo {
    std::string name;
    std::int64_t size = 1;
    friend bool operator==(const AxisInfo&, const AxisInfo&) = default;
  };

  Mesh() = default;
  explicit Mesh(std::vector<AxisInfo> axes) : axes_(std::move(axes)) {}

  /// Reads "batch=4,model=2" and "x=4,device_ids=[1,2,3,0]". Errors: empty or repeated names, sizes below 1, more than
  /// 2^20 devices, ids that are not those of all devices.
  static Result<Mesh> parse(std::string_view text);

  [[nodiscard]] std::size_t rank() const { return axes_.size(); }
  [[nodiscard]] const std::vector<AxisInfo>& axes() const { return axes_; }
  [[nodiscard]] const std::string& name(Axis axis) const { return axes_.at(axis.index()).name; }
  [[nodiscard]] std::int64_t size(Axis axis) const { return axes_.at(axis.index()).size; }
  [[nodiscard]] std::optional<Axis> find(std::string_view name) const;
  [[nodiscard]] std::int64_t devices() const;
  /// The same axes, with these ids by position. Errors: ids that are not 0 to devices - 1, each once.
  [[nodiscard]] Result<Mesh> with_device_ids(std::vector<std::int64_t> ids) const;
  /// By position; empty where each device's id is its position.
  [[nodiscard]] const std::vector<std::int64_t>& device_ids() const { return device_ids_; }
  /// By device; empty where each device's id is its position.
  [[nodiscard]] const std::vector<std::int64_t>& positions() const { return positions_; }
  [[nodiscard]] DeviceId device_at(std::int64_t position) const;
  [[nodiscard]] std::int64_t position_of(DeviceId device) const;
  /// Positions between neighbours along the axis.
  [[nodiscard]] std::int64_t stride(Axis axis) const;
  [[nodiscard]] std::int64_t coordinate(DeviceId device, Axis axis) const;
  /// Groups of devices that differ only along `axes`, in the order of positions; within a group the first axis is the
  /// slowest.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> groups(const std::vector<Axis>& axes) const;
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Mesh&, const Mesh&) = default;

 private:
  std::vector<AxisInfo> axes_;
  std::vector<std::int64_t> device_ids_ = {};
  std::vector<std::int64_t> positions_ = {};
};

}  // namespace partir
