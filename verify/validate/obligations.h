// What must hold for an evaluation to be defined, and under which conditions it is evaluated. What a device evaluates
// must be evaluated by the source, too, under the same conditions or fewer.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/validate/element.h"

namespace partir::validate {

/// That an element has a value from `low` to `high`.
struct Condition {
  Element of;
  std::int64_t low = 1;
  std::int64_t high = 1;
};

/// What holds where something is evaluated: the conditions of branches that data decides, and of the cases of operands.
using PathCondition = std::vector<Condition>;

/// Whether `inner` implies `outer`, so that what is evaluated under `outer` is evaluated under `inner`.
inline bool is_within(const PathCondition& inner, const PathCondition& outer) {
  return std::all_of(outer.begin(), outer.end(), [&](const Condition& c) {
    return std::any_of(inner.begin(), inner.end(),
                       [&](const Condition& d) { return d.of == c.of && c.low <= d.low && d.high <= c.high; });
  });
}

/// Elements about which something must hold, each with the conditions under which that is needed.
class Obligations {
 public:
  void note(Element of, const PathCondition& under) {
    auto& known = all_[of];
    if (is_covered(known, under)) return;
    std::erase_if(known, [&](const PathCondition& p) { return is_within(p, under); });
    known.push_back(under);
  }
  void clear() { all_.clear(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Number of elements that are not obliged in `source` whenever they are here.
  [[nodiscard]] std::size_t beyond(const Obligations& source) const {
    return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [&](const auto& of) {
      const auto known = source.all_.find(of.first);
      return known == source.all_.end() ||
             !std::all_of(of.second.begin(), of.second.end(),
                          [&](const PathCondition& p) { return is_covered(known->second, p); });
    }));
  }

 private:
  static bool is_covered(const std::vector<PathCondition>& known, const PathCondition& under) {
    return std::any_of(known.begin(), known.end(), [&](const PathCondition& p) { return is_within(under, p); });
  }

  std::unordered_map<Element, std::vector<PathCondition>, ElementHash> all_;
};

}  // namespace partir::validate
