#include "simulate/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/check.h"

namespace partir {
namespace {

bool is_ring(const Link& link) { return link.shape == Link::Shape::ring || link.shape == Link::Shape::torus; }

double part(std::int64_t n) { return static_cast<double>(n - 1) / static_cast<double>(n); }

/// Bytes a second by which a device of the segment takes in what others hold, and hops.
double rate_of(const Segment& s) {
  if (!is_ring(*s.link)) return s.link->bandwidth;
  double rate = 0;
  for (const Segment::Ring& r : s.rings) rate += (r.closed ? 2 : 1) * s.link->bandwidth;
  return rate;
}

double hops_of(const Segment& s) {
  if (!is_ring(*s.link)) return std::ceil(std::log2(static_cast<double>(s.size)));
  double hops = 0;
  for (const Segment::Ring& r : s.rings) hops += static_cast<double>(r.closed ? r.length / 2 : r.length - 1);
  return hops;
}

/// Seconds of one phase, without the launch.
double phase(CollectiveKind kind, double bytes, const Segment& s) {
  const Link& link = *s.link;
  const double efficiency = link.efficiency.at(bytes);
  switch (kind) {
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return bytes * part(s.size) / (rate_of(s) * efficiency) + link.latency * hops_of(s);
    case CollectiveKind::all_reduce: return 2 * phase(CollectiveKind::all_gather, bytes, s);
    case CollectiveKind::all_to_all: {
      double seconds = 0;
      if (!is_ring(link)) {
        seconds = bytes * part(s.size) / link.bandwidth;
      } else {
        for (const Segment::Ring& r : s.rings) {
          const double crossing = static_cast<double>(r.length) / (r.closed ? 8 : 4);
          seconds = std::max(seconds, bytes * crossing / link.bandwidth);
        }
      }
      return seconds / efficiency + link.latency * hops_of(s);
    }
    case CollectiveKind::collective_permute: return bytes / (link.bandwidth * efficiency) + link.latency;
  }
  return 0;
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  constexpr std::string_view names[] = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                        "collective_permute"};
  return names[static_cast<std::size_t>(kind)];
}

double collective_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments) {
  double seconds = 0;
  double launch = 0;
  double inner = 1;  // devices on the links further in: they share out what goes over this one
  for (const Segment& s : segments) {
    launch = std::max(launch, s.link->launch);
    if (kind == CollectiveKind::collective_permute) {
      seconds = phase(kind, bytes, s);  // the outermost
    } else {
      seconds += phase(kind, kind == CollectiveKind::all_to_all ? bytes : bytes / inner, s);
    }
    inner *= static_cast<double>(s.size);
  }
  return seconds + launch;
}

double collective_bytes(CollectiveKind kind, double bytes, std::int64_t n) {
  if (kind == CollectiveKind::collective_permute) return bytes;
  return (kind == CollectiveKind::all_reduce ? 2 : 1) * bytes * part(n);
}

// --- Axes on links --------------------------------------------------------------------------------------------------

namespace {

/// Lengths of k dimensions that multiply to n, as near to each other as can be, ascending.
std::vector<std::int64_t> near_cube(std::int64_t n, std::int64_t k, std::int64_t least = 1) {
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

/// A torus whose dimensions axes take.
class Torus {
 public:
  Torus(const Link& link, std::vector<std::int64_t> lengths)
      : link_(link), lengths_(std::move(lengths)), left_(lengths_) {}

  Segment take(std::int64_t size) {
    Segment out{&link_, size, {}};
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
    PARTIR_CHECK(size == 1, "an axis that does not fit its torus");
    return out;
  }

 private:
  void use(std::size_t d, std::int64_t length, Segment& to) {
    to.rings.push_back({length, length == lengths_[d] && length % link_.closes_at == 0});
    left_[d] /= length;
  }

  /// The fewest untouched dimensions whose lengths multiply to `size`.
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
};

tl::unexpected<Diagnostic> wrong(std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"link", "--link", {}, std::move(found), std::move(wanted)});
}

}  // namespace

Result<Network> Network::of(const Device& device, const Mesh& mesh, const NetworkOptions& options) {
  Network out;
  out.device_ = &device;
  out.mesh_ = mesh;
  out.axes_.resize(mesh.rank());
  for (const auto& [axis, link] : options.links) {
    if (!mesh.find(axis)) return wrong(fmt::format("axis '{}'", axis), "an axis of " + mesh.str());
    if (device.link(link) == nullptr) return wrong(fmt::format("link '{}'", link), "a link of " + device.name);
  }
  // Sizes per axis and link, axes from the innermost on.
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> stretches(mesh.rank());
  std::vector<std::int64_t> used(device.links.size(), 1);
  std::size_t tier = 0;
  for (std::size_t i = mesh.rank(); i-- > 0;) {
    std::int64_t rest = mesh.size(Axis(i));
    const auto named = std::find_if(options.links.begin(), options.links.end(),
                                    [&](const auto& l) { return l.first == mesh.name(Axis(i)); });
    if (named != options.links.end()) {
      const auto t = static_cast<std::size_t>(device.link(named->second) - device.links.data());
      stretches[i].emplace_back(t, rest);
      used[t] *= rest;
      continue;
    }
    while (true) {
      const Link& link = device.links[tier];
      const bool last = tier + 1 == device.links.size();
      std::int64_t fits = rest;
      while (!last && link.devices != 0 && (used[tier] * fits > link.devices || rest % fits != 0)) --fits;
      if (fits > 1 || last || rest == 1) {
        stretches[i].emplace_back(tier, fits);
        used[tier] *= fits;
        rest /= fits;
      }
      if (rest == 1) break;
      ++tier;
    }
  }
  std::vector<std::optional<Torus>> tori(device.links.size());
  for (std::size_t t = 0; t < device.links.size(); ++t) {
    const Link& link = device.links[t];
    if (!is_ring(link)) continue;
    std::vector<std::int64_t> lengths = near_cube(used[t], link.shape == Link::Shape::ring ? 1 : link.dimensions);
    if (!options.topology.empty() && link.shape == Link::Shape::torus) {
      std::int64_t product = 1;
      for (const std::int64_t l : options.topology) product *= l;
      if (product != used[t]) {
        return wrong(fmt::format("--topology of {} devices", product),
                     fmt::format("one of {}, the devices of the mesh on {}", used[t], link.name));
      }
      lengths = options.topology;
    }
    tori[t].emplace(link, std::move(lengths));
  }
  for (std::size_t i = mesh.rank(); i-- > 0;) {
    for (const auto& [t, size] : stretches[i]) {
      out.axes_[i].push_back(tori[t] ? tori[t]->take(size) : Segment{&device.links[t], size, {}});
    }
  }
  return out;
}

std::vector<Segment> Network::segments(const std::vector<Axis>& axes) const {
  std::vector<Segment> out;
  for (const Link& link : device_->links) {
    Segment joined{&link, 1, {}};
    for (const Axis a : axes) {
      for (const Segment& s : axes_[a.index()]) {
        if (s.link != &link) continue;
        joined.size *= s.size;
        joined.rings.insert(joined.rings.end(), s.rings.begin(), s.rings.end());
      }
    }
    if (joined.size > 1) out.push_back(std::move(joined));
  }
  return out;
}

std::vector<Segment> Network::irregular(std::int64_t size) const {
  std::size_t outermost = 0;
  for (const auto& axis : axes_) {
    for (const Segment& s : axis) {
      if (s.size > 1) outermost = std::max(outermost, static_cast<std::size_t>(s.link - device_->links.data()));
    }
  }
  return {{&device_->links[outermost], size, {{size, false}}}};
}

std::string Network::describe(Axis axis) const {
  std::string out;
  for (const Segment& s : axes_[axis.index()]) {
    std::string shape;
    for (const Segment::Ring& r : s.rings)
      shape += fmt::format("{}{}{}", shape.empty() ? " " : "x", r.length, r.closed ? "" : " (line)");
    out += (out.empty() ? "" : " + ") + s.link->name + (is_ring(*s.link) ? shape : fmt::format(" {}", s.size));
  }
  return out;
}

}  // namespace partir
