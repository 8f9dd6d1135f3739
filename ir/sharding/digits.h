// Device positions as numbers in a mixed radix: an axis of any mesh, however it is split or reordered, is a list of
// digits of the device's position. This expresses shardings over several meshes, over sub-axes and over lists of
// devices in one mesh, whose axes are the digits that all of them need. The position of a device is its id, or its
// place in a device order that the shardings share.
//
//   mesh ["x"=2, "y"=4]: id = 4 x + y, so x is the digit id / 4 % 2 and y the digit id / 1 % 4
//   "y":(1)2 is id / 2 % 2, "y":(2)2 is id / 1 % 2; if these are needed the mesh is x=2, y_0=2, y_1=2
//   devices=[4,2]<=[2,4]T(1,0) lists 0 4 1 5 2 6 3 7: y is the major digit, x the minor digit
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "ir/mesh.h"
#include "ir/sharding/shardy.h"

namespace partir {

/// The digit id / stride % size of a device id.
struct DeviceDigit {
  std::int64_t stride = 1;
  std::int64_t size = 1;
  friend bool operator==(const DeviceDigit&, const DeviceDigit&) = default;
};
using DeviceDigits = std::vector<DeviceDigit>;  ///< major to minor

/// The digits by which a list of device ids is ordered, major to minor: {0, 4, 1, 5} is id / 1 % 2, then id / 4 % 2.
/// nullopt if the list is not ordered by digits.
std::optional<DeviceDigits> digits_of(const std::vector<std::int64_t>& ids);

/// Removes major digits with `count` values in total from `digits` and returns them, splitting a digit if necessary.
/// nullopt if no split yields `count`. With (stride, size) pairs, taking 2 from {(4, 6)} returns {(12, 2)} and leaves
/// {(4, 3)}.
std::optional<DeviceDigits> take_major(DeviceDigits& digits, std::int64_t count);

/// Replaces each device id by its position in `order`, a permutation of the same devices. An empty order leaves the ids
/// unchanged. With order 1 2 3 0, the ids 3 2 1 0 become 2 1 0 3.
std::vector<std::int64_t> seen_from(const std::vector<std::int64_t>& order, std::vector<std::int64_t> ids);

/// The digits of an axis, or sub-axis, of a Shardy mesh. Errors: an axis or sub-axis that the mesh lacks; "unsupported"
/// if the mesh's device ids are not ordered by digits.
Result<DeviceDigits> digits_of(const NamedMesh& mesh, const AxisReference& axis);

/// Builds the mesh whose axes are the requested digits: call name() and need() for all digits, then finish().
class DigitMesh {
 public:
  explicit DigitMesh(std::int64_t devices) : devices_(devices) {}

  /// Requests a digit and gives it the name of an axis: y, or y_0 and y_1 if the digit is split. If several names
  /// apply, the first one given is used.
  void name(const std::string& axis, const DeviceDigit& digit);
  /// Requests a digit.
  void need(const DeviceDigit& digit);
  /// Errors: digits that overlap without one being a part of the other (of meshes 2x3 and 3x2), digits over more
  /// devices than the mesh has.
  Result<void> finish();

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  /// The axes, major to minor, that make up these digits, all of which have been requested.
  [[nodiscard]] std::vector<Axis> axes_of(const DeviceDigits& digits) const;

 private:
  struct Named {
    std::string name;
    DeviceDigit digit;
  };
  std::int64_t devices_;
  std::set<std::int64_t> cuts_;  ///< the strides at which digits begin or end
  std::vector<Named> names_;
  Mesh mesh_;
};

}  // namespace partir
