#include "verify/prove/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace partir::prove {

const Domain& trial_domain() { return f64_domain(); }

Tensor drawn(const TensorType& type, std::mt19937_64& random, std::uint64_t kind) {
  const bool positive = kind == 1;
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
  for (Scalar& s : out.data) {
    const auto bits = random();
    const ElementType e = type.element;
    if (e == ElementType::i1) {
      s = trial_domain().from_index(static_cast<std::int64_t>(bits % 2), e);
    } else if (is_float(e) || is_complex(e)) {
      s.f = positive ? 1 + static_cast<double>(bits % 4) : static_cast<double>(bits % 7) - 3;
      // Numbers that narrower types round.
      if (kind == 3 && e == ElementType::f32) s.f = (static_cast<double>(bits % 32768) - 16384) / 4096;
      if (kind == 3 && e == ElementType::f64) s.f = std::ldexp(static_cast<double>(bits % (1ULL << 34)), -32) - 2;
      if (kind == 2) s.f = (static_cast<double>(bits % 15) - 7) / 2;
      if (is_complex(e)) s.im = static_cast<double>(bits / 8 % 5) - 2;
    } else if (kind == 3 && bits % 3 != 0 && bit_width(e) >= 8) {
      const std::int64_t ones = bit_width(e) == 64 ? -1 : (std::int64_t{1} << bit_width(e)) - 1;
      const std::int64_t lowest =
          bit_width(e) == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bit_width(e) - 1));
      const std::int64_t ends[4] = {lowest, -(lowest + 1), -(lowest + 1) - 1, lowest + 1};
      const std::int64_t unsigned_ends[4] = {ones, -(lowest + 1), ones - 1,
                                             -(lowest + 1) + (bit_width(e) < 64 ? 1 : 0)};
      s = trial_domain().from_index((is_signed(e) ? ends : unsigned_ends)[bits / 3 % 4], e);
    } else {
      const std::int64_t low = is_signed(e) && !positive ? -1 : 0;
      s = trial_domain().from_index(low + static_cast<std::int64_t>(bits % (bit_width(e) == 2 ? 2 : 5)), e);
    }
  }
  return out;
}

bool is_finite(const Tensor& t) {
  return std::all_of(t.data.begin(), t.data.end(), [&](const Scalar& s) {
    if (!is_float(t.type.element) && !is_complex(t.type.element)) return true;
    return std::isfinite(s.f) && (!is_complex(t.type.element) || std::isfinite(s.im));
  });
}

bool is_near(const Tensor& got, const Tensor& wanted) {
  for (std::size_t k = 0; k < wanted.data.size(); ++k) {
    if (trial_domain().equal(got.data[k], wanted.data[k], wanted.type.element)) continue;
    if (!is_float(wanted.type.element) && !is_complex(wanted.type.element)) return false;
    const auto g = trial_domain().to_complex(got.data[k], wanted.type.element);
    const auto w = trial_domain().to_complex(wanted.data[k], wanted.type.element);
    if (!(std::abs(g - w) <= 1e-9 * std::max({1.0, std::abs(g), std::abs(w)}))) return false;
  }
  return true;
}

std::string text_of(const Tensor& t) {
  std::string out;
  for (std::size_t k = 0; k < t.data.size() && k < 24; ++k) {
    const auto v = trial_domain().to_complex(t.data[k], t.type.element);
    out += (k != 0 ? ", " : "") + (is_complex(t.type.element) ? fmt::format("({:g}, {:g})", v.real(), v.imag())
                                                              : fmt::format("{:g}", v.real()));
  }
  return fmt::format("{} [{}{}]", t.type.str(), out, t.data.size() > 24 ? ", …" : "");
}

}  // namespace partir::prove
