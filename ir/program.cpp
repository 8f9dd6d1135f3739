#include "ir/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "ir/op_decl.h"

namespace partir {

const std::string& Op::name() const { return decl->name; }

ValueId Function::add_value(Type type) {
  types.push_back(std::move(type));
  return ValueId(types.size() - 1);
}

Function signature_of(const Function& function) {
  Function out;
  out.name = function.name;
  out.is_public = function.is_public;
  out.attributes = function.attributes;
  out.argument_attributes = function.argument_attributes;
  out.result_attributes = function.result_attributes;
  out.argument_locations = function.argument_locations;
  out.place = function.place;
  out.op_ids = function.op_ids;
  return out;
}

const Function* Module::find(std::string_view function) const {
  for (const Function& f : functions) {
    if (f.name == function) return &f;
  }
  return nullptr;
}

Result<const Function*> Module::main() const {
  if (const Function* f = find("main")) return f;
  const Function* only = nullptr;
  for (const Function& f : functions) {
    if (!f.is_public) continue;
    if (only != nullptr) {
      return tl::unexpected(Diagnostic{"module", "", f.place, "several public functions and none called main",
                                       "a function @main, or one public function"});
    }
    only = &f;
  }
  if (only == nullptr) {
    return tl::unexpected(Diagnostic{"module", "", {1, 1}, "no public function", "a function @main"});
  }
  return only;
}

namespace {

void walk_captured(const Block& block, std::unordered_set<ValueId>& defined, std::vector<ValueId>& out) {
  for (const ValueId a : block.arguments) defined.insert(a);
  for (const Op& op : block.ops) {
    for (const ValueId v : op.operands) {
      if (!defined.contains(v) && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    }
    for (const Block& b : op.regions) walk_captured(b, defined, out);
    for (const ValueId v : op.results) defined.insert(v);
  }
}

/// Compares two functions, mapping the values of one to those of the other in the order of their definitions.
class Comparison {
 public:
  Comparison(const Function& a, const Function& b) : a_(a), b_(b) {}
  /// Compares the regions of two operations. Values that they read from outside must be the same values of one
  /// function.
  bool regions(const std::vector<Block>& x, const std::vector<Block>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const Block& a, const Block& b) { return blocks(a, b); });
  }
  bool blocks(const Block& x, const Block& y) {
    if (x.arguments.size() != y.arguments.size() || x.ops.size() != y.ops.size()) return no(x, "sizes of blocks");
    if (!bind(x.arguments, y.arguments)) return no(x, "block arguments");
    for (std::size_t i = 0; i < x.ops.size(); ++i) {
      if (!ops(x.ops[i], y.ops[i])) return false;
    }
    return true;
  }
  std::string difference;

 private:
  bool no(const Block& block, const char* what) {
    difference = block.ops.empty() ? what : fmt::format("{} at line {}", what, block.ops[0].place.line);
    return false;
  }
  bool bind(const std::vector<ValueId>& x, const std::vector<ValueId>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (a_.type(x[i]) != b_.type(y[i])) return false;
      map_[x[i]] = y[i];
    }
    return true;
  }
  /// Removes empty lists from structured properties: offset_dims = [] is equivalent to its absence.
  static void drop_empty_fields(const OpDecl& decl, AttributeList& list) {
    for (const AttrSpec& spec : decl.attributes) {
      const Attribute* a = spec.group.empty() ? nullptr : find(list, spec.name);
      if (a != nullptr && a->as<IntsAttr>() != nullptr && a->as<IntsAttr>()->values.empty()) drop(list, spec.name);
    }
  }
  static bool same_attributes(const OpDecl& decl, AttributeList x, AttributeList y) {
    drop_empty_fields(decl, x);
    drop_empty_fields(decl, y);
    return x.sorted() == y.sorted();
  }
  bool ops(const Op& x, const Op& y) {
    const auto differs = [&](const char* what) {
      difference = fmt::format("{} of {} at line {}", what, x.name(), x.place.line);
      return false;
    };
    if (x.decl != y.decl) return differs("name");
    if (!same_attributes(*x.decl, x.attributes, y.attributes)) return differs("attributes");
    if (x.operands.size() != y.operands.size() || x.regions.size() != y.regions.size()) return differs("arity");
    for (std::size_t i = 0; i < x.operands.size(); ++i) {
      const auto it = map_.find(x.operands[i]);
      const bool same = it != map_.end() ? it->second == y.operands[i] : &a_ == &b_ && x.operands[i] == y.operands[i];
      if (!same) return differs("operands");
    }
    for (std::size_t i = 0; i < x.regions.size(); ++i) {
      if (!blocks(x.regions[i], y.regions[i])) return false;
    }
    return bind(x.results, y.results) || differs("results");
  }
  const Function& a_;
  const Function& b_;
  std::unordered_map<ValueId, ValueId> map_;
};

}  // namespace

std::vector<ValueId> captured(const Op& op) {
  std::vector<ValueId> out;
  std::unordered_set<ValueId> defined;
  for (const Block& b : op.regions) walk_captured(b, defined, out);
  return out;
}

bool same_regions(const Function& f, const std::vector<Block>& a, const Function& g, const std::vector<Block>& b) {
  return Comparison(f, g).regions(a, b);
}

std::optional<std::string> difference_of(const Function& f, const Function& g) {
  if (f.name != g.name || f.is_public != g.is_public) return "function name";
  if (!(f.argument_attributes == g.argument_attributes)) return "argument attributes of @" + f.name;
  if (!(f.result_attributes == g.result_attributes)) return "result attributes of @" + f.name;
  if (!(f.attributes == g.attributes)) return "attributes of @" + f.name;
  Comparison comparison(f, g);
  if (!comparison.blocks(f.body, g.body)) return comparison.difference;
  return std::nullopt;
}

bool same_program(const Module& a, const Module& b, std::string* difference) {
  const auto differs = [&](std::string what) {
    if (difference != nullptr) *difference = std::move(what);
    return false;
  };
  if (a.functions.size() != b.functions.size()) return differs("number of functions");
  if (!(a.attributes == b.attributes)) return differs("module attributes");
  if (a.declarations != b.declarations) return differs("declarations");
  for (std::size_t i = 0; i < a.functions.size(); ++i) {
    if (auto difference_in = difference_of(a.functions[i], b.functions[i])) return differs(std::move(*difference_in));
  }
  return true;
}

}  // namespace partir
