// Disjoint sets of numbers (union-find), used by the Named Dimension Analysis.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace partir {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size = 0) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t add() {
    parent_.push_back(parent_.size());
    return parent_.size() - 1;
  }
  [[nodiscard]] std::size_t size() const { return parent_.size(); }
  /// The smallest member of the set.
  [[nodiscard]] std::size_t find(std::size_t x) const {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  /// Unites the sets of x and y. Returns whether they were different.
  bool join(std::size_t x, std::size_t y) {
    x = find(x);
    y = find(y);
    if (x == y) return false;
    if (y < x) std::swap(x, y);
    parent_[y] = x;
    return true;
  }

 private:
  mutable std::vector<std::size_t> parent_;  ///< mutable, because find shortens paths
};

}  // namespace partir
