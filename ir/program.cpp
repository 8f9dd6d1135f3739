#include "ir/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

constexpr std::size_t kMaxOperations = 1'000'000;
constexpr std::size_t kMaxNesting = 1000;

/// Copies blocks of one function into another while replacing calls.
class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module) {}

  Function run(const Function& f) {
    Function out = signature_of(f);
    out_ = &out;
    active_ = {f.name};
    std::unordered_map<ValueId, ValueId> map;
    for (const ValueId a : f.body.arguments) {
      map[a] = out.add_value(f.type(a));
      out.body.arguments.push_back(map[a]);
    }
    copy_ops(f, f.body, map, out.body);
    return out;
  }

 private:
  using Map = std::unordered_map<ValueId, ValueId>;

  void copy_ops(const Function& from, const Block& block, Map& map, Block& into) {
    ++depth_;
    for (const Op& op : block.ops) {
      if (++copied_ > kMaxOperations) fail("call", op.place, "more than a million operations after inlining", "fewer");
      if (op.name() == "func.call") {
        inline_call(from, op, find(op.attributes, "callee"), map, into);
        continue;
      }
      if (op.name() == "stablehlo.composite") {  // means what its decomposition means
        const Attribute* decomposition = find(op.attributes, "decomposition");
        const SymbolAttr* symbol = decomposition != nullptr ? decomposition->as<SymbolAttr>() : nullptr;
        if (symbol != nullptr && module_.find(symbol->name) != nullptr) {
          inline_call(from, op, decomposition, map, into);
          continue;
        }
      }
      Op copy = op;
      if (is_sharding_call(from, op)) {
        copy.decl = find_decl("sdy.sharding_constraint");
        copy.attributes = {};
      }
      for (ValueId& v : copy.operands) v = map.at(v);
      for (ValueId& v : copy.results) {
        const ValueId fresh = out_->add_value(from.type(v));
        map[v] = fresh;
        v = fresh;
      }
      copy.regions.clear();
      for (const Block& region : op.regions) {
        Block inner;
        for (const ValueId a : region.arguments) {
          map[a] = out_->add_value(from.type(a));
          inner.arguments.push_back(map[a]);
        }
        const std::size_t outside = renamed_.size();
        copy_ops(from, region, map, inner);
        for (; renamed_.size() > outside; renamed_.pop_back()) map[renamed_.back().first] = renamed_.back().second;
        copy.regions.push_back(std::move(inner));
      }
      into.ops.push_back(std::move(copy));
    }
    --depth_;
  }

  /// JAX's sharding constraint for GSPMD, custom_call @Sharding(%x): the value as it is.
  static bool is_sharding_call(const Function& from, const Op& op) {
    if (op.name() != "stablehlo.custom_call" || op.operands.size() != 1 || op.results.size() != 1 ||
        from.type(op.operands[0]) != from.type(op.results[0]) || !from.type(op.operands[0]).is_tensor())
      return false;
    const Attribute* target = find(op.attributes, "call_target_name");
    return target != nullptr && target->as<StringAttr>() != nullptr && target->as<StringAttr>()->value == "Sharding";
  }

  /// The name that a call gives its operands: openpartir.named(x, "h") calls an identity called partir_named_h.
  /// "jit(f)/jvp(jit(partir_named_h))" -> "h"; without locations of the function's symbol. Empty: an ordinary call.
  static std::string given_name(const Op& op, const std::string& callee) {
    constexpr std::string_view kPrefix = "partir_named_";
    if (!callee.starts_with(kPrefix)) return "";
    if (op.location != nullptr) {
      const auto at = op.location->name.rfind(kPrefix);
      if (at != std::string::npos) {
        const std::string rest = op.location->name.substr(at + kPrefix.size());
        return rest.substr(0, rest.find_first_of("()"));
      }
    }
    return callee.substr(kPrefix.size());
  }

  /// An identity behind each operand, located at its name, which everything later in the block reads instead. (Where JAX
  /// forwards results that are operands, the call has none.)
  void name_operands(const Function& from, const Op& op, const std::string& name, Map& map, Block& into) {
    const auto location = std::make_shared<const SourceLocation>(
        SourceLocation{name, op.location != nullptr ? op.location->source : std::string()});
    for (const ValueId v : op.operands) {
      Op identity;
      identity.decl = find_decl("sdy.sharding_constraint");
      identity.operands = {map.at(v)};
      identity.results = {out_->add_value(from.type(v))};
      identity.place = op.place;
      identity.location = location;
      renamed_.emplace_back(v, map.at(v));
      map[v] = identity.results[0];
      into.ops.push_back(std::move(identity));
    }
  }

  void inline_call(const Function& from, const Op& op, const Attribute* symbol, Map& map, Block& into) {
    if (symbol == nullptr || symbol->as<SymbolAttr>() == nullptr) {
      fail("call", op.place, symbol == nullptr ? "no callee" : symbol->str(), "a callee such as @f");
    }
    const std::string& callee = symbol->as<SymbolAttr>()->name;
    const Function* f = module_.find(callee);
    if (f == nullptr) fail("call", op.place, fmt::format("no function @{}", callee), "a function of this module");
    if (std::find(active_.begin(), active_.end(), callee) != active_.end()) {
      fail("call", op.place, fmt::format("@{} calls itself", callee), "calls without recursion");
    }
    const auto types_match = [](const Function& a, const std::vector<ValueId>& x, const Function& b,
                                const std::vector<ValueId>& y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                        [&](ValueId v, ValueId w) { return a.type(v) == b.type(w); });
    };
    if (!types_match(from, op.operands, *f, f->arguments()) || !types_match(from, op.results, *f, f->returned())) {
      fail("call", op.place, fmt::format("types that differ from those of @{}", callee), "the callee's types");
    }
    if (const std::string name = given_name(op, callee); !name.empty()) name_operands(from, op, name, map, into);
    if (depth_ > kMaxNesting) fail("call", op.place, "calls and regions nested more than 1000 deep", "fewer");
    active_.push_back(callee);
    const auto outside = std::exchange(renamed_, {});  // the callee has values of its own
    Map inner;
    for (std::size_t i = 0; i < op.operands.size(); ++i) inner[f->arguments()[i]] = map.at(op.operands[i]);
    Block body;
    copy_ops(*f, f->body, inner, body);
    const Op ret = std::move(body.ops.back());
    body.ops.pop_back();
    std::move(body.ops.begin(), body.ops.end(), std::back_inserter(into.ops));
    for (std::size_t i = 0; i < op.results.size(); ++i) map[op.results[i]] = ret.operands[i];
    active_.pop_back();
    renamed_ = outside;
  }

  const Module& module_;
  Function* out_ = nullptr;
  std::vector<std::string> active_;
  std::vector<std::pair<ValueId, ValueId>> renamed_;  ///< values of the function that got names, with what they were
  std::size_t depth_ = 0;
  std::size_t copied_ = 0;  ///< operations and calls; functions that call twice double at each level
};

/// Compares two functions while numbering values in the order of their definitions.
class Comparison {
 public:
  Comparison(const Function& a, const Function& b) : a_(a), b_(b) {}
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
  /// An empty list in a structured property (offset_dims = []) says what its absence says.
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
      if (map_.at(x.operands[i]) != y.operands[i]) return differs("operands");
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

Result<Module> inline_calls(Module module) {
  try {
    std::vector<Function> functions;
    for (const Function& f : module.functions) {
      if (f.is_public || f.name == "main") functions.push_back(Inliner(module).run(f));
    }
    if (functions.empty()) fail("module", {1, 1}, "no public function", "a function @main");
    module.functions = std::move(functions);
    return module;
  } catch (UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
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
    const Function& f = a.functions[i];
    const Function& g = b.functions[i];
    if (f.name != g.name || f.is_public != g.is_public) return differs("function name");
    if (!(f.argument_attributes == g.argument_attributes)) return differs("argument attributes of @" + f.name);
    if (!(f.result_attributes == g.result_attributes)) return differs("result attributes of @" + f.name);
    if (!(f.attributes == g.attributes)) return differs("attributes of @" + f.name);
    Comparison comparison(f, g);
    if (!comparison.blocks(f.body, g.body)) return differs(comparison.difference);
  }
  return true;
}

}  // namespace partir
