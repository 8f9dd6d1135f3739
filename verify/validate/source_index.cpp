// Explains arrays of the partitioned program as parts of a source value: as they are, scaled, or combined over some
// mesh axes. Candidates are the source values that contain the first element; strides and offsets follow from its
// neighbours.
#include "verify/validate/source_index.h"

#include <algorithm>
#include <bit>
#include <set>

namespace partir::validate {
namespace {

constexpr std::size_t kMostPlaces = 12;   ///< most source values recorded for one element
constexpr std::size_t kMostSubsets = 16;  ///< most sets of axes that are tried

}  // namespace

void SourceIndex::add(std::string name, const Array& value) {
  names_.push_back(std::move(name));
  values_.emplace_back();
  Elements& own = values_.back();
  own.reserve(value.data.size());
  const auto number = static_cast<std::uint32_t>(values_.size() - 1);
  for (const Element e : value.data) {
    const Element c = algebra_.canonical(e);
    own.push_back(c);
    if (algebra_.known(c)) continue;
    auto& places = where_[c];
    // Only the first position in each value is recorded.
    if (places.size() < kMostPlaces && (places.empty() || places.back().value != number))
      places.push_back({number, static_cast<std::uint32_t>(own.size() - 1)});
  }
}

std::optional<std::int64_t> SourceIndex::position_in(std::size_t value, Element e) const {
  const auto it = where_.find(e);
  if (it == where_.end()) return std::nullopt;
  for (const Where& w : it->second) {
    if (w.value == value) return w.position;
  }
  return std::nullopt;
}

std::vector<SourceIndex::Elements> SourceIndex::canonical(const DeviceArrays& arrays) {
  std::vector<Elements> out(arrays.size());
  for (std::size_t d = 0; d < arrays.size(); ++d) {
    if (d > 0 && arrays[d] == arrays[d - 1]) {
      out[d] = out[d - 1];
      continue;
    }
    out[d].reserve(arrays[d]->data.size());
    for (const Element e : arrays[d]->data) out[d].push_back(algebra_.canonical(e));
  }
  return out;
}

std::optional<Explanation> SourceIndex::placed(const std::vector<Elements>& arrays,
                                               const std::vector<std::int64_t>& dims,
                                               const std::vector<bool>& represents,
                                               std::optional<std::size_t>* misplaced) {
  const Elements& first = arrays[0];
  const auto is_open = [&](Element e) { return !algebra_.known(e).has_value(); };
  std::size_t start = 0;
  while (start < first.size() && !is_open(first[start])) ++start;
  if (start == first.size()) return std::nullopt;
  const auto it = where_.find(first[start]);
  if (it == where_.end()) return std::nullopt;
  const auto steps = strides_of(dims);
  for (const Where& candidate : it->second) {
    const std::size_t v = candidate.value;
    const Elements& whole = values_[v];
    // The distance in the source value between neighbours along each dimension.
    std::vector<std::int64_t> strides(dims.size(), 0);
    bool found_all = true;
    for (std::size_t d = 0; d < dims.size() && found_all; ++d) {
      if (dims[d] <= 1) continue;
      bool found = false;
      for (std::size_t i = 0; i < first.size() && !found; ++i) {
        if (static_cast<std::int64_t>(i) / steps[d] % dims[d] + 1 >= dims[d]) continue;
        const Element a = first[i];
        const Element b = first[i + static_cast<std::size_t>(steps[d])];
        if (!is_open(a) || !is_open(b)) continue;
        const auto p = position_in(v, a);
        const auto q = position_in(v, b);
        if (!p || !q) break;
        strides[d] = *q - *p;
        found = true;
      }
      found_all = found;
    }
    if (!found_all) continue;
    const auto offset = [&](std::size_t i) {
      std::int64_t out = 0;
      for (std::size_t d = 0; d < dims.size(); ++d)
        out += static_cast<std::int64_t>(i) / steps[d] % dims[d] * strides[d];
      return out;
    };
    std::vector<std::int64_t> bases(arrays.size(), 0);
    bool all = true;
    for (std::size_t d = 0; d < arrays.size() && all; ++d) {
      if (!represents[d]) continue;
      const Elements& part = arrays[d];
      std::size_t at = 0;
      while (at < part.size() && !is_open(part[at])) ++at;
      const auto p = at < part.size() ? position_in(v, part[at]) : std::nullopt;
      if (!p) {
        all = false;
        break;
      }
      bases[d] = *p - offset(at);
      for (std::size_t i = 0; i < part.size() && all; ++i) {
        const std::int64_t position = bases[d] + offset(i);
        all = position >= 0 && position < static_cast<std::int64_t>(whole.size()) &&
              whole[static_cast<std::size_t>(position)] == part[i];
      }
    }
    if (!all) continue;
    // The offset of a part must be a sum over mesh axes of coordinate times a stride that is not negative.
    const std::size_t origin = mesh_.device_at(0).index();
    Explanation out;
    out.value = v;
    bool affine = true;
    for (std::size_t a = 0; a < mesh_.rank(); ++a) {
      const Axis axis(a);
      const std::size_t next = mesh_.size(axis) > 1 ? mesh_.device_at(mesh_.stride(axis)).index() : origin;
      const bool counts = next != origin && represents[next] && represents[origin];
      out.axis_strides.push_back(counts ? bases[next] - bases[origin] : 0);
      affine = affine && out.axis_strides.back() >= 0;
    }
    for (std::size_t d = 0; d < arrays.size() && affine; ++d) {
      if (!represents[d]) continue;
      std::int64_t base = bases[origin];
      for (std::size_t a = 0; a < mesh_.rank(); ++a)
        base += mesh_.coordinate(DeviceId(d), Axis(a)) * out.axis_strides[a];
      affine = base == bases[d];
    }
    if (affine) return out;
    if (misplaced != nullptr && !*misplaced) *misplaced = v;
  }
  return std::nullopt;
}

std::optional<Explanation> SourceIndex::explain(const DeviceArrays& arrays, std::optional<std::size_t>* misplaced) {
  for (const ArrayPtr& a : arrays) {
    if (a == nullptr) return Explanation{.constant = true};  // not all devices ran it
  }
  const std::vector<Elements> own = canonical(arrays);
  const bool constant = std::all_of(own.begin(), own.end(), [&](const Elements& list) {
    return std::all_of(list.begin(), list.end(), [&](Element e) { return algebra_.known(e).has_value(); });
  });
  if (constant) return Explanation{.constant = true};
  const TensorType& type = arrays[0]->type;
  std::vector<bool> represents(arrays.size(), true);
  if (auto out = placed(own, type.dims, represents, misplaced)) return out;
  // Try reductions over some of the axes.
  const bool combines = is_float(type.element) || is_integer(type.element);
  if (!combines) return std::nullopt;
  std::vector<std::size_t> subsets;
  for (std::size_t bits = 1; bits < (std::size_t{1} << mesh_.rank()) && subsets.size() < kMostSubsets; ++bits) {
    bool real = true;
    for (std::size_t a = 0; a < mesh_.rank(); ++a) real = real && (((bits >> a) & 1) == 0 || mesh_.size(Axis(a)) > 1);
    if (real) subsets.push_back(bits);
  }
  std::stable_sort(subsets.begin(), subsets.end(),
                   [](std::size_t a, std::size_t b) { return std::popcount(a) < std::popcount(b); });
  const auto axes_of = [&](std::size_t bits) {
    std::vector<Axis> axes;
    for (std::size_t a = 0; a < mesh_.rank(); ++a) {
      if (((bits >> a) & 1) != 0) axes.emplace_back(a);
    }
    return axes;
  };
  std::set<double> factors;
  for (const std::size_t bits : subsets) {
    double n = 1;
    for (const Axis a : axes_of(bits)) n *= static_cast<double>(mesh_.size(a));
    factors.insert(n);
    factors.insert(1 / n);
  }
  const auto times = [&](double factor) {
    std::vector<Elements> out = own;
    const Element f = algebra_.canonical(Element::number(factor));
    for (Elements& list : out) {
      for (Element& e : list) e = algebra_.ring().multiply(e, f);
    }
    return out;
  };
  // A scaled value that is equal on all devices is more likely a wrong factor than one of n addends: try that first.
  const bool alike = std::all_of(own.begin(), own.end(), [&](const Elements& list) { return list == own[0]; });
  for (const double factor : factors) {
    if (!alike || !is_float(type.element)) break;
    if (auto out = placed(times(1 / factor), type.dims, represents, nullptr)) {
      out->factor = factor;
      return out;
    }
  }
  for (const Monoid monoid : {Monoid::sum, Monoid::max, Monoid::min}) {
    for (const std::size_t bits : subsets) {
      const std::vector<Elements> total = combined(own, axes_of(bits), monoid, type.element, represents);
      if (auto out = placed(total, type.dims, represents, nullptr)) {
        out->pending = axes_of(bits);
        out->monoid = monoid;
        return out;
      }
    }
  }
  // Means of parts: pending and scaled by a number of devices.
  if (!is_float(type.element)) return std::nullopt;
  subsets.insert(subsets.begin(), 0);
  for (const double factor : factors) {
    const std::vector<Elements> scaled = times(1 / factor);
    for (const std::size_t bits : subsets) {
      std::fill(represents.begin(), represents.end(), true);
      const std::vector<Elements> total =
          bits == 0 ? scaled : combined(scaled, axes_of(bits), Monoid::sum, type.element, represents);
      if (auto out = placed(total, type.dims, represents, nullptr)) {
        out->pending = axes_of(bits);
        out->factor = factor;
        return out;
      }
    }
  }
  return std::nullopt;
}

std::vector<SourceIndex::Elements> SourceIndex::combined(const std::vector<Elements>& own,
                                                         const std::vector<Axis>& axes, Monoid monoid, ElementType type,
                                                         std::vector<bool>& represents) {
  std::vector<Elements> total(own.size());
  std::fill(represents.begin(), represents.end(), false);
  for (const auto& group : mesh_.groups(axes)) {
    const auto leader = static_cast<std::size_t>(group[0]);
    represents[leader] = true;
    total[leader] = own[leader];
    for (std::size_t i = 0; i < total[leader].size(); ++i) {
      if (monoid == Monoid::sum) {
        for (std::size_t g = 1; g < group.size(); ++g)
          total[leader][i] = algebra_.ring().add(total[leader][i], own[static_cast<std::size_t>(group[g])][i]);
      } else {
        std::vector<Element> all;
        for (const std::int64_t id : group) all.push_back(own[static_cast<std::size_t>(id)][i]);
        total[leader][i] = algebra_.canonical(algebra_.extremum(combiner_fn(monoid), std::move(all), type));
      }
    }
  }
  return total;
}

}  // namespace partir::validate
