#include "verify/prove/doubts.h"

#include <fmt/format.h>

#include "support/check.h"

namespace partir::prove {

Doubted::Doubted(Context& c, const Doubts& doubts) : c_(c), doubts_(doubts), recorder_(c) {
  if (doubts_.second != nullptr) c_.obligations = &obligations_;
  if (doubts_.replay) c_.recorder = &recorder_;
}

void Doubted::stop() {
  c_.obligations = nullptr;
  c_.recorder = nullptr;
}

void Doubted::ask(Verdict& verdict, const std::string& what,
                  const std::function<std::vector<replay::Trial>()>& trials) {
  stop();
  if (doubts_.replay) {
    verdict.replayed = replay::replay(recorder_.proof, trials());
    PARTIR_CHECK(verdict.replayed->defect.empty(),
                 fmt::format("{} was proved, and its replay fails: {}", what, verdict.replayed->defect));
  }
  if (doubts_.second != nullptr) {
    verdict.second = doubts_.second->ask(obligations_, c_);
    PARTIR_CHECK(verdict.second->disagreement.empty(),
                 fmt::format("{} was proved, and Z3 disagrees: {}", what, verdict.second->disagreement));
  }
}

}  // namespace partir::prove
