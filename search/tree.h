// Upper confidence bounds on a tree of decisions (UCT, Kocsis and Szepesvári 2006), with the best of a subtree in place
// of its mean: one good plan is what is looked for.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "search/neighbours.h"

namespace partir {

struct TreeOptions {
  double exploration = 0.3;  ///< c of c * sqrt(ln N / n); rewards are logarithms of times
  double stop = 0.6;         ///< probability with which a random completion does nothing for a decision
};

class DecisionTree {
 public:
  DecisionTree(std::vector<Decision> decisions, TreeOptions options, std::uint64_t seed)
      : decisions_(std::move(decisions)), options_(options), random_(seed) {}

  /// A way down: the plan, and which option was taken at each decision.
  struct Path {
    Plan plan;
    std::vector<std::size_t> options;
    std::size_t known = 0;  ///< decisions on the tree; the others were drawn
  };
  /// Down by upper confidence bounds to a node that is new, then at random. It counts as visited, so that several can
  /// be asked for before any is told.
  Path select();
  /// A way down that nothing guides.
  Path draw();
  /// What a path was worth; larger is better.
  void tell(const Path& path, double reward);

  /// Number of plans; infinity where it does not fit a double.
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
