#include "ir/cloner.h"

#include "support/check.h"

namespace partir {

std::optional<ValueId> Cloner::find(ValueId v) const {
  const auto it = map_.find(v);
  return it == map_.end() ? std::nullopt : std::optional(it->second);
}

ValueId Cloner::at(ValueId v) const {
  const auto it = map_.find(v);
  PARTIR_CHECK(it != map_.end(), "a copy reads a value that was not copied");
  return it->second;
}

ValueId Cloner::declare(ValueId v) {
  const auto it = map_.find(v);
  return it != map_.end() ? it->second : map_[v] = to_.add_value(from_.type(v));
}

Op Cloner::head(const Op& op) const {
  Op out(op.id, op.decl);
  out.operands.reserve(op.operands.size());
  for (const ValueId v : op.operands) out.operands.push_back(at(v));
  out.results = op.results;
  out.attributes = op.attributes;
  out.place = op.place;
  out.location = op.location;
  return out;
}

}  // namespace partir
