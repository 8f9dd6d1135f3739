#include "verify/check_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "verify/check_layouts.h"

namespace partir {
namespace {

class Checker {
 public:
  Checker(const SpmdProgram& program, const State& source)
      : p_(program), f_(program.function), s_(source), g_(source.function()), stands_for_(f_.types.size()) {}

  std::optional<std::string> run() {
    if (f_.arguments().size() != g_.arguments().size()) return "another number of arguments than the source";
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      const ValueId v = f_.arguments()[i];
      stands_for_[v.index()] = g_.arguments()[i];
      if (!fits(v)) return fmt::format("argument {} is no part of the source's by its type", i);
      if (!type(v).partial.empty()) return fmt::format("argument {} comes in partial", i);
    }
    for (std::size_t i = 0; i < f_.body.ops.size(); ++i) {
      const Op& op = f_.body.ops[i];
      const auto wrong = op.decl->kind == OpDecl::Kind::terminator ? returned(op)
                         : op.name().starts_with("spmd.")          ? collective(op)
                         : i < p_.origin.size() && p_.origin[i]    ? local(op, *p_.origin[i])
                                                                   : std::optional<std::string>("no source operation");
      if (wrong) return fmt::format("{}: {}", print_op(f_, op).substr(0, 200), *wrong);
    }
    return std::nullopt;
  }

 private:
  using Wrong = std::optional<std::string>;

  [[nodiscard]] const DistributedType& type(ValueId v) const { return p_.types[v.index()]; }
  [[nodiscard]] const TensorType& global(ValueId v) const { return g_.type(*stands_for_[v.index()]); }

  /// The local shape is the global one's part; every axis stands once and divides.
  [[nodiscard]] bool fits(ValueId v) const {
    if (const auto at = p_.layouts.find(v); at != p_.layouts.end()) return fits(v, *at->second);
    const DistributedType& t = type(v);
    std::vector<Axis> seen;
    TensorType part = global(v);
    if (t.dims.size() != part.rank()) return false;
    for (Dim d = 0; d < part.rank(); ++d) {
      for (const Axis a : t.dims[d]) {
        seen.push_back(a);
        if (part.dims[d] % p_.mesh.size(a) != 0) return false;
        part.dims[d] /= p_.mesh.size(a);
      }
    }
    for (const auto& [a, m] : t.partial) seen.push_back(a);
    std::sort(seen.begin(), seen.end());
    return std::adjacent_find(seen.begin(), seen.end()) == seen.end() && part == f_.type(v);
  }

  [[nodiscard]] bool fits(ValueId v, const DeviceLayout& layout) const {
    TensorType part = global(v);
    if (layout.parts.size() != part.rank() + 1) return false;
    for (Dim d = 0; d < part.rank(); ++d) {
      if (part.dims[d] % layout.parts[d] != 0) return false;
      part.dims[d] /= layout.parts[d];
    }
    return part == f_.type(v);
  }

  [[nodiscard]] DeviceLayout layout(ValueId v) const {
    const auto at = p_.layouts.find(v);
    return at != p_.layouts.end() ? *at->second : DeviceLayout::of(type(v), p_.mesh);
  }

  /// Steps that types do not tell: groups that are no list of axes, permutes.
  Wrong device_by_device(const Op& op) {
    const ValueId x = op.operands[0];
    const ValueId y = op.results[0];
    const bool typed = !p_.layouts.contains(x) && !p_.layouts.contains(y);
    if (typed && type(x).partial != type(y).partial) return "another combination pending";
    if (!fits(y)) return "its result is no part of the global value";
    return check_layouts(op, layout(x), layout(y), p_.mesh);
  }

  Wrong returned(const Op& op) {
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      if (p_.layouts.contains(op.operands[k])) return fmt::format("result {} has no distributed type", k);
      if (stands_for_[op.operands[k].index()] != g_.returned()[k]) return fmt::format("result {} is another value", k);
      if (!type(op.operands[k]).partial.empty()) return fmt::format("result {} is returned partial", k);
    }
    return std::nullopt;
  }

  Wrong collective(const Op& op) {
    const ValueId x = op.operands[0];
    const ValueId y = op.results[0];
    stands_for_[y.index()] = stands_for_[x.index()];
    const std::string& name = op.name();
    if (name == "spmd.collective_permute" || find(op.attributes, "replica_groups") != nullptr ||
        find(op.attributes, "stride") != nullptr || p_.layouts.contains(x) || p_.layouts.contains(y)) {
      return device_by_device(op);
    }
    DistributedType want = type(x);
    const auto dim = [&](const char* key) {
      return static_cast<std::size_t>(find(op.attributes, key)->as<IntAttr>()->value);
    };
    std::vector<Axis> axes;
    for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items)
      axes.push_back(*p_.mesh.find(a.as<StringAttr>()->value));
    const auto ends_with = [&](const std::vector<Axis>& list) {
      return list.size() >= axes.size() && std::equal(axes.rbegin(), axes.rend(), list.rbegin());
    };
    if (name == "spmd.all_reduce" || name == "spmd.reduce_scatter") {
      const auto monoid = monoid_from(find(op.attributes, "monoid")->as<StringAttr>()->value);
      for (const Axis a : axes) {
        if (want.partial_over(a) != monoid) return "reduces an axis that the operand is not partial over in this way";
        want.drop_partial(a);
      }
      // Reductions by two monoids do not commute.
      for (const auto& [a, m] : want.partial) {
        if (m != monoid) return "leaves another combination pending beneath";
      }
    }
    if (name == "spmd.all_gather" || name == "spmd.all_to_all") {
      auto& from = want.dims[dim(name == "spmd.all_gather" ? "dim" : "from")];
      if (!ends_with(from)) return "gathers axes that are not the minor ones of the dimension";
      from.resize(from.size() - axes.size());
    }
    if (name == "spmd.all_slice" || name == "spmd.reduce_scatter" || name == "spmd.all_to_all") {
      auto& to = want.dims[dim(name == "spmd.all_to_all" ? "to" : "dim")];
      to.insert(to.end(), axes.begin(), axes.end());
    }
    // A slice of a partial value is partial: only index moves.
    if (!(type(y) == want)) return "its result's type is not what it does to the operand's";
    if (!fits(y)) return "its result is no part of the global value";
    return std::nullopt;
  }

  Wrong local(const Op& op, std::size_t origin) {
    const Op& source = g_.body.ops[origin];
    if (source.decl != op.decl || source.operands.size() != op.operands.size() ||
        source.results.size() != op.results.size()) {
      return "not the operation that its source is";
    }
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      if (stands_for_[op.operands[k].index()] != source.operands[k])
        return fmt::format("operand {} stands for another value", k);
      if (p_.layouts.contains(op.operands[k])) return fmt::format("operand {} has no distributed type", k);
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      stands_for_[op.results[k].index()] = source.results[k];
      if (!fits(op.results[k])) return fmt::format("result {} is no part of the global value", k);
    }
    if (!op.regions.empty() && op.decl->meaning == nullptr) return regions(source, op);
    // From the source operation, one entry an axis, in an order that the dimensions' lists allow.
    OpInstance instance = s_.global(origin);
    std::vector<Axis> pending;
    for (std::size_t a = 0; a < p_.mesh.rank(); ++a) {
      if (stands(op, Axis(a))) pending.push_back(Axis(a));
    }
    while (!pending.empty()) {
      const auto next =
          std::find_if(pending.begin(), pending.end(), [&](Axis a) { return is_outermost(op, a, pending); });
      if (next == pending.end()) return "axes that nest in no order";
      const Axis axis = *next;
      pending.erase(next);
      Entry wanted;
      for (const ValueId v : op.operands) wanted.operands.push_back(action(type(v), axis));
      for (const ValueId v : op.results) wanted.results.push_back(action(type(v), axis));
      const auto entries = entries_of(instance);
      if (std::find(entries.begin(), entries.end(), wanted) == entries.end()) {
        return fmt::format("along {} the registry has no entry {}", p_.mesh.name(axis), wanted.str());
      }
      auto inner = localize(instance, wanted, p_.mesh.size(axis));
      if (!inner) return fmt::format("along {} the sizes do not divide", p_.mesh.name(axis));
      instance = std::move(*inner);
    }
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      if (f_.type(op.operands[k]) != instance.operands[k]) return fmt::format("operand {} of another local type", k);
    }
    if (!(instance.attributes == op.attributes)) return "attributes that are not the local program's";
    return std::nullopt;
  }

  /// Control flow and other operations without entries take everything whole.
  Wrong regions(const Op& source, const Op& op) {
    if (source.regions.size() != op.regions.size()) return "other regions";
    for (const ValueId v : op.operands) {
      if (!type(v).is_whole()) return "an operand that is not whole";
    }
    for (const ValueId v : captured(op)) {
      if (!type(v).is_whole()) return "a value read inside that is not whole";
    }
    return std::nullopt;
  }

  static Action action(const DistributedType& type, Axis axis) {
    if (const auto d = type.tiled_by(axis)) return Action::tile(*d);
    if (const auto m = type.partial_over(axis)) return Action::partial(*m);
    return Action::any();
  }

  [[nodiscard]] bool stands(const Op& op, Axis axis) const {
    const auto in = [&](ValueId v) { return action(type(v), axis).kind != Action::Kind::any; };
    return std::any_of(op.operands.begin(), op.operands.end(), in) ||
           std::any_of(op.results.begin(), op.results.end(), in);
  }

  /// No pending axis stands before it in a dimension.
  [[nodiscard]] bool is_outermost(const Op& op, Axis axis, const std::vector<Axis>& pending) const {
    const auto clear = [&](ValueId v) {
      for (const auto& axes : type(v).dims) {
        for (const Axis a : axes) {
          if (a == axis) break;
          if (std::find(axes.begin(), axes.end(), axis) != axes.end() &&
              std::find(pending.begin(), pending.end(), a) != pending.end())
            return false;
        }
      }
      return true;
    };
    return std::all_of(op.operands.begin(), op.operands.end(), clear) &&
           std::all_of(op.results.begin(), op.results.end(), clear);
  }

  const SpmdProgram& p_;
  const Function& f_;
  const State& s_;
  const Function& g_;
  std::vector<std::optional<ValueId>> stands_for_;
};

}  // namespace

std::optional<std::string> check_types(const SpmdProgram& program, const State& source) {
  return Checker(program, source).run();
}

}  // namespace partir
