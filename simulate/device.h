// The performance of a device and its links, read from a data file (devices/*.json, or the user's own).
// docs/simulator.md describes the file format.
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

/// The fraction of a peak that is reached, as a function of the size of the operation: linear in the logarithm of the
/// size between points, constant beyond them. Empty curves are 1 everywhere. Example: points (1e3, 0.1), (1e5, 0.5)
/// give at(1e4) = 0.3 and at(1e6) = 0.5.
class Curve {
 public:
  Curve() = default;
  /// Sizes must ascend and be above 0; fractions must be in (0, 1].
  explicit Curve(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {}
  [[nodiscard]] double at(double size) const;
  [[nodiscard]] const std::vector<std::pair<double, double>>& points() const { return points_; }

 private:
  std::vector<std::pair<double, double>> points_;
};

/// An interconnect between devices. Bandwidths are bytes per second in one direction.
struct Link {
  enum class Shape : std::uint8_t {
    ring,           ///< every device has a link to each of its two neighbours, in a closed ring
    torus,          ///< rings in several dimensions
    switch_fabric,  ///< every device has one link into a switch: any partner at full bandwidth
    network,        ///< like a switch, but reached through network adapters
  };
  std::string name;
  Shape shape = Shape::switch_fabric;
  std::int64_t devices = 0;     ///< the most devices that it connects; 0: unlimited
  std::int64_t dimensions = 1;  ///< number of dimensions of a torus
  std::int64_t closes_at = 1;   ///< a dimension of a torus is a ring when its length is a multiple of this, else a line
  double bandwidth = 0;         ///< of one link
  double latency = 0;           ///< seconds per hop
  double launch = 0;            ///< seconds per collective
  Curve efficiency;             ///< by the bytes of the larger of operand and result on a device
  bool decomposes = false;      ///< collectives next to a matrix product run in pieces while it is computed (step.h)
  double occupies = 0;          ///< share of a device's time that a collective takes from concurrent kernels
  double further_dimension = 1;  ///< efficiency factor of each dimension of a torus beyond the first
  bool nccl = false;             ///< collectives are NCCL's, with the latencies of nccl.cpp; `latency` is unused
  double ll_bandwidth = 0;       ///< bandwidth limit of NCCL's LL protocol; 0: none
  double switch_reduces = 0;     ///< bus bandwidth of all_reduces that the switch reduces (NVLS); 0: not supported
};

/// How a device computes with a number type that it has no unit for.
struct Emulation {
  std::string numbers;    ///< the type that is used: a key of "peak", or "vector.f32" for vector units
  double operations = 1;  ///< operations on that type for one on the missing type
};

/// The rate at which a device computes with a number type.
struct Rate {
  double peak = 0;        ///< FLOP/s of the unit used
  double operations = 1;  ///< operations of that unit for one requested operation
  bool on_vector_units = false;
  std::string emulation;  ///< such as "f8E4M3FN as bf16"; empty if the device supports the type
};

struct Device {
  std::string name;
  std::string title;
  double memory_bytes = 0;
  double memory_bandwidth = 0;
  Curve memory_efficiency;  ///< by the bytes that a kernel reads and writes
  /// FLOP/s by the type of the numbers multiplied: "bf16", "f8", "tf32". "f32" is XLA's default precision for float32
  /// products; higher precisions are "f32_high" and "f32_highest".
  std::map<std::string, double> matrix_peak;
  std::map<std::string, Emulation> matrix_emulated;  ///< by type
  std::vector<std::int64_t> tile;                    ///< rows, columns and depth are padded to multiples of these
  /// Products within a whole step reach this fraction of `matrix_efficiency`, which is measured on isolated products:
  /// clocks drop under load, there are gaps between kernels, and the model omits some work. Fitted on published steps.
  double sustained = 1;
  Epilogue epilogue = Epilogue::none;         ///< what a product's kernel can do to its result
  Curve matrix_efficiency;                    ///< by the FLOPs of a product
  std::map<std::string, double> vector_peak;  ///< FLOP/s outside matrix units, by type
  std::map<std::string, Emulation> vector_emulated;
  double special = 1;  ///< cost of a special function (exponential, root, quotient) in operations
  double launch = 0;   ///< seconds per kernel
  /// Bytes per second between the device's memory and the host's, in both directions at the same time; 0: unknown.
  double host_bandwidth = 0;
  std::vector<Link> links;  ///< innermost first

  [[nodiscard]] const Link* link(std::string_view link_name) const;
  /// The rate of matrix products of `numbers` (MatrixProduct::numbers). A type without a peak uses the emulation that
  /// the file states; integers wider than 8 bits without either run on vector units. nullopt if the file states nothing
  /// for the type.
  [[nodiscard]] std::optional<Rate> matrix_rate(const std::string& numbers, Precision precision) const;
  /// The rate outside matrix units. A float narrower than f32 without a peak or emulation runs at the rate of f32; an
  /// integer at that of i32 (of f32 if i32 has none), 64-bit integers at half of it. nullopt for wider floats.
  [[nodiscard]] std::optional<Rate> vector_rate(ElementType type) const;
};

/// Names of the device files that are embedded in the program, sorted.
std::vector<std::string> device_names();

/// Parses the text of a device file; `file` is for messages. Errors: invalid JSON, unknown or missing keys, numbers out
/// of range, a figure without an entry in "sources".
Result<Device> read_device(const std::string& text, const std::string& file);
/// Reads a device by name (one of device_names()) or, if no device has the name, from a file of that path.
Result<Device> find_device(const std::string& name_or_file);

}  // namespace partir
