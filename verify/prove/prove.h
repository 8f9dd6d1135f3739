// Proves or refutes claims: for all sizes, all axis sizes and all inputs the program equals the loop, with the results'
// actions, of the device-local program (design, section 2).
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

namespace partir::prove {

enum class Answer : std::uint8_t { proved, refuted, unknown };
std::string_view name_of(Answer answer);

/// The smallest case that was found: sizes, what each device got and gave, what was wanted. Replayed by both
/// interpreters.
struct Counterexample {
  Sizes sizes;
  std::int64_t n = 0;
  std::size_t result = 0;
  std::vector<std::string> devices;  ///< "device 0: %x = [1, 2]; gives [3, 4]"
  std::string wanted;
  std::string got;
  [[nodiscard]] std::string text() const;
};

struct Verdict {
  Answer answer = Answer::unknown;
  std::string scope;
  Reach reach;  ///< of a proof
  std::string reason;
  std::optional<Counterexample> counterexample;
  std::optional<SecondAnswers> second;      ///< of a proof, where they were asked for
  std::optional<SmallInstances> instances;  ///< the same
  std::optional<replay::Replay> replayed;   ///< the same
  /// A defect of ours: what was proved does not hold, or a second answer disagrees. The answer is `unknown` then.
  std::string defect;
};

/// Asked now and then; true ends the search with "out of time".
using OutOfTime = std::function<bool()>;

/// What else is asked of a proof. That one of these disagrees is a defect of ours (Verdict::defect).
struct Doubts {
  SecondAnswerer* second = nullptr;  ///< Z3, about all that the proof relied on about indices
  bool replay = false;               ///< the replayer, about every step
  bool instances = false;            ///< Z3, about small instances in full (of claims of a file)
  OutOfTime out_of_time = nullptr;   ///< of proofs that are not of claims of a file
};

/// Errors: a claim that no sizes make a program, or whose actions do not fit its types.
Result<Verdict> decide(const Claim& claim, const OutOfTime& out_of_time = nullptr, const Doubts& doubts = {});

/// How a difference between floats is taken that rounding may explain, as nothing bounds it.
enum class Unbounded : std::uint8_t {
  fails,  ///< as a counterexample: nothing speaks for the claim
  holds,  ///< as rounding: the claim was proved
};

/// What a search for a counterexample saw.
struct Tried {
  std::size_t cases = 0;  ///< choices of sizes
  std::size_t finite =
      0;  ///< draws of values at which a result of the source was finite, so that the claim speaks of it
};

/// Searches small sizes for a case in which the claim fails; nothing where `trials` cases held.
std::optional<Counterexample> refute(const Claim& claim, std::size_t trials, Tried& tried,
                                     const OutOfTime& out_of_time = nullptr, Unbounded unbounded = Unbounded::fails);

}  // namespace partir::prove
