#include "simulate/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/nccl.h"
#include "simulate/torus.h"
#include "support/near.h"

namespace partir {
namespace {

bool is_ring(const Link& link) { return link.shape == Link::Shape::ring || link.shape == Link::Shape::torus; }

double part(double n) { return (n - 1) / n; }

double hops_of(const Segment& s) {
  if (!is_ring(*s.link)) return std::ceil(std::log2(s.size));
  double hops = 0;
  for (const Segment::Ring& r : s.rings)
    hops += static_cast<double>((r.closed ? r.length / 2 : r.length - 1) * r.stride);
  return hops;
}

double efficiency_of(const Segment& s, double bytes) {
  const double further = s.rings.size() > 1 ? static_cast<double>(s.rings.size() - 1) : 0;
  return s.link->efficiency.at(bytes) * std::pow(s.link->further_dimension, further);
}

/// Seconds of a collective on one segment, without the launch time.
double phase(Traffic traffic, double bytes, const Segment& s) {
  const Link& link = *s.link;
  if (s.size <= 1) return 0;
  const double efficiency = efficiency_of(s, bytes);
  switch (traffic) {
    case Traffic::pass: {
      const double rate = is_ring(link) ? rate_of(s) : link.bandwidth;
      return bytes * part(s.size) / (rate * efficiency) + link.latency * hops_of(s);
    }
    case Traffic::two_passes: return 2 * phase(Traffic::pass, bytes, s);
    case Traffic::exchange: {
      double seconds = 0;
      if (!is_ring(link)) {
        seconds = bytes * part(s.size) / link.bandwidth;
      } else {
        for (const Segment::Ring& r : s.rings) {
          const double crossing = static_cast<double>(r.length * r.stride) / (r.closed ? 8 : 4);
          seconds = std::max(seconds, bytes * crossing / link.bandwidth);
        }
      }
      return seconds / efficiency + link.latency * hops_of(s);
    }
    case Traffic::send: return bytes / (link.bandwidth * efficiency) + link.latency;
  }
  return 0;
}

}  // namespace

double collective_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments) {
  double seconds = 0;
  double launch = 0;
  for (const Segment& s : segments) launch = std::max(launch, s.link->launch);
  if (is_nccl(segments)) return nccl_seconds(kind, bytes, segments) + launch;
  double inner = 1;  // devices on the links further in, among which the data that crosses this link is divided
  const Traffic traffic = facts_of(kind).traffic;
  for (const Segment& s : segments) {
    if (traffic == Traffic::send) {
      seconds = phase(traffic, bytes, s);  // on the outermost link
    } else {
      seconds += phase(traffic, traffic == Traffic::exchange ? bytes : bytes / inner, s);
    }
    inner *= s.size;
  }
  return seconds + launch;
}

double collective_bytes(CollectiveKind kind, double bytes, double n) {
  const Traffic traffic = facts_of(kind).traffic;
  if (traffic == Traffic::send) return bytes;
  return (traffic == Traffic::two_passes ? 2 : 1) * bytes * part(n);
}

// --- Axes on links --------------------------------------------------------------------------------------------------

namespace {

tl::unexpected<Diagnostic> wrong(const char* option, std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"usage", option, {}, std::move(found), std::move(wanted)});
}

/// The devices of a mesh axis on one link.
struct Stretch {
  std::size_t link = 0;
  double size = 1;
};

/// Returns the stretches of each axis, assigning links from the innermost axis on. An axis that is larger than its link
/// is spread evenly: 12 devices on nodes of 8 are 2 nodes of 6.
std::vector<std::vector<Stretch>> stretches_of(const Device& device, const Mesh& mesh, const NetworkOptions& options) {
  std::vector<std::vector<Stretch>> out(mesh.rank());
  std::vector<double> used(device.links.size(), 1);
  std::size_t tier = 0;
  for (std::size_t i = mesh.rank(); i-- > 0;) {
    auto rest = static_cast<double>(mesh.size(Axis(i)));
    if (rest <= 1) continue;
    const auto named = std::find_if(options.links.begin(), options.links.end(),
                                    [&](const auto& l) { return l.first == mesh.name(Axis(i)); });
    if (named != options.links.end()) {
      const auto t = static_cast<std::size_t>(device.link(named->second) - device.links.data());
      out[i].push_back({t, rest});
      used[t] *= rest;
      continue;
    }
    while (rest > 1) {
      const Link& link = device.links[tier];
      const double room = link.devices == 0 ? rest : static_cast<double>(link.devices) / used[tier];
      if (tier + 1 == device.links.size() || rest <= room * (1 + 1e-9)) {
        out[i].push_back({tier, rest});
        used[tier] *= rest;
        break;
      }
      double beyond = std::ceil(rest / room - 1e-9);
      double here = rest / beyond;
      if (is_ring(link)) here = std::ceil(here - 1e-9);
      if (here > 1) {
        out[i].push_back({tier, here});
        used[tier] *= here;
      }
      rest = beyond;
      ++tier;
    }
  }
  return out;
}

}  // namespace

Result<Network> Network::of(const Device& device, const Mesh& mesh, const NetworkOptions& options) {
  Network out;
  out.device_ = &device;
  out.mesh_ = mesh;
  out.axes_.resize(mesh.rank());
  for (const auto& [axis, link] : options.links) {
    if (!mesh.find(axis)) return wrong("--link", fmt::format("axis '{}'", axis), "an axis of " + mesh.str());
    if (device.link(link) != nullptr) continue;
    std::vector<std::string> names;
    for (const Link& known : device.links) names.push_back(known.name);
    return wrong("--link", fmt::format("link '{}'", link),
                 meant(link, names, fmt::format("a link of {}: {}", device.name, listed(names))));
  }
  const auto stretches = stretches_of(device, mesh, options);
  unsigned resource = 0;
  for (std::size_t t = 0; t < device.links.size(); ++t) {
    const Link& link = device.links[t];
    std::vector<std::int64_t> sizes;
    std::vector<std::size_t> axes;
    for (std::size_t i = mesh.rank(); i-- > 0;) {
      for (const Stretch& s : stretches[i]) {
        if (s.link != t) continue;
        sizes.push_back(static_cast<std::int64_t>(std::llround(s.size)));
        axes.push_back(i);
        if (!is_ring(link)) out.axes_[i].push_back({&link, s.size, {}, std::uint64_t{1} << resource});
      }
    }
    if (is_ring(link)) {
      std::vector<std::int64_t> lengths;
      if (!options.topology.empty() && link.shape == Link::Shape::torus) {
        std::int64_t product = 1;
        std::int64_t all = 1;
        for (const std::int64_t l : options.topology) product *= l;
        for (const std::int64_t s : sizes) all *= s;
        if (product != all) {
          return wrong("--topology", fmt::format("{} devices", product),
                       fmt::format("one of {}, the devices of the mesh on {}", all, link.name));
        }
        lengths = options.topology;
      }
      auto segments = on_torus(link, sizes, lengths, resource);
      if (segments.size() != sizes.size())
        return wrong("--topology", "lengths that the axes do not divide",
                     "lengths that are products of the axes' factors");
      for (std::size_t k = 0; k < segments.size(); ++k) {
        if (segments[k].size > 1) out.axes_[axes[k]].push_back(std::move(segments[k]));
      }
    }
    resource += is_ring(link) ? static_cast<unsigned>(std::max<std::int64_t>(
                                    link.dimensions, static_cast<std::int64_t>(options.topology.size())))
                              : 1;
  }
  return out;
}

std::vector<Segment> Network::segments(const std::vector<Axis>& axes) const {
  std::vector<Segment> out;
  for (const Link& link : device_->links) {
    Segment joined{&link, 1, {}, 0};
    for (const Axis a : axes) {
      for (const Segment& s : axes_[a.index()]) {
        if (s.link != &link) continue;
        joined.size *= s.size;
        joined.rings.insert(joined.rings.end(), s.rings.begin(), s.rings.end());
        joined.resources |= s.resources;
      }
    }
    if (joined.size > 1) out.push_back(std::move(joined));
  }
  return out;
}

std::vector<Segment> Network::irregular(std::int64_t size) const {
  Segment out{&device_->links.front(), static_cast<double>(size), {{size, false, 1}}, 0};
  for (const auto& axis : axes_) {
    for (const Segment& s : axis) {
      out.link = std::max(out.link, s.link);
      out.resources |= s.resources;
    }
  }
  if (!is_ring(*out.link)) out.rings.clear();
  return {out};
}

std::string Network::describe(Axis axis) const {
  std::string out;
  for (const Segment& s : axes_[axis.index()]) {
    std::string shape;
    for (const Segment::Ring& r : s.rings)
      shape += fmt::format("{}{}{}", shape.empty() ? " " : "x", r.length, r.closed ? "" : " (line)");
    out += (out.empty() ? "" : " + ") + s.link->name + (is_ring(*s.link) ? shape : fmt::format(" {:.4g}", s.size));
  }
  return out.empty() ? device_->links.front().name + " 1" : out;
}

}  // namespace partir
