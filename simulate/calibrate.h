// Makes a device file of a user's own machine from measurements (`partir simulate --calibrate`).
//
// The measurements are a CSV file with a header; columns that a kind does not need may be empty:
//
//   kind        what was timed                                              columns needed
//   matmul      a matrix product on all devices at the same time            type, rows, columns, depth, seconds
//   copy        reads and writes of `bytes` in total, on all devices        bytes, seconds
//   vector      `operations` elementwise additions and multiplications      type, operations, seconds
//               on data that is already loaded
//   special     `operations` exponentials or similar functions              type, operations, seconds
//   launch      a kernel with almost no work                                seconds
//   all_gather  (or another kind of collective)
//               one collective over all devices; bytes of the larger side   bytes, devices, seconds
//   step        a step of the partitioned module at path `module`           module, seconds
//
// The peak of each kind is its fastest measurement; efficiency curves are the fraction of that peak reached at each
// size. Without rows of kind launch, the launch time is that of the fastest copy. Rows of kind step, if any, scale the
// efficiency of products and of memory by one common factor such that the geometric mean of simulated over measured
// step times is 1 (tools/calibrate_command.cpp). examples/python/measure_device.py writes such files through JAX.
#pragma once

#include <string>
#include <vector>

#include "simulate/device.h"

namespace partir {

struct Measurement {
  std::string kind;
  std::string type;  ///< element type, such as "f32" or "bf16"
  double rows = 0, columns = 0, depth = 0;
  double bytes = 0;
  double operations = 0;
  double devices = 0;
  double seconds = 0;
  std::string module;  ///< path of the module of a step, relative to the measurement file
  std::size_t line = 0;
};

/// Errors: an unknown kind, a missing column, fields that are not numbers above 0.
Result<std::vector<Measurement>> read_measurements(const std::string& text, const std::string& file);

/// Returns the device file as JSON. The source of each figure names `file`; figures that were not measured are copied
/// from `base`, and the source states so. Errors: no row of kind matmul or no row of kind copy.
Result<std::string> calibrated(const std::vector<Measurement>& measured, const Device& base, const std::string& name,
                               const std::string& file);

/// Scales speed by `factor`: below 1 the efficiencies of products and of memory, above 1 (where efficiencies cannot
/// grow) the peaks of matrix and vector units and the memory bandwidth.
Device scaled(const Device& device, double factor);
/// Returns the JSON text of a device file that read_device accepts; `source` becomes the source of every figure.
std::string device_json(const Device& device, const std::string& source);

}  // namespace partir
