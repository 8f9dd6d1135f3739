// The device mesh: named axes, outermost (major) first, and the device at each position. Positions are numbered in
// row-major order. A device's id equals its position unless the mesh lists device ids: in x=4,device_ids=[1,2,3,0]
// device 0 is at x=3.
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
  /// 2^20 devices, a list of ids that does not name each device once.
  static Result<Mesh> parse(std::string_view text);

  [[nodiscard]] std::size_t rank() const { return axes_.size(); }
  [[nodiscard]] const std::vector<AxisInfo>& axes() const { return axes_; }
  [[nodiscard]] const std::string& name(Axis axis) const { return axes_.at(axis.index()).name; }
  [[nodiscard]] std::int64_t size(Axis axis) const { return axes_.at(axis.index()).size; }
  [[nodiscard]] std::optional<Axis> find(std::string_view name) const;
  [[nodiscard]] std::int64_t devices() const;
  /// A mesh with the same axes, and device id `ids[p]` at each position p. Errors: ids that are not 0 to devices - 1,
  /// each once.
  [[nodiscard]] Result<Mesh> with_device_ids(std::vector<std::int64_t> ids) const;
  /// The device id at each position; empty if each device's id is its position.
  [[nodiscard]] const std::vector<std::int64_t>& device_ids() const { return device_ids_; }
  /// The position of each device id; empty if each device's id is its position.
  [[nodiscard]] const std::vector<std::int64_t>& positions() const { return positions_; }
  [[nodiscard]] DeviceId device_at(std::int64_t position) const;
  [[nodiscard]] std::int64_t position_of(DeviceId device) const;
  /// The difference in position between neighbours along the axis: 2 for batch in batch=4,model=2.
  [[nodiscard]] std::int64_t stride(Axis axis) const;
  [[nodiscard]] std::int64_t coordinate(DeviceId device, Axis axis) const;
  /// Groups of devices that differ only along `axes`, ordered by position; within a group the first axis varies
  /// slowest. In batch=2,model=2 the groups of {batch} are {0, 2} and {1, 3}.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> groups(const std::vector<Axis>& axes) const;
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Mesh&, const Mesh&) = default;

 private:
  std::vector<AxisInfo> axes_;
  std::vector<std::int64_t> device_ids_ = {};
  std::vector<std::int64_t> positions_ = {};
};

}  // namespace partir
