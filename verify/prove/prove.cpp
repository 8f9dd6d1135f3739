// Decides claims (prove.h): tries to prove the claim by canonical forms, always searches for a counterexample, and runs
// the requested cross-checks.
#include "verify/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "verify/prove/cross_checks.h"
#include "verify/prove/forms.h"
#include "verify/prove/replay_trials.h"
#include "verify/prove/rewrite.h"
#include "verify/prove/uneven.h"

namespace partir::prove {
namespace {

/// Tries to prove an entry. Returns false if the two sides have different forms; throws GiveUp if there is no proof.
bool prove_by_forms(const Claim& claim, Context& c, const OutOfTime& out_of_time, std::string& why, Reach& reach) {
  const Symbols symbols(claim, c);
  Samples samples = sample(
      symbols, [&](const Symbols::Drawn& d) { return claim.at(d.global); },
      [&](const Symbols::Drawn& d) { return claim.at(d.local); }, "the device-local program");
  Fit fit(symbols.atoms(), std::move(samples.values), samples.fitted);
  const SymbolicProgram whole = lift(std::move(samples.left), fit);
  const SymbolicProgram part = lift(std::move(samples.right), fit);
  return equal_forms(whole, part, claim.arguments, claim.results, symbols.n(), c, why, reach, out_of_time);
}

}  // namespace

namespace {

/// Decides an entry at sizes that the axis size need not divide: at multiples, and by its padding law.
Result<Decision> decide_uneven(Claim entry, const OutOfTime& out_of_time, const CrossChecks& cross_checks) {
  entry.uneven = false;
  auto out = decide(entry, out_of_time, cross_checks);
  if (!out || out->verdict != Verdict::proved) return out;
  auto law = decide(padding_law(entry), out_of_time, cross_checks);
  if (!law) return law;
  if (law->verdict != Verdict::proved) {
    if (law->verdict == Verdict::unknown) law->reason = "with padding: " + law->reason;
    return law;
  }
  out->reach.also(law->reach);
  out->scope = "all sizes, divisible or not, all axis sizes; " + out->reach.text();
  if (law->second) {
    out->second->confirmed += law->second->confirmed;
    out->second->open += law->second->open;
  }
  if (law->instances) {
    out->instances->equal += law->instances->equal;
    out->instances->open += law->instances->open;
    if (out->instances->why_open.empty()) out->instances->why_open = law->instances->why_open;
  }
  if (law->replayed) out->replayed->steps += law->replayed->steps;
  return out;
}

}  // namespace

Result<Decision> decide(const Claim& claim, const OutOfTime& out_of_time, const CrossChecks& cross_checks) {
  if (claim.uneven) return decide_uneven(claim, out_of_time, cross_checks);
  Decision out;
  Context c;
  CrossChecked cross_checked(c, cross_checks);
  std::string why;
  bool equal = claim.is_for_one_device();  // n = 1: the local program and values are the global ones
  try {
    if (!equal)
      equal = claim.is_rewrite ? prove_rewrite(claim, c, out_of_time, why, out.reach)
                               : prove_by_forms(claim, c, out_of_time, why, out.reach);
  } catch (const GiveUp& give_up) {
    why = give_up.reason;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
  Tried tried;
  try {
    const TrialPlan plan{equal ? 12u : 400u};
    const Unbounded unbounded = equal ? Unbounded::holds : Unbounded::fails;
    out.counterexample = claim.is_rewrite ? refute_rewrite(claim, plan, tried, out_of_time, unbounded)
                                          : refute(claim, plan, tried, out_of_time, unbounded);
  } catch (const UserError& error) {
    const Diagnostic& d = error.diagnostic();
    if (d.code != "unsupported") return tl::unexpected(d);
    // A program that no interpreter can run is not tried, and the answer stays unknown; other claims are still decided.
    out.reason = d.found;
    return out;
  }
  if (equal && out.counterexample) {
    out.defect = "proved, and refuted by " + out.counterexample->text();
    return out;
  }
  if (equal && tried.cases == 0) {
    why = "no small sizes at which the program is well-formed";
    equal = false;
  } else if (equal && tried.finite == 0 && out.reach.arithmetic == Arithmetic::reals) {
    why = "the source has no finite value in any trial, and over the reals the claim speaks of finite values only";
    equal = false;
  }
  if (equal && !claim.is_for_one_device()) cross_checked.ask(out, [&] { return trials_of(claim); });
  if (equal && cross_checks.instances && out.defect.empty()) {
    out.instances = small_instances(claim);
    if (!out.instances->disagreement.empty())
      out.defect = "proved, and Z3 disagrees about a small instance: " + out.instances->disagreement;
  }
  if (!out.defect.empty()) return out;
  out.verdict = equal ? Verdict::proved : out.counterexample ? Verdict::refuted : Verdict::unknown;
  if (out.verdict == Verdict::proved) {
    out.scope = claim.is_for_one_device() ? "all sizes, n = 1 (the only axis size)"
                                          : "all sizes, all axis sizes; " + out.reach.text();
  } else if (out.verdict == Verdict::refuted) {
    out.scope = "this case";
  }
  if (out.verdict == Verdict::unknown) out.reason = out_of_time && out_of_time() ? "out of time" : why;
  return out;
}

}  // namespace partir::prove
