// What a device and its links can do, read from a data file (devices/*.json, or the user's own).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/types.h"
#include "simulate/fusion.h"
#include "support/diagnostic.h"

namespace partir {

/// A fraction of a peak by the size of the operation: linear in the logarithm of the size between points, flat beyond.
class Curve {
 public:
  Curve() = default;
  /// Sizes ascending and above 0, fractions in (0, 1].
  explicit Curve(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {}
  [[nodiscard]] double at(double size) const;
  [[nodiscard]] const std::vector<std::pair<double, double>>& points() const { return points_; }

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
  bool decomposes = false;      ///< a collective beside a matrix product runs in pieces while it is computed (step.h)
  double occupies = 0;          ///< share of a device's time that a collective takes from kernels beside it
  double further_dimension = 1;  ///< of the efficiency, what each dimension of a torus beyond the first leaves
  bool nccl = false;             ///< collectives are NCCL's (nccl.h), whose latencies stand there: not `latency`
  double ll_bandwidth = 0;       ///< of NCCL's protocol LL at most; 0: no cap
  double switch_reduces = 0;     ///< bus bandwidth of all_reduces that the switch adds up (NVLS); 0: it does not
};

/// What stands in where a device has no unit for a type of number.
struct Emulation {
  std::string numbers;    ///< a type of "peak"; "vector.f32": the vector units'
  double operations = 1;  ///< of it for one of the missing type
};

/// How fast a device computes with a type of number.
struct Rate {
  double peak = 0;        ///< FLOP/s of the unit that computes
  double operations = 1;  ///< of that unit for one operation asked of it
  bool on_vector_units = false;
  std::string emulation;  ///< "f8E4M3FN as bf16"; empty where the device has the type
};

struct Device {
  std::string name;
  std::string title;
  double memory_bytes = 0;
  double memory_bandwidth = 0;
  Curve memory_efficiency;  ///< by bytes of a kernel
  /// FLOP/s by numbers that are multiplied: "bf16", "f8", "tf32"; f32 is XLA's default for float32 products, whose
  /// precisions are "f32_high" and "f32_highest".
  std::map<std::string, double> matrix_peak;
  std::map<std::string, Emulation> matrix_emulated;  ///< by type
  std::vector<std::int64_t> tile;                    ///< rows, columns and depth that matrix products are padded to
  /// What products in a whole step reach of `matrix_efficiency`, which is that of products by themselves: clocks under
  /// load, gaps between kernels, what the model leaves out. Fitted on published steps.
  double sustained = 1;
  Epilogue epilogue = Epilogue::none;         ///< of matrix products
  Curve matrix_efficiency;                    ///< by FLOPs of a product
  std::map<std::string, double> vector_peak;  ///< FLOP/s outside matrix units, by type
  std::map<std::string, Emulation> vector_emulated;
  double special = 1;  ///< operations that a special function (exponential, root, quotient) takes the time of
  double launch = 0;   ///< seconds a kernel
  /// Bytes a second between the device's memory and its host's, in each direction at once; 0: not known.
  double host_bandwidth = 0;
  std::vector<Link> links;  ///< innermost first

  [[nodiscard]] const Link* link(std::string_view link_name) const;
  /// Of matrix products of `numbers` (MatrixProduct::numbers). A type without a peak takes its stated emulation;
  /// integers wider than 8 bits, which have no matrix units, run on vector units. Nothing where the file says neither.
  [[nodiscard]] std::optional<Rate> matrix_rate(const std::string& numbers, Precision precision) const;
  /// Outside matrix units. Floats narrower than f32 without a peak are widened to f32, as are integers; 64-bit integers
  /// are pairs.
  [[nodiscard]] std::optional<Rate> vector_rate(ElementType type) const;
};

/// Names of the devices that are part of the program.
std::vector<std::string> device_names();

/// A device by name, or from the content of a file. Errors: JSON, unknown or missing keys, numbers out of range, a
/// figure without an entry in "sources".
Result<Device> read_device(const std::string& text, const std::string& file);
/// `name_or_file` is one of device_names(), or a path.
Result<Device> find_device(const std::string& name_or_file);

}  // namespace partir
