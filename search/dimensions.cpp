#include "search/dimensions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "search/union_find.h"

namespace partir {
namespace {

std::int64_t size_of(const Function& f, DimensionOf d) { return f.type(d.value)->dims[d.dim]; }

/// Whether the operation rearranges all elements of its operand, without adding or dropping any.
bool only_rearranges(const State& state, std::size_t site) {
  const auto& reads = state.reads(site);
  const auto& defines = state.defines(site);
  const Function& f = state.function();
  return reads.size() == 1 && defines.size() == 1 && f.type(reads[0]).is_tensor() && f.type(defines[0]).is_tensor() &&
         f.type(reads[0])->elements() == f.type(defines[0])->elements();
}

template <class F>
void for_each_entry(const State& state, F&& f) {
  for (std::size_t site = 0; site < state.sites(); ++site) {
    if (state.defines(site).empty()) continue;
    for (const Entry& entry : state.global_form(site).entries()) {
      if (!entry.has_partial_operand()) f(site, entry);
    }
  }
}

}  // namespace

std::vector<DimensionOf> tiled_together(const State& state, std::size_t site, const Entry& entry) {
  std::vector<DimensionOf> out;
  const auto& reads = state.reads(site);
  const auto& defines = state.defines(site);
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (entry.operands[k].is_tile()) out.push_back({reads[k], entry.operands[k].dim});
  }
  for (std::size_t k = 0; k < defines.size(); ++k) {
    if (entry.results[k].is_tile()) out.push_back({defines[k], entry.results[k].dim});
  }
  return out;
}

std::vector<DimensionOf> named_alike(const State& state, std::size_t site, const Entry& entry) {
  std::vector<DimensionOf> out = tiled_together(state, site, entry);
  if (out.empty() || only_rearranges(state, site)) return out;
  const std::int64_t size = size_of(state.function(), out[0]);
  std::erase_if(out, [&](const DimensionOf& d) { return size_of(state.function(), d) != size; });
  return out;
}

Dimensions::Dimensions(const State& state) {
  const Function& f = state.function();
  std::size_t count = 0;
  for (const Type& type : f.types) {
    first_.push_back(count);
    count += type.rank();
  }
  first_.push_back(count);
  UnionFind names(count);
  for_each_entry(state, [&](std::size_t site, const Entry& entry) {
    const auto alike = named_alike(state, site, entry);
    for (std::size_t k = 1; k < alike.size(); ++k) {
      names.join(first_[alike[0].value.index()] + alike[0].dim, first_[alike[k].value.index()] + alike[k].dim);
    }
  });
  // Groups are numbered in the order in which a reader meets them: arguments first, then program order.
  group_of_.resize(count);
  std::vector<std::optional<GroupId>> by_root(count);
  const auto visit = [&](ValueId v) {
    const Type& type = f.type(v);
    for (Dim d = 0; d < type.rank(); ++d) {
      if (type->dims[d] <= 1) continue;
      const std::size_t number = first_[v.index()] + d;
      auto& id = by_root[names.find(number)];
      if (!id) {
        id = GroupId(groups_.size());
        groups_.emplace_back();
      }
      group_of_[number] = *id;
      DimensionGroup& group = groups_[id->index()];
      group.divisor = std::gcd(group.divisor, type->dims[d]);
      ++group.occurrences;
      ++named_;
    }
  };
  for (const ValueId v : f.arguments()) visit(v);
  for (std::size_t site = 0; site < state.sites(); ++site) {
    for (const ValueId v : state.defines(site)) visit(v);
  }
  number_groups(state);
  find_conflicts(state);
  join_resolutions(state);
}

std::optional<GroupId> Dimensions::group_of(ValueId v, Dim dim) const { return group_of_[first_[v.index()] + dim]; }

void Dimensions::number_groups(const State& state) {
  const Function& f = state.function();
  const auto reach = [&](const std::vector<ValueId>& values, auto member, bool bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<GroupId> seen;
      for (Dim d = 0; d < f.type(values[i]).rank(); ++d) {
        const auto id = group_of(values[i], d);
        if (!id) continue;
        (groups_[id->index()].*member).emplace_back(i, d);
        if (bytes && std::find(seen.begin(), seen.end(), *id) == seen.end()) {
          groups_[id->index()].argument_bytes += static_cast<double>(f.type(values[i]).bytes());
          seen.push_back(*id);
        }
      }
    }
  };
  reach(f.arguments(), &DimensionGroup::arguments, true);
  reach(f.returned(), &DimensionGroup::results, false);
}

void Dimensions::find_conflicts(const State& state) {
  const Function& f = state.function();
  const auto visit = [&](ValueId v) {
    const std::size_t rank = f.type(v).rank();
    for (Dim a = 0; a < rank; ++a) {
      for (Dim b = a + 1; b < rank; ++b) {
        const auto group = group_of(v, a);
        if (group && group == group_of(v, b)) conflicts_.push_back({v, a, b, *group, {}, false});
      }
    }
  };
  for (const ValueId v : f.arguments()) visit(v);
  for (std::size_t site = 0; site < state.sites(); ++site) {
    for (const ValueId v : state.defines(site)) visit(v);
  }
}

/// Nodes are oriented pairs: node 2k keeps the first dimension of conflict k tiled, node 2k + 1 the second. An
/// operation that tiles v.a with w.a' by one entry and v.b with w.b' by another carries the choice "a, not b" at v to
/// "a', not b'" at w.
void Dimensions::join_resolutions(const State& state) {
  std::map<std::tuple<ValueId, Dim, Dim>, std::size_t> node;
  std::vector<bool> in_conflict(state.function().types.size(), false);
  for (std::size_t k = 0; k < conflicts_.size(); ++k) {
    const DimensionConflict& c = conflicts_[k];
    node[{c.value, c.first, c.second}] = 2 * k;
    node[{c.value, c.second, c.first}] = 2 * k + 1;
    in_conflict[c.value.index()] = true;
  }
  UnionFind choices(2 * conflicts_.size());
  for (std::size_t site = 0; site < state.sites(); ++site) {
    const auto has_conflict = [&](ValueId v) { return in_conflict[v.index()]; };
    const auto& reads = state.reads(site);
    const auto& defines = state.defines(site);
    if (std::count_if(reads.begin(), reads.end(), has_conflict) +
            std::count_if(defines.begin(), defines.end(), has_conflict) <
        2)
      continue;
    std::vector<std::vector<DimensionOf>> entries;
    for (const Entry& entry : state.global_form(site).entries()) {
      if (entry.has_partial_operand()) continue;
      entries.push_back(named_alike(state, site, entry));
      std::erase_if(entries.back(), [&](const DimensionOf& d) { return !has_conflict(d.value); });
    }
    for (const auto& kept : entries) {
      for (const auto& given_up : entries) {
        std::optional<std::size_t> one;
        for (const DimensionOf& a : kept) {
          for (const DimensionOf& b : given_up) {
            const auto it = a.value == b.value ? node.find({a.value, a.dim, b.dim}) : node.end();
            if (it == node.end()) continue;
            if (one) choices.join(*one, it->second);
            one = it->second;
          }
        }
      }
    }
  }
  std::map<std::size_t, ResolutionId> by_root;
  for (std::size_t k = 0; k < conflicts_.size(); ++k) {
    const std::size_t first = choices.find(2 * k);
    const std::size_t second = choices.find(2 * k + 1);
    const auto [it, fresh] = by_root.emplace(std::min(first, second), ResolutionId(sets_.size()));
    if (fresh) sets_.push_back({conflicts_[k].group, {}, first == second});
    conflicts_[k].set = it->second;
    conflicts_[k].swapped = second < first;
    sets_[it->second.index()].conflicts.push_back(k);
  }
}

}  // namespace partir
