// Searches for counterexamples to entries: small sizes first, small values; every case runs in the sequential
// interpreter and the one of many devices. Rewrites have their own search (rewrite.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "semantics/interpreter.h"
#include "support/check.h"
#include "verify/prove/prove.h"
#include "verify/prove/trial.h"
#include "verify/prove/trial_difference.h"

namespace partir::prove {
namespace {

Layout layout_of_action(const Action& action, std::size_t rank) {
  Layout out = Layout::replicated(rank);
  if (action.is_tile()) out.dims[action.dim] = {Axis(0)};
  if (action.is_partial()) out.add_pending(Axis(0), action.monoid);
  return out;
}

/// What is compared of result r: the value that the devices hold together and, for a replicated result, where the
/// devices' values may differ by rounding, that of each device.
std::vector<Tensor> seen_of(const Claim& claim, const Tensor& whole, const std::vector<std::vector<Tensor>>& devices,
                            std::size_t r, const Domain& domain) {
  std::vector<const Tensor*> held;
  for (const auto& device : devices) held.push_back(&device[r]);
  const Mesh mesh({{"a", static_cast<std::int64_t>(devices.size())}});
  bool disagreement = false;
  std::vector<Tensor> out{gather_from(held, *whole.type, layout_of_action(claim.results[r], whole.type.rank()), mesh,
                                      domain, disagreement)};
  if (claim.results[r] == Action::any()) {
    for (const Tensor* t : held) out.push_back(*t);
  }
  return out;
}

enum class Case : std::uint8_t { holds, fails, inconclusive };

/// Runs one trial at one choice of sizes. `inconclusive`: the trial makes no statement about the claim. In the first
/// trial that counts, the source must also have a finite result in the program's own types.
Case try_values(const Claim& claim, const PreparedFunction& source, const PreparedFunction& target,
                const Constants& constants, std::int64_t n, std::uint64_t seed, bool unbounded, bool first,
                Counterexample& out) {
  const Function& whole = source.function();
  const Function& part = target.function();
  const Mesh mesh({{"a", n}});
  std::mt19937_64 random(seed);
  const auto kind = static_cast<Draw>(seed % kDraws);
  std::vector<Tensor> global;
  std::vector<std::vector<Tensor>> local(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < claim.arguments.size(); ++k) {
    const TensorType& type = *whole.type(whole.arguments()[k]);
    const Layout how = layout_of_action(claim.arguments[k], type.rank());
    std::vector<Tensor> parts;
    if (claim.arguments[k].is_partial()) {
      for (std::int64_t d = 0; d < n; ++d) parts.push_back(drawn(type, random, kind, constants));
      std::vector<const Tensor*> held;
      for (const Tensor& t : parts) held.push_back(&t);
      bool disagreement = false;
      global.push_back(gather_from(held, type, how, mesh, trial_domain(), disagreement));
    } else {
      global.push_back(drawn(type, random, kind, constants));
      for (std::int64_t d = 0; d < n; ++d)
        parts.push_back(scatter_to(global.back(), how, mesh, DeviceId(static_cast<std::size_t>(d)), trial_domain()));
    }
    for (std::int64_t d = 0; d < n; ++d)
      local[static_cast<std::size_t>(d)].push_back(std::move(parts[static_cast<std::size_t>(d)]));
  }
  const auto wanted = source.run_sequential(global);
  if (!wanted) throw UserError(wanted.error());
  if (!std::all_of(wanted->begin(), wanted->end(), is_finite)) return Case::inconclusive;
  const auto got = target.run_spmd(local, {1, n}, seed);
  if (!got) throw UserError(got.error());
  const std::vector<std::vector<Tensor>> inputs{global};
  for (std::size_t r = 0; r < claim.results.size(); ++r) {
    // The source's result is finite, so the devices' must be: if a device's function leaves its domain while the
    // source's functions do not, the claim fails. (Infinities in pending reductions whose combined value is finite are
    // allowed.)
    const Tensor& w = (*wanted)[r];
    const TrialSide devices{part, local, {1, n}, seen_of(claim, w, *got, r, trial_domain()), [&](const auto& results) {
                              return seen_of(claim, w, results, r, error_domain());
                            }};
    const std::size_t compared = devices.seen.size();
    const TrialSide one{whole, inputs, {1, 1}, std::vector<Tensor>(compared, w), [&](const auto& results) {
                          return std::vector<Tensor>(compared, results[0][r]);
                        }};
    const Difference difference = judge(one, devices, unbounded);
    if (difference == Difference::explained) continue;
    if (difference == Difference::outside) return Case::inconclusive;
    out.n = n;
    out.result = r;
    out.wanted = text_of(w);
    out.got = text_of(devices.seen[0]);
    for (std::size_t d = 0; d < got->size(); ++d) {
      const Tensor& held = (*got)[d][r];
      // The sequential interpreter must compute the same.
      const auto replayed = run_sequential(part, local[d], trial_domain());
      PARTIR_CHECK(replayed.has_value() && is_near((*replayed)[r], held, true),
                   "two interpreters that differ on a counterexample");
      std::string arguments;
      for (std::size_t k = 0; k < local[d].size(); ++k) arguments += (k != 0 ? ", " : "") + text_of(local[d][k]);
      out.devices.push_back(
          fmt::format("device {} has {}; gives {}", d, arguments.empty() ? "nothing" : arguments, text_of(held)));
    }
    return Case::fails;
  }
  const bool counts =
      !first || (has_finite_result(whole, inputs, {1, 1}) && stays_in_real_domains(whole, inputs, {1, 1}));
  return counts ? Case::holds : Case::inconclusive;
}

/// Returns all choices of 1 to 4 for the symbols (fewer if there are many) and 2 to 3 for n (1 if that is the only one
/// possible), smallest sums first.
std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> choices(std::size_t symbols, bool one_device) {
  std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> out;
  const std::int64_t most = symbols <= 3 ? 4 : symbols <= 5 ? 3 : 2;
  std::vector<std::int64_t> at(symbols, 1);
  while (out.size() < 4000) {
    if (one_device) {
      out.emplace_back(1, at);
    } else {
      for (const std::int64_t n : {2, 3}) out.emplace_back(n, at);
    }
    std::size_t k = 0;
    while (k < symbols && ++at[k] > most) at[k++] = 1;
    if (k == symbols) break;
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    const auto weight = [](const auto& c) {
      std::int64_t total = 2 * c.first;
      for (const std::int64_t v : c.second) total += v;
      return total;
    };
    return weight(a) < weight(b);
  });
  return out;
}

}  // namespace

std::string Counterexample::text() const {
  std::string out = fmt::format("n = {}", n);
  for (const auto& [name, value] : sizes) out += fmt::format(", {} = {}", name, value);
  for (const std::string& d : devices) out += "\n  " + d;
  if (!got.empty()) out += fmt::format("\n  together {}", got);
  return out + fmt::format("\n  wanted {}", wanted);
}

std::optional<Counterexample> refute(const Claim& claim, const TrialPlan& plan, Tried& tried,
                                     const OutOfTime& out_of_time, Unbounded unbounded) {
  tried = {};
  std::optional<Diagnostic> ill_formed;
  // Also try larger sizes of all symbols, since a condition or a window may require them.
  for (const std::int64_t offset : {0, 4}) {
    auto all = choices(claim.symbols.size(), claim.is_for_one_device());
    if (plan.seed != 0) std::shuffle(all.begin(), all.end(), std::mt19937_64(plan.seed));
    for (const auto& choice : all) {
      const auto& values = choice.second;
      const std::int64_t n = choice.first;
      Counterexample out;
      Sizes local;
      for (std::size_t k = 0; k < claim.symbols.size(); ++k) {
        const std::string& name = claim.symbols[k];
        const bool tiled = std::find(claim.tiled.begin(), claim.tiled.end(), name) != claim.tiled.end();
        local[name] = values[k] + offset;
        out.sizes[name] = tiled ? n * local[name] : local[name];
      }
      if (out_of_time && out_of_time()) return std::nullopt;
      if (!claim.allows(out.sizes)) continue;
      const auto whole = claim.at(out.sizes);
      if (!whole) {
        if (!ill_formed) ill_formed = whole.error();
        continue;
      }
      const Function& f = whole->functions.at(0);
      double elements = 0;
      for (const ValueId v : f.arguments()) elements += static_cast<double>(f.type(v)->elements());
      if (elements + work_of(f, kMostWork) > kMostWork) continue;  // too expensive to run
      const auto part = claim.at(local);
      const auto types_fail = [&](std::string got, std::string wanted) {
        out.n = n;
        out.got = std::move(got);
        out.wanted = std::move(wanted);
        return out;
      };
      ++tried.cases;
      if (!part) return types_fail("no device-local program: " + part.error().found, part.error().wanted);
      const Function& p = part->functions.at(0);
      const Mesh mesh({{"a", n}});
      std::optional<Counterexample> by_types;
      const auto compare = [&](const Action& action, const Type& w, const Type& l, const std::string& what) {
        const bool divides = !action.is_tile() || w->dims[action.dim] % n == 0;
        const Type wanted = divides ? layout_of_action(action, w.rank()).local(w, mesh) : w;
        if (!by_types && (!divides || wanted != l))
          by_types = types_fail(fmt::format("{} of type {} on a device", what, l.str()),
                                fmt::format("{} of {}", action.str(), w.str()));
      };
      for (std::size_t k = 0; k < claim.arguments.size(); ++k)
        compare(claim.arguments[k], f.type(f.arguments()[k]), p.type(p.arguments()[k]), fmt::format("argument {}", k));
      for (std::size_t k = 0; k < claim.results.size(); ++k)
        compare(claim.results[k], f.type(f.returned()[k]), p.type(p.returned()[k]), fmt::format("result {}", k));
      if (by_types) return by_types;
      Constants constants;
      constants.add(f);
      constants.add(p);
      const PreparedFunction source(f, trial_domain());
      const PreparedFunction target(p, trial_domain());
      for (std::uint64_t seed = 0; seed < 2 * kDraws; ++seed) {
        const Case c = try_values(claim, source, target, constants, n, kDraws * (plan.seed + tried.cases) + seed,
                                  unbounded == Unbounded::fails, tried.finite == 0, out);
        if (c == Case::fails) return out;
        tried.finite += c == Case::holds ? 1 : 0;
      }
      if (tried.cases >= plan.most) return std::nullopt;
    }
    if (tried.cases >= 40) break;
  }
  if (tried.cases == 0 && ill_formed) throw UserError(*ill_formed);
  return std::nullopt;
}

}  // namespace partir::prove
