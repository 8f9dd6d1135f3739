#include "verify/certificate/local.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/prove/instance.h"

namespace partir {
namespace {

/// Appends the cache key of a block: everything that entries and meanings may depend on.
void describe(const Function& f, const Block& block, std::unordered_map<ValueId, std::size_t>& numbers,
              std::string& out) {
  const auto number = [&](ValueId v) { return numbers.emplace(v, numbers.size()).first->second; };
  for (const ValueId v : block.arguments) out += fmt::format("^{}:{}", number(v), f.type(v).str());
  for (const Op& op : block.ops) {
    out += op.name();
    for (const ValueId v : op.operands) out += fmt::format(" {}", number(v));
    for (const auto& [name, value] : op.attributes) out += fmt::format(" {}={}", name, value.str());
    for (const Block& b : op.regions) describe(f, b, numbers, out);
    for (const ValueId v : op.results) out += fmt::format(">{}:{}", number(v), f.type(v).str());
  }
}

std::string described(const OpInstance& op, const std::vector<CertificateStep::Along>& along) {
  std::string out = op.decl->name;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    out += " " + op.operands[k].str();
    if (op.splats[k] != nullptr) out += "=" + op.splats[k]->str();
    for (std::size_t at = 0; k < op.places.size() && at < op.places[k].size(); ++at)
      out += op.places[k][at] ? fmt::format(" [{}]={}", at, *op.places[k][at]) : "";
  }
  for (const Type& t : op.results) out += ">" + t.str();
  for (const auto& [name, value] : op.attributes) out += fmt::format(" {}={}", name, value.str());
  std::unordered_map<ValueId, std::size_t> numbers;
  if (op.regions != nullptr) {
    for (const Block& b : *op.regions) describe(*op.function, b, numbers, out);
  }
  for (const auto& a : along) out += fmt::format("|{} {}", a.axis, a.entry.str());
  return out;
}

void apply(const Action& action, Axis axis, Layout& type) {
  if (action.is_tile()) type.dims[action.dim].push_back(axis);
  if (action.is_partial()) type.add_pending(axis, action.monoid);
}

bool fits(const std::vector<Action>& actions, const std::vector<Type>& types) {
  if (actions.size() != types.size()) return false;
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (actions[k].is_tile() && actions[k].dim >= types[k].rank()) return false;
  }
  return true;
}

}  // namespace

const LocalProgram& LocalPrograms::of(const OpInstance& source, const std::vector<CertificateStep::Along>& along) {
  auto& known = cached_[described(source, along)];
  if (known == nullptr) known = std::make_unique<LocalProgram>(compute(source, along));
  return *known;
}

const prove::Decision& LocalPrograms::by_offsets(const OpInstance& source, const ByOffsets& how,
                                                 const Function& others) {
  const auto [it, fresh] = cached_by_offsets_.try_emplace(
      fmt::format("{} | {} {} {}", described(source, {}), how.operand, how.dim, how.devices));
  if (fresh) {
    it->second = prove::decide_same(source, others, cross_checks_);
    tally_.add(it->second);
  }
  return it->second;
}

const prove::Decision& LocalPrograms::same(const Function& one, const Function& other) {
  std::string key;
  for (const Function* f : {&one, &other}) {
    std::unordered_map<ValueId, std::size_t> numbers;
    describe(*f, f->body, numbers, key);
    key += '|';
  }
  const auto [it, fresh] = cached_same_.try_emplace(std::move(key));
  if (fresh) {
    it->second = prove::decide_same(one, other, cross_checks_);
    tally_.add(it->second);
  }
  return it->second;
}

LocalProgram LocalPrograms::compute(const OpInstance& source, const std::vector<CertificateStep::Along>& along) {
  LocalProgram out;
  out.instance = source;
  for (const Type& t : source.operands) out.operands.push_back(Layout::replicated(t.rank()));
  for (const Type& t : source.results) out.results.push_back(Layout::replicated(t.rank()));
  const auto wrong = [&](std::string reason) {
    out.verdict = Verdict::refuted;
    out.reason = std::move(reason);
    return out;
  };
  std::vector<Axis> seen;
  for (const auto& [name, entry] : along) {
    const auto axis = mesh_.find(name);
    if (!axis) return wrong(fmt::format("an entry along '{}', which the mesh lacks", name));
    if (std::find(seen.begin(), seen.end(), *axis) != seen.end())
      return wrong(fmt::format("two entries along {}", name));
    seen.push_back(*axis);
    if (!fits(entry.operands, source.operands) || !fits(entry.results, source.results))
      return wrong(fmt::format("{} is no entry of {}", entry.str(), source.decl->name));
    const std::int64_t n = mesh_.size(*axis);
    auto local = localize(out.instance, entry, n);
    if (!local) return wrong(fmt::format("along {} the sizes do not divide by {}", name, n));
    // A wrong entry may lead to sizes that the operation cannot have.
    if (const auto ok = verify_op(*local); !ok) return wrong(fmt::format("along {}: {}", name, ok.error().text()));
    if (n > 1) {  // on one device every entry that fits the operands holds
      const auto verdict = prove::decide_instance(out.instance, entry, n, *local, cross_checks_);
      tally_.add(verdict);
      ++proofs_;
      out.reach.also(verdict.reach);
      if (verdict.verdict != Verdict::proved && out.verdict == Verdict::proved) {
        out.verdict = Verdict::unknown;
        out.reason = fmt::format("{} of {} is not proved: {}", entry.str(), source.decl->name, verdict.reason);
      }
    }
    out.instance = std::move(*local);
    for (std::size_t k = 0; k < out.operands.size(); ++k) apply(entry.operands[k], *axis, out.operands[k]);
    for (std::size_t k = 0; k < out.results.size(); ++k) apply(entry.results[k], *axis, out.results[k]);
  }
  return out;
}

bool same_block(const Function& f, const Block& a, const Function& g, const Block& b,
                const std::function<bool(ValueId, ValueId)>& same) {
  if (a.arguments.size() != b.arguments.size() || a.ops.size() != b.ops.size()) return false;
  std::unordered_map<ValueId, ValueId> renamed;
  const std::function<bool(ValueId, ValueId)> inside = [&](ValueId x, ValueId y) {
    const auto it = renamed.find(x);
    return it != renamed.end() ? it->second == y : same(x, y);
  };
  const auto pair = [&](const std::vector<ValueId>& xs, const std::vector<ValueId>& ys) {
    if (xs.size() != ys.size()) return false;
    for (std::size_t k = 0; k < xs.size(); ++k) {
      if (f.type(xs[k]) != g.type(ys[k])) return false;
      renamed[xs[k]] = ys[k];
    }
    return true;
  };
  if (!pair(a.arguments, b.arguments)) return false;
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    const Op& x = a.ops[i];
    const Op& y = b.ops[i];
    if (x.decl != y.decl || x.operands.size() != y.operands.size() || x.regions.size() != y.regions.size() ||
        !(x.attributes.sorted() == y.attributes.sorted()))
      return false;
    if (!std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), inside)) return false;
    for (std::size_t r = 0; r < x.regions.size(); ++r) {
      if (!same_block(f, x.regions[r], g, y.regions[r], inside)) return false;
    }
    if (!pair(x.results, y.results)) return false;
  }
  return true;
}

}  // namespace partir
