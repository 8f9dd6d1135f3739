// Which operations share a kernel (rules: simulate/kernels.h).
#pragma once

#include "simulate/block_graph.h"

namespace partir {

/// Operations that run together.
struct Draft {
  std::vector<std::uint32_t> ops;  ///< positions in the block
  std::uint32_t first = 0;         ///< the smallest of them
  std::uint32_t last = 0;          ///< the largest
  double elements = 0;             ///< that it runs over
  bool folds = false;
};

/// What a product's kernel does with its result before it stores it.
enum class Epilogue : std::uint8_t {
  none,
  add,          ///< adds to what is there, adds and converts, as matrix libraries of GPUs do
  elementwise,  ///< any operations element by element, as XLA's output fusion on TPUs does
};

class Fusion {
 public:
  static constexpr std::uint32_t none = BlockGraph::none;

  /// Changes graph.parts: what turns out to be made anew in each reader becomes recomputed.
  /// `one_result`: BufferRules.
  Fusion(const Function& function, BlockGraph& graph, Epilogue epilogue, bool one_result = false);
  /// The draft of an operation, or none.
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
  /// Drafts of loops and folds that read a buffer, through what is recomputed; whether anything else reads it, too.
  struct Readers {
    std::vector<std::uint32_t> drafts;
    bool stored = false;
  };
  const Readers& readers_of(ValueId buffer);
  void collect(ValueId buffer, int depth);
  /// Whether nothing outside lies between operations of these drafts (and `op`, unless none).
  bool may_merge(const std::vector<std::uint32_t>& drafts, std::uint32_t op);
  /// Into the first.
  std::uint32_t merge(const std::vector<std::uint32_t>& drafts);
  void add(std::uint32_t draft, std::uint32_t op);
  [[nodiscard]] bool cheap(std::uint32_t op) const;

  const Function& f_;
  BlockGraph& g_;
  std::vector<std::uint32_t> draft_;  ///< by operation
  std::vector<Draft> drafts_;         ///< empty ones have been merged away
  Readers readers_;
  std::vector<std::uint32_t> seen_;  ///< by operation: the search that met it last
  std::uint32_t search_ = 0;
  std::vector<bool> kept_whole_;  ///< by operation: of kernels of one result, stored for all its readers
  struct Met {
    std::uint32_t op;
    bool member;  ///< runs inside the kernel that is asked about, made anew in it
  };
  std::vector<Met> queue_;
};

}  // namespace partir
