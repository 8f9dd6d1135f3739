// Decides the factors of sharding rules (judge.h). Equal operations, and equal claims, are decided once.
#include "verify/rules/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "ir/declared_calls.h"
#include "ir/splat.h"
#include "ir/text/print.h"
#include "rewrite/state.h"
#include "support/check.h"
#include "verify/rules/factor_claim.h"

namespace partir::rules {
namespace {

constexpr std::string_view kAttribute = "sdy.sharding_rule";

/// Returns text that identifies an operation up to the names of its values.
std::string text_of(const OpInstance& op) {
  std::string out = op.decl->name + dictionary_text(op.attributes.sorted());
  for (const Type& t : op.operands) out += t.str() + ",";
  for (const Type& t : op.results) out += t.str() + ";";
  for (const LiteralPtr& splat : op.splats) out += (splat != nullptr ? splat->str() : "-") + ",";
  if (op.regions == nullptr) return out;
  for (const Block& block : *op.regions) {
    text::OpPrinter printer(out);
    printer.region(*op.function, block, true);
  }
  return out;
}

class Judge {
 public:
  explicit Judge(const StartClock& start_clock) : start_clock_(start_clock) {}

  void function(const Function& f) {
    splats_ = Splats(f.types.size());
    block(f, f.body);
  }

  RulesTable take() {
    out_.distinct_claims = decided_.size();
    return std::move(out_);
  }

 private:
  void block(const Function& f, const Block& b) {
    for (const Op& op : b.ops) {
      const LiteralPtr splat = splat_of(op, splats_);
      for (const ValueId v : op.results) splats_[v] = splat;
      for (const Block& region : op.regions) block(f, region);
      if (const Attribute* rule = find(op.attributes, kAttribute)) operation(instance_of(f, op, splats_), *rule);
    }
  }

  void operation(const OpInstance& op, const Attribute& attribute) {
    ++out_.operations;
    const auto [it, is_new] = known_.try_emplace(text_of(op));
    if (is_new) {
      const RawAttr* raw = attribute.as<RawAttr>();
      if (raw == nullptr)
        fail("sharding_rule", op.place, attribute.str(), fmt::format("{} = #sdy.op_sharding_rule<…>", kAttribute));
      const ShardingRule rule = value_or_throw(read_sharding_rule(raw->text, raw->place));
      if (const auto fits = verify_sharding_rule(rule, op, raw->place); !fits) throw UserError(fits.error());
      for (FactorIndex f = 0; f < rule.sizes.size(); ++f) {
        const std::size_t row = add(factor_of(op, rule, f, raw->place));
        it->second.push_back(row);
      }
    }
    if (it->second.empty()) ++out_.without_factors;
    for (const std::size_t row : it->second) ++out_.rows[row].count;
  }

  /// Adds a row unless there is an equal one, and returns its number.
  std::size_t add(FactorRow row) {
    const auto key = std::tuple(row.operation, row.rule, row.factor, row.entry, row.verdict, row.reason, row.left);
    const auto [it, is_new] = row_of_.try_emplace(key, out_.rows.size());
    if (is_new) out_.rows.push_back(std::move(row));
    return it->second;
  }

  FactorRow factor_of(const OpInstance& op, const ShardingRule& rule, FactorIndex f, Place place) {
    FactorRow row;
    row.operation = op.decl->name;
    row.rule = rule.str(false);
    row.factor = factor_name(f);
    row.kind = rule.kind(f);
    row.custom = rule.custom;
    row.place = place;
    row.verdict = Verdict::skipped;
    if (rule.sizes[f] <= 1) {
      row.reason = fmt::format("size {}: not sharded", rule.sizes[f]);
      return row;
    }
    if (const auto empty = std::find(rule.sizes.begin(), rule.sizes.end(), 0); empty != rule.sizes.end()) {
      const bool nothing = std::all_of(op.results.begin(), op.results.end(), [](const Type& t) {
        return t.is_tensor() && std::find(t->dims.begin(), t->dims.end(), 0) != t->dims.end();
      });
      row.verdict = nothing ? Verdict::skipped : Verdict::unknown;
      row.reason = nothing ? "its results have no elements"
                           : fmt::format("factor {} has size 0, and sizes are claimed from 1",
                                         factor_name(static_cast<FactorIndex>(empty - rule.sizes.begin())));
      return row;
    }
    if (is_declared_call(*op.decl)) {
      row.verdict = Verdict::unknown;
      row.reason = fmt::format("nothing is known of @{} but this rule", *call_target(op.attributes));
      return row;
    }
    const std::vector<Reading> list = readings(op, rule, f);
    if (rule.is_blocked(f)) row.left.push_back("shardings do not propagate along it, which says nothing of values");
    if (row.kind == FactorKind::need_replication) {
      row.reason = "stays replicated: nothing is claimed";
      row.left.push_back("gathers it");
      return row;
    }
    judge(list, row);
    note_left(op, rule, f, row);
    if (row.kind != FactorKind::permutation || row.verdict == Verdict::proved) return row;
    row.reason = row.verdict == Verdict::refuted ? "needs the permutes of its lowering: without them it is refuted"
                                                 : "needs the permutes of its lowering";
    row.verdict = Verdict::skipped;
    row.scope.clear();
    row.counterexample.reset();
    return row;
  }

  /// Decides a factor: proved if one reading is proved, refuted if all are refuted.
  void judge(const std::vector<Reading>& list, FactorRow& row) {
    bool all_refuted = true;
    for (const Reading& reading : list) {
      const bool first = &reading == &list.front();
      if (reading.claim.empty()) {
        row.entry = reading.entry.str();
        row.verdict = Verdict::unknown;
        row.reason = reading.reason;
        return;
      }
      const prove::Decision& v = decide(reading.claim);
      all_refuted = all_refuted && v.verdict == Verdict::refuted;
      if (!first && v.verdict != Verdict::proved) continue;
      row.entry = reading.entry.str();
      row.verdict = v.verdict;
      row.scope = v.scope;
      row.reason = v.reason;
      row.counterexample = v.counterexample;
      row.claim = reading.claim;
      away_ = reading.sharded_away;
      if (v.verdict == Verdict::proved) return;
    }
    if (row.verdict == Verdict::refuted && !all_refuted) {
      row.verdict = Verdict::unknown;
      row.reason = "refuted as " + row.entry + "; other monoids are not decided";
      row.scope.clear();
      row.counterexample.reset();
    }
    if (row.verdict == Verdict::refuted && list.size() > 1) row.reason = "as by every other monoid";
  }

  void note_left(const OpInstance& op, const ShardingRule& rule, FactorIndex f, FactorRow& row) const {
    if (row.kind == FactorKind::permutation) row.left.push_back("collective permutes (halo, reversal, shift)");
    if (row.kind == FactorKind::reduction) {
      row.left.push_back("the monoid that combines the devices' results");
      if (op.regions != nullptr && !op.regions->empty())
        row.left.push_back("initial values, which enter on every device");
    }
    if (!away_.empty()) {
      std::vector<std::string> names;
      for (const FactorIndex g : away_) names.push_back(factor_name(g));
      const std::string list = fmt::format("{}", fmt::join(names, ", "));
      if (row.verdict == Verdict::proved) row.scope += fmt::format(", where {} is sharded to size 1", list);
      row.left.push_back(fmt::format("strided tiles, where {} is not sharded to size 1", list));
    }
    bool matches = true;
    const auto look = [&](const std::vector<TensorFactors>& mappings, const std::vector<Type>& types) {
      for (std::size_t k = 0; k < types.size(); ++k) {
        for (std::size_t d = 0; d < types[k].rank(); ++d) {
          std::int64_t product = 1;
          for (const FactorIndex g : mappings[k][d]) product *= rule.sizes[g];
          const auto& dim = mappings[k][d];
          matches = matches && (product == types[k]->dims[d] || std::find(dim.begin(), dim.end(), f) == dim.end());
        }
      }
    };
    look(rule.operands, op.operands);
    look(rule.results, op.results);
    if (!matches) row.left.push_back("chunks of dimensions whose size is not the product of their factors");
  }

  const prove::Decision& decide(const std::string& claim) {
    const auto [it, is_new] = decided_.try_emplace(claim);
    if (!is_new) return it->second;
    const auto read = prove::read_claims(claim, "claim");
    PARTIR_CHECK(read && read->size() == 1, "a claim that does not read: " + claim);
    auto verdict = prove::decide(read->front(), start_clock_ ? start_clock_() : nullptr);
    if (verdict) {
      it->second = std::move(*verdict);
    } else {
      it->second.reason = verdict.error().text();
    }
    return it->second;
  }

  const StartClock& start_clock_;
  RulesTable out_;
  Splats splats_;
  std::vector<FactorIndex> away_;
  std::unordered_map<std::string, std::vector<std::size_t>> known_;  ///< rows by the text of an operation
  std::unordered_map<std::string, prove::Decision> decided_;         ///< verdicts by claim
  std::map<
      std::tuple<std::string, std::string, std::string, std::string, Verdict, std::string, std::vector<std::string>>,
      std::size_t>
      row_of_;
};

}  // namespace

Result<RulesTable> judge_rules(const Module& module, const StartClock& start_clock) {
  try {
    Judge judge(start_clock);
    for (const Function& f : module.functions) judge.function(f);
    return judge.take();
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir::rules
