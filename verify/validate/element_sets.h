// Interned sets of elements: equal sets have equal numbers, and unions of two sets are remembered.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/validate/element.h"
#include "verify/validate/ring.h"

namespace partir::validate {

/// The number of a set in ElementSets. 0 is the empty set.
using ElementSetId = std::uint32_t;

class ElementSets {
 public:
  /// The number of the set of these elements, which may be in any order and repeated.
  ElementSetId of(std::vector<Element> elements);
  ElementSetId unite(ElementSetId a, ElementSetId b);
  /// The elements, sorted by ElementOrder. The reference is valid until the next call of another method.
  [[nodiscard]] const std::vector<Element>& at(ElementSetId set) const { return sets_[set]; }

 private:
  std::vector<std::vector<Element>> sets_ = {{}};
  std::unordered_map<Key, ElementSetId, KeyHasher> numbers_;
  std::map<std::pair<ElementSetId, ElementSetId>, ElementSetId> unions_;
};

}  // namespace partir::validate
