// What the files of instances (instances_*.cpp, one for each group of operations) share to write them down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/registry/instances.h"

namespace partir::testing {

using Dims = std::vector<std::int64_t>;

class InstanceTable {
 public:
  void add(const std::string& family, const std::string& arguments, const std::string& lines) {
    instances.push_back({family, module_text(arguments, lines)});
  }

  std::vector<Instance> instances;
};

/// Returns "[1, 2]".
std::string list(const Dims& dims);
/// Returns "array<i64: 1, 2>".
std::string array_text(const Dims& dims);

/// An initial value: a scalar constant of a type, or an argument named %c whose value is unknown.
struct Init {
  std::string argument;  ///< ", %c: tensor<f32>", or empty
  std::string line;      ///< "  %c = stablehlo.constant …\n", or empty
};
Init known(const std::string& value, const std::string& element);
Init unknown(const std::string& element);

/// Returns a region that applies a function to two scalars.
std::string body(const std::string& fn, const std::string& element);
/// Returns a region that runs the lines, with arguments "%a: tensor<f32>, %b: tensor<f32>", and returns "%s :
/// tensor<f32>".
std::string region(const std::string& arguments, const std::string& lines, const std::string& returned);

void add_windows(InstanceTable& table);       ///< reduce_window, select_and_scatter, map
void add_library(InstanceTable& table);       ///< sort, top_k, fft, cholesky, triangular_solve, random numbers
void add_norms(InstanceTable& table);         ///< batch_norm_*
void add_bits(InstanceTable& table);          ///< bitcast_convert, reduce_precision, parts of complex numbers
void add_types(InstanceTable& table);         ///< element types that the other families omit
void add_contractions(InstanceTable& table);  ///< ragged_dot, convolution of integers
void add_promotions(InstanceTable& table);    ///< computations wider than their inputs, scatter of several inputs
void add_dynamic(InstanceTable& table);       ///< operations whose sizes are operands

}  // namespace partir::testing
