// Proves or refutes claims (claim.h). An entry holds if, for all sizes, all axis sizes and all inputs, the program
// equals the loop over devices, with the results' actions, of its device-local program. Entry point of `partir prove`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/prove/claim.h"
#include "verify/prove/reach.h"
#include "verify/prove/second_answer.h"
#include "verify/prove/small_instances.h"
#include "verify/replay/replay.h"
#include "verify/verdict.h"

namespace partir::prove {

/// The smallest failing case that was found: sizes, each device's inputs and results, and the wanted result. For an
/// entry, both interpreters have confirmed it.
struct Counterexample {
  Sizes sizes;
  std::int64_t n = 0;
  std::size_t result = 0;
  /// "device 0 has tensor<2xf32> [1, 2]; gives tensor<2xf32> [3, 4]".
  std::vector<std::string> devices;
  std::string wanted;
  std::string got;
  [[nodiscard]] std::string text() const;
};

/// What decide finds of a claim.
struct Decision {
  Verdict verdict = Verdict::unknown;  ///< proved, refuted or unknown
  std::string scope;
  Reach reach;  ///< of a proof: what it assumes
  std::string reason;
  std::optional<Counterexample> counterexample;
  std::optional<SecondAnswers> second;      ///< of a proof, if requested
  std::optional<SmallInstances> instances;  ///< likewise
  std::optional<replay::Replay> replayed;   ///< likewise
  /// Non-empty if this program contradicts itself: a counterexample to a proved claim was found, or a cross-check
  /// disagrees. The verdict is then `unknown`.
  std::string defect;
};

/// Polled during a search; true ends it with the reason "out of time".
using OutOfTime = std::function<bool()>;

/// The cross-checks requested for a proof. A disagreement is a defect of this program (Decision::defect).
struct CrossChecks {
  SecondAnswerer* second = nullptr;  ///< if set: Z3 checks every fact about indices on which the proof relies
  bool replay = false;               ///< the replayer checks every step
  bool instances = false;            ///< Z3 checks complete small instances (only for claims of a file)
  OutOfTime out_of_time = nullptr;   ///< for proofs other than of claims of a file
};

/// Decides a claim. Errors: a claim that is not a well-formed program at any sizes, or whose actions do not fit its
/// types.
Result<Decision> decide(const Claim& claim, const OutOfTime& out_of_time = nullptr,
                        const CrossChecks& cross_checks = {});

/// How the search treats a difference between floats for which there is no bound on rounding errors.
enum class Unbounded : std::uint8_t {
  fails,  ///< as a counterexample: there is no proof of the claim
  holds,  ///< as rounding: the claim has been proved
};

/// Statistics of a search for a counterexample.
struct Tried {
  std::size_t cases = 0;  ///< choices of sizes
  /// Draws of inputs for which a result of the source was finite, so that the claim makes a statement about it.
  std::size_t finite = 0;
};

/// The trials of a search for a counterexample.
struct TrialPlan {
  std::size_t most = 0;    ///< choices of sizes
  std::uint64_t seed = 0;  ///< 0: the smallest sizes first; otherwise sizes in a random order, with other inputs
};

/// Searches small sizes for a case in which the claim fails; returns nothing if all trials held.
std::optional<Counterexample> refute(const Claim& claim, const TrialPlan& plan, Tried& tried,
                                     const OutOfTime& out_of_time = nullptr, Unbounded unbounded = Unbounded::fails);

}  // namespace partir::prove
