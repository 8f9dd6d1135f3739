// Positions of devices as numbers in a mixed radix: whatever axes a mesh has, and however they are split or reordered,
// an axis is a list of digits of the device's position. So shardings of several meshes, of parts of axes and of lists
// of devices meet in one mesh, whose axes are the digits that all of them need. Where a device stands is its id, or what
// an order of devices says that shardings share.
//
//   mesh ["x"=2, "y"=4]: id = 4 x + y, so x is the digit id / 4 % 2 and y the digit id / 1 % 4
//   "y":(1)2 is id / 2 % 2, "y":(2)2 is id / 1 % 2; with them the mesh is x=2, y_0=2, y_1=2
//   devices=[4,2]<=[2,4]T(1,0) lists 0 4 1 5 2 6 3 7: major the digit y, minor the digit x
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "ir/mesh.h"
#include "ir/sharding/shardy.h"

namespace partir {

/// id / stride % size.
struct DeviceDigit {
  std::int64_t stride = 1;
  std::int64_t size = 1;
  friend bool operator==(const DeviceDigit&, const DeviceDigit&) = default;
};
using DeviceDigits = std::vector<DeviceDigit>;  ///< major to minor

/// The digits that a list of device ids runs through, or nothing: {0, 4, 1, 5} is id / 1 % 2, then id / 4 % 2.
std::optional<DeviceDigits> digits_of(const std::vector<std::int64_t>& ids);

/// Takes the major digits of `count` positions in all off `digits`, splitting one where it must; nothing where `count`
/// falls between: 2 of the digits (4, 6) are (12, 2), and (4, 3) is left.
std::optional<DeviceDigits> take_major(DeviceDigits& digits, std::int64_t count);

/// Ids of devices, by position of one order, as positions of another, both of the same devices; an empty order has each
/// device at its id: of 3 2 1 0 seen from 1 2 3 0, 2 1 0 3.
std::vector<std::int64_t> seen_from(const std::vector<std::int64_t>& order, std::vector<std::int64_t> ids);

/// An axis of a Shardy mesh, or part of it. Errors: an axis that the mesh lacks, parts that it has not; "unsupported"
/// where the mesh's device ids are in no order of digits.
Result<DeviceDigits> digits_of(const NamedMesh& mesh, const AxisReference& axis);

/// The mesh whose axes are the digits that are asked for, and their names.
class DigitMesh {
 public:
  explicit DigitMesh(std::int64_t devices) : devices_(devices) {}

  /// Axes by these names where digits are theirs: y, or y_0 and y_1 of its parts. The first to name a digit does.
  void name(const std::string& axis, const DeviceDigit& digit);
  void need(const DeviceDigit& digit);
  /// Errors: digits that overlap without one being part of the other (of meshes 2x3 and 3x2), other numbers of devices.
  Result<void> finish();

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  /// Major to minor; of digits that were asked for.
  [[nodiscard]] std::vector<Axis> axes_of(const DeviceDigits& digits) const;

 private:
  struct Named {
    std::string name;
    DeviceDigit digit;
  };
  std::int64_t devices_;
  std::set<std::int64_t> cuts_;
  std::vector<Named> names_;
  Mesh mesh_;
};

}  // namespace partir
