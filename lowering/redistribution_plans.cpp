#include "lowering/redistribution_plans.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "support/check.h"

namespace partir {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

bool starts_with(const std::vector<Axis>& list, const std::vector<Axis>& prefix) {
  return prefix.size() <= list.size() && std::equal(prefix.begin(), prefix.end(), list.begin());
}

std::vector<Axis> suffix(const std::vector<Axis>& list, std::size_t count) {
  return {list.end() - static_cast<std::ptrdiff_t>(count), list.end()};
}

std::vector<std::int64_t> primes_of(std::int64_t n) {
  std::vector<std::int64_t> out;
  for (std::int64_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    for (bool first = true; n % p == 0; first = false, n /= p) {
      if (first) out.push_back(p);
    }
  }
  return out;
}

std::int64_t product_of(const std::vector<Axis>& axes, const Mesh& mesh) {
  std::int64_t out = 1;
  for (const Axis a : axes) out *= mesh.size(a);
  return out;
}

/// Of how many parts each device holds one.
std::int64_t parts_of(const DistributedType& type, const Mesh& mesh) {
  std::int64_t out = 1;
  for (const auto& axes : type.dims) out *= product_of(axes, mesh);
  return out;
}

/// How `Planner::rearrange` begins: with slices as far as free axes go, so that more may be gathered at once, and then
/// with gathers of minor axes, as long as `fewest` parts or more are left.
struct Beginning {
  bool slices = false;
  std::optional<std::int64_t> gathers_to = std::nullopt;
};

class Planner {
 public:
  Planner(const DistributedType& source, const DistributedType& target, const Mesh& mesh)
      : mesh_(mesh), target_(target), now_(source), rank_(source.dims.size()) {}

  std::vector<Conversion> steps;

  /// Every dimension's list begins with the target's.
  [[nodiscard]] bool only_gathers_left() const {
    for (Dim d = 0; d < rank_; ++d) {
      if (!starts_with(now_.dims[d], target_.dims[d])) return false;
    }
    return true;
  }

  /// Slices, and moves of minor axes, that put axes where the target has them.
  void approach() {
    do {
      for (Dim d = 0; d < rank_; ++d) slice_wanted(d);
    } while (move_wanted());
  }

  /// The same, and where neither leads on a gather of a minor axis, as long as `fewest` parts or more are left.
  void approach_gathering(std::int64_t fewest) {
    do {
      approach();
    } while (!only_gathers_left() && gather_in_the_way(fewest));
  }

  void gather_rest() {
    for (Dim d = 0; d < rank_; ++d) {
      const std::size_t more = now_.dims[d].size() - target_.dims[d].size();
      if (more == 0) continue;
      const auto axes = suffix(now_.dims[d], more);
      now_.dims[d] = target_.dims[d];
      add_typed({Conversion::Kind::all_gather, axes, d, d});
    }
  }

  /// The rest of the way by numbers of parts alone, whatever devices hold them, then a permute that sends each part to
  /// the device that wants it. A prime that a dimension has too often moves to one that lacks it; what no dimension
  /// has left to give is sliced, what none needs is gathered.
  void rearrange(const Beginning& first = {}) {
    layout_ = DeviceLayout::of(now_, mesh_);
    if (first.slices) slice_missing();
    if (first.gathers_to) {
      gather_minor(*first.gathers_to);
      if (typed_) layout_ = DeviceLayout::of(now_, mesh_);
      slice_missing();
    }
    auto [missing, spare] = differences();
    std::map<std::pair<Dim, Dim>, std::int64_t> moves;
    for (Dim to = 0; to < rank_; ++to) {
      for (Dim from = 0; from < rank_; ++from) {
        const std::int64_t factor = std::gcd(missing[to], spare[from]);
        if (factor == 1) continue;
        moves[{from, to}] = factor;
        missing[to] /= factor;
        spare[from] /= factor;
      }
    }
    for (Dim d = 0; d < rank_; ++d) slice_by(d, missing[d]);
    for (const auto& [between, factor] : moves) move(between.first, between.second, factor);
    if (typed_ && only_gathers_left()) {
      gather_rest();
      return;
    }
    if (const auto wide = widened(spare)) {
      permute_to(*wide);
      gather_rest();
      return;
    }
    for (Dim d = 0; d < rank_; ++d) gather(d, spare[d]);
    permute_to(target_);
  }

 private:
  // --- Towards the target, axis by axis
  void slice_wanted(Dim d) {
    auto& have = now_.dims[d];
    const auto& want = target_.dims[d];
    if (!starts_with(want, have)) return;
    std::vector<Axis> axes;
    while (have.size() + axes.size() < want.size() && !now_.tiled_by(want[have.size() + axes.size()]))
      axes.push_back(want[have.size() + axes.size()]);
    if (axes.empty()) return;
    have.insert(have.end(), axes.begin(), axes.end());
    add_typed({Conversion::Kind::all_slice, axes, d, d});
  }

  bool move_wanted() {
    for (Dim i = 0; i < rank_; ++i) {
      auto& from = now_.dims[i];
      if (starts_with(target_.dims[i], from)) continue;
      for (Dim j = 0; j < rank_; ++j) {
        auto& to = now_.dims[j];
        const auto& want = target_.dims[j];
        if (j == i || !starts_with(want, to)) continue;
        for (std::size_t count = std::min(from.size(), want.size() - to.size()); count > 0; --count) {
          const auto axes = suffix(from, count);
          if (!std::equal(axes.begin(), axes.end(), want.begin() + static_cast<std::ptrdiff_t>(to.size()))) continue;
          from.resize(from.size() - count);
          to.insert(to.end(), axes.begin(), axes.end());
          add_typed({Conversion::Kind::all_to_all, axes, i, j});
          return true;
        }
      }
    }
    return false;
  }

  bool gather_in_the_way(std::int64_t fewest) {
    for (Dim d = 0; d < rank_; ++d) {
      auto& have = now_.dims[d];
      if (starts_with(target_.dims[d], have) || parts_of(now_, mesh_) / mesh_.size(have.back()) < fewest) continue;
      const Axis axis = have.back();
      have.pop_back();
      add_typed({Conversion::Kind::all_gather, {axis}, d, d});
      return true;
    }
    return false;
  }

  // --- By numbers of parts
  struct Differences {
    std::vector<std::int64_t> missing;  ///< by dimension, the factor that the target has more
    std::vector<std::int64_t> spare;    ///< and the one that it has less
  };
  [[nodiscard]] Differences differences() const {
    Differences out;
    for (Dim d = 0; d < rank_; ++d) {
      const std::int64_t wanted = product_of(target_.dims[d], mesh_);
      const std::int64_t common = std::gcd(layout_.parts[d], wanted);
      out.missing.push_back(wanted / common);
      out.spare.push_back(layout_.parts[d] / common);
    }
    return out;
  }

  void slice_missing() {
    const std::vector<std::int64_t> missing = differences().missing;
    for (Dim d = 0; d < rank_; ++d) slice_by(d, std::gcd(missing[d], devices_alike()));
  }

  /// Minor axes, those that make most parts first, as long as `fewest` parts or more are left.
  void gather_minor(std::int64_t fewest) {
    while (typed_) {
      Conversion step{Conversion::Kind::all_gather};
      std::int64_t most = 1;
      for (Dim d = 0; d < rank_; ++d) {
        for (std::size_t count = 1; count <= now_.dims[d].size(); ++count) {
          auto axes = suffix(now_.dims[d], count);
          const std::int64_t factor = product_of(axes, mesh_);
          if (factor <= most || parts_of(now_, mesh_) / factor < fewest) continue;
          most = factor;
          step.axes = std::move(axes);
          step.from = step.to = d;
        }
      }
      if (most == 1) return;
      now_.dims[step.from].resize(now_.dims[step.from].size() - step.axes.size());
      add_typed(std::move(step));
    }
  }

  [[nodiscard]] bool is_free(Axis a) const { return !now_.tiled_by(a) && !now_.partial_over(a); }

  /// How many devices hold the same part because of axes that tile nothing.
  [[nodiscard]] std::int64_t devices_alike() const {
    std::int64_t out = 1;
    for (const auto& [axis, used] : used_) out *= is_free(axis) ? mesh_.size(axis) / used : 1;
    return out;
  }

  void slice_by(Dim d, std::int64_t factor) {
    while (factor > 1) {
      std::optional<Axis> axis;
      std::int64_t size = 1;
      for (std::size_t k = 0; k < mesh_.rank(); ++k) {
        const Axis a(k);
        const std::int64_t rest = is_free(a) ? mesh_.size(a) / used_[a] : 1;
        // A whole axis if one fits, one that the target has here before others; else a prime of one.
        const bool whole = used_[a] == 1 && rest > 1 && factor % rest == 0;
        const std::int64_t take = whole ? rest
                                  : primes_of(std::gcd(rest, factor)).empty()
                                      ? 1
                                      : primes_of(std::gcd(rest, factor)).front();
        const bool better = whole && target_.tiled_by(a) == d && axis && target_.tiled_by(*axis) != d;
        if (take > size || (take > 1 && better)) {
          axis = a;
          size = take;
        }
      }
      PARTIR_CHECK(axis.has_value(), "a slice without a free axis");
      factor /= size;
      const Conversion::Digit digit{mesh_.stride(*axis) * used_[*axis], size};
      layout_.parts[d] *= size;
      for (std::size_t e = 0; e < layout_.chunk[d].size(); ++e)
        layout_.chunk[d][e] = layout_.chunk[d][e] * size + static_cast<std::int64_t>(e) / digit.stride % size;
      Conversion step{Conversion::Kind::all_slice, {*axis}, d, d};
      if (typed_ && size == mesh_.size(*axis)) {
        now_.dims[d].push_back(*axis);
      } else {
        typed_ = false;
        step.digit = digit;
        used_[*axis] *= size;
      }
      add(std::move(step));
    }
  }

  /// Devices whose parts lie side by side along a dimension, `factor` of them, in their order; of what several hold
  /// alike, one device in each group.
  [[nodiscard]] Groups neighbours(Dim d, std::int64_t factor) const {
    std::map<std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>> holders;
    for (std::size_t e = 0; e < layout_.chunk[d].size(); ++e) {
      auto key = layout_.held_by(e);
      const auto position = static_cast<std::size_t>(key[d] % factor);
      key[d] /= factor;
      auto& by_position = holders[key];
      by_position.resize(static_cast<std::size_t>(factor));
      by_position[position].push_back(static_cast<std::int64_t>(e));
    }
    Groups out;
    for (const auto& [key, by_position] : holders) {
      for (std::size_t r = 0; r < by_position[0].size(); ++r) {
        out.emplace_back();
        for (const auto& devices : by_position) out.back().push_back(devices[r]);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  /// The minor axes of a dimension whose sizes multiply to the factor.
  [[nodiscard]] std::optional<std::vector<Axis>> minor_axes(Dim d, std::int64_t factor) const {
    if (!typed_) return std::nullopt;
    for (std::size_t count = 0; count <= now_.dims[d].size(); ++count) {
      auto axes = suffix(now_.dims[d], count);
      if (product_of(axes, mesh_) == factor) return axes;
    }
    return std::nullopt;
  }

  void move(Dim from, Dim to, std::int64_t factor) {
    Conversion step{Conversion::Kind::all_to_all, {}, from, to};
    if (const auto axes = minor_axes(from, factor)) {
      step.axes = *axes;
      now_.dims[from].resize(now_.dims[from].size() - axes->size());
      now_.dims[to].insert(now_.dims[to].end(), axes->begin(), axes->end());
    } else {
      typed_ = false;
      step.groups = neighbours(from, factor);
      step.axes = axes_between(step.groups);
    }
    layout_.parts[from] /= factor;
    layout_.parts[to] *= factor;
    for (std::size_t e = 0; e < layout_.chunk[from].size(); ++e) {
      layout_.chunk[to][e] = layout_.chunk[to][e] * factor + layout_.chunk[from][e] % factor;
      layout_.chunk[from][e] /= factor;
    }
    add(std::move(step));
  }

  void gather(Dim d, std::int64_t factor) {
    if (factor == 1) return;
    typed_ = false;
    Conversion step{Conversion::Kind::all_gather, {}, d, d};
    step.groups = neighbours(d, factor);
    step.axes = axes_between(step.groups);
    layout_.parts[d] /= factor;
    for (std::int64_t& c : layout_.chunk[d]) c /= factor;
    add(std::move(step));
  }

  /// The target with further axes at the end of its dimensions, as many parts as there are too many.
  [[nodiscard]] std::optional<DistributedType> widened(const std::vector<std::int64_t>& spare) const {
    DistributedType out = target_;
    // Dimension by dimension, each subset of what is free; the first that fits.
    const auto fill = [&](const auto& self, Dim d, std::int64_t rest) -> bool {
      if (rest == 1) return d + 1 >= rank_ || self(self, d + 1, spare[d + 1]);
      for (std::size_t k = 0; k < mesh_.rank(); ++k) {
        const Axis a(k);
        if (mesh_.size(a) == 1 || rest % mesh_.size(a) != 0 || out.tiled_by(a) || out.partial_over(a)) continue;
        out.dims[d].push_back(a);
        if (self(self, d, rest / mesh_.size(a))) return true;
        out.dims[d].pop_back();
      }
      return false;
    };
    if (rank_ == 0 || fill(fill, 0, spare[0])) return out;
    return std::nullopt;
  }

  /// Each device's part to one that has it by `type`; what is there already stays.
  void permute_to(const DistributedType& type) {
    const DeviceLayout goal = DeviceLayout::of(type, mesh_);
    PARTIR_CHECK(goal.parts == layout_.parts, "a permute between other numbers of parts");
    Conversion step{Conversion::Kind::permute};
    if (goal == layout_) {
      if (typed_ && now_ == type) return;
      step = renamed(type);
    } else {
      std::map<std::vector<std::int64_t>, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> ends;
      for (std::size_t e = 0; e < goal.chunk[0].size(); ++e) {
        const auto have = layout_.held_by(e);
        const auto want = goal.held_by(e);
        const auto id = static_cast<std::int64_t>(e);
        if (have == want) {
          step.pairs.emplace_back(id, id);
        } else {
          ends[have].first.push_back(id);
          ends[want].second.push_back(id);
        }
      }
      Groups moved;
      for (const auto& [part, devices] : ends) {
        PARTIR_CHECK(devices.first.size() == devices.second.size(), "a permute that is none");
        for (std::size_t k = 0; k < devices.first.size(); ++k) {
          step.pairs.emplace_back(devices.first[k], devices.second[k]);
          moved.push_back({devices.first[k], devices.second[k]});
        }
      }
      std::sort(step.pairs.begin(), step.pairs.end());
      step.axes = axes_between(moved);
    }
    typed_ = true;
    now_ = type;
    layout_ = goal;
    add(std::move(step));
  }

  [[nodiscard]] std::vector<Axis> axes_between(const Groups& groups) const {
    std::vector<Axis> out;
    for (std::size_t k = 0; k < mesh_.rank(); ++k) {
      const auto at = [&](std::int64_t d) { return mesh_.coordinate(DeviceId(static_cast<std::size_t>(d)), Axis(k)); };
      const bool differ = std::any_of(groups.begin(), groups.end(), [&](const auto& g) {
        return std::any_of(g.begin(), g.end(), [&](std::int64_t d) { return at(d) != at(g[0]); });
      });
      if (differ) out.emplace_back(k);
    }
    return out;
  }

  void add_typed(Conversion step) {
    step.after = now_;
    steps.push_back(std::move(step));
  }
  void add(Conversion step) {
    if (typed_) {
      step.after = now_;
    } else {
      step.layout = std::make_shared<const DeviceLayout>(layout_);
    }
    steps.push_back(std::move(step));
  }

  const Mesh& mesh_;
  const DistributedType& target_;
  DistributedType now_;  ///< what the parts are by, while `typed_`
  bool typed_ = true;
  DeviceLayout layout_;                         ///< while rearranging
  std::map<Axis, std::int64_t> used_ = ones();  ///< of each axis that tiles nothing: what slices took of it
  std::size_t rank_;

  [[nodiscard]] std::map<Axis, std::int64_t> ones() const {
    std::map<Axis, std::int64_t> out;
    for (std::size_t k = 0; k < mesh_.rank(); ++k) out[Axis(k)] = 1;
    return out;
  }
};

}  // namespace

Conversion renamed(const DistributedType& type) {
  Conversion out{Conversion::Kind::all_slice, {Axis(0)}};
  out.digit = Conversion::Digit{1, 1};
  out.after = type;
  return out;
}

std::optional<Plan> straight_plan(const DistributedType& source, const DistributedType& target, const Mesh& mesh) {
  Planner planner(source, target, mesh);
  planner.approach();
  if (!planner.only_gathers_left()) return std::nullopt;
  planner.gather_rest();
  return std::move(planner.steps);
}

std::vector<Plan> plans_between(const DistributedType& source, const DistributedType& target, const Mesh& mesh) {
  std::vector<Plan> out;
  const auto planned = [&](const auto& steps) {
    Planner planner(source, target, mesh);
    steps(planner);
    out.push_back(std::move(planner.steps));
  };
  const std::int64_t fewest = std::min(parts_of(source, mesh), parts_of(target, mesh));
  planned([](Planner& p) {
    p.approach();
    p.rearrange();
  });
  planned([](Planner& p) { p.rearrange(); });
  planned([](Planner& p) { p.rearrange({true}); });
  planned([&](Planner& p) { p.rearrange({true, fewest}); });
  planned([&](Planner& p) { p.rearrange({false, fewest}); });
  planned([&](Planner& p) {
    p.approach_gathering(fewest);
    p.rearrange();
  });
  return out;
}

}  // namespace partir
