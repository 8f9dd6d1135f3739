#include "verify/prove/cross_checks.h"

#include <fmt/format.h>

namespace partir::prove {

CrossChecked::CrossChecked(Context& c, const CrossChecks& cross_checks)
    : c_(c), cross_checks_(cross_checks), recorder_(c) {
  if (cross_checks_.second != nullptr) c_.obligations = &obligations_;
  if (cross_checks_.replay) c_.recorder = &recorder_;
}

void CrossChecked::stop() {
  c_.obligations = nullptr;
  c_.recorder = nullptr;
}

void CrossChecked::ask(Decision& verdict, const std::function<std::vector<replay::Trial>()>& trials) {
  stop();
  const auto disagrees = [&](const std::string& who, const std::string& how) {
    if (how.empty() || !verdict.defect.empty()) return;
    verdict.defect = fmt::format("proved, and {} disagrees: {}", who, how);
    verdict.verdict = Verdict::unknown;
  };
  if (cross_checks_.replay) {
    verdict.replayed = replay::replay(recorder_.proof, trials());
    disagrees("the replayer", verdict.replayed->defect);
  }
  if (cross_checks_.second != nullptr) {
    verdict.second = cross_checks_.second->ask(obligations_, c_);
    disagrees("Z3", verdict.second->disagreement);
  }
}

}  // namespace partir::prove
