// Names by which a tactic can request something of internal values. As values are requested by name, a name can be used
// only if all values of that name need the same request.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/named_values.h"

namespace partir {

class ValueLabels {
 public:
  explicit ValueLabels(const Function& main) {
    for (NamedValue& v : named_values(main)) {
      for (const std::string& name : names_for_requests(v)) by_name_[name].push_back(v.value);
      of_value_.emplace(v.value, std::move(v));
    }
  }

  [[nodiscard]] bool has(ValueId v) const { return of_value_.contains(v); }

  /// What is wanted of values, for those of which it can be requested, in order of the values. With `lines`, a value
  /// whose name cannot be used is called by its line, if that can be.
  template <class T>
  [[nodiscard]] std::vector<std::pair<NamedValue, T>> labelled(const std::map<ValueId, T>& wanted, bool lines) const {
    std::vector<std::pair<NamedValue, T>> out;
    for (const auto& [v, request] : wanted) {
      const auto known = of_value_.find(v);
      if (known == of_value_.end()) continue;
      const auto is_usable = [&, &request = request](const std::string& name) {
        const auto& same = by_name_.at(name);
        return std::all_of(same.begin(), same.end(), [&](ValueId other) {
          const auto it = wanted.find(other);
          return it != wanted.end() && it->second == request;
        });
      };
      std::vector<std::string> names = names_for_requests(known->second);
      if (!lines) names.resize(1);
      const auto name = std::find_if(names.begin(), names.end(), is_usable);
      if (name != names.end()) out.push_back({{*name, {}, v}, request});
    }
    return out;
  }

 private:
  std::map<ValueId, NamedValue> of_value_;
  std::map<std::string, std::vector<ValueId>> by_name_;
};

}  // namespace partir
