// Draws inputs for trials and compares results, with tolerance for rounding (trial.h).
#include "verify/prove/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace partir::prove {

namespace {

/// Parts of complex numbers are drawn up to this size, as complex numbers have no error bounds (trial_difference.cpp).
constexpr double kLargestComplex = 1024;

}  // namespace

const Domain& trial_domain() { return f64_domain(); }

void Constants::add(const Function& function) { add(function.body); }

void Constants::add(const Block& block) {
  const auto note = [&](double v) {
    if (std::isfinite(v) && numbers_.size() < 60 && std::find(numbers_.begin(), numbers_.end(), v) == numbers_.end())
      numbers_.push_back(v);
  };
  for (const Op& op : block.ops) {
    for (const auto& [name, value] : op.attributes) {
      const DenseAttr* dense = value.as<DenseAttr>();
      if (dense == nullptr || op.name() != "stablehlo.constant") continue;
      const Literal& l = *dense->literal;
      const std::int64_t count = l.splat ? 1 : std::min<std::int64_t>(l.type.elements(), 8);
      for (std::int64_t k = 0; k < count; ++k) {
        const double v = is_float(l.type.element)     ? l.as_double(k)
                         : is_complex(l.type.element) ? l.as_complex(k).real()
                                                      : static_cast<double>(l.as_int(k));
        for (const double by : {0.0, 1.0, -1.0}) note(v + by);
      }
    }
    for (const Block& b : op.regions) add(b);
  }
}

namespace {

/// Returns an integer close to the least or greatest value of its type.
std::int64_t at_end(ElementType e, std::uint64_t bits) {
  const std::int64_t ones = bit_width(e) == 64 ? -1 : (std::int64_t{1} << bit_width(e)) - 1;
  const std::int64_t lowest =
      bit_width(e) == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bit_width(e) - 1));
  const std::int64_t ends[4] = {lowest, -(lowest + 1), -(lowest + 1) - 1, lowest + 1};
  const std::int64_t unsigned_ends[4] = {ones, -(lowest + 1), ones - 1, -(lowest + 1) + (bit_width(e) < 64 ? 1 : 0)};
  return (is_signed(e) ? ends : unsigned_ends)[bits % 4];
}

double real_number(ElementType e, std::uint64_t bits, Draw draw) {
  switch (draw) {
    case Draw::positive: return 1 + static_cast<double>(bits % 4);
    case Draw::halves: return (static_cast<double>(bits % 15) - 7) / 2;
    case Draw::ends:  // numbers that narrower types must round
      if (e == ElementType::f32) return (static_cast<double>(bits % 32768) - 16384) / 4096;
      if (e == ElementType::f64) return std::ldexp(static_cast<double>(bits % (1ULL << 34)), -32) - 2;
      [[fallthrough]];
    default: return static_cast<double>(bits % 7) - 3;
  }
}

}  // namespace

Tensor drawn(const TensorType& type, std::mt19937_64& random, Draw draw, const Constants& constants) {
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
  const ElementType e = type.element;
  const auto& pool = constants.numbers();
  for (Scalar& s : out.data) {
    const auto bits = random();
    const bool from_pool = draw == Draw::constants && !pool.empty() && bits % 4 != 0;
    const double picked = from_pool ? pool[bits / 8 % pool.size()] : 0;
    if (e == ElementType::i1) {
      s = trial_domain().from_index(static_cast<std::int64_t>(bits % 2), e);
    } else if (is_float(e) || is_complex(e)) {
      const bool take = from_pool && (is_float(e) || std::fabs(picked) <= kLargestComplex);
      s.f = round_to(take ? picked : real_number(e, bits, draw), part_of(e));
      if (!std::isfinite(s.f)) s.f = round_to(real_number(e, bits, Draw::small), part_of(e));  // arguments are finite
      if (is_complex(e)) s.im = static_cast<double>(bits / 8 % 5) - 2;
    } else if (from_pool && std::fabs(picked) < 9e18) {
      s = trial_domain().from_index(wrap(static_cast<std::uint64_t>(static_cast<std::int64_t>(picked)), e), e);
    } else if (draw == Draw::ends && bits % 3 != 0 && bit_width(e) >= 8) {
      s = trial_domain().from_index(at_end(e, bits / 3), e);
    } else {
      const std::int64_t low = is_signed(e) && draw != Draw::positive ? -1 : 0;
      s = trial_domain().from_index(low + static_cast<std::int64_t>(bits % (bit_width(e) == 2 ? 2 : 5)), e);
    }
  }
  return out;
}

bool is_finite(const Tensor& t) {
  return std::all_of(t.data.begin(), t.data.end(), [&](const Scalar& s) {
    if (!is_float(t.type->element) && !is_complex(t.type->element)) return true;
    return std::isfinite(s.f) && (!is_complex(t.type->element) || std::isfinite(s.im));
  });
}

bool is_element_near(const Tensor& got, const Tensor& wanted, std::size_t k, bool nan) {
  const ElementType type = wanted.type->element;
  if (trial_domain().equal(got.data[k], wanted.data[k], type)) return true;
  if (!is_float(type) && !is_complex(type)) return false;
  const auto g = trial_domain().to_complex(got.data[k], type);
  const auto w = trial_domain().to_complex(wanted.data[k], type);
  if (nan && std::isnan(std::abs(g)) && std::isnan(std::abs(w))) return true;
  return std::abs(g - w) <= 1e-9 * std::max({1.0, std::abs(g), std::abs(w)});
}

bool is_near(const Tensor& got, const Tensor& wanted, bool nan) {
  for (std::size_t k = 0; k < wanted.data.size(); ++k) {
    if (!is_element_near(got, wanted, k, nan)) return false;
  }
  return true;
}

std::string text_of(const Tensor& t) {
  std::string out;
  for (std::size_t k = 0; k < t.data.size() && k < 24; ++k) {
    const auto v = trial_domain().to_complex(t.data[k], t.type->element);
    out += (k != 0 ? ", " : "") + (is_complex(t.type->element) ? fmt::format("({:g}, {:g})", v.real(), v.imag())
                                                               : fmt::format("{:g}", v.real()));
  }
  return fmt::format("{} [{}{}]", t.type.str(), out, t.data.size() > 24 ? ", …" : "");
}

}  // namespace partir::prove
