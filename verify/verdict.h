// Verdicts and what they are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partir {

enum class Verdict : unsigned char {
  proved,  ///< for all inputs
  passed,  ///< held where it was tried; the scope says where
  refuted,
  unknown,
  skipped,
};

constexpr std::string_view name_of(Verdict v) {
  constexpr std::string_view names[] = {"proved", "passed", "refuted", "unknown", "skipped"};
  return names[static_cast<unsigned>(v)];
}

struct Judgement {
  Verdict verdict = Verdict::skipped;
  std::string scope;               ///< "all inputs", "these inputs" or "types only"
  std::string reason;              ///< for people
  std::vector<bool> over_reals{};  ///< of a proof, each result: over the reals, reassociated; else bit by bit
};

}  // namespace partir
