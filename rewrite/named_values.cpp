#include "rewrite/named_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/scope_path.h"
#include "ir/sharding/attributes.h"
#include "rewrite/names.h"

namespace partir {
namespace {

constexpr const char* kReturned = "partir.returned";

void replace_operands(Op& op, const std::unordered_map<ValueId, ValueId>& by) {
  for (ValueId& v : op.operands) {
    if (const auto it = by.find(v); it != by.end()) v = it->second;
  }
  for (Block& block : op.regions) {
    for (Op& inner : block.ops) replace_operands(inner, by);
  }
}

}  // namespace

namespace {

class NameCollector {
 public:
  explicit NameCollector(std::vector<NamedValue>& out) : out_(out) {}

  void block(const Block& block) {
    for (const Op& op : block.ops) {
      const std::string location = op.location != nullptr ? op.location->name : "";
      std::vector<std::string> names = {scope_path(location)};
      if (is_sharding_constraint(op) && !names_value(op)) names.push_back(fmt::format("constraint/{}", constraints_++));
      if (names_value(op)) names.push_back(find(op.attributes, "partir.name")->as<StringAttr>()->value);
      names.push_back(fmt::format("line/{}", op.place.line));
      names.push_back(location);
      std::erase(names, "");
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        NamedValue value{"", {}, op.results[k], op.place.line};
        for (const std::string& name : names) {
          std::string numbered = op.results.size() == 1 ? name : fmt::format("{}/{}", name, k);
          if (value.name.empty())
            value.name = std::move(numbered);
          else if (numbered != value.name)
            value.others.push_back(std::move(numbered));
        }
        out_.push_back(std::move(value));
      }
      if (!runs_regions(op)) continue;
      for (const Block& inner : op.regions) this->block(inner);
    }
  }

 private:
  std::vector<NamedValue>& out_;
  std::size_t constraints_ = 0;
};

Op identity_of(Function& function, ValueId v, const std::string& name) {
  Op out(function.new_op(), find_decl("sdy.sharding_constraint"));
  out.operands = {v};
  out.results = {function.add_value(function.type(v))};
  set(out.attributes, "partir.name", {StringAttr{name}});
  return out;
}

class Identities {
 public:
  Identities(Function& function, const std::vector<NamedValue>& values) : function_(function) {
    for (const NamedValue& v : values) {
      if (!v.result) names_.emplace(v.value, v.name);
    }
  }

  void block(Block& block) {
    std::vector<Op> ops = std::exchange(block.ops, {});
    for (Op& op : ops) {
      if (runs_regions(op)) {
        for (ValueId& v : op.operands) v = current(v);
        for (Block& inner : op.regions) this->block(inner);
      } else {
        replace_operands(op, replacements_);
      }
      block.ops.push_back(std::move(op));
      const Op copy = block.ops.back();
      for (const ValueId v : copy.results) {
        const auto name = names_.find(v);
        if (name != names_.end()) block.ops.push_back(identity(copy, v, name->second));
      }
    }
  }

 private:
  ValueId current(ValueId v) const {
    const auto it = replacements_.find(v);
    return it != replacements_.end() ? it->second : v;
  }

  Op identity(const Op& behind, ValueId v, const std::string& name) {
    Op out = identity_of(function_, v, name);
    replacements_[v] = out.results[0];
    out.place = behind.place;
    out.location = behind.location;
    return out;
  }

  Function& function_;
  std::unordered_map<ValueId, std::string> names_;
  std::unordered_map<ValueId, ValueId> replacements_;
};

}  // namespace

std::vector<NamedValue> named_values(const Function& function) {
  std::vector<NamedValue> out;
  NameCollector(out).block(function.body);
  return out;
}

Function with_identities(Function function, const std::vector<NamedValue>& values) {
  if (values.empty()) return function;
  Block body = std::exchange(function.body, {});
  Identities(function, values).block(body);
  for (const NamedValue& v : values) {
    if (!v.result) continue;
    ValueId& returned = body.ops.back().operands.at(*v.result);
    Op identity = identity_of(function, returned, v.name);
    set(identity.attributes, kReturned, {UnitAttr{}});
    identity.place = body.ops.back().place;
    returned = identity.results[0];
    body.ops.insert(body.ops.end() - 1, std::move(identity));
  }
  function.body = std::move(body);
  return function;
}

std::vector<std::string> names_for_requests(const NamedValue& value) {
  std::vector<std::string> out{value.name};
  std::copy_if(value.others.begin(), value.others.end(), std::back_inserter(out),
               [](const std::string& name) { return name.starts_with("line/"); });
  return out;
}

bool is_called(const NamedValue& value, std::string_view pattern) {
  if (glob_matches(pattern, value.name)) return true;
  // Further names count only where the pattern is written in their style.
  const std::string_view first = pattern.substr(0, pattern.find('/'));
  return std::any_of(value.others.begin(), value.others.end(), [&](const std::string& name) {
    const bool meant = first == "line" || first == "constraint" || pattern.find('(') != std::string_view::npos;
    return meant && glob_matches(pattern, name);
  });
}

bool has_names_inside(const Function& function) {
  return find_op(function.body, [](const Op& op) { return op.location != nullptr && !op.location->name.empty(); }) !=
         nullptr;
}

bool names_result(const Op& op) { return names_value(op) && find(op.attributes, kReturned) != nullptr; }

bool names_value(const Op& op) { return is_sharding_constraint(op) && find(op.attributes, "partir.name") != nullptr; }

}  // namespace partir
