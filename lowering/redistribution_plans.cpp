// The planner keeps the current layout and appends one step at a time. It works in two ways: axis by axis, as long as
// the current layout is made of whole axes, and by the numbers of parts of each dimension alone, followed by a permute.
// The argument that this always succeeds within the size bound is in proofs_notes/redistribution.md.
#include "lowering/redistribution_plans.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "support/check.h"

namespace partir {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

using Factors = Layout::Dimension;

bool starts_with(const Factors& list, const Factors& prefix) {
  return prefix.size() <= list.size() && std::equal(prefix.begin(), prefix.end(), list.begin());
}

Factors suffix(const Factors& list, std::size_t count) {
  return {list.end() - static_cast<std::ptrdiff_t>(count), list.end()};
}

std::vector<Axis> axes_of(const Factors& factors) {
  std::vector<Axis> out;
  for (const Factor& f : factors) out.push_back(f.axis());
  return out;
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

std::int64_t product_of(const Factors& factors, const Mesh& mesh) {
  std::int64_t out = 1;
  for (const Factor& f : factors) out *= f.size(mesh);
  return out;
}

/// Number of distinct parts of a layout; each device holds one.
std::int64_t parts_of(const Layout& type, const Mesh& mesh) {
  std::int64_t out = 1;
  for (const Factors& factors : type.dims) out *= product_of(factors, mesh);
  return out;
}

/// How `Planner::rearrange` begins: with slices by free axes, so that more can be gathered at once, and then with
/// gathers of minor axes that leave at least `gathers_to` parts.
struct Beginning {
  bool slices = false;
  std::optional<std::int64_t> gathers_to = std::nullopt;
};

class Planner {
 public:
  Planner(const Layout& source, const Layout& target, const Mesh& mesh)
      : mesh_(mesh), target_(target), now_(source), rank_(source.dims.size()) {}

  std::vector<Conversion> steps;
  bool arrives = true;  ///< false if the steps do not lead to the target

  /// True if every dimension's list of axes begins with the target's list.
  [[nodiscard]] bool only_gathers_left() const {
    for (Dim d = 0; d < rank_; ++d) {
      if (!starts_with(now_.dims[d], target_.dims[d])) return false;
    }
    return true;
  }

  /// Slices and moves of minor axes that put axes where the target has them.
  void approach() {
    do {
      for (Dim d = 0; d < rank_; ++d) slice_wanted(d);
    } while (move_wanted());
  }

  /// The same, but where neither is possible, gathers a minor axis if at least `fewest` parts are left.
  void approach_gathering(std::int64_t fewest) {
    do {
      approach();
    } while (!only_gathers_left() && gather_blocking_axis(fewest));
  }

  void gather_rest() {
    for (Dim d = 0; d < rank_; ++d) {
      const std::size_t more = now_.dims[d].size() - target_.dims[d].size();
      if (more == 0) continue;
      const Factors lost = suffix(now_.dims[d], more);
      if (!now_.is_by_axes()) {
        gather(d, product_of(lost, mesh_));
        continue;
      }
      now_.dims[d] = target_.dims[d];
      add({Conversion::Kind::all_gather, axes_of(lost), d, d});
    }
  }

  /// From a replicated value every layout can be reached, by slices and a permute.
  void gather_all() {
    for (Dim d = 0; d < rank_; ++d) gather(d, now_.parts(d, mesh_));
  }

  /// Reaches the target's number of parts in each dimension, whichever devices hold them, then permutes each part to
  /// the device that needs it. A factor that one dimension has in excess moves to a dimension that lacks it. A factor
  /// that no other dimension can supply is sliced; one that no dimension needs is gathered.
  void rearrange(const Beginning& first = {}) {
    if (first.slices) slice_missing();
    if (!arrives) return;
    if (first.gathers_to) {
      gather_minor(*first.gathers_to);
      slice_missing();
      if (!arrives) return;
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
    if (!arrives) return;
    for (const auto& [between, factor] : moves) move(between.first, between.second, factor);
    if (now_.is_by_axes() && only_gathers_left()) {
      gather_rest();
      return;
    }
    if (const auto wide = widened(spare); wide && is_even(*wide)) {
      permute_to(*wide);
      gather_rest();
      return;
    }
    for (Dim d = 0; d < rank_; ++d) gather(d, spare[d]);
    permute_to(target_);
  }

 private:
  // --- Towards the target, axis by axis: both layouts must be by axes
  void slice_wanted(Dim d) {
    auto& have = now_.dims[d];
    const auto& want = target_.dims[d];
    if (!starts_with(want, have)) return;
    Factors more;
    while (have.size() + more.size() < want.size() && !now_.tiled_by(want[have.size() + more.size()].axis()))
      more.push_back(want[have.size() + more.size()]);
    if (more.empty()) return;
    have.insert(have.end(), more.begin(), more.end());
    add({Conversion::Kind::all_slice, axes_of(more), d, d});
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
          const Factors moved = suffix(from, count);
          if (!std::equal(moved.begin(), moved.end(), want.begin() + static_cast<std::ptrdiff_t>(to.size()))) continue;
          from.erase(from.end() - static_cast<std::ptrdiff_t>(count), from.end());
          to.insert(to.end(), moved.begin(), moved.end());
          add({Conversion::Kind::all_to_all, axes_of(moved), i, j});
          return true;
        }
      }
    }
    return false;
  }

  bool gather_blocking_axis(std::int64_t fewest) {
    for (Dim d = 0; d < rank_; ++d) {
      auto& have = now_.dims[d];
      if (starts_with(target_.dims[d], have) || parts_of(now_, mesh_) / have.back().size(mesh_) < fewest) continue;
      const Axis axis = have.back().axis();
      have.pop_back();
      add({Conversion::Kind::all_gather, {axis}, d, d});
      return true;
    }
    return false;
  }

  // --- By numbers of parts
  struct Differences {
    std::vector<std::int64_t> missing;  ///< by dimension: the factor that the target has in addition
    std::vector<std::int64_t> spare;    ///< by dimension: the factor that the target lacks
  };
  [[nodiscard]] Differences differences() const {
    Differences out;
    for (Dim d = 0; d < rank_; ++d) {
      const std::int64_t wanted = product_of(target_.dims[d], mesh_);
      const std::int64_t parts = now_.parts(d, mesh_);
      const std::int64_t common = std::gcd(parts, wanted);
      out.missing.push_back(wanted / common);
      out.spare.push_back(parts / common);
    }
    return out;
  }

  void slice_missing() {
    const std::vector<std::int64_t> missing = differences().missing;
    for (Dim d = 0; d < rank_; ++d) slice_by(d, std::gcd(missing[d], devices_alike()));
  }

  /// Gathers minor axes, those of most parts first, as long as at least `fewest` parts are left.
  void gather_minor(std::int64_t fewest) {
    while (now_.is_by_axes()) {
      Conversion step{Conversion::Kind::all_gather};
      std::int64_t most = 1;
      for (Dim d = 0; d < rank_; ++d) {
        for (std::size_t count = 1; count <= now_.dims[d].size(); ++count) {
          const Factors minor = suffix(now_.dims[d], count);
          const std::int64_t factor = product_of(minor, mesh_);
          if (factor <= most || parts_of(now_, mesh_) / factor < fewest) continue;
          most = factor;
          step.axes = axes_of(minor);
          step.from = step.to = d;
        }
      }
      if (most == 1) return;
      now_.take_minor(step.from, most, mesh_);
      add(std::move(step));
    }
  }

  /// Whether the axis, or the rest of an axis whose digits were used for slices, tiles nothing yet.
  [[nodiscard]] bool is_free(Axis a) const { return used_.at(a) != 1 || (!now_.tiled_by(a) && !now_.pending_over(a)); }

  /// The number of devices that hold the same part because free axes tile nothing.
  [[nodiscard]] std::int64_t devices_alike() const {
    std::int64_t out = 1;
    for (const auto& [axis, used] : used_) out *= is_free(axis) ? mesh_.size(axis) / used : 1;
    return out;
  }

  void slice_by(Dim d, std::int64_t factor) {
    while (factor > 1 && arrives) {
      std::optional<Axis> axis;
      std::int64_t size = 1;
      for (std::size_t k = 0; k < mesh_.rank(); ++k) {
        const Axis a(k);
        const std::int64_t rest = is_free(a) ? mesh_.size(a) / used_[a] : 1;
        // Prefer a whole axis, and among these one that tiles this dimension in the target; otherwise use a prime
        // factor of one.
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
      if (!axis) {  // what is free of one order of the devices need not be of another
        arrives = false;
        return;
      }
      factor /= size;
      Conversion step{Conversion::Kind::all_slice, {*axis}, d, d};
      if (now_.is_by_axes() && size == mesh_.size(*axis)) {
        now_.dims[d].emplace_back(*axis);
      } else {
        step.digit = Conversion::Digit{mesh_.stride(*axis) * used_[*axis], size};
        now_.append(d, Factor::digit(*axis, mesh_.size(*axis) / (used_[*axis] * size), size, mesh_), mesh_);
        used_[*axis] *= size;
      }
      add(std::move(step));
      if (!is_even(now_)) {
        arrives = false;
        return;
      }
    }
  }

  /// Whether each part is on equally many devices. Digits of one order of the devices are not independent of those of
  /// another: a slice of a part that devices 0 and 1 hold, by the minor digit of the number of the device, gives each
  /// of them another half, and one of a part on devices 0 and 2 the same.
  [[nodiscard]] bool is_even(const Layout& layout) const {
    if (layout.is_by_axes()) return true;
    std::map<std::vector<std::int64_t>, std::int64_t> count;
    for (const auto& part : held_parts(layout)) ++count[part];
    return std::all_of(count.begin(), count.end(), [&](const auto& c) { return c.second == count.begin()->second; }) &&
           static_cast<std::int64_t>(count.size()) % parts_of(layout, mesh_) == 0;
  }

  /// Groups of `factor` devices that hold adjacent parts along a dimension, in the order of the parts. Where several
  /// devices hold the same part, each group has one of them.
  [[nodiscard]] Groups neighbours(Dim d, std::int64_t factor) const {
    std::map<std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>> holders;
    const auto held = held_parts(now_);
    for (std::size_t e = 0; e < held.size(); ++e) {
      auto key = held[e];
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

  /// By device: the chunk that it holds of each dimension, and the piece that it holds for each pending reduction.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> held_parts(const Layout& layout) const {
    auto out = parts_held(layout, mesh_);
    for (std::size_t e = 0; e < out.size(); ++e) {
      for (const Pending& p : layout.pending) out[e].push_back(p.over.piece(DeviceId(e), mesh_));
    }
    return out;
  }

  /// The minor axes of a dimension whose sizes multiply to `factor`, if there are such.
  [[nodiscard]] std::optional<std::vector<Axis>> minor_axes(Dim d, std::int64_t factor) const {
    if (!now_.is_by_axes()) return std::nullopt;
    for (std::size_t count = 0; count <= now_.dims[d].size(); ++count) {
      const Factors minor = suffix(now_.dims[d], count);
      if (product_of(minor, mesh_) == factor) return axes_of(minor);
    }
    return std::nullopt;
  }

  void move(Dim from, Dim to, std::int64_t factor) {
    Conversion step{Conversion::Kind::all_to_all, {}, from, to};
    if (const auto axes = minor_axes(from, factor)) {
      step.axes = *axes;
    } else {
      step.groups = neighbours(from, factor);
      step.axes = axes_between(step.groups);
    }
    for (const Factor& f : now_.take_minor(from, factor, mesh_)) now_.append(to, f, mesh_);
    add(std::move(step));
  }

  void gather(Dim d, std::int64_t factor) {
    if (factor == 1) return;
    Conversion step{Conversion::Kind::all_gather, {}, d, d};
    step.groups = neighbours(d, factor);
    step.axes = axes_between(step.groups);
    now_.take_minor(d, factor, mesh_);
    add(std::move(step));
  }

  /// The target with further axes appended to its dimensions, which account for the factors in excess, if free axes
  /// allow it.
  [[nodiscard]] std::optional<Layout> widened(const std::vector<std::int64_t>& spare) const {
    Layout out = target_;
    // Tries each subset of the free axes, dimension by dimension; the first that fits is used.
    const auto fill = [&](const auto& self, Dim d, std::int64_t rest) -> bool {
      if (rest == 1) return d + 1 >= rank_ || self(self, d + 1, spare[d + 1]);
      for (std::size_t k = 0; k < mesh_.rank(); ++k) {
        const Axis a(k);
        if (mesh_.size(a) == 1 || rest % mesh_.size(a) != 0 || out.tiled_by(a) || out.pending_over(a)) continue;
        out.dims[d].emplace_back(a);
        if (self(self, d, rest / mesh_.size(a))) return true;
        out.dims[d].pop_back();
      }
      return false;
    };
    if (rank_ == 0 || fill(fill, 0, spare[0])) return out;
    return std::nullopt;
  }

  /// Sends each device's part to a device that holds it in layout `goal`. Parts that are in place stay.
  void permute_to(const Layout& goal) {
    if (now_ == goal) return;
    Conversion step{Conversion::Kind::permute};
    if (same_parts(now_, goal, mesh_)) {
      step = renamed(goal);
    } else {
      const auto held = held_parts(now_);
      const auto wanted = held_parts(goal);
      std::map<std::vector<std::int64_t>, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> ends;
      for (std::size_t e = 0; e < held.size(); ++e) {
        const auto id = static_cast<std::int64_t>(e);
        if (held[e] == wanted[e]) {
          step.pairs.emplace_back(id, id);
        } else {
          ends[held[e]].first.push_back(id);
          ends[wanted[e]].second.push_back(id);
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
    now_ = goal;
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

  void add(Conversion step) {
    step.after = now_;
    steps.push_back(std::move(step));
  }

  const Mesh& mesh_;
  const Layout& target_;
  Layout now_;
  std::map<Axis, std::int64_t> used_ = ones();  ///< by axis: the product of the digits that slices have used so far
  std::size_t rank_;

  [[nodiscard]] std::map<Axis, std::int64_t> ones() const {
    std::map<Axis, std::int64_t> out;
    for (std::size_t k = 0; k < mesh_.rank(); ++k) out[Axis(k)] = 1;
    return out;
  }
};

}  // namespace

Conversion renamed(const Layout& layout) {
  Conversion out{Conversion::Kind::all_slice, {Axis(0)}};
  out.digit = Conversion::Digit{1, 1};
  out.after = layout;
  return out;
}

std::optional<Plan> straight_plan(const Layout& source, const Layout& target, const Mesh& mesh) {
  if (!source.is_by_axes() || !target.is_by_axes()) return std::nullopt;
  Planner planner(source, target, mesh);
  planner.approach();
  if (!planner.only_gathers_left()) return std::nullopt;
  planner.gather_rest();
  return std::move(planner.steps);
}

std::vector<Plan> plans_between(const Layout& source, const Layout& target, const Mesh& mesh) {
  std::vector<Plan> out;
  const auto planned = [&](const auto& steps) {
    Planner planner(source, target, mesh);
    steps(planner);
    if (planner.arrives) out.push_back(std::move(planner.steps));
  };
  const std::int64_t fewest = std::min(parts_of(source, mesh), parts_of(target, mesh));
  const bool by_axes = source.is_by_axes() && target.is_by_axes();
  if (by_axes) {
    planned([](Planner& p) {
      p.approach();
      p.rearrange();
    });
  }
  planned([](Planner& p) { p.rearrange(); });
  planned([](Planner& p) { p.rearrange({true}); });
  planned([&](Planner& p) { p.rearrange({true, fewest}); });
  planned([&](Planner& p) { p.rearrange({false, fewest}); });
  if (by_axes) {
    planned([&](Planner& p) {
      p.approach_gathering(fewest);
      p.rearrange();
    });
  }
  if (out.empty()) {
    planned([](Planner& p) {
      p.gather_all();
      p.rearrange();
    });
  }
  PARTIR_CHECK(!out.empty(), "no plan leads from one layout to another");
  return out;
}

}  // namespace partir
