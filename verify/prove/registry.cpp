// Proves the entries and decompositions of the registry for each pattern (registry.h), and derives further entries by
// trying combinations of actions.
#include "verify/prove/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "rewrite/state.h"
#include "support/check.h"
#include "verify/prove/offsets.h"

namespace partir::prove {
namespace {

/// A pattern prepared for proofs: its claim without actions, and its operation at concrete sizes.
class Subject {
 public:
  explicit Subject(const Pattern& pattern) {
    auto claims = read_claims("entry @pattern " + pattern.text, "pattern");
    PARTIR_CHECK(claims && claims->size() == 1, "a pattern that does not read: " + pattern.text);
    claim_ = std::move((*claims)[0]);
    claim_.name = pattern.operation + " " + pattern.name;
  }

  /// True if the operation accepts these types and has a meaning there.
  bool prepare() {
    const Sizes sizes = some_sizes();
    auto module = claim_.at(sizes);
    if (!module) return false;
    module_ = std::move(*module);
    const Function& f = function();
    op_ = State(f, Mesh({{"a", 2}})).global(f.body.ops.size() - 2);
    for (std::size_t k = 0; k < f.arguments().size(); ++k)
      dims_.push_back(symbols_of(f.tensor(f.arguments()[k]), sizes));
    for (const ValueId v : f.returned()) result_dims_.push_back(symbols_of(f.tensor(v), sizes));
    return has_meaning(op_);
  }

  [[nodiscard]] const Claim& claim() const { return claim_; }
  [[nodiscard]] const OpInstance& op() const { return op_; }
  [[nodiscard]] const Function& function() const { return module_.functions.at(0); }
  /// By argument or result and dimension: the symbols whose product is the size, the major one first; empty for other
  /// sizes.
  [[nodiscard]] const std::vector<std::vector<std::string>>& dims(std::size_t argument) const {
    return dims_[argument];
  }
  [[nodiscard]] const std::vector<std::vector<std::string>>& result_dims(std::size_t result) const {
    return result_dims_[result];
  }

  /// Returns the entry over the function's arguments; nothing if it requires a constant to have a pending reduction.
  [[nodiscard]] std::optional<Entry> over_arguments(const Entry& entry) const {
    const Function& f = function();
    const Op& last = f.body.ops[f.body.ops.size() - 2];
    Entry out{std::vector<Action>(f.arguments().size()), entry.results};
    for (std::size_t k = 0; k < last.operands.size(); ++k) {
      const auto it = std::find(f.arguments().begin(), f.arguments().end(), last.operands[k]);
      if (it != f.arguments().end()) {
        out.operands[static_cast<std::size_t>(it - f.arguments().begin())] = entry.operands[k];
      } else if (entry.operands[k].is_partial()) {
        return std::nullopt;
      }
    }
    return out;
  }

  /// Returns the claim that the entry holds, with the symbols of the dimensions that it tiles as tiled symbols.
  [[nodiscard]] Claim with(const Entry& entry) const {
    Claim out = claim_;
    out.arguments = entry.operands;
    out.results = entry.results;
    std::set<std::string> tiled;
    const auto note = [&](const Action& action, const std::vector<std::vector<std::string>>& of) {
      if (action.is_tile() && of[action.dim].size() == 1) tiled.insert(of[action.dim][0]);
    };
    const auto note_major = [&](const Action& action, const std::vector<std::vector<std::string>>& of) {
      if (!action.is_tile() || of[action.dim].size() < 2) return;
      const bool has = std::any_of(of[action.dim].begin(), of[action.dim].end(),
                                   [&](const std::string& s) { return tiled.contains(s); });
      if (!has) tiled.insert(of[action.dim][0]);
    };
    for (std::size_t k = 0; k < entry.operands.size(); ++k) note(entry.operands[k], dims_[k]);
    for (std::size_t k = 0; k < entry.results.size(); ++k) note(entry.results[k], result_dims_[k]);
    for (std::size_t k = 0; k < entry.operands.size(); ++k) note_major(entry.operands[k], dims_[k]);
    for (std::size_t k = 0; k < entry.results.size(); ++k) note_major(entry.results[k], result_dims_[k]);
    out.tiled.assign(tiled.begin(), tiled.end());
    return out;
  }

  /// True if the device-local operation that the partitioner creates for the entry is the claim's.
  [[nodiscard]] bool localizes(const Entry& entry, const Claim& claim) const {
    Sizes sizes = some_sizes();
    for (const std::string& s : claim.tiled) sizes[s] /= 2;
    const auto module = claim_.at(sizes);
    const auto made = localize(op_, entry, 2);
    if (!module || !made) return false;
    const Function& f = module->functions.at(0);
    const OpInstance expected = instance_of(f, f.body.ops[f.body.ops.size() - 2]);
    return expected.operands == made->operands && expected.results == made->results &&
           expected.attributes.sorted() == made->attributes.sorted();
  }

 private:
  /// Returns twice different primes as sizes, so that products, doubles and halves identify their symbols.
  [[nodiscard]] Sizes some_sizes() const {
    static constexpr std::int64_t values[] = {10, 14, 22, 26, 34, 38, 46, 58};
    Sizes out;
    PARTIR_CHECK(claim_.symbols.size() <= std::size(values), "a pattern of many symbols");
    for (std::size_t k = 0; k < claim_.symbols.size(); ++k) out[claim_.symbols[k]] = values[k];
    return out;
  }

  /// Returns by dimension the symbols whose product (or, for one symbol, its double) is the size.
  [[nodiscard]] std::vector<std::vector<std::string>> symbols_of(const TensorType& type, const Sizes& sizes) const {
    std::vector<std::vector<std::string>> out(type.rank());
    for (std::size_t d = 0; d < type.rank(); ++d) {
      const std::int64_t size = type.dims[d];
      for (const auto& [a, x] : sizes) {
        if (size == x || size == 2 * x) out[d] = {a};
      }
      for (const auto& [a, x] : sizes) {
        for (const auto& [b, y] : sizes) {
          if (out[d].empty() && a < b && size == x * y) out[d] = {a, b};
          for (const auto& [e, z] : sizes) {
            if (out[d].empty() && a < b && b < e && size == x * y * z) out[d] = {a, b, e};
          }
        }
      }
    }
    return out;
  }

  Claim claim_;
  Module module_;
  OpInstance op_;
  std::vector<std::vector<std::vector<std::string>>> dims_;
  std::vector<std::vector<std::vector<std::string>>> result_dims_;
};

/// Returns the actions that a value may have if symbol `tiled` (or none) is tiled: a dimension with that symbol must be
/// tiled.
std::vector<Action> options(const TensorType& type, const std::vector<std::vector<std::string>>& dims,
                            const std::string& tiled) {
  std::vector<Action> out;
  for (Dim d = 0; d < dims.size(); ++d) {
    if (!tiled.empty() && std::find(dims[d].begin(), dims[d].end(), tiled) != dims[d].end())
      out.push_back(Action::tile(d));
  }
  if (!out.empty()) return out;
  out.push_back(Action::any());
  for (const Monoid m : ops::kMonoids) {
    if (ops::combines(m, type.element)) out.push_back(Action::partial(m));
  }
  return out;
}

constexpr std::size_t kMaxCandidates = 600;

using Choices = std::vector<std::vector<Action>>;  ///< actions of each argument, then of each result

std::size_t candidates(const Choices& choices) {
  std::size_t out = 1;
  for (const auto& c : choices) out *= c.size();
  return out;
}

/// Removes pending reductions by other monoids.
Choices with_one_monoid(Choices choices, Monoid monoid) {
  for (auto& list : choices) std::erase_if(list, [&](const Action& a) { return a.is_partial() && a.monoid != monoid; });
  return choices;
}

/// Adds those combinations of choices that the prover proves and that are not yet in `out`.
void derive_from(const Subject& s, const Choices& choices, std::vector<std::pair<Entry, Decision>>& out) {
  const std::size_t arguments = s.function().arguments().size();
  std::vector<std::size_t> at(choices.size(), 0);
  while (true) {
    Entry entry;
    for (std::size_t k = 0; k < choices.size(); ++k)
      (k < arguments ? entry.operands : entry.results).push_back(choices[k][at[k]]);
    const bool trivial =
        std::all_of(entry.results.begin(), entry.results.end(), [](const Action& a) { return a == Action::any(); });
    const bool known = std::any_of(out.begin(), out.end(), [&](const auto& row) { return row.first == entry; });
    if (!trivial && !known) {
      const auto verdict = decide(s.with(entry));
      if (verdict && verdict->verdict == Verdict::proved) out.emplace_back(entry, *verdict);
    }
    std::size_t k = 0;
    while (k < choices.size() && ++at[k] == choices[k].size()) at[k++] = 0;
    if (k == choices.size()) return;
  }
}

enum class Derived : std::uint8_t { all, by_one_monoid, not_tried };

/// Derives entries over the pattern's arguments that the prover proves: tries all combinations or, if there are too
/// many, those in which all pending reductions use one monoid.
Derived derive_entries(const Subject& s, std::vector<std::pair<Entry, Decision>>& out) {
  Derived how = Derived::all;
  const Function& f = s.function();
  std::vector<std::string> tiled = s.claim().symbols;
  tiled.emplace_back();
  for (const std::string& symbol : tiled) {
    Choices choices;
    for (std::size_t k = 0; k < f.arguments().size(); ++k)
      choices.push_back(options(f.tensor(f.arguments()[k]), s.dims(k), symbol));
    for (std::size_t k = 0; k < f.returned().size(); ++k)
      choices.push_back(options(f.tensor(f.returned()[k]), s.result_dims(k), symbol));
    if (candidates(choices) <= kMaxCandidates) {
      derive_from(s, choices, out);
      continue;
    }
    how = Derived::by_one_monoid;
    for (const Monoid m : ops::kMonoids) {
      const Choices few = with_one_monoid(choices, m);
      if (candidates(few) > kMaxCandidates) return Derived::not_tried;
      derive_from(s, few, out);
    }
  }
  return how;
}

/// Returns the reason why a valid entry is not declared in the registry; "" if none is known.
std::string why_not_declared(const Entry& entry) {
  const auto is_whole = [](const Action& a) { return a == Action::any(); };
  const auto is_partial = [](const Action& a) { return a.is_partial(); };
  const bool combines = std::any_of(entry.results.begin(), entry.results.end(), is_partial);
  if (combines && std::all_of(entry.operands.begin(), entry.operands.end(), is_whole))
    return "the devices hold the same, which combined is the same: of no use";
  return entry.has_partial_operand() ? "of partial operands, which propagation does not go by" : "";
}

/// Returns rows for the decompositions of the pattern's operation: for each operand and dimension that its entries do
/// not tile, or for the result of an operation without operands.
std::vector<RegistryRow> by_offsets(const Subject& s, const Pattern& pattern, const CrossChecks& cross_checks) {
  std::vector<RegistryRow> out;
  const OpInstance& op = s.op();
  if (op.decl->by_offsets == nullptr) return out;
  const std::vector<Entry> entries = entries_of(op);
  const Op& last = s.function().body.ops[s.function().body.ops.size() - 2];
  const auto add = [&](const Entry& wanted, const ByOffsets& how) {
    RegistryRow row{pattern.operation, pattern.name, wanted, {}, true};
    row.decision = decide_by_offsets(s.with(wanted), how, cross_checks);
    out.push_back(std::move(row));
  };
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const auto& arguments = s.function().arguments();
    const auto argument = std::find(arguments.begin(), arguments.end(), last.operands[k]);
    if (argument == arguments.end()) continue;
    for (Dim d = 0; d < op.operands[k].rank(); ++d) {
      const Action tile = Action::tile(d);
      const bool taken =
          std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.operands[k] == tile; });
      if (taken || !op.decl->by_offsets(op, k, d, 2)) continue;
      Entry how{std::vector<Action>(arguments.size()), std::vector<Action>(s.function().returned().size())};
      how.operands[static_cast<std::size_t>(argument - arguments.begin())] = tile;
      add(how, {k, d, 2});
    }
  }
  for (Dim d = 0; op.operands.empty() && d < op.results[0].rank(); ++d) {
    if (op.decl->by_offsets(op, 0, d, 2)) add({{}, {Action::tile(d)}}, {0, d, 2});
  }
  return out;
}

}  // namespace

std::string RegistryRow::text() const {
  const std::string whole = entry.str();
  if (!by_offsets) return whole;
  const std::size_t arrow = whole.find(" -> ");
  return entry.operands.empty() ? "by offsets where its results are " + whole.substr(arrow + 4)
                                : "by offsets where its operands are " + whole.substr(0, arrow);
}

RegistryTable registry(const std::string& operation, bool derive, const CrossChecks& cross_checks,
                       const std::function<void(const Pattern&)>& progress) {
  RegistryTable out;
  std::set<std::string> covered;
  std::set<std::string> tiled;
  for (const Pattern& pattern : patterns()) {
    const bool named =
        operation.empty() || pattern.operation == operation || pattern.operation.ends_with("." + operation);
    if (!named) continue;
    Subject s(pattern);
    if (!s.prepare()) continue;  // the operation does not accept the pattern's types
    covered.insert(pattern.operation);
    if (progress) progress(pattern);
    std::vector<Entry> seen;
    for (const Entry& entry : entries_of(s.op())) {
      const auto over = s.over_arguments(entry);
      if (!over || std::find(seen.begin(), seen.end(), *over) != seen.end()) continue;
      seen.push_back(*over);
      tiled.insert(pattern.operation);
      const Claim claim = s.with(*over);
      RegistryRow row{pattern.operation, pattern.name, *over, {}};
      auto verdict = decide(claim, nullptr, cross_checks);
      if (!verdict) {
        row.decision.reason = verdict.error().text();
      } else {
        row.decision = std::move(*verdict);
      }
      if (row.decision.verdict == Verdict::proved && !s.localizes(entry, claim)) {
        row.decision = {};
        row.decision.reason = "the local program of the registry is not the one that was proved";
      }
      out.rows.push_back(std::move(row));
    }
    for (RegistryRow& row : by_offsets(s, pattern, cross_checks)) {
      tiled.insert(pattern.operation);
      out.rows.push_back(std::move(row));
    }
    if (!derive) continue;
    std::vector<std::pair<Entry, Decision>> derived;
    const Derived how = derive_entries(s, derived);
    if (how == Derived::by_one_monoid) out.derived_by_one_monoid.push_back(pattern.operation + " " + pattern.name);
    if (how == Derived::not_tried) {
      out.not_derived.push_back(pattern.operation + " " + pattern.name);
      continue;
    }
    for (auto& [entry, verdict] : derived) {
      if (std::find(seen.begin(), seen.end(), entry) != seen.end()) continue;
      verdict.reason = why_not_declared(entry);
      out.rows.push_back({pattern.operation, pattern.name, entry, std::move(verdict), false, false});
    }
  }
  for (const OpDecl* decl : all_decls()) {
    const bool named = operation.empty() || decl->name == operation || decl->name.ends_with("." + operation);
    if (named && decl->entries != nullptr && decl->meaning != nullptr && !covered.contains(decl->name))
      out.without.push_back(decl->name);
    if (named && covered.contains(decl->name) && !tiled.contains(decl->name)) out.whole.push_back(decl->name);
  }
  return out;
}

}  // namespace partir::prove
