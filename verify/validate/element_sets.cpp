#include "verify/validate/element_sets.h"

#include <algorithm>
#include <iterator>

namespace partir::validate {

ElementSetId ElementSets::of(std::vector<Element> elements) {
  if (elements.empty()) return 0;
  std::sort(elements.begin(), elements.end(), ElementOrder());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  Key key;
  for (const Element e : elements) {
    key.push_back(e.lo);
    key.push_back(e.hi);
  }
  const auto [it, fresh] = numbers_.try_emplace(std::move(key), static_cast<ElementSetId>(sets_.size()));
  if (fresh) sets_.push_back(std::move(elements));
  return it->second;
}

ElementSetId ElementSets::unite(ElementSetId a, ElementSetId b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto [it, fresh] = unions_.try_emplace(std::minmax(a, b), 0);
  if (fresh) {
    std::vector<Element> all;
    std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(), std::back_inserter(all),
                   ElementOrder());
    it->second = of(std::move(all));
  }
  return it->second;
}

}  // namespace partir::validate
