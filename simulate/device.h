// What a device and its links can do, read from a data file (devices/*.json, or the user's own).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/types.h"
#include "support/diagnostic.h"

namespace partir {

/// A fraction of a peak by the size of the operation: linear in the logarithm of the size between points, flat beyond.
class Curve {
 public:
  Curve() = default;
  /// Sizes ascending and above 0, fractions in (0, 1].
  explicit Curve(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {}
  [[nodiscard]] double at(double size) const;

 private:
  std::vector<std::pair<double, double>> points_;
};

/// A way from device to device. Bandwidths are bytes a second in one direction.
struct Link {
  enum class Shape : std::uint8_t {
    ring,           ///< every device has a link to each neighbour; closed
    torus,          ///< rings in several dimensions
    switch_fabric,  ///< every device has one link into a switch: any partner at full bandwidth
    network,        ///< as a switch, of adapters
  };
  std::string name;
  Shape shape = Shape::switch_fabric;
  std::int64_t devices = 0;     ///< most that it joins; 0: any number
  std::int64_t dimensions = 1;  ///< of a torus
  std::int64_t closes_at = 1;   ///< a dimension of a torus is a ring when its length is a multiple of this, else a line
  double bandwidth = 0;         ///< of one link
  double latency = 0;           ///< seconds a hop
  double launch = 0;            ///< seconds a collective
  Curve efficiency;             ///< by bytes that a device holds of the larger side
  bool decomposes = false;  ///< a collective beside a matrix product runs in pieces while it is computed (simulate.h)
};

struct Device {
  std::string name;
  std::string title;
  double memory_bytes = 0;
  double memory_bandwidth = 0;
  Curve memory_efficiency;                    ///< by bytes of a kernel
  std::map<std::string, double> matrix_peak;  ///< FLOP/s by type ("bf16"), also with a precision ("f32_highest")
  std::vector<std::int64_t> tile;             ///< rows, columns and depth that matrix products are padded to
  Curve matrix_efficiency;                    ///< by FLOPs of a product
  std::map<std::string, double> vector_peak;  ///< FLOP/s outside matrix units, by type
  double launch = 0;                          ///< seconds a kernel
  std::vector<Link> links;                    ///< innermost first

  [[nodiscard]] const Link* link(std::string_view link_name) const;
  /// FLOP/s of matrix products; `precision` is DEFAULT, HIGH or HIGHEST. Types without a peak take f32's.
  [[nodiscard]] double peak(ElementType type, const std::string& precision) const;
  [[nodiscard]] double vector(ElementType type) const;
};

/// Names of the devices that are part of the program.
std::vector<std::string> device_names();

/// A device by name, or from the content of a file. Errors: JSON, unknown or missing keys, numbers out of range, a
/// figure without an entry in "sources".
Result<Device> read_device(const std::string& text, const std::string& file);
/// `name_or_file` is one of device_names(), or a path.
Result<Device> find_device(const std::string& name_or_file);

}  // namespace partir
