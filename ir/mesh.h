// A mesh: named axes, outermost first. Device ids are row-major.
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

  /// Reads "batch=4,model=2". Errors: empty or repeated names, sizes below 1, more than 2^20 devices.
  static Result<Mesh> parse(std::string_view text);

  [[nodiscard]] std::size_t rank() const { return axes_.size(); }
  [[nodiscard]] const std::vector<AxisInfo>& axes() const { return axes_; }
  [[nodiscard]] const std::string& name(Axis axis) const { return axes_.at(axis.index()).name; }
  [[nodiscard]] std::int64_t size(Axis axis) const { return axes_.at(axis.index()).size; }
  [[nodiscard]] std::optional<Axis> find(std::string_view name) const;
  [[nodiscard]] std::int64_t devices() const;
  /// Devices between neighbours along the axis.
  [[nodiscard]] std::int64_t stride(Axis axis) const;
  [[nodiscard]] std::int64_t coordinate(DeviceId device, Axis axis) const;
  /// Groups of devices that differ only along `axes`; within a group the first axis is the slowest.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> groups(const std::vector<Axis>& axes) const;
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Mesh&, const Mesh&) = default;

 private:
  std::vector<AxisInfo> axes_;
};

}  // namespace partir
