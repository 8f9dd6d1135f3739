// Inlines calls, and normalises what JAX and Shardy write around them: sharding annotations become
// sdy.sharding_constraint, names given by openpartir.named become named identities, and locations get the scopes of
// their calls.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/scope_path.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/manual.h"
#include "ir/sharding/shardy.h"

namespace partir {
namespace {

constexpr std::size_t kMaxOperations = 1'000'000;
constexpr std::size_t kMaxNesting = 1000;

/// Copies a function while replacing calls by the bodies of their callees. Operations get new ids, in program order.
class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module), meshes_(named_meshes(module)) {}

  Function run(const Function& f) {
    Function out = signature_of(f);
    out.op_ids = 0;
    out_ = &out;
    active_ = {f.name};
    Cloner cloner(f, out);
    out.body = body(f, f.body, cloner);
    return out;
  }

 private:
  /// A value that is replaced by an identity of it until the end of the block, and its previous mapping.
  struct Renamed {
    ValueId value;
    ValueId before;
  };

  Block body(const Function& from, const Block& block, Cloner& cloner) {
    ++depth_;
    const std::size_t outside = renamed_.size();
    Block out = cloner.block(block, [&](const Op& op, Block& into) { copy(from, op, cloner, into); });
    for (; renamed_.size() > outside; renamed_.pop_back()) cloner.map(renamed_.back().value, renamed_.back().before);
    --depth_;
    return out;
  }

  void copy(const Function& from, const Op& op, Cloner& cloner, Block& into) {
    if (++copied_ > kMaxOperations) fail("call", op.place, "more than a million operations after inlining", "fewer");
    if (op.name() == "sdy.sharding_group") return join_group(from, op, cloner, into);
    // Values inside a combiner have no layout.
    if (combiner_depth_ != 0 && (is_sharding_call(from, op) || is_sharding_constraint(op))) {
      cloner.map(op.results[0], cloner.at(op.operands[0]));
      return;
    }
    if (op.name() == "func.call") return inline_call(from, op, find(op.attributes, "callee"), cloner, into);
    if (op.name() == "stablehlo.composite") {  // is equivalent to its decomposition
      const Attribute* decomposition = find(op.attributes, "decomposition");
      const SymbolAttr* symbol = decomposition != nullptr ? decomposition->as<SymbolAttr>() : nullptr;
      if (symbol != nullptr && module_.find(symbol->name) != nullptr)
        return inline_call(from, op, decomposition, cloner, into);
    }
    Op copy = cloner.head(op);
    copy.id = out_->new_op();
    copy.location = full_location(op.location);
    const bool combines = !op.regions.empty() && !runs_regions(op) && !is_manual_computation(op);
    combiner_depth_ += combines ? 1 : 0;
    for (const Block& region : op.regions) copy.regions.push_back(body(from, region, cloner));
    combiner_depth_ -= combines ? 1 : 0;
    if (!runs_regions(copy)) sink_constants(copy);
    for (ValueId& v : copy.results) v = cloner.declare(v);
    if (is_scalar_constant(from, op)) constants_.emplace(copy.results[0], copy);
    if (is_manual_computation(op)) inline_meshes(copy);
    if (is_sharding_call(from, op)) {
      become_constraint(copy, {"mhlo.sharding", "backend_config"});
    } else if (const char* layout = layout_attribute(op)) {
      if (const Attribute* sharding = find(op.attributes, layout)) set(copy.attributes, "sharding", *sharding);
      become_constraint(copy, {"sharding", "allowed_direction"});
    } else if (op.name() == "sdy.constant") {
      copy.decl = find_decl("stablehlo.constant");
    }
    into.ops.push_back(std::move(copy));
  }

  /// Makes a manual computation independent of the module's mesh declarations.
  void inline_meshes(Op& op) const {
    for (const char* name : {"in_shardings", "out_shardings"}) {
      if (const Attribute* a = find(op.attributes, name))
        set(op.attributes, name, {RawAttr{with_inlined_meshes(a->str(), meshes_)}});
    }
  }

  /// The name of the attribute that holds the layout, if `op` is a Shardy operation that only changes a layout; else
  /// null.
  static const char* layout_attribute(const Op& op) {
    const std::string& name = op.name();
    if (!name.starts_with("sdy.") || name == "sdy.sharding_constraint") return nullptr;
    if (op.operands.size() != 1 || op.results.size() != 1 || !op.regions.empty()) return nullptr;
    return name == "sdy.reshard" || name == "sdy.propagation_barrier" ? "sharding" : "out_sharding";
  }

  /// Turns an operation into a sharding constraint, an identity, that keeps these attributes.
  static void become_constraint(Op& op, std::initializer_list<std::string_view> kept) {
    const AttributeList before = std::exchange(op.attributes, {});
    op.decl = find_decl("sdy.sharding_constraint");
    for (const std::string_view name : kept) {
      if (const Attribute* a = find(before, name)) set(op.attributes, name, *a);
    }
  }

  /// A location of the function that is being copied, prefixed with the scopes of the enclosing calls.
  std::shared_ptr<const SourceLocation> full_location(const std::shared_ptr<const SourceLocation>& location) const {
    if (location == nullptr || call_location_.empty() || location->name.empty()) return location;
    return std::make_shared<const SourceLocation>(
        SourceLocation{location_within(call_location_, location->name), location->source});
  }

  static bool is_scalar_constant(const Function& from, const Op& op) {
    return op.name() == "stablehlo.constant" && from.type(op.results[0]).is_tensor() &&
           from.tensor(op.results[0]).rank() == 0;
  }

  /// Copies scalar constants that the regions of a combiner capture into the regions, because the meaning of a combiner
  /// must be closed. (MLIR's canonicaliser moves such constants out of regions.)
  ///   %c = constant 2; sort(%x) ({ … multiply %a, %c … })      sort(%x) ({ %c1 = constant 2 … multiply %a, %c1 … })
  void sink_constants(Op& op) {
    for (const ValueId v : captured(op)) {
      const auto found = constants_.find(v);
      if (found == constants_.end()) continue;
      for (Block& region : op.regions) {
        if (!reads(region, v)) continue;
        Op constant = found->second;
        constant.id = out_->new_op();
        constant.results = {out_->add_value(out_->type(v))};
        replace(region, v, constant.results[0]);
        region.ops.insert(region.ops.begin(), std::move(constant));
      }
    }
  }

  static bool reads(const Block& block, ValueId v) {
    return std::any_of(block.ops.begin(), block.ops.end(), [&](const Op& op) {
      return std::find(op.operands.begin(), op.operands.end(), v) != op.operands.end() ||
             std::any_of(op.regions.begin(), op.regions.end(), [&](const Block& b) { return reads(b, v); });
    });
  }

  static void replace(Block& block, ValueId v, ValueId by) {
    for (Op& op : block.ops) {
      std::replace(op.operands.begin(), op.operands.end(), v, by);
      for (Block& region : op.regions) replace(region, v, by);
    }
  }

  /// True for custom_call @Sharding(%x), JAX's sharding constraint for GSPMD, which is an identity.
  static bool is_sharding_call(const Function& from, const Op& op) {
    if (op.name() != "stablehlo.custom_call" || op.operands.size() != 1 || op.results.size() != 1 ||
        from.type(op.operands[0]) != from.type(op.results[0]) || !from.type(op.operands[0]).is_tensor())
      return false;
    const std::string* target = call_target(op.attributes);
    return target != nullptr && *target == "Sharding";
  }

  /// The name that a call gives its operands: openpartir.named(x, "h") calls an identity called partir_named_h. The
  /// name is read from the location ("jit(f)/jvp(jit(partir_named_h))" -> "h") or, without one, from the callee's
  /// symbol. Empty for ordinary calls.
  std::string given_name(const Op& op, const std::string& callee) const {
    constexpr std::string_view kPrefix = "partir_named_";
    if (!callee.starts_with(kPrefix)) return "";
    if (op.location != nullptr) {
      const auto at = op.location->name.rfind(kPrefix);
      if (at != std::string::npos) {
        const std::string rest = op.location->name.substr(at + kPrefix.size());
        return rest.substr(0, rest.find_first_of("()"));
      }
    }
    return without_copy_number(callee).substr(kPrefix.size());
  }

  /// The symbol "f" for "f_2" if the module has both: MLIR gives each further function of a name a number.
  std::string without_copy_number(const std::string& symbol) const {
    const std::size_t number = symbol.find_last_not_of("0123456789") + 1;
    if (number < 2 || number == symbol.size() || symbol[number - 1] != '_') return symbol;
    std::string base = symbol.substr(0, number - 1);
    return module_.find(base) != nullptr ? base : symbol;
  }

  /// Inserts an identity of each operand, with the given name as its location, which all later operations of the block
  /// read instead of the operand. (JAX may forward operands past the call, so that the call has no results.)
  void name_operands(const Function& from, const Op& op, const std::string& name, Cloner& cloner, Block& into) {
    const auto location = std::make_shared<const SourceLocation>(
        SourceLocation{name, op.location != nullptr ? op.location->source : std::string()});
    for (const ValueId v : op.operands) read_through_identity(from, op, v, cloner, into).location = location;
  }

  /// Inserts an identity of `v`, which all later operations of the block read instead of `v`.
  Op& read_through_identity(const Function& from, const Op& op, ValueId v, Cloner& cloner, Block& into) {
    Op identity(out_->new_op(), find_decl("sdy.sharding_constraint"));
    identity.operands = {cloner.at(v)};
    identity.results = {out_->add_value(from.type(v))};
    identity.place = op.place;
    renamed_.push_back({v, cloner.at(v)});
    cloner.map(v, identity.results[0]);
    return into.ops.emplace_back(std::move(identity));
  }

  /// Handles sdy.sharding_group %x group_id=1, which makes the value a member of a group with equal shardings.
  void join_group(const Function& from, const Op& op, Cloner& cloner, Block& into) {
    const Attribute* group = find(op.attributes, "group_id");
    if (op.operands.size() != 1 || group == nullptr || group->as<IntAttr>() == nullptr)
      fail("sharding_group", op.place, "a sharding group without a value or an id", "sdy.sharding_group %x group_id=1");
    Op& identity = read_through_identity(from, op, op.operands[0], cloner, into);
    set(identity.attributes, "group_id", *group);
    identity.location = full_location(op.location);
  }

  void inline_call(const Function& from, const Op& op, const Attribute* symbol, Cloner& cloner, Block& into) {
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
    if (const std::string name = given_name(op, callee); !name.empty()) name_operands(from, op, name, cloner, into);
    if (depth_ > kMaxNesting) fail("call", op.place, "calls and regions nested more than 1000 deep", "fewer");
    active_.push_back(callee);
    const auto outside = std::exchange(renamed_, {});  // the callee's values are not those of the caller
    const auto at = full_location(op.location);
    std::string outer = std::exchange(call_location_, at != nullptr && !at->name.empty() ? at->name : call_location_);
    Cloner inner(*f, *out_);
    for (std::size_t i = 0; i < op.operands.size(); ++i) inner.map(f->arguments()[i], cloner.at(op.operands[i]));
    ++depth_;
    for (const Op& o : f->body.ops) {
      if (o.decl->kind != OpDecl::Kind::terminator) copy(*f, o, inner, into);
    }
    --depth_;
    for (std::size_t i = 0; i < op.results.size(); ++i) cloner.map(op.results[i], inner.at(f->returned()[i]));
    renamed_ = outside;
    call_location_ = std::move(outer);
    active_.pop_back();
  }

  const Module& module_;
  std::vector<NamedMesh> meshes_;
  std::size_t combiner_depth_ = 0;  ///< the number of combiners that enclose the current operation
  Function* out_ = nullptr;
  std::vector<std::string> active_;
  std::size_t depth_ = 0;
  std::vector<Renamed> renamed_;
  std::unordered_map<ValueId, Op> constants_;  ///< scalar constants of the new function, by result
  std::string call_location_;  ///< location of the call that is being inlined; empty outside calls or if unknown
  std::size_t copied_ = 0;     ///< operations and calls copied; bounded, because nested calls can double at each level
};

/// Adds the symbols in an attribute, at any depth.
void note_symbols(const Attribute& attribute, std::set<std::string>& names) {
  if (const auto* symbol = attribute.as<SymbolAttr>()) names.insert(symbol->name);
  if (const auto* list = attribute.as<ArrayAttr>()) {
    for (const Attribute& item : list->items) note_symbols(item, names);
  }
  if (const auto* entries = attribute.as<DictAttr>()) {
    for (const auto& [name, value] : entries->entries) note_symbols(value, names);
  }
}

}  // namespace

std::vector<const Function*> named_functions(const Module& module) {
  std::vector<const Function*> out;
  std::set<std::string> known = {"main"};
  const auto visit = [&](const Function& f, const auto& self) -> void {
    std::set<std::string> names;
    for_each_op(f.body, [&](const Op& op) {
      if (op.name() == "func.call" || op.name() == "stablehlo.composite") return;  // inlined
      for (const auto& [name, value] : op.attributes) note_symbols(value, names);
    });
    for (const std::string& name : names) {
      const Function* named = module.find(name);
      if (named == nullptr || !known.insert(name).second) continue;
      out.push_back(named);
      self(*named, self);
    }
  };
  for (const Function& f : module.functions) {
    if (f.is_public || f.name == "main") visit(f, visit);
  }
  return out;
}

std::optional<std::string> differing_function(const Module& a, const Module& b) {
  const std::vector<const Function*> of_b = named_functions(b);
  for (const Function* f : named_functions(a)) {
    const auto g =
        std::find_if(of_b.begin(), of_b.end(), [&](const Function* other) { return other->name == f->name; });
    if (g != of_b.end() && difference_of(*f, **g)) return f->name;
  }
  return std::nullopt;
}

Result<Module> inline_calls(Module module) {
  try {
    std::vector<Function> functions;
    const std::vector<const Function*> named = named_functions(module);
    for (const Function& f : module.functions) {
      const bool kept = f.is_public || f.name == "main" || std::find(named.begin(), named.end(), &f) != named.end();
      if (kept) functions.push_back(Inliner(module).run(f));
    }
    if (functions.empty()) fail("module", {1, 1}, "no public function", "a function @main");
    module.functions = std::move(functions);
    return module;
  } catch (UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
