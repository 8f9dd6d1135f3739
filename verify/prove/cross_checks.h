// Runs the cross-checks of one proof: records its steps and obligations while it is searched, then passes them to the
// replayer and to Z3.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/prove/prove.h"
#include "verify/prove/record.h"

namespace partir::prove {

/// Lives for the duration of one proof. While it exists, steps and obligations of the context are recorded, as far as
/// the requested cross-checks need them.
class CrossChecked {
 public:
  CrossChecked(Context& c, const CrossChecks& cross_checks);
  ~CrossChecked() { stop(); }
  CrossChecked(const CrossChecked&) = delete;
  CrossChecked& operator=(const CrossChecked&) = delete;

  /// Runs the requested cross-checks on the proof that was found. A disagreement is a defect of this program: it is
  /// reported in `verdict.defect`, and the answer becomes `unknown`.
  void ask(Decision& verdict, const std::function<std::vector<replay::Trial>()>& trials);

 private:
  void stop();

  Context& c_;
  CrossChecks cross_checks_;
  Recorder recorder_;
  std::vector<Obligation> obligations_;
};

}  // namespace partir::prove
