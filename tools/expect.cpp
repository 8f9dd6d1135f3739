#include "tools/expect.h"

#include <cmath>

namespace partir {
namespace {

bool is_short(ElementType type) { return bit_width(part_of(type)) <= 16; }
double tolerance_of(ElementType type) { return is_short(type) ? 5e-2 : 1e-4; }
double largest_useful_bound(ElementType type) { return is_short(type) ? 5e-2 : 1e-3; }

/// The largest error bound of a result, and whether each element is equal or differs by at most twice its bound.
struct Bounded {
  double largest = 0;
  bool equal = true;
  bool within = true;
};

Bounded bounded(const Tensor& got, const Tensor& wanted, const Domain& domain) {
  Bounded out;
  const ElementType type = wanted.type->element;
  for (std::size_t k = 0; k < got.data.size(); ++k) {
    const double bound = is_complex(type) ? std::numeric_limits<double>::infinity() : got.data[k].error;
    out.largest = std::max(out.largest, bound);
    if (domain.equal(got.data[k], wanted.data[k], type)) continue;
    out.equal = false;
    const double apart = std::fabs(got.data[k].f - wanted.data[k].f);
    if (!is_float(type) || !(apart <= 2 * bound)) out.within = false;
  }
  return out;
}

void note(Expectation& e, std::size_t result, double difference, double bound) {
  if (difference > e.largest_difference) {
    e.largest_difference = difference;
    e.worst = result;
  }
  e.largest_bound = std::max(e.largest_bound, bound);
}

}  // namespace

Result<Expectation> expect_results(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted,
                                   const std::function<Result<std::vector<Tensor>>()>& in_f64) {
  const Domain& domain = error_domain();
  Expectation out;
  std::vector<Tensor> exact;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const ElementType type = wanted[i].type->element;
    const Difference d = difference(got[i], wanted[i], domain);
    const Bounded b = bounded(got[i], wanted[i], domain);
    const bool floats = is_float(type) || is_complex(type);
    const double relative = !floats || b.largest == 0 ? 0 : d.range > 0 ? b.largest / d.range : b.largest;
    note(out, i, d.relative(), relative);
    if (!floats || b.equal || relative <= largest_useful_bound(type)) {
      ++out.by_bound;
      if (!b.within) out.over.push_back(i);
      continue;
    }
    ++out.by_f64;
    if (exact.empty()) {
      auto run = in_f64();
      if (!run) return tl::unexpected(run.error());
      exact = std::move(*run);
    }
    const double ours = difference(got[i], exact[i], f64_domain()).relative();
    const double theirs = difference(wanted[i], exact[i], f64_domain()).relative();
    if (!(ours <= tolerance_of(type) && theirs <= tolerance_of(type))) out.over.push_back(i);
  }
  return out;
}

Expectation expect_near(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted, const Domain& domain) {
  Expectation out;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double d = difference(got[i], wanted[i], domain).relative();
    note(out, i, d, 0);
    ++out.by_f64;
    if (!(d <= tolerance_of(wanted[i].type->element))) out.over.push_back(i);
  }
  return out;
}

}  // namespace partir
