#include "rewrite/named_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/op_decl.h"

namespace partir {
namespace {

constexpr const char* kConstraint = "sdy.sharding_constraint";

/// The scopes of a location without the jitted functions.
std::string path_of(std::string_view location) {
  std::string out;
  while (!location.empty()) {
    const auto slash = location.find('/');
    const std::string_view part = location.substr(0, slash);
    const bool jitted = part.starts_with("jit(") || part.starts_with("pjit(");
    if (!jitted && !part.empty()) out += (out.empty() ? "" : "/") + std::string(part);
    if (slash == std::string_view::npos) break;
    location.remove_prefix(slash + 1);
  }
  return out;
}

void replace_operands(Op& op, const std::unordered_map<ValueId, ValueId>& by) {
  for (ValueId& v : op.operands) {
    if (const auto it = by.find(v); it != by.end()) v = it->second;
  }
  for (Block& block : op.regions) {
    for (Op& inner : block.ops) replace_operands(inner, by);
  }
}

}  // namespace

std::vector<NamedValue> named_values(const Function& function) {
  std::vector<NamedValue> out;
  std::size_t constraints = 0;
  for (const Op& op : function.body.ops) {
    std::string name = op.location != nullptr ? path_of(op.location->name) : "";
    const std::size_t number = op.name() == kConstraint ? constraints++ : 0;
    if (name.empty())
      name = op.name() == kConstraint ? fmt::format("constraint/{}", number) : fmt::format("line/{}", op.place.line);
    for (std::size_t k = 0; k < op.results.size(); ++k)
      out.push_back({op.results.size() == 1 ? name : fmt::format("{}/{}", name, k), op.results[k]});
  }
  return out;
}

Function with_identities(Function function, const std::vector<NamedValue>& values) {
  if (values.empty()) return function;
  std::unordered_map<ValueId, std::string> names;
  for (const NamedValue& v : values) names.emplace(v.value, v.name);
  std::vector<Op> ops = std::move(function.body.ops);
  function.body.ops.clear();
  std::unordered_map<ValueId, ValueId> by;
  for (Op& op : ops) {
    replace_operands(op, by);
    function.body.ops.push_back(std::move(op));
    const Place place = function.body.ops.back().place;
    const auto location = function.body.ops.back().location;
    for (const ValueId v : std::vector<ValueId>(function.body.ops.back().results)) {
      const auto name = names.find(v);
      if (name == names.end()) continue;
      Op identity;
      identity.decl = find_decl(kConstraint);
      identity.operands = {v};
      identity.results = {by[v] = function.add_value(function.type(v))};
      identity.place = place;
      identity.location = location;
      set(identity.attributes, "partir.name", {StringAttr{name->second}});
      function.body.ops.push_back(std::move(identity));
    }
  }
  return function;
}

bool names_value(const Op& op) { return op.name() == kConstraint && find(op.attributes, "partir.name") != nullptr; }

}  // namespace partir
