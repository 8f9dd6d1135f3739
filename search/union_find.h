// Disjoint sets of numbers.
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
  /// Whether they were apart.
  bool join(std::size_t x, std::size_t y) {
    x = find(x);
    y = find(y);
    if (x == y) return false;
    if (y < x) std::swap(x, y);
    parent_[y] = x;
    return true;
  }

 private:
  mutable std::vector<std::size_t> parent_;  ///< finding shortens paths
};

}  // namespace partir
