#include "verify/prove/doubts.h"

#include <fmt/format.h>

namespace partir::prove {

Doubted::Doubted(Context& c, const Doubts& doubts) : c_(c), doubts_(doubts), recorder_(c) {
  if (doubts_.second != nullptr) c_.obligations = &obligations_;
  if (doubts_.replay) c_.recorder = &recorder_;
}

void Doubted::stop() {
  c_.obligations = nullptr;
  c_.recorder = nullptr;
}

void Doubted::ask(Verdict& verdict, const std::function<std::vector<replay::Trial>()>& trials) {
  stop();
  const auto disagrees = [&](const std::string& who, const std::string& how) {
    if (how.empty() || !verdict.defect.empty()) return;
    verdict.defect = fmt::format("proved, and {} disagrees: {}", who, how);
    verdict.answer = Answer::unknown;
  };
  if (doubts_.replay) {
    verdict.replayed = replay::replay(recorder_.proof, trials());
    disagrees("the replayer", verdict.replayed->defect);
  }
  if (doubts_.second != nullptr) {
    verdict.second = doubts_.second->ask(obligations_, c_);
    disagrees("Z3", verdict.second->disagreement);
  }
}

}  // namespace partir::prove
