// One trial of a claim: small values, and how results are compared and shown.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "verify/prove/claim.h"

namespace partir::prove {

/// Trials of more work than this are too large.
constexpr double kMostWork = 1e6;

const Domain& trial_domain();

/// Numbers that stand in programs, with their neighbours: guards compare with them.
class Constants {
 public:
  /// Those of a function, also in regions.
  void add(const Function& function);
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }

 private:
  void add(const Block& block);
  std::vector<double> numbers_;  ///< each once
};

/// How numbers are drawn: so that sums and products are exact.
enum class Draw : std::uint8_t {
  small,
  positive,  ///< for the domains of roots and logarithms
  halves,
  ends,       ///< of what integers hold, for those that wrap; floats that narrower types round
  constants,  ///< of the programs, else small
};
inline constexpr std::uint64_t kDraws = 5;

Tensor drawn(const TensorType& type, std::mt19937_64& random, Draw draw, const Constants& constants = {});
bool is_finite(const Tensor& t);
/// `nan`: whether a NaN is near a NaN.
bool is_near(const Tensor& got, const Tensor& wanted, bool nan = false);
/// Whether element k of two results is near, as is_near says.
bool is_element_near(const Tensor& got, const Tensor& wanted, std::size_t k, bool nan = false);
/// Of two results that are not near, and the same by the error domain: whether one of the elements that differ does so
/// by more than the rounding of the program's own types explains, and is finite there. `unbounded`: the answer where
/// nothing bounds that rounding.
bool is_beyond_rounding(const Tensor& got, const Tensor& wanted, const Tensor& got_in_types,
                        const Tensor& wanted_in_types, bool unbounded);
/// Whether nothing bounds the rounding of an element, by the error domain: a divisor may have become 0, say.
bool has_unbounded_error(const Tensor& in_types);
std::string text_of(const Tensor& t);

/// Whether every value on the way is a number that its operation is about, on every device: no division by zero,
/// nothing outside of a function's domain.
bool stays_in_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices);
/// Whether an operation that is defined everywhere gives an infinity or NaN of finite operands: numbers became too
/// large.
bool overflows(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices);
/// Whether a result is finite on some device in the program's own types: f16 holds no 60000 + 60000.
bool has_finite_result(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                       const Devices& devices);

}  // namespace partir::prove
