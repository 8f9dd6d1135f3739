#include "tests/random_settings.h"

#include <cstdlib>

namespace partir::testing {

bool set_random_default(const std::string& key, const std::string& value) {
  const char* const given = std::getenv("RC_PARAMS");
  std::string settings = given != nullptr ? given : "";
  if (settings.find(key + "=") != std::string::npos) return true;
  if (!settings.empty()) settings += ' ';
  return ::setenv("RC_PARAMS", (settings + key + "=" + value).c_str(), 1) == 0;
}

namespace {
const bool kSameCases = set_random_default("seed", "20261124");
}  // namespace

}  // namespace partir::testing
