#include "lowering/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "rewrite/named_values.h"
#include "support/near.h"

namespace partir {
namespace {

class Explainer {
 public:
  explicit Explainer(const Explained& e) : e_(e), f_(e.program.function), source_(e.state.function()) {
    for_each_op(f_.body, [&](const Op& op) {
      for (const ValueId v : op.results) made_by_[v] = ops_.size();
      for (const ValueId v : op.operands) users_[v].push_back(ops_.size());
      for (const Block& region : op.regions) {
        for (const ValueId v : region.arguments) carried_by_[v] = ops_.size();
      }
      ops_.push_back(&op);
    });
  }

  [[nodiscard]] std::vector<std::size_t> collectives(std::string_view kind) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (ops_[i]->name() == "spmd." + std::string(kind)) out.push_back(i);
    }
    return out;
  }

  /// Explains the operation at `position`, the `number`-th of `total` of its kind.
  std::string collective(std::size_t position, std::size_t number, std::size_t total) {
    const Op& op = *ops_[position];
    const ValueId x = op.operands[0];
    const ValueId y = op.results[0];
    std::string out = fmt::format("{} {} of {} over {}: {} -> {}, {} -> {}\n", op.name().substr(5), number, total,
                                  axes_text(op), type_text(x), type_text(y), f_.type(x).str(), f_.type(y).str());
    out += "  of " + origin_text(x, "    ");
    for (const Axis a : axes_of(op)) {
      const auto origin = type(x).pending_over(a) ? origin_of_pending(x, a) : std::nullopt;
      const auto made = made_by_.find(root(x));
      if (origin && (made == made_by_.end() || *origin != made->second))
        out += fmt::format("  to be combined along {} since {}", name(a), operation_text(*origin, "    "));
    }
    std::size_t shown = 0;
    for (const std::size_t user : readers(y)) {
      if (++shown > kShown) {
        out += fmt::format("  and {} more\n", readers(y).size() - kShown);
        break;
      }
      out += "  for " + operation_text(user, "    ");
    }
    return out;
  }

  std::string argument(std::size_t number) {
    const ValueId v = f_.arguments()[number];
    std::string out =
        fmt::format("{}, argument {}: {}, comes in as {}, {} on each device\n", e_.names.arguments[number], number,
                    source_.type(source_.arguments()[number]).str(), type_text(v), f_.type(v).str());
    out += placements(e_.state.argument(number), "all its uses slice it so");
    return out + conversions(v);
  }

  std::string result(std::size_t number) {
    const ValueId v = f_.returned()[number];
    std::string out =
        fmt::format("{}, result {}: {}, returned as {}, {} on each device\n", e_.names.results[number], number,
                    source_.type(source_.returned()[number]).str(), type_text(v), f_.type(v).str());
    out += placements(e_.state.result(number), "");
    return out + "  of " + origin_text(v, "    ");
  }

  std::string internal(const NamedValue& value) {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (!is_local_part(*ops_[i])) continue;
      const Op& op = e_.state.op_of(ops_[i]->id);
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        if (op.results[k] != value.value) continue;
        const ValueId v = ops_[i]->results[k];
        return fmt::format("{}: {}, computed as {}, {} on each device\n  by {}", value.name,
                           source_.type(value.value).str(), type_text(v), f_.type(v).str(), operation_text(i, "    ")) +
               conversions(v);
      }
    }
    return fmt::format("{}: nothing reads it\n", value.name);
  }

 private:
  static constexpr std::size_t kShown = 3;

  [[nodiscard]] const Layout& type(ValueId v) const { return e_.program.layouts[v.index()]; }
  [[nodiscard]] const std::string& name(Axis a) const { return e_.program.mesh.name(a); }
  [[nodiscard]] std::string type_text(ValueId v) const { return type(v).str(e_.program.mesh); }
  [[nodiscard]] const std::string& tactic(std::size_t number) const { return e_.tactics.at(number - 1); }
  static bool converts(const Op& op) { return op.decl->collective.over_axes(); }
  [[nodiscard]] bool is_local_part(const Op& op) const {
    return e_.program.is_local_part(op) && op.decl->kind != OpDecl::Kind::terminator;
  }

  [[nodiscard]] std::vector<Axis> axes_of(const Op& op) const {
    std::vector<Axis> out;
    for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items)
      out.push_back(*e_.program.mesh.find(a.as<StringAttr>()->value));
    return out;
  }
  [[nodiscard]] std::string axes_text(const Op& op) const {
    std::string out;
    for (const Axis a : axes_of(op)) out += (out.empty() ? "" : ", ") + name(a);
    return out;
  }

  /// The value from which conversions made this one.
  [[nodiscard]] ValueId root(ValueId v) const {
    for (auto it = made_by_.find(v); it != made_by_.end() && converts(*ops_[it->second]); it = made_by_.find(v))
      v = ops_[it->second]->operands[0];
    return v;
  }

  /// The operations that read a value, directly or through conversions.
  [[nodiscard]] std::vector<std::size_t> readers(ValueId v) const {
    std::vector<std::size_t> out;
    const auto it = users_.find(v);
    if (it == users_.end()) return out;
    for (const std::size_t user : it->second) {
      const Op& op = *ops_[user];
      const auto found = converts(op) ? readers(op.results[0]) : std::vector<std::size_t>{user};
      out.insert(out.end(), found.begin(), found.end());
    }
    return out;
  }

  std::string origin_text(ValueId v, const std::string& indent) const {
    v = root(v);
    if (const auto it = made_by_.find(v); it != made_by_.end()) return operation_text(it->second, indent);
    if (const auto it = carried_by_.find(v); it != carried_by_.end())
      return "what is carried by " + operation_text(it->second, indent);
    const auto& arguments = f_.arguments();
    const auto number = static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), v) - arguments.begin());
    return fmt::format("argument {}\n", e_.names.arguments.at(number)) +
           placements(e_.state.argument(number), "all its uses slice it so", indent);
  }

  /// "line 12: stablehlo.add … (layers/0/add, model.py:3:4)" and the entries it joined.
  std::string operation_text(std::size_t position, const std::string& indent) const {
    const Op& op = *ops_[position];
    if (op.decl->kind == OpDecl::Kind::terminator) return "the return\n";
    const bool local = is_local_part(op);
    const Op& shown = local ? e_.state.op_of(op.id) : op;
    std::string text = print_op(source_, shown);
    text = text.substr(text.find('=') == std::string::npos ? 0 : text.find('=') + 2);
    text = text.substr(0, std::min<std::size_t>(text.find('\n'), 120));
    std::string out = fmt::format("line {}: {}", shown.place.line, text);
    if (shown.location != nullptr) {
      const SourceLocation& l = *shown.location;
      out += fmt::format(" ({}{}{})", l.name, l.name.empty() || l.source.empty() ? "" : ", ", l.source);
    }
    out += "\n";
    if (!local) return out;
    for (const Step& s : e_.state.steps(e_.state.site_of(op.id)))
      out += fmt::format("{}along {} by {}: {}\n", indent, name(s.axis), tactic(s.tactic), s.entry.str());
    return out;
  }

  std::string placements(const std::vector<TileDecision>& list, const char* why,
                         const std::string& indent = "  ") const {
    std::string out;
    for (const TileDecision& p : list) {
      const std::string how = p.dim ? fmt::format("dimension {}", *p.dim) : "whole";
      out += fmt::format("{}along {}: {}, {} {}\n", indent, name(p.axis), how,
                         p.requested ? "asked for by" : fmt::format("as {}, in", why), tactic(p.tactic));
    }
    return out;
  }

  /// The operation that created a pending reduction along an axis: followed through operations that pass it on, and
  /// from the result of a loop through the sum in its body.
  std::optional<std::size_t> origin_of_pending(ValueId v, Axis axis) const {
    while (true) {
      const auto it = made_by_.find(root(v));
      if (it == made_by_.end()) return std::nullopt;
      const Op& op = *ops_[it->second];
      if (op.decl->control == Control::loop && runs_regions(op)) {
        const auto result = std::find(op.results.begin(), op.results.end(), root(v)) - op.results.begin();
        v = op.regions.back().ops.back().operands[static_cast<std::size_t>(result)];
        continue;
      }
      const auto& operands = op.operands;
      const auto from = std::find_if(operands.begin(), operands.end(), [&](ValueId x) {
        return type(x).pending_over(axis).has_value() && made_by_.contains(root(x));
      });
      if (from == operands.end()) return it->second;
      v = *from;
    }
  }

  std::string conversions(ValueId v) const {
    std::string out;
    const auto it = users_.find(v);
    if (it == users_.end()) return out;
    for (const std::size_t user : it->second) {
      const Op& op = *ops_[user];
      if (!converts(op)) continue;
      out += fmt::format("  {} over {} to {} at line {}\n", op.name().substr(5), axes_text(op),
                         type_text(op.results[0]), op.place.line);
      out += conversions(op.results[0]);
    }
    return out;
  }

  const Explained& e_;
  const Function& f_;
  const Function& source_;
  std::vector<const Op*> ops_;  ///< in the order of for_each_op
  std::map<ValueId, std::size_t> made_by_;
  std::map<ValueId, std::size_t> carried_by_;  ///< block arguments of regions, by the operation that owns the region
  std::map<ValueId, std::vector<std::size_t>> users_;
};

tl::unexpected<Diagnostic> nothing(const std::string& what, std::string wanted) {
  return tl::unexpected(
      Diagnostic{"explain", "--explain", {}, fmt::format("nothing is called '{}'", what), std::move(wanted)});
}

}  // namespace

Result<std::vector<std::string>> explain(const std::string& what, const Explained& explained) {
  Explainer explainer(explained);
  std::vector<std::string> out;
  const auto colon = what.find(':');
  const std::string kind = what.substr(0, colon);
  const auto& kinds = CollectiveCounts::kinds;
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
    const auto all = explainer.collectives(kind);
    std::size_t number = 0;
    if (colon != std::string::npos) {
      const char* end = what.data() + what.size();
      const bool read = std::from_chars(what.data() + colon + 1, end, number).ptr == end && colon + 1 < what.size();
      if (!read || number < 1 || number > all.size()) {
        return nothing(what, all.empty() ? fmt::format("there is no {}", kind)
                                         : fmt::format("{}:1 to {}:{}", kind, kind, all.size()));
      }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (number == 0 || number == k + 1) out.push_back(explainer.collective(all[k], k + 1, all.size()));
    }
    return out;
  }
  const Names& names = explained.names;
  std::vector<std::string> known(kinds.begin(), kinds.end());
  known.insert(known.end(), names.arguments.begin(), names.arguments.end());
  known.insert(known.end(), names.results.begin(), names.results.end());
  for (std::size_t k = 0; k < names.arguments.size(); ++k) {
    if (glob_matches(what, names.arguments[k])) out.push_back(explainer.argument(k));
  }
  for (std::size_t k = 0; k < names.results.size(); ++k) {
    if (glob_matches(what, names.results[k])) out.push_back(explainer.result(k));
  }
  for (const NamedValue& v : named_values(explained.state.function())) {
    if (is_called(v, what)) out.push_back(explainer.internal(v));
    known.push_back(v.name);
  }
  if (!out.empty()) return out;
  return nothing(what, meant(what, known,
                             "a collective (all_reduce:1), or the name of a value, such as '" +
                                 (names.arguments.empty() ? known.back() : names.arguments[0]) + "'"));
}

}  // namespace partir
