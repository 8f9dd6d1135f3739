// Building blocks of one trial of a claim: drawing small values, and comparing and printing results. Used by the
// searches for counterexamples (refute.cpp, rewrite.cpp) and by the instances of the cross-checks.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "verify/prove/claim.h"

namespace partir::prove {

/// Trials with more interpreter steps than this are skipped.
constexpr double kMostWork = 1e6;

const Domain& trial_domain();

/// The constants of programs, with their neighbours (each +1 and -1), as inputs: guards compare with them.
class Constants {
 public:
  /// Adds the constants of a function, including those in regions.
  void add(const Function& function);
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }

 private:
  void add(const Block& block);
  std::vector<double> numbers_;  ///< without duplicates
};

/// The distributions from which inputs are drawn. They are such that sums and products are exact.
enum class Draw : std::uint8_t {
  small,
  positive,  ///< for the domains of roots and logarithms
  halves,
  ends,       ///< extreme values of integer types, at which sums wrap; floats that narrower types round
  constants,  ///< constants of the programs, mixed with small numbers
};
inline constexpr std::uint64_t kDraws = 5;

Tensor drawn(const TensorType& type, std::mt19937_64& random, Draw draw, const Constants& constants = {});
bool is_finite(const Tensor& t);
/// True if all elements of two results are equal or close. `nan`: a NaN is close to a NaN.
bool is_near(const Tensor& got, const Tensor& wanted, bool nan = false);
/// Likewise for element k.
bool is_element_near(const Tensor& got, const Tensor& wanted, std::size_t k, bool nan = false);
/// True if the rounding of complex numbers, which has no bounds, may decide a result: the function rounds complex
/// numbers, and applies a discontinuous function to some (the maximum of two whose real parts nearly agree).
bool is_decided_by_complex_rounding(const Function& function);
std::string text_of(const Tensor& t);

/// True if on every device no operation leaves its domain: no division by zero, no function applied outside its domain.
bool stays_in_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices);
/// Likewise, but what is computed from infinite or NaN constants counts as defined.
bool stays_in_real_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                           const Devices& devices);
/// True if an operation that is defined everywhere returns an infinity or NaN for finite operands, because of overflow.
bool overflows(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices);
/// True if a result is finite on some device when run in the program's own types: 60000 + 60000 overflows f16.
bool has_finite_result(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                       const Devices& devices);

}  // namespace partir::prove
