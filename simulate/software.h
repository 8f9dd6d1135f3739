// The software that runs the program on the device: how it buckets and prefetches collectives, which attention kernels
// it has, which memory rules its compiler follows. Read from simulate/software/*.json, or the user's own file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/traits.h"
#include "simulate/buffer_rules.h"
#include "support/diagnostic.h"

namespace partir {

/// Kernels that compute attention without storing anything of quadratic size in the sequence length.
struct AttentionKernels {
  /// The fraction of the device's peak that the products reach, forward and backward together. The backward kernels'
  /// recomputation of the scores is accounted for in it.
  double efficiency = 0;      ///< 0: that of other products of their size
  bool skips_masked = false;  ///< skips blocks that a causal mask makes empty: half of the products
};

struct Software {
  std::string name = "xla";
  std::string title;
  /// By device, "*" for all others; without an entry, scores are stored.
  std::map<std::string, AttentionKernels> attention;
  /// Speed of matrix products relative to the device file, by device ("*" for all others). Fitted on published steps.
  std::map<std::string, double> products;
  /// Queued collectives of one kind and group run as one, up to this many bytes.
  double bucket = 3.0e7;
  /// The number of collective results per link that may wait for their first use before the next collective is delayed.
  std::size_t prefetch = 8;

  /// Bytes copied in the device's memory per gathered (or reduced) byte, between tensors and the buffers that
  /// collectives run on.
  double gather_copies = 0;
  double reduce_copies = 0;

  /// Devices on which reductions run in pieces during the products around them, as on links with Link::decomposes.
  std::vector<std::string> decomposes;

  BufferRules buffers;  ///< the memory rules of its compiler

  [[nodiscard]] const AttentionKernels* attention_on(const std::string& device) const;
  [[nodiscard]] double products_on(const std::string& device) const;
  [[nodiscard]] double copies(CollectiveKind kind) const;  ///< gather_copies, reduce_copies; 0 for all other kinds
};

/// Names of the software files that are embedded in the program, sorted.
std::vector<std::string> software_names();

/// Reads software by name (one of software_names()) or from a file of that path. Errors as for find_device.
Result<Software> find_software(const std::string& name_or_file);
Result<Software> read_software(const std::string& text, const std::string& file);

}  // namespace partir
