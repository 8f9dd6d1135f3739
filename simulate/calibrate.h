// A device file of a user's own machine, from what was measured on it.
//
// The measurements are CSV with a header; columns that a kind does not need stay empty:
//
//   kind        what was timed                                              needs
//   matmul      a matrix product on every device at once                    type, rows, columns, depth, seconds
//   copy        reading and writing `bytes` in all, on every device         bytes, seconds
//   vector      `operations` additions and multiplications of elements,     type, operations, seconds
//               nothing read anew
//   special     as many exponentials or their kin                           type, operations, seconds
//   launch      a kernel that hardly computes                               seconds
//   all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute
//               one over all devices; bytes of the larger side              bytes, devices, seconds
//   step        a step of the partitioned module at `module`                module, seconds
//
// Peaks are the fastest of their kind; curves of efficiency are what each size reached of them. Without rows of kind
// launch a launch is what the smallest copy takes. Steps, if there are any, scale the efficiency of products and of
// memory together until the simulated steps are neither slower nor faster on the geometric mean.
// examples/python/measure_device.py writes such files through JAX.
#pragma once

#include <string>
#include <vector>

#include "simulate/device.h"

namespace partir {

struct Measurement {
  std::string kind;
  std::string type;  ///< "f32", "bf16"
  double rows = 0, columns = 0, depth = 0;
  double bytes = 0;
  double operations = 0;
  double devices = 0;
  double seconds = 0;
  std::string module;  ///< path of a step's module, relative to the file
  std::size_t line = 0;
};

/// Errors: an unknown kind or column, numbers that do not read or are not above 0.
Result<std::vector<Measurement>> read_measurements(const std::string& text, const std::string& file);

/// The device file as JSON, each figure's source naming `file`. What was not measured is the base device's, and says
/// so. Errors: no matmul or no copy.
Result<std::string> calibrated(const std::vector<Measurement>& measured, const Device& base, const std::string& name,
                               const std::string& file);

/// Scales efficiencies of products and memory by `factor`, at most 1.
Device scaled(const Device& device, double factor);
/// A device as a file that read_device reads.
std::string device_json(const Device& device, const std::string& source);

}  // namespace partir
