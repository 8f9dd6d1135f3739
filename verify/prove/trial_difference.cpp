// Judges differences between results: first by the rounding errors of the program's own types, last by the source's
// domain, which takes a run of its own (trial_difference.h).
#include "verify/prove/trial_difference.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/check.h"
#include "verify/prove/trial.h"

namespace partir::prove {
namespace {

/// Complex numbers have no error bounds: only differences beyond this fraction count. Inputs are drawn such that sums
/// and products lose less in double precision (trial.cpp).
constexpr double kComplexDifference = 1e-4;

/// True if some element has no bound on its rounding error, for example since a divisor may have become 0.
bool has_unbounded_error(const Tensor& in_types) {
  return std::any_of(in_types.data.begin(), in_types.data.end(), [](const Scalar& s) { return std::isinf(s.error); });
}

/// Given two results that are not close, and the same results in the error domain: true if one of the differing
/// elements differs by more than the rounding errors of the program's own types explain, and is finite there.
bool is_beyond_rounding(const Tensor& got, const Tensor& wanted, const Tensor& got_in_types,
                        const Tensor& wanted_in_types, bool unbounded) {
  const ElementType type = wanted.type->element;
  for (std::size_t k = 0; k < wanted.data.size(); ++k) {
    if (is_element_near(got, wanted, k)) continue;
    if (is_complex(type)) {
      const auto a = trial_domain().to_complex(got.data[k], type);
      const auto b = trial_domain().to_complex(wanted.data[k], type);
      if (!(std::abs(a - b) <= kComplexDifference * std::max({1.0, std::abs(a), std::abs(b)}))) return true;
      continue;
    }
    const Scalar& g = got_in_types.data[k];
    const Scalar& w = wanted_in_types.data[k];
    // A value that overflows the program's own types and not the trial's has no bound on its error either.
    const bool overflowed = is_float(type) && !std::isfinite(g.f) && std::isfinite(got.data[k].f);
    const double error = overflowed ? HUGE_VAL : g.error + w.error;
    if (!is_float(type)) {
      if (g.error != 0 || w.error != 0 ? unbounded : g.u != w.u) return true;
    } else if (std::isfinite(w.f) && (std::isinf(error) ? unbounded : !(std::fabs(g.f - w.f) <= error))) {
      return true;
    }
  }
  return false;
}

/// What both sides show when run in the error domain. Nothing if a side cannot be run there.
struct InTypes {
  std::vector<Tensor> source;
  std::vector<Tensor> target;
  bool undecided = false;  ///< since rounding decides what a side computes; then there are no tensors
};

std::optional<InTypes> run_in_types(const TrialSide& source, const TrialSide& target) {
  const auto from = run_spmd(source.function, source.inputs, source.devices, decided_error_domain());
  const auto to = run_spmd(target.function, target.inputs, target.devices, decided_error_domain());
  if (from && to) return InTypes{source.in_types(*from), target.in_types(*to)};
  if ((from ? to : from).error().code == kUndecided) return InTypes{{}, {}, true};
  return std::nullopt;
}

/// True if tensor k, which differs in double precision, also differs in the program's own types by more than their
/// rounding errors explain.
bool exceeds_rounding(const TrialSide& source, const TrialSide& target, std::size_t k,
                      const std::optional<InTypes>& in_types, bool unbounded) {
  const Tensor& got = target.seen[k];
  const Tensor& wanted = source.seen[k];
  const bool overflow = !is_finite(got) && overflows(target.function, target.inputs, target.devices);
  const bool undefined = !is_finite(got) && !overflow;
  if (!unbounded) {
    if (overflow) return false;
    if (is_complex(wanted.type->element) &&
        (is_decided_by_complex_rounding(source.function) || is_decided_by_complex_rounding(target.function)))
      return false;
  }
  if (!in_types) return true;
  if (in_types->undecided) return false;
  const Tensor& w = in_types->source[k];
  const Tensor& g = in_types->target[k];
  if (undefined) {
    // A source that leaves its domain in its own types (2 / (1e-45 * 1e-45) in f32) shows nothing.
    if (!is_finite(w)) return false;
    // Rounding can only leave a domain where its error has no bound, e.g. at a divisor that cancels.
    if (!has_unbounded_error(g)) return true;
  }
  return is_beyond_rounding(got, wanted, g, w, unbounded);
}

}  // namespace

Difference judge(const TrialSide& source, const TrialSide& target, bool unbounded) {
  PARTIR_CHECK(source.seen.size() == target.seen.size(), "sides that show different numbers of tensors");
  std::vector<std::size_t> differing;
  for (std::size_t k = 0; k < source.seen.size(); ++k) {
    if (!is_near(target.seen[k], source.seen[k])) differing.push_back(k);
  }
  if (differing.empty()) return Difference::explained;
  const auto in_types = run_in_types(source, target);
  for (const std::size_t k : differing) {
    if (!exceeds_rounding(source, target, k, in_types, unbounded)) continue;
    // Asked last: it takes one more run.
    const auto& defined = is_finite(target.seen[k]) ? stays_in_real_domains : stays_in_domains;
    return defined(source.function, source.inputs, source.devices) ? Difference::fails : Difference::outside;
  }
  return Difference::explained;
}

}  // namespace partir::prove
