// A PartIR:Core program in both readings: the sequential one, as Core text, and the parallel one, as a StableHLO
// program in which iteration r of a loop runs on the devices whose coordinate along the loop's axis is r.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/mesh.h"
#include "tests/laws/device_program.h"

namespace partir::testing {

class LoopProgram {
 public:
  /// Creates a mesh with axes of these sizes and its devices in a random order.
  explicit LoopProgram(const std::vector<std::int64_t>& sizes);
  [[nodiscard]] std::int64_t size(std::size_t axis) const { return mesh_.size(Axis(axis)); }

  struct Both {
    Value core;
    Value device;
    [[nodiscard]] const TensorType& type() const { return core.type; }
  };
  /// The index variable of a loop over `axis`.
  struct Index {
    std::size_t axis;
    std::string name;
  };

  Both argument(const TensorType& type);
  Both apply(const OpText& op, const std::vector<Both>& operands);
  Both elementwise(const std::string& name, const std::vector<Both>& operands);
  Both reduce(Monoid monoid, const Both& x, Dim dim, const std::string& initial = "");
  Both slice(Dim dim, const Both& x, const Index& r);
  Both loop(std::size_t axis, const Action& action, const std::function<Both(const Index&)>& body);

  /// Returns whether the two values are equal, and asserts that both readings of each of them agree.
  [[nodiscard]] bool equal(const Both& a, const Both& b) const;

 private:
  [[nodiscard]] Groups groups(std::size_t axis) const;

  Mesh mesh_;
  Ids order_;  ///< the device id at each position of the mesh
  FunctionText core_;
  DeviceProgram device_;
  std::vector<Value> coordinates_;  ///< by axis: the device's coordinate along it
};

}  // namespace partir::testing
