#include "search/classes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace partir {
namespace {

/// The places at which groups occur, as sets of numbers: equal sets mean equal places.
class Places {
 public:
  Places(const State& state, const Dimensions& dimensions) : state_(state), dimensions_(dimensions) {}

  std::vector<std::set<std::uint64_t>> of_groups(Likeness likeness) {
    std::vector<std::set<std::uint64_t>> out(dimensions_.groups().size());
    if (likeness == Likeness::itself) {
      for (std::size_t g = 0; g < out.size(); ++g) out[g].insert(g);
    } else if (likeness == Likeness::arguments) {
      for (std::size_t g = 0; g < out.size(); ++g) {
        for (const auto& [argument, dim] : dimensions_.groups()[g].arguments)
          out[g].insert(state_.function().type(state_.function().arguments()[argument]).rank() * 64 + dim);
      }
    } else {
      for (std::size_t site = 0; site < state_.sites(); ++site) {
        if (state_.defines(site).empty()) continue;
        const Form& form = state_.global_form(site);
        for (std::size_t e = 0; e < form.entries().size(); ++e) {
          const Entry& entry = form.entries()[e];
          if (entry.has_partial_operand()) continue;
          const std::uint64_t place = likeness == Likeness::sizes
                                          ? number(&form) * 1024 + e
                                          : number(form.instance().decl) * 1024 + number_of_text(entry.str());
          for (const DimensionOf& d : tiled_together(state_, site, entry)) {
            if (const auto group = dimensions_.group_of(d.value, d.dim)) out[group->index()].insert(place);
          }
        }
      }
    }
    return out;
  }

  /// The place of a conflict: the operation that computes its value, and the dimensions in conflict.
  std::uint64_t of_conflict(const DimensionConflict& c, Likeness likeness) {
    const auto site = state_.defining_site(c.value);
    const void* what = !site ? nullptr
                       : likeness == Likeness::sizes || likeness == Likeness::itself
                           ? static_cast<const void*>(&state_.global_form(*site))
                           : state_.op(*site).decl;
    return (number(what) * 64 + c.first) * 128 + c.second * 2 + (c.swapped ? 1 : 0);
  }

 private:
  std::uint64_t number(const void* what) { return numbers_.try_emplace(what, numbers_.size()).first->second; }
  std::uint64_t number_of_text(const std::string& text) {
    return texts_.try_emplace(text, texts_.size()).first->second;
  }

  const State& state_;
  const Dimensions& dimensions_;
  std::unordered_map<const void*, std::uint64_t> numbers_;  ///< numbered in program order, for determinism
  std::map<std::string, std::uint64_t> texts_;
};

/// By group: the groups that share some value with it.
std::vector<std::set<std::size_t>> neighbours(const State& state, const Dimensions& dimensions) {
  std::vector<std::set<std::size_t>> out(dimensions.groups().size());
  const Function& f = state.function();
  for (std::size_t v = 0; v < f.types.size(); ++v) {
    for (Dim a = 0; a < f.types[v].rank(); ++a) {
      for (Dim b = a + 1; b < f.types[v].rank(); ++b) {
        const auto x = dimensions.group_of(ValueId(v), a);
        const auto y = dimensions.group_of(ValueId(v), b);
        if (!x || !y || x == y) continue;
        out[x->index()].insert(y->index());
        out[y->index()].insert(x->index());
      }
    }
  }
  return out;
}

}  // namespace

DimensionClasses::DimensionClasses(const State& state, const Dimensions& dimensions, const ClassOptions& options) {
  const auto reaches = [](const DimensionGroup& g) { return !g.arguments.empty(); };
  const auto reaching = std::count_if(dimensions.groups().begin(), dimensions.groups().end(), reaches);
  if (!options.shared || static_cast<std::size_t>(reaching) <= options.small) {
    classify(state, dimensions, Likeness::itself);
  } else {
    for (const Likeness likeness : {Likeness::sizes, Likeness::operations, Likeness::arguments}) {
      classify(state, dimensions, likeness);
      if (reaching_ <= options.most) break;
    }
  }
  classify_sets(state, dimensions, options.shared);
}

void DimensionClasses::classify(const State& state, const Dimensions& dimensions, Likeness likeness) {
  likeness_ = likeness;
  classes_.clear();
  const auto places = Places(state, dimensions).of_groups(likeness);
  const auto adjacent = neighbours(state, dimensions);
  // Greedy colouring, in order: each group joins the first class of its places that contains no group sharing a value
  // with it.
  std::map<std::pair<std::set<std::uint64_t>, bool>, std::vector<std::size_t>> known;
  std::vector<DimensionClass> found;
  std::vector<std::size_t> of(places.size());
  for (std::size_t g = 0; g < places.size(); ++g) {
    const bool reaches = !dimensions.groups()[g].arguments.empty();
    auto& same = known[{places[g], reaches}];
    auto it = std::find_if(same.begin(), same.end(), [&](std::size_t c) {
      return std::none_of(found[c].groups.begin(), found[c].groups.end(),
                          [&](GroupId other) { return adjacent[g].contains(other.index()); });
    });
    if (it == same.end()) {
      same.push_back(found.size());
      found.emplace_back();
      it = std::prev(same.end());
    }
    of[g] = *it;
    DimensionClass& c = found[*it];
    const DimensionGroup& group = dimensions.groups()[g];
    c.groups.emplace_back(g);
    c.divisor = std::gcd(c.divisor, group.divisor);
    c.argument_bytes += group.argument_bytes;
    c.arguments += group.arguments.size();
  }
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return found[x].arguments != 0 && found[y].arguments == 0; });
  std::vector<ClassId> renamed(found.size());
  for (const std::size_t c : order) {
    renamed[c] = ClassId(classes_.size());
    classes_.push_back(std::move(found[c]));
  }
  class_of_.clear();
  for (const std::size_t c : of) class_of_.push_back(renamed[c]);
  reaching_ = static_cast<std::size_t>(
      std::count_if(classes_.begin(), classes_.end(), [](const DimensionClass& c) { return c.arguments != 0; }));
}

void DimensionClasses::classify_sets(const State& state, const Dimensions& dimensions, bool shared) {
  Places places(state, dimensions);
  std::map<std::pair<std::set<std::uint64_t>, std::size_t>, std::size_t> known;
  for (std::size_t s = 0; s < dimensions.sets().size(); ++s) {
    const ResolutionSet& set = dimensions.sets()[s];
    std::set<std::uint64_t> key;
    for (const std::size_t c : set.conflicts) key.insert(places.of_conflict(dimensions.conflicts()[c], likeness_));
    const auto [it, fresh] = known.emplace(std::pair(std::move(key), shared ? 0 : s), resolutions_.size());
    if (fresh) resolutions_.emplace_back();
    ResolutionClass& r = resolutions_[it->second];
    r.sets.emplace_back(s);
    const ClassId c = class_of(set.group);
    if (std::find(r.dimension_classes.begin(), r.dimension_classes.end(), c) == r.dimension_classes.end())
      r.dimension_classes.push_back(c);
  }
}

}  // namespace partir
