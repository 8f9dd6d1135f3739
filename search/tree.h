// Monte Carlo tree search over a sequence of decisions by upper confidence bounds (UCT, Kocsis and Szepesvári 2006). A
// node is valued by the best plan of its subtree, not by the mean, because one good plan is enough.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "search/neighbours.h"

namespace partir {

struct TreeOptions {
  double exploration = 0.3;  ///< c in c * sqrt(ln N / n); rewards are logarithms of times
  double stop = 0.6;         ///< probability that a random completion chooses option 0, to do nothing, at a decision
};

class DecisionTree {
 public:
  DecisionTree(std::vector<Decision> decisions, TreeOptions options, std::uint64_t seed)
      : decisions_(std::move(decisions)), options_(options), random_(seed) {}

  /// A path from the root: a plan, and the option taken at each decision.
  struct Path {
    Plan plan;
    std::vector<std::size_t> options;
    std::size_t known = 0;  ///< decisions made on the tree; the remaining ones were drawn at random
  };
  /// Descends by upper confidence bounds to a new node, then completes the plan at random. The nodes count as visited
  /// at once, so that several paths can be selected before any reward is told.
  Path select();
  /// A path drawn at random, without guidance of the tree.
  Path draw();
  /// Records the reward of a path; larger is better.
  void tell(const Path& path, double reward);

  /// Number of plans; infinity if it does not fit in a double.
  [[nodiscard]] double plans() const;
  /// The plan of these options.
  [[nodiscard]] Plan plan_of(const std::vector<std::size_t>& options) const;
  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }

 private:
  struct Node {
    std::vector<std::unique_ptr<Node>> children;  ///< by option; null until visited
    double best = 0;
    std::size_t visits = 0;
    bool valued = false;
  };

  void complete(Path& path);

  std::vector<Decision> decisions_;
  TreeOptions options_;
  std::mt19937_64 random_;
  Node root_;
};

}  // namespace partir
