// Finds the fewest collectives that lead from one layout to another, as a reference for the planner. The search tries
// every plan of slices, exchanges, gathers and at most one permute in which no chunk is larger than the larger one of
// source and target. The effect of a step on a layout does not depend on which devices form a group
// (proofs_notes/redistribution.md), so that there are few plans.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "ir/layout.h"
#include "tests/lowering/random_types.h"

namespace partir {

class FewestCollectives {
 public:
  explicit FewestCollectives(const Case& c)
      : mesh_(c.mesh), dims_(c.global.dims), source_(state_of(c.source)), goal_(state_of(c.target)) {
    fewest_ = std::min(product(source_.first), product(goal_.first));
  }

  /// Returns the fewest collectives, or nothing if more than `most` are needed. After a permute only the numbers of
  /// chunks are tracked, as if any layout with these numbers could be reached, so that the result is a lower bound.
  std::optional<std::int64_t> at_most(std::int64_t most) {
    level_ = {source_};
    close_by_slices();
    for (std::int64_t k = 0; k <= most; ++k) {
      if (level_.count(goal_) + level_.count({goal_.first, std::nullopt}) > 0) return k;
      if (k == most) break;
      std::set<State> next;
      for (const State& s : level_) communicate(s, next);
      level_ = std::move(next);
      close_by_slices();
    }
    return std::nullopt;
  }

 private:
  using Chunks = std::vector<std::vector<std::int64_t>>;
  /// The number of chunks of each dimension, and which chunk each device holds; no chunks after a permute.
  using State = std::pair<std::vector<std::int64_t>, std::optional<Chunks>>;

  /// Lists the dimensions in order and, as one more, the axes that a reduction is pending over.
  [[nodiscard]] State state_of(const Layout& layout) const {
    std::vector<std::int64_t> parts;
    Chunks chunks;
    Layout all = layout;
    all.dims.emplace_back();
    for (const Pending& p : layout.pending) all.dims.back().push_back(p.over);
    for (Dim d = 0; d < all.dims.size(); ++d) {
      parts.push_back(all.parts(d, mesh_));
      chunks.push_back(all.chunks(d, mesh_));
    }
    return {std::move(parts), std::move(chunks)};
  }

  static std::int64_t product(const std::vector<std::int64_t>& parts) {
    return std::accumulate(parts.begin(), parts.end() - 1, std::int64_t{1}, std::multiplies<>());
  }
  [[nodiscard]] bool allowed(const std::vector<std::int64_t>& parts) const {
    if (product(parts) < fewest_) return false;
    for (Dim d = 0; d < dims_.size(); ++d) {
      if (dims_[d] % parts[d] != 0) return false;
    }
    return true;
  }

  void close_by_slices() {
    std::vector<State> open(level_.begin(), level_.end());
    while (!open.empty()) {
      const State s = std::move(open.back());
      open.pop_back();
      for (Dim d = 0; d < dims_.size(); ++d) {
        for (std::size_t k = 0; k < mesh_.rank(); ++k) {
          const std::int64_t size = mesh_.size(Axis(k));
          for (std::int64_t below = 1; below < size; ++below) {
            if (size % below != 0) continue;
            for (std::int64_t by = 2; by <= size / below; ++by) {
              if (size / below % by != 0) continue;
              State t = s;
              t.first[d] *= by;
              if (!allowed(t.first) || mesh_.devices() % (product(t.first) * t.first.back()) != 0) continue;
              if (t.second) {
                const std::int64_t stride = mesh_.stride(Axis(k)) * below;
                auto& chunk = (*t.second)[d];
                for (std::size_t e = 0; e < chunk.size(); ++e)
                  chunk[e] = chunk[e] * by + static_cast<std::int64_t>(e) / stride % by;
                if (!balanced(t)) continue;
              }
              if (level_.insert(t).second) open.push_back(std::move(t));
            }
          }
        }
      }
    }
  }

  /// Returns whether every chunk is held by equally many devices.
  [[nodiscard]] bool balanced(const State& s) const {
    std::map<std::vector<std::int64_t>, std::int64_t> holders;
    for (std::size_t e = 0; e < (*s.second)[0].size(); ++e) {
      std::vector<std::int64_t> held;
      for (const auto& dim : *s.second) held.push_back(dim[e]);
      ++holders[held];
    }
    const std::int64_t each = mesh_.devices() / static_cast<std::int64_t>(holders.size());
    return static_cast<std::int64_t>(holders.size()) == product(s.first) * s.first.back() &&
           std::all_of(holders.begin(), holders.end(), [&](const auto& h) { return h.second == each; });
  }

  void communicate(const State& s, std::set<State>& next) const {
    if (s.second) next.insert({s.first, std::nullopt});
    for (Dim from = 0; from < dims_.size(); ++from) {
      for (std::int64_t by = 2; by <= s.first[from]; ++by) {
        if (s.first[from] % by != 0) continue;
        for (Dim to = 0; to < dims_.size(); ++to) {
          State t = s;
          t.first[from] /= by;
          if (to != from) t.first[to] *= by;
          if (!allowed(t.first)) continue;
          if (t.second) {
            auto& chunks = *t.second;
            for (std::size_t e = 0; e < chunks[from].size(); ++e) {
              if (to != from) chunks[to][e] = chunks[to][e] * by + chunks[from][e] % by;
              chunks[from][e] /= by;
            }
          }
          next.insert(std::move(t));
        }
      }
    }
  }

  const Mesh& mesh_;
  std::vector<std::int64_t> dims_;
  State source_;
  State goal_;
  std::int64_t fewest_ = 1;
  std::set<State> level_;
};

}  // namespace partir
