// Proves decompositions by shard offsets at symbolic sizes (offsets.h): samples the claim's program and its
// decomposition at drawn sizes, lifts both, and compares their canonical forms.
#include "verify/prove/offsets.h"

#include "verify/prove/cross_checks.h"
#include "verify/prove/forms.h"
#include "verify/prove/replay_trials.h"

namespace partir::prove {
namespace {

const Op& last(const Function& f) { return f.body.ops[f.body.ops.size() - 2]; }

/// Returns the program with its last operation decomposed; nothing if it cannot be.
std::optional<Module> written(Module module, ByOffsets how) {
  Function& f = module.functions.at(0);
  const Op& op = last(f);
  if (op.decl->by_offsets == nullptr || !op.decl->by_offsets(instance_of(f, op), how.operand, how.dim, how.devices))
    return std::nullopt;
  f = written_by_offsets(f, {{op.results.at(0), how}});
  return module;
}

void prove_offsets(const Claim& claim, ByOffsets how, const CrossChecks& cross_checks, Decision& out) {
  Context c;
  CrossChecked cross_checked(c, cross_checks);
  const Symbols symbols(claim, c);
  const auto on = [&](const Symbols::Drawn& d) {
    how.devices = d.n;
    return how;
  };
  Samples samples = sample(
      symbols,
      [&](const Symbols::Drawn& d) -> Result<Module> {
        auto module = claim.at(d.global);
        if (module && !written(*module, on(d)))
          return tl::unexpected(Diagnostic{"claim", "", claim.place, "sizes", "others: it is not written by offsets"});
        return module;
      },
      [&](const Symbols::Drawn& d) -> Result<Module> { return *written(*claim.at(d.global), on(d)); },
      "the program by offsets");
  Fit fit(symbols.atoms(), std::move(samples.values), samples.fitted);
  const SymbolicProgram left = lift(std::move(samples.left), fit);
  const SymbolicProgram right = lift(std::move(samples.right), fit);
  const std::vector<Action> arguments(claim.arguments.size());
  const std::vector<Action> results(claim.results.size());
  if (!equal_forms(left, right, arguments, results, symbols.n(), c, out.reason, out.reach)) return;
  out.verdict = Verdict::proved;
  out.scope = "all sizes, all axis sizes; " + out.reach.text();
  Claim whole = claim;
  whole.arguments = arguments;
  cross_checked.ask(out, [&] { return trials_of(whole); });
}

}  // namespace

Decision decide_by_offsets(const Claim& claim, ByOffsets how, const CrossChecks& cross_checks) {
  Decision out;
  try {
    prove_offsets(claim, how, cross_checks, out);
  } catch (const GiveUp& give_up) {
    out.reason = give_up.reason;
  }
  return out;
}

}  // namespace partir::prove
