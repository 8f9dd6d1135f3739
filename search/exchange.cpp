#include "search/exchange.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "search/value_labels.h"
#include "simulate/operation_cost.h"

namespace partir {
namespace {

/// The dimensions of the values of a program by class.
class Occurrences {
 public:
  Occurrences(const State& state, const Dimensions& dimensions, const DimensionClasses& classes) {
    of_value_.resize(state.function().types.size());
    for (std::size_t v = 0; v < of_value_.size(); ++v) {
      for (Dim d = 0; d < state.function().types[v].rank(); ++d) {
        if (const auto group = dimensions.group_of(ValueId(v), d)) of_value_[v].emplace(classes.class_of(*group), d);
      }
    }
  }
  /// The dimension of the value that has this class; the first if several have it.
  [[nodiscard]] std::optional<Dim> dim(ValueId v, ClassId c) const {
    const auto it = of_value_[v.index()].find(c);
    return it == of_value_[v.index()].end() ? std::nullopt : std::optional(it->second);
  }
  [[nodiscard]] bool has(ValueId v, ClassId c) const { return dim(v, c).has_value(); }
  /// The classes that occur on a value.
  [[nodiscard]] std::vector<ClassId> classes(ValueId v) const {
    std::vector<ClassId> out;
    for (const auto& [c, d] : of_value_[v.index()]) out.push_back(c);
    return out;
  }

 private:
  std::vector<std::map<ClassId, Dim>> of_value_;
};

/// The matrix products of a program: by site, the values that they read and compute.
std::map<std::size_t, std::vector<ValueId>> products_of(const State& state) {
  std::map<std::size_t, std::vector<ValueId>> out;
  OperationCosts costs;
  for (std::size_t site = 0; site < state.operations(); ++site) {
    const Op& op = state.op(site);
    if (!is_matrix(op) || !costs.of(state.function(), op).matrix) continue;
    std::vector<ValueId>& values = out[site];
    values = state.reads(site);
    values.insert(values.end(), state.defines(site).begin(), state.defines(site).end());
  }
  return out;
}

std::vector<std::size_t> sites_in_program_order(const State& state) {
  std::vector<std::size_t> out(state.sites());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return state.order(a) < state.order(b); });
  return out;
}

/// The guest's arguments have at least this part of the bytes of all. With less, it is not what makes the products slow.
constexpr double kLeastPart = 0.01;

/// Finds the exchange of two classes.
class Pair {
 public:
  Pair(const State& state, const Dimensions& dimensions, const DimensionClasses& classes, const Occurrences& where,
       const std::map<std::size_t, std::vector<ValueId>>& products, const std::vector<std::size_t>& program_order,
       ClassId host, ClassId guest)
      : s_(state), where_(where), products_(products), host_(host), guest_(guest) {
    guests_.resize(s_.sites());
    for (const auto& [site, values] : products_) guests_[site] = is_guests(values);
    // Other operations follow what they read.
    std::vector<bool> computed_by_guest(s_.function().types.size(), false);
    for (const std::size_t site : program_order) {
      if (!products_.contains(site)) {
        const auto& reads = s_.reads(site);
        guests_[site] =
            std::any_of(reads.begin(), reads.end(), [&](ValueId v) { return computed_by_guest[v.index()]; });
      }
      for (const ValueId v : s_.defines(site)) computed_by_guest[v.index()] = guests_[site] && has_both(v);
    }
    find_boundaries(computed_by_guest);
    find_arguments(dimensions, classes);
  }

  /// Whether the tile changes in both directions, and the guest is worth it.
  [[nodiscard]] bool is_worthwhile() const {
    double all = 0;
    double guest = 0;
    for (const ValueId v : s_.function().arguments()) all += static_cast<double>(s_.function().type(v).bytes());
    for (const auto& [i, dim] : arguments_)
      guest += static_cast<double>(s_.function().type(s_.function().arguments()[i]).bytes());
    return to_guest_ && to_host_ && guest >= kLeastPart * all;
  }
  [[nodiscard]] const std::map<ValueId, Dim>& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<std::pair<std::size_t, Dim>>& arguments() const { return arguments_; }

 private:
  [[nodiscard]] bool has_both(ValueId v) const { return where_.has(v, host_) && where_.has(v, guest_); }
  [[nodiscard]] bool has_only(ValueId v, ClassId c, ClassId other) const {
    return where_.has(v, c) && !where_.has(v, other);
  }
  /// Whether a product of these values is the guest's: it has the guest's class somewhere without the host's, and not
  /// the reverse.
  [[nodiscard]] bool is_guests(const std::vector<ValueId>& values) const {
    const auto some = [&](ClassId c, ClassId other) {
      return std::any_of(values.begin(), values.end(), [&](ValueId v) { return has_only(v, c, other); });
    };
    return some(guest_, host_) && !some(host_, guest_);
  }

  void find_boundaries(const std::vector<bool>& computed_by_guest) {
    for (std::size_t site = 0; site < s_.operations(); ++site) {
      if (s_.op(site).decl->kind == OpDecl::Kind::terminator) continue;
      for (const ValueId v : s_.reads(site)) {
        if (!has_both(v) || s_.is_constant(v) || s_.argument_number(v)) continue;
        if (computed_by_guest[v.index()] == guests_[site]) continue;
        wanted_.emplace(v, *where_.dim(v, guests_[site] ? guest_ : host_));
        (guests_[site] ? to_guest_ : to_host_) = true;
      }
    }
  }

  /// The guest's arguments from which operations that keep its dimension lead to products of the guest only.
  void find_arguments(const Dimensions& dimensions, const DimensionClasses& classes) {
    for (const GroupId g : classes.classes()[guest_.index()].groups) {
      for (const auto& [argument, dim] : dimensions.group(g).arguments) {
        const ValueId v = s_.function().arguments()[argument];
        if (has_only(v, guest_, host_) && leads_to_guest(v)) arguments_.emplace_back(argument, dim);
      }
    }
  }

  [[nodiscard]] bool leads_to_guest(ValueId from) const {
    bool some = false;
    std::set<ValueId> seen{from};
    for (std::vector<ValueId> next{from}; !next.empty();) {
      const ValueId v = next.back();
      next.pop_back();
      for (const State::Use& use : s_.uses(v)) {
        if (products_.contains(use.site)) {
          if (!guests_[use.site]) return false;
          some = true;
          continue;
        }
        for (const ValueId to : s_.defines(use.site)) {
          if (has_only(to, guest_, host_) && seen.insert(to).second) next.push_back(to);
        }
      }
    }
    return some;
  }

  const State& s_;
  const Occurrences& where_;
  const std::map<std::size_t, std::vector<ValueId>>& products_;
  ClassId host_;
  ClassId guest_;
  std::vector<bool> guests_;  ///< by site: whether it belongs to the guest
  std::map<ValueId, Dim> wanted_;
  bool to_guest_ = false;
  bool to_host_ = false;
  std::vector<std::pair<std::size_t, Dim>> arguments_;
};

}  // namespace

std::vector<Exchange> exchanges_of(const Session& session, const Dimensions& dimensions,
                                   const DimensionClasses& classes) {
  const State& state = session.state();
  const Occurrences where(state, dimensions, classes);
  const auto products = products_of(state);
  std::set<std::pair<ClassId, ClassId>> pairs;  // that occur together on a value of a product
  for (const auto& [site, values] : products) {
    for (const ValueId v : values) {
      const auto some = where.classes(v);
      for (const ClassId a : some) {
        for (const ClassId b : some) {
          if (a != b && a.index() < classes.reaching_arguments() && b.index() < classes.reaching_arguments())
            pairs.emplace(a, b);
        }
      }
    }
  }
  const ValueLabels labels(session.main());
  const std::vector<std::size_t> program_order = sites_in_program_order(state);
  std::vector<Exchange> out;
  for (const auto& [host, guest] : pairs) {
    const Pair pair(state, dimensions, classes, where, products, program_order, host, guest);
    if (!pair.is_worthwhile()) continue;
    Exchange e{host, guest, pair.arguments(), {}};
    for (auto& [value, dim] : labels.labelled(pair.wanted(), true)) e.values.push_back({std::move(value), dim});
    if (!e.values.empty()) out.push_back(std::move(e));
  }
  return out;
}

}  // namespace partir
