// Decides which operations of a block share a kernel. The rules are stated in simulate/kernels.h; simulate/kernels.cpp
// orders the resulting drafts and turns them into kernels.
#pragma once

#include "simulate/block_graph.h"

namespace partir {

/// A set of operations that run as one kernel.
struct Draft {
  std::vector<std::uint32_t> ops;  ///< positions in the block
  std::uint32_t first = 0;         ///< the smallest of them
  std::uint32_t last = 0;          ///< the largest
  double elements = 0;             ///< that the kernel iterates over
  bool folds = false;
};

/// What the kernel of a matrix product can do with its result before it stores it.
enum class Epilogue : std::uint8_t {
  none,
  add,          ///< additions and conversions, such as accumulating into a buffer, as GPU libraries do
  elementwise,  ///< any elementwise operations, as XLA's output fusion on TPUs
};

class Fusion {
 public:
  static constexpr std::uint32_t none = BlockGraph::none;

  /// Sets graph.parts to `recomputed` for operations that are to be recomputed in each reader. `one_result`:
  /// BufferRules::one_result.
  Fusion(const Function& function, BlockGraph& graph, Epilogue epilogue, bool one_result = false);
  /// The draft of an operation, or none if it belongs to no kernel.
  [[nodiscard]] std::uint32_t draft_of(std::uint32_t op) const { return draft_[op]; }
  [[nodiscard]] const std::vector<Draft>& drafts() const { return drafts_; }
  [[nodiscard]] bool alone(std::uint32_t draft) const { return g_.parts[drafts_[draft].ops[0]] == Part::alone; }

 private:
  void group();
  void place(std::uint32_t op);
  void join_folds();
  void join_siblings();
  void join_epilogues(Epilogue epilogue);
  // Kernels of one result (simulate/single_results.cpp).
  void single_results();
  void libraries();
  [[nodiscard]] bool in_library(std::uint32_t op) const;
  [[nodiscard]] bool starts_library(std::uint32_t op) const;
  [[nodiscard]] bool expensive(std::uint32_t op) const;
  [[nodiscard]] bool reads_often(std::uint32_t op) const;
  [[nodiscard]] bool fusible(std::uint32_t op) const;
  [[nodiscard]] bool fuses(std::uint32_t maker, std::uint32_t reader) const;
  [[nodiscard]] bool at_most_unary(std::uint32_t op) const;
  bool on_all_paths(std::uint32_t maker);
  std::uint32_t begin(std::uint32_t op, double elements);
  /// The drafts of loops and folds that read a buffer, directly or through recomputed operations; `stored` is true if
  /// anything else reads it too, so that it must be in memory.
  struct Readers {
    std::vector<std::uint32_t> drafts;
    bool stored = false;
  };
  const Readers& readers_of(ValueId buffer);
  void collect(ValueId buffer, int depth);
  /// True if no dependency path leads from these drafts (and `op`, unless none) through an operation outside back into
  /// them, so that merging them creates no cycle. Conservative: false if the search takes too long or the kernel gets
  /// too large.
  bool may_merge(const std::vector<std::uint32_t>& drafts, std::uint32_t op);
  /// Merges the drafts into the one with the most operations, and returns it.
  std::uint32_t merge(const std::vector<std::uint32_t>& drafts);
  void add(std::uint32_t draft, std::uint32_t op);
  [[nodiscard]] bool cheap(std::uint32_t op) const;

  const Function& f_;
  BlockGraph& g_;
  std::vector<std::uint32_t> draft_;  ///< by operation
  std::vector<Draft> drafts_;         ///< drafts that were merged into others are empty
  Readers readers_;
  std::vector<std::uint32_t> seen_;  ///< by operation: the number of the last search that visited it
  std::uint32_t search_ = 0;
  std::vector<bool> unfused_;  ///< by operation: in single-result mode, a kernel of its own that is never recomputed
  struct Visit {
    std::uint32_t op;
    bool member;  ///< is recomputed inside the kernel being examined
  };
  std::vector<Visit> queue_;
};

}  // namespace partir
