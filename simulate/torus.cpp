#include "simulate/torus.h"

#include <limits>
#include <numeric>

namespace partir {
namespace {

/// A torus whose dimensions are assigned to axes.
class Torus {
 public:
  Torus(const Link& link, std::vector<std::int64_t> lengths, unsigned first_resource)
      : link_(link), lengths_(std::move(lengths)), left_(lengths_), first_(first_resource) {}

  /// Assigns dimensions, or parts of them, to an axis; nullopt if the size does not fit into what is unassigned.
  std::optional<Segment> take(std::int64_t size) {
    Segment out{&link_, static_cast<double>(size), {}, 0};
    if (size == 1) return out;
    if (const auto whole = dimensions_of(size); !whole.empty()) {
      for (const std::size_t d : whole) use(d, left_[d], out);
      return out;
    }
    for (std::size_t d = left_.size(); d-- > 0 && size > 1;) {
      const std::int64_t shared = std::gcd(size, left_[d]);
      if (shared == 1) continue;
      use(d, shared, out);
      size /= shared;
    }
    if (size != 1) return std::nullopt;
    return out;
  }

 private:
  void use(std::size_t d, std::int64_t length, Segment& to) {
    const std::int64_t stride = lengths_[d] / left_[d];
    // Every stride-th device of a closed dimension also forms a ring.
    const bool closed = length * stride == lengths_[d] && lengths_[d] % link_.closes_at == 0;
    to.rings.push_back({length, closed, stride});
    to.resources |= std::uint64_t{1} << (first_ + d);
    left_[d] /= length;
  }

  /// Returns the fewest unassigned dimensions whose lengths multiply to `size`; empty if there are none.
  [[nodiscard]] std::vector<std::size_t> dimensions_of(std::int64_t size) const {
    std::vector<std::size_t> best;
    for (std::uint32_t set = 1; set < (1U << left_.size()); ++set) {
      std::vector<std::size_t> chosen;
      std::int64_t product = 1;
      for (std::size_t d = 0; d < left_.size(); ++d) {
        if ((set >> d & 1U) == 0) continue;
        chosen.push_back(d);
        product *= left_[d] == lengths_[d] && left_[d] > 1 ? left_[d] : 0;
      }
      if (product == size && (best.empty() || chosen.size() < best.size())) best = std::move(chosen);
    }
    return best;
  }

  const Link& link_;
  std::vector<std::int64_t> lengths_;
  std::vector<std::int64_t> left_;
  unsigned first_;
};

std::vector<Segment> taken(const Link& link, const std::vector<std::int64_t>& sizes, std::vector<std::int64_t> lengths,
                           unsigned first_resource) {
  Torus torus(link, std::move(lengths), first_resource);
  std::vector<Segment> out;
  for (const std::int64_t size : sizes) {
    auto segment = torus.take(size);
    if (!segment) return {};
    out.push_back(std::move(*segment));
  }
  return out;
}

/// Seconds per byte of gathers over all axes; lower means a better torus.
double slowness(const std::vector<Segment>& segments) {
  double out = 0;
  for (const Segment& s : segments) out += s.size > 1 ? 1 / rate_of(s) : 0;
  return segments.empty() ? std::numeric_limits<double>::infinity() : out;
}

}  // namespace

std::vector<std::int64_t> near_cube(std::int64_t n, std::int64_t k, std::int64_t least) {
  if (k == 1) return {n};
  std::vector<std::int64_t> best;
  for (std::int64_t d = least; d <= n; ++d) {
    if (n % d != 0) continue;
    bool fits = true;
    std::int64_t power = 1;
    for (std::int64_t i = 0; i < k && fits; ++i) fits = (power *= d) <= n;
    if (!fits && !best.empty()) break;
    std::vector<std::int64_t> rest = near_cube(n / d, k - 1, d);
    if (rest.empty() || rest.front() < d) continue;
    rest.insert(rest.begin(), d);
    if (best.empty() || rest.back() <= best.back()) best = std::move(rest);
  }
  return best;
}

double rate_of(const Segment& s) {
  double rate = 0;
  for (const Segment::Ring& r : s.rings) rate += (r.closed ? 2 : 1) * s.link->bandwidth / static_cast<double>(r.stride);
  return rate;
}

std::vector<Segment> on_torus(const Link& link, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& lengths, unsigned first_resource) {
  if (!lengths.empty()) return taken(link, sizes, lengths, first_resource);
  const std::int64_t dimensions = link.shape == Link::Shape::ring ? 1 : link.dimensions;
  std::vector<Segment> best;
  std::vector<std::int64_t> larger = sizes;
  // Try each axis in turn, as it is and rounded up to a multiple of 2, 4, 8, ...
  const auto consider = [&] {
    const std::int64_t all =
        std::accumulate(larger.begin(), larger.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
    auto segments = taken(link, larger, near_cube(all, dimensions), first_resource);
    if (slowness(segments) < slowness(best) * (1 - 1e-9)) {
      best = std::move(segments);
      return true;
    }
    return false;
  };
  consider();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::int64_t chosen = sizes[i];
    for (std::int64_t multiple = 2; multiple < 2 * sizes[i]; multiple *= 2) {
      larger[i] = (sizes[i] + multiple - 1) / multiple * multiple;
      if (consider()) chosen = larger[i];
    }
    larger[i] = chosen;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) best[i].size = static_cast<double>(sizes[i]);
  return best;
}

}  // namespace partir
