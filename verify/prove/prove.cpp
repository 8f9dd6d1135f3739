#include "verify/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "verify/prove/element.h"

namespace partir::prove {
namespace {

/// Proves the claim, or throws GiveUp. False when the two sides have different forms.
bool prove_by_forms(const Claim& claim, const OutOfTime& out_of_time, std::string& why) {
  Context c;
  const Symbols symbols(claim, c);
  std::mt19937_64 random(7);
  constexpr std::size_t kSamples = 7;
  std::vector<std::vector<std::int64_t>> samples;
  std::vector<Module> global;
  std::vector<Module> local;
  // Sizes that are all even, or the same, would pass for what they are not.
  const auto varied = [&] {
    for (std::size_t a = 0; a < symbols.atoms().size(); ++a) {
      const bool odd = std::any_of(samples.begin(), samples.end(), [&](const auto& s) { return s[a] % 2 != 0; });
      const bool even = std::any_of(samples.begin(), samples.end(), [&](const auto& s) { return s[a] % 2 == 0; });
      if (!odd || !even) return false;
    }
    return true;
  };
  for (int attempt = 0; attempt < 60 && (samples.size() < kSamples || (samples.size() < 14 && !varied())); ++attempt) {
    const auto drawn = symbols.draw(random, 5, 19);
    if (!drawn) break;
    auto g = claim.at(drawn->global);
    if (!g) continue;  // not well-formed at these sizes
    auto l = claim.at(drawn->local);
    if (!l) throw GiveUp{"the device-local program is not well-formed: " + l.error().text()};
    samples.push_back(drawn->values);
    global.push_back(std::move(*g));
    local.push_back(std::move(*l));
  }
  if (samples.size() < kSamples) throw GiveUp{"too few sizes at which the program is well-formed"};
  if (!varied()) throw GiveUp{"too few different sizes at which the program is well-formed"};
  Fit fit(symbols.atoms(), samples);
  const SymbolicProgram whole = lift(std::move(global), fit);
  const SymbolicProgram part = lift(std::move(local), fit);
  const Function& wf = whole.module.functions.at(0);
  const Function& pf = part.module.functions.at(0);
  const Poly n = Poly::atom(symbols.n());
  const auto fits = [&](const Action& action, ValueId w, ValueId p) {
    const auto& a = whole.dims[w.index()];
    const auto& b = part.dims[p.index()];
    for (std::size_t d = 0; d < a.size(); ++d) {
      if (!(a[d] == (action.is_tile() && action.dim == d ? b[d] * n : b[d]))) return false;
    }
    return true;
  };
  for (std::size_t k = 0; k < wf.arguments().size(); ++k) {
    if (!fits(claim.arguments[k], wf.arguments()[k], pf.arguments()[k]))
      throw GiveUp{fmt::format("argument {} does not have its action's part", k)};
  }
  for (std::size_t k = 0; k < wf.returned().size(); ++k) {
    const ValueId w = wf.returned()[k];
    const ValueId p = pf.returned()[k];
    const Action& action = claim.results[k];
    if (!fits(action, w, p)) throw GiveUp{fmt::format("result {} does not have its action's part", k)};
    const bool lower = action.is_partial() && (action.monoid == Monoid::min || action.monoid == Monoid::conj);
    c.minima_outside = lower;
    const AtomId r = c.range(n);
    std::vector<Poly> at;
    for (const Poly& extent : part.dims[p.index()]) at.push_back(Poly::atom(c.range(extent)));
    std::vector<Poly> in_whole = at;
    if (action.is_tile()) in_whole[action.dim] = Poly::atom(r) * part.dims[p.index()][action.dim] + at[action.dim];
    Expr left = element_of({whole, claim.arguments, std::nullopt, symbols.n(), c, out_of_time}, w, in_whole);
    Expr right = element_of({part, claim.arguments, r, symbols.n(), c, out_of_time}, p, at);
    if (action.is_partial()) {
      if (action.monoid == Monoid::sum && !is_number(wf.type(w).element)) throw GiveUp{"sums of booleans"};
      right = action.monoid == Monoid::sum
                  ? sum_over({r}, right)
                  : fold(action.monoid, {r}, {}, simplified(right, c), c, wraps(wf.type(w).element));
    }
    left = split_ranges(simplified(left, c), symbols.n(), c);
    right = split_ranges(simplified(right, c), symbols.n(), c);
    // Splitting may bring forms together that simplification unites, and the other way round.
    for (int round = 0; round < 2; ++round) {
      left = split_ranges(left, symbols.n(), c);
      right = split_ranges(right, symbols.n(), c);
    }
    const std::string x = left.key(c);
    const std::string y = right.key(c);
    if (x != y) {
      why = fmt::format("result {}: {} is not {}", k, x, y);
      return false;
    }
  }
  return true;
}

}  // namespace

std::string_view name_of(Answer answer) {
  return answer == Answer::proved ? "proved" : answer == Answer::refuted ? "refuted" : "unknown";
}

Result<Verdict> decide(const Claim& claim, const OutOfTime& out_of_time) {
  Verdict out;
  if (claim.is_rewrite) {
    out.reason = "rewrites are not decided yet";
    return out;
  }
  std::string why;
  bool equal = claim.is_for_one_device();  // whose program and values are the whole ones
  try {
    equal = equal || prove_by_forms(claim, out_of_time, why);
  } catch (const GiveUp& give_up) {
    why = give_up.reason;
  }
  std::size_t tried = 0;
  try {
    out.counterexample = refute(claim, equal ? 12 : 400, tried, out_of_time);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
  PARTIR_CHECK(!(equal && out.counterexample),
               "@" + claim.name + " was proved and refuted: " + (out.counterexample ? out.counterexample->text() : ""));
  if (equal && tried == 0) {
    why = "no small sizes at which the program is well-formed";
    equal = false;
  }
  out.answer = equal ? Answer::proved : out.counterexample ? Answer::refuted : Answer::unknown;
  out.scope = equal ? claim.is_for_one_device() ? "all sizes, n = 1 (the only axis size)" : "all sizes, all axis sizes"
              : out.counterexample ? "this case"
                                   : "";
  if (out.answer == Answer::unknown) out.reason = out_of_time && out_of_time() ? "out of time" : why;
  return out;
}

}  // namespace partir::prove
