#include "search/neighbours.h"

#include <algorithm>
#include <set>
#include <utility>

namespace partir {
namespace {

/// Number of families, the largest ones, that are tiled or excluded from ZeRO individually.
std::size_t single_families(const SearchSpace& space) {
  return space.by_argument() ? space.families().size() : std::min<std::size_t>(space.families().size(), 16);
}

PlanStep shard(ClassId c, Axis axis) {
  PlanStep out;
  out.axis = axis;
  out.what = static_cast<std::uint32_t>(c.index());
  return out;
}

PlanStep exchange_step(std::size_t index, Axis axis) {
  PlanStep out;
  out.kind = PlanStep::Kind::exchange;
  out.axis = axis;
  out.what = static_cast<std::uint32_t>(index);
  return out;
}

PlanStep zero(PlanStep::Kind kind, Axis axis, std::uint64_t families) {
  PlanStep out;
  out.kind = kind;
  out.axis = axis;
  out.families = families;
  return out;
}

/// All ways to tile dimensions of a family along the first `axes` axes of the space.
Decision tiles_of(std::size_t family, const SearchSpace& space, std::size_t axes) {
  Decision out{Plan()};
  for (std::size_t a = 0; a < axes; ++a) {
    const std::size_t before = out.size();
    for (std::size_t k = 0; k < before; ++k) {
      for (Dim d = 0; d < space.families()[family].rank; ++d) {
        Plan p = out[k];
        PlanStep& step = p.emplace_back();
        step.kind = PlanStep::Kind::tile;
        step.axis = space.axes()[a];
        step.what = static_cast<std::uint32_t>(family);
        step.dim = d;
        out.push_back(std::move(p));
      }
    }
  }
  return out;
}

class Moves {
 public:
  Moves(const Plan& plan, const SearchSpace& space) : plan_(plan), space_(space) { seen_.insert(plan); }

  Neighbourhood all() {
    drop();
    rename_axes();
    if (!space_.by_argument()) zero_moves();
    add_exchanges();
    add_classes();
    exchange_classes();
    choose_resolutions();
    reorder();
    const std::size_t classes = out_.size();
    families();
    change_joint_tiles();
    const std::size_t single = out_.size();
    pairs();
    return {std::move(out_), classes, single};
  }

 private:
  void add_plan(Plan plan) {
    if (seen_.insert(plan).second) out_.push_back(std::move(plan));
  }
  [[nodiscard]] bool has(const PlanStep& step) const {
    return std::any_of(plan_.begin(), plan_.end(), [&](const PlanStep& s) {
      return s.kind == step.kind && s.axis == step.axis && s.what == step.what && s.dim == step.dim;
    });
  }
  [[nodiscard]] bool fits(const PlanStep& s) const {
    return s.kind != PlanStep::Kind::shard || space_.can_tile(s.axis, ClassId(s.what));
  }

  void drop() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      Plan p = plan_;
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
      add_plan(std::move(p));
    }
  }

  void rename_axes() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      for (const Axis a : space_.axes()) {
        Plan p = plan_;
        p[k].axis = a;
        if (fits(p[k])) add_plan(std::move(p));
      }
    }
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      for (std::size_t k = i + 1; k < plan_.size(); ++k) {
        Plan p = plan_;
        std::swap(p[i].axis, p[k].axis);
        if (fits(p[i]) && fits(p[k])) add_plan(std::move(p));
      }
    }
    for (const Axis a : space_.axes()) {
      for (const Axis b : space_.axes()) {
        if (b <= a) continue;
        Plan p = with_axes_exchanged(plan_, a, b);
        if (std::all_of(p.begin(), p.end(), [&](const PlanStep& s) { return fits(s); })) add_plan(std::move(p));
      }
    }
  }

  void zero_moves() {
    for (const Axis a : space_.axes()) {
      for (const auto kind : {PlanStep::Kind::zero_all, PlanStep::Kind::zero_state}) {
        for (const std::uint64_t families : {space_.large_families(), space_.all_families()}) {
          Plan p = plan_;
          std::erase_if(p, [&](const PlanStep& s) { return s.is_zero() && s.axis == a; });
          p.push_back(zero(kind, a, families));
          add_plan(std::move(p));
        }
      }
    }
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      if (!plan_[k].is_zero()) continue;
      for (std::size_t f = 0; f < single_families(space_); ++f) {
        Plan p = plan_;
        p[k].families ^= std::uint64_t{1} << f;
        add_plan(std::move(p));
      }
    }
  }

  void add_with_step(const PlanStep& step, std::size_t at) {
    Plan p = plan_;
    p.insert(p.begin() + static_cast<std::ptrdiff_t>(at), step);
    add_plan(std::move(p));
  }

  /// Inserts the step at its position in the canonical order, at the end, and at the beginning.
  void add_step(const PlanStep& step) {
    if (has(step)) return;
    const auto& order = space_.order();
    const auto rank = [&](const PlanStep& s) -> std::size_t {
      if (s.kind != PlanStep::Kind::shard) return order.size();
      return static_cast<std::size_t>(std::find(order.begin(), order.end(), ClassId(s.what)) - order.begin());
    };
    const auto behind = [&](const PlanStep& s) { return rank(s) > rank(step); };
    add_with_step(step, static_cast<std::size_t>(std::find_if(plan_.begin(), plan_.end(), behind) - plan_.begin()));
    add_with_step(step, plan_.size());
    add_with_step(step, 0);
  }

  void add_exchanges() {
    for (std::size_t e = 0; e < space_.exchanges().size(); ++e) {
      for (const Axis a : space_.axes()) {
        if (!has(exchange_step(e, a))) add_with_step(exchange_step(e, a), 0);
      }
    }
  }

  void add_classes() {
    for (const ClassId c : space_.order()) {
      for (const Axis a : space_.axes()) {
        if (space_.can_tile(a, c)) add_step(shard(c, a));
      }
    }
  }

  void exchange_classes() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      if (plan_[k].kind != PlanStep::Kind::shard) continue;
      for (const ClassId c : space_.order()) {
        Plan p = plan_;
        p[k] = shard(c, plan_[k].axis);
        if (fits(p[k]) && !has(p[k])) add_plan(std::move(p));
      }
    }
  }

  void choose_resolutions() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      if (plan_[k].kind != PlanStep::Kind::shard) continue;
      const auto about = space_.resolutions_of(ClassId(plan_[k].what));
      for (const std::uint64_t choice : {0, 1, 2}) {
        Plan all = plan_;
        for (const std::size_t r : about) {
          Plan p = plan_;
          for (Plan* q : {&p, &all})
            (*q)[k].resolutions = ((*q)[k].resolutions & ~(std::uint64_t{3} << (2 * r))) | (choice << (2 * r));
          add_plan(std::move(p));
        }
        add_plan(std::move(all));
      }
    }
  }

  void reorder() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      for (const std::size_t to : {std::size_t{0}, plan_.size() - 1, k + 1}) {
        if (to >= plan_.size() || to == k) continue;
        Plan p = plan_;
        p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
        p.insert(p.begin() + static_cast<std::ptrdiff_t>(to), plan_[k]);
        add_plan(std::move(p));
      }
    }
  }

  void families() {
    for (std::size_t f = 0; f < single_families(space_); ++f) {
      for (const Axis a : space_.axes()) {
        PlanStep step;
        step.axis = a;
        step.what = static_cast<std::uint32_t>(f);
        step.kind = PlanStep::Kind::tile;
        for (step.dim = 0; step.dim < space_.families()[f].rank; ++step.dim) {
          if (has(step)) continue;
          add_with_step(step, plan_.size());
          add_with_step(step, 0);
        }
        step.kind = PlanStep::Kind::keep;
        step.dim = 0;
        if (!has(step)) add_with_step(step, 0);
      }
    }
  }

  /// Every dimension of the families that are decided individually.
  [[nodiscard]] std::vector<FamilyTile> tiles() const {
    std::vector<FamilyTile> out;
    for (std::size_t f = 0; f < single_families(space_); ++f) {
      for (Dim d = 0; d < space_.families()[f].rank; ++d) out.push_back({static_cast<std::uint32_t>(f), d});
    }
    return out;
  }

  /// Adds or removes one tile in the tactic of a step.
  void change_joint_tiles() {
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      for (const FamilyTile& t : tiles()) {
        const auto of_family = [&](const FamilyTile& other) { return other.family == t.family; };
        const bool named = plan_[k].kind == PlanStep::Kind::tile || plan_[k].kind == PlanStep::Kind::keep;
        Plan p = plan_;
        auto& with = p[k].with;
        if (const auto known = std::find(with.begin(), with.end(), t); known != with.end()) {
          with.erase(known);
        } else if (std::none_of(with.begin(), with.end(), of_family) && !(named && plan_[k].what == t.family)) {
          with.insert(std::lower_bound(with.begin(), with.end(), t), t);
        }
        add_plan(std::move(p));
      }
    }
  }

  /// Adds two tiles in one tactic, which may help together although neither helps alone.
  void pairs() {
    const std::vector<FamilyTile> all = tiles();
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t k = i + 1; k < all.size(); ++k) {
        if (all[i].family == all[k].family) continue;
        PlanStep step;
        step.kind = PlanStep::Kind::tile;
        step.what = all[i].family;
        step.dim = all[i].dim;
        step.with = {all[k]};
        for (const Axis a : space_.axes()) {
          step.axis = a;
          add_with_step(step, plan_.size());
          add_with_step(step, 0);
        }
      }
    }
  }

  const Plan& plan_;
  const SearchSpace& space_;
  std::set<Plan> seen_;
  std::vector<Plan> out_;
};

}  // namespace

std::vector<Decision> decisions_of(const SearchSpace& space, const std::vector<std::size_t>& exchanges) {
  std::vector<Decision> out;
  const std::size_t axes = std::min<std::size_t>(space.axes().size(), 3);
  for (const std::size_t e : exchanges) {
    Decision& options = out.emplace_back(Decision{Plan()});
    for (std::size_t subset = 1; subset < (std::size_t{1} << axes); ++subset) {
      Plan& p = options.emplace_back();
      for (std::size_t a = 0; a < axes; ++a) {
        if (((subset >> a) & 1) != 0) p.push_back(exchange_step(e, space.axes()[a]));
      }
    }
  }
  for (const ClassId c : space.order()) {
    Decision options{Plan()};
    for (std::size_t subset = 1; subset < (std::size_t{1} << axes); ++subset) {
      Plan p;
      for (std::size_t a = 0; a < axes; ++a) {
        if (((subset >> a) & 1) != 0) p.push_back(shard(c, space.axes()[a]));
      }
      const auto divides = [&](const PlanStep& s) { return space.divides(s.axis, c); };
      if (std::all_of(p.begin(), p.end(), divides) || (p.size() == 1 && space.can_tile(p[0].axis, c)))
        options.push_back(std::move(p));
    }
    out.push_back(std::move(options));
  }
  if (space.by_argument()) {
    for (std::size_t f = 0; f < space.families().size(); ++f) out.push_back(tiles_of(f, space, axes));
    return out;
  }
  for (const Axis a : space.axes()) {
    out.push_back({Plan(),
                   {zero(PlanStep::Kind::zero_state, a, space.large_families())},
                   {zero(PlanStep::Kind::zero_all, a, space.large_families())}});
  }
  return out;
}

Plan with_axes_exchanged(Plan plan, Axis a, Axis b) {
  for (PlanStep& s : plan) s.axis = s.axis == a ? b : s.axis == b ? a : s.axis;
  return plan;
}

std::vector<Plan> plans_of_exchange(const SearchSpace& space, std::size_t exchange) {
  std::vector<Plan> out;
  Plan whole;
  for (const Axis a : space.axes()) {
    whole.push_back(exchange_step(exchange, a));
    out.push_back({whole.back()});
  }
  if (whole.size() > 1) out.push_back(std::move(whole));
  return out;
}

std::vector<Plan> starting_plans(const SearchSpace& space) {
  std::vector<Plan> out{Plan()};
  for (const ClassId c : space.order()) {
    Plan whole;
    for (const Axis a : space.axes()) {
      if (space.divides(a, c)) whole.push_back(shard(c, a));
      if (space.can_tile(a, c)) out.push_back({shard(c, a)});
    }
    if (whole.size() > 1) out.push_back(whole);
    for (const auto kind : {PlanStep::Kind::zero_all, PlanStep::Kind::zero_state}) {
      Plan p = whole;
      for (const Axis a : space.axes()) p.push_back(zero(kind, a, space.large_families()));
      out.push_back(std::move(p));
    }
  }
  return out;
}

Neighbourhood neighbours(const Plan& plan, const SearchSpace& space) { return Moves(plan, space).all(); }

}  // namespace partir
