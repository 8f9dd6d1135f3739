// Writes down what a proof does and asks others about it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/prove/prove.h"
#include "verify/prove/record.h"

namespace partir::prove {

/// Around one proof: what is done in the context while this lives is noted, as far as the doubts want it.
class Doubted {
 public:
  Doubted(Context& c, const Doubts& doubts);
  ~Doubted() { stop(); }
  Doubted(const Doubted&) = delete;
  Doubted& operator=(const Doubted&) = delete;

  /// Asks about the proof that was found. That one of those asked disagrees is a defect of ours: the verdict says so,
  /// and its answer is `unknown`.
  void ask(Verdict& verdict, const std::function<std::vector<replay::Trial>()>& trials);

 private:
  void stop();

  Context& c_;
  Doubts doubts_;
  Recorder recorder_;
  std::vector<Obligation> obligations_;
};

}  // namespace partir::prove
