// What runs the program on the device: how it buckets and prefetches collectives, and where it has kernels for
// attention. Read from simulate/software/*.json, or the user's own file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/traits.h"
#include "simulate/buffer_rules.h"
#include "support/diagnostic.h"

namespace partir {

/// Kernels that compute attention without storing what is quadratic in the sequence.
struct AttentionKernels {
  /// Of the device's peak that the products reach, those of forward and backward together. The backward kernels' second
  /// computation of the scores is part of it.
  double efficiency = 0;      ///< 0: as other products of their size
  bool skips_masked = false;  ///< blocks that a causal mask leaves empty are not computed: half of the products
};

struct Software {
  std::string name = "xla";
  std::string title;
  std::map<std::string, AttentionKernels> attention;  ///< by device; "*": others. Without an entry scores are stored.
  /// What it reaches of the speed of matrix products that the device's file says; by device, "*" others. Fitted.
  std::map<std::string, double> products;
  /// Collectives of one kind and group that wait for each other run as one up to so many bytes.
  double bucket = 3.0e7;
  /// Results of collectives that may wait for their first use, on each link, before the next collective starts early.
  std::size_t prefetch = 8;

  /// Bytes that it moves in the device's memory for each byte that is gathered or reduced, between the buffers that its
  /// collectives run on and tensors.
  double gather_copies = 0;
  double reduce_copies = 0;

  /// Devices on which reductions run in pieces beside the products around them, as on links that decompose.
  std::vector<std::string> decomposes;

  BufferRules buffers;  ///< what its compiler does that costs memory

  [[nodiscard]] const AttentionKernels* attention_on(const std::string& device) const;
  [[nodiscard]] double products_on(const std::string& device) const;
  [[nodiscard]] double copies(CollectiveKind kind) const;  ///< reduce_copies of reduce_scatters; an all_reduce has none
};

/// Names of the software that is part of the program.
std::vector<std::string> software_names();

/// `name_or_file` is one of software_names(), or a path. Errors as of find_device.
Result<Software> find_software(const std::string& name_or_file);
Result<Software> read_software(const std::string& text, const std::string& file);

}  // namespace partir
