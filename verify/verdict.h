// The verdict of a check and the judgement that reports it. Shared by the value check (check_values.h), the certificate
// checker and the validator; the driver prints judgements. docs/trust.md explains what each verdict means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partir {

enum class Verdict : unsigned char {
  proved,  ///< holds for all inputs
  passed,  ///< held on every input that was tried; the scope names them
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
  std::string scope;   ///< "all inputs", "these inputs" or "types only"
  std::string reason;  ///< explanation for the user
  /// Of a proof, for each result: true if it was proved over the reals (reassociated), false if it was proved
  /// bit-exact.
  std::vector<bool> over_reals{};
};

}  // namespace partir
