// Computes the part of a value that each device holds in a layout, and the layout in which devices hold given parts.
#include <algorithm>
#include <numeric>
#include <set>

#include "ir/layout.h"
#include "support/check.h"

namespace partir {
namespace {

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A digit of an axis, and its weight in the number of a chunk.
struct Weighted {
  std::int64_t weight;
  Factor factor;
};

/// Decomposes `along`, the contribution to the chunk number of each coordinate along an axis, into weighted digits of
/// the axis; returns nothing if that is impossible. For 0 0 2 2 on an axis of 4 it is the major digit, with weight 2.
std::vector<Weighted> digits_of(Axis axis, const std::vector<std::int64_t>& along, const Mesh& mesh) {
  std::vector<Weighted> out;
  const auto n = static_cast<std::int64_t>(along.size());
  const auto at = [&](std::int64_t c) { return along[static_cast<std::size_t>(c)]; };
  std::int64_t below = 1;  // the product of the sizes of the digits found so far, which are minor to the next
  while (below < n) {
    const std::int64_t rest = n / below;
    std::int64_t size = 0;
    const std::int64_t weight = at(below);
    for (std::int64_t k = rest; k > 1 && size == 0; --k) {  // the largest digit with a constant weight
      if (rest % k != 0) continue;
      bool even = true;
      for (std::int64_t c = 1; c < k && even; ++c) even = at(c * below) == c * weight;
      if (even) size = k;
    }
    if (size == 0) return {};
    if (weight != 0) out.push_back({weight, Factor::digit(axis, rest / size, size, mesh)});
    below *= size;
  }
  return out;
}

/// The axes and digits by which each device d holds `chunk[d]` of `parts` chunks; nullopt if they cannot express it.
std::optional<Layout::Dimension> factors_of(const std::vector<std::int64_t>& chunk, std::int64_t parts,
                                            const Mesh& mesh) {
  const auto at = [&](std::int64_t position) { return chunk[mesh.device_at(position).index()]; };
  if (chunk.empty() || at(0) != 0) return std::nullopt;
  std::vector<Weighted> digits;
  for (std::size_t k = 0; k < mesh.rank(); ++k) {
    std::vector<std::int64_t> along;
    for (std::int64_t c = 0; c < mesh.size(Axis(k)); ++c) along.push_back(at(c * mesh.stride(Axis(k))));
    for (Weighted& d : digits_of(Axis(k), along, mesh)) digits.push_back(std::move(d));
  }
  std::sort(digits.begin(), digits.end(), [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
  Layout out = Layout::replicated(1);
  for (const Weighted& d : digits) out.append(0, d.factor, mesh);
  if (out.parts(0, mesh) != parts || out.chunks(0, mesh) != chunk) return std::nullopt;
  return out.dims[0];
}

}  // namespace

std::int64_t Layout::parts(Dim dim, const Mesh& mesh) const {
  std::int64_t out = 1;
  for (const Factor& f : dims.at(dim)) out *= f.is_tiled() ? f.size(mesh) : 1;
  return out;
}

std::int64_t Layout::chunk(Dim dim, DeviceId device, const Mesh& mesh) const {
  std::int64_t out = 0;
  for (const Factor& f : dims.at(dim)) {
    if (f.is_tiled()) out = out * f.size(mesh) + f.piece(device, mesh);
  }
  return out;
}

std::vector<std::int64_t> Layout::chunks(Dim dim, const Mesh& mesh) const {
  std::vector<std::int64_t> out;
  const auto devices = static_cast<std::size_t>(mesh.devices());
  out.reserve(devices);
  for (std::size_t k = 0; k < devices; ++k) out.push_back(chunk(dim, DeviceId(k), mesh));
  return out;
}

Type Layout::local(const Type& global, const Mesh& mesh) const {
  Type out = global;
  for (Dim d = 0; d < dims.size(); ++d) {
    if (dims[d].empty() && halos.empty()) continue;
    std::int64_t locals = 1;
    for (const Factor& f : dims[d]) locals *= f.is_tiled() ? 1 : f.size(mesh);
    out->dims[d] = locals * ceiling(out->dims[d], locals * parts(d, mesh));
    if (!halos.empty()) out->dims[d] += halos[d].before + halos[d].behind;
  }
  return out;
}

std::optional<std::int64_t> Layout::position(Dim dim, DeviceId device, std::int64_t at, std::int64_t size,
                                             const Mesh& mesh) const {
  if (only && *only != device) return std::nullopt;
  std::int64_t all = 1;
  std::int64_t locals = 1;
  for (const Factor& f : dims.at(dim)) {
    all *= f.size(mesh);
    if (!f.is_tiled()) locals *= f.size(mesh);
  }
  const std::int64_t minor = ceiling(size, all);
  if (!halos.empty()) at -= halos[dim].before;
  PARTIR_CHECK(locals == 1 || halos.empty(), "a halo of stretches");
  if (locals == 1) {
    const std::int64_t out = chunk(dim, device, mesh) * minor + at;
    return out >= 0 && out < size ? std::optional(out) : std::nullopt;
  }
  std::int64_t out = 0;
  std::int64_t stretch = at / minor;  // the number of the block formed by the local factors
  for (const Factor& f : dims[dim]) {
    const std::int64_t n = f.size(mesh);
    std::int64_t piece = 0;
    if (f.is_tiled()) {
      piece = f.piece(device, mesh);
    } else {
      locals /= n;
      piece = stretch / locals;
      stretch %= locals;
    }
    out = out * n + piece;
  }
  out = out * minor + at % minor;
  return out < size ? std::optional(out) : std::nullopt;
}

bool Layout::divides(const TensorType& global, const Mesh& mesh) const {
  for (Dim d = 0; d < dims.size(); ++d) {
    std::int64_t all = 1;
    for (const Factor& f : dims[d]) all *= f.size(mesh);
    if (global.dims[d] % all != 0) return false;
  }
  return true;
}

bool Layout::fits(const Type& global, const Mesh& mesh) const {
  if (dims.size() != global.rank() || !(halos.empty() || halos.size() == dims.size())) return false;
  std::vector<Factor> tiled;
  for (const Dimension& factors : dims) {
    std::copy_if(factors.begin(), factors.end(), std::back_inserter(tiled),
                 [](const Factor& f) { return f.is_tiled(); });
  }
  for (const Pending& p : pending) {
    if (p.monoid != pending[0].monoid || !p.over.is_tiled()) return false;
    tiled.push_back(p.over);
  }
  if (std::all_of(tiled.begin(), tiled.end(), [](const Factor& f) { return f.is_axis(); })) {
    std::sort(tiled.begin(), tiled.end());
    return std::adjacent_find(tiled.begin(), tiled.end()) == tiled.end();
  }
  // Some device holds each combination of pieces.
  std::int64_t wanted = 1;
  for (const Factor& f : tiled) {
    wanted *= f.size(mesh);
    if (wanted > mesh.devices()) return false;
  }
  std::set<std::vector<std::int64_t>> there;
  for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.devices()); ++k) {
    std::vector<std::int64_t> pieces;
    for (const Factor& f : tiled) pieces.push_back(f.piece(DeviceId(k), mesh));
    there.insert(std::move(pieces));
  }
  return static_cast<std::int64_t>(there.size()) == wanted;
}

Layout Layout::of_chunks(const std::vector<std::int64_t>& parts, const std::vector<std::vector<std::int64_t>>& chunk,
                         const Mesh& mesh) {
  Layout out = replicated(parts.size());
  for (Dim d = 0; d < parts.size(); ++d) {
    if (parts[d] == 1) continue;
    if (auto factors = factors_of(chunk[d], parts[d], mesh)) {
      out.dims[d] = std::move(*factors);
    } else {
      out.dims[d] = {Factor::listed(chunk[d], parts[d])};
    }
  }
  return out;
}

Layout Layout::in_order(const std::vector<std::int64_t>& order, const Mesh& mesh, bool back) const {
  std::vector<std::int64_t> parts;
  std::vector<std::vector<std::int64_t>> chunks;
  for (Dim d = 0; d < dims.size(); ++d) {
    parts.push_back(this->parts(d, mesh));
    chunks.emplace_back(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
      DeviceId from = mesh.device_at(static_cast<std::int64_t>(p));
      DeviceId to(static_cast<std::size_t>(order[p]));
      if (back) std::swap(from, to);
      chunks[d][to.index()] = chunk(d, from, mesh);
    }
  }
  return of_chunks(parts, chunks, mesh);
}

Layout Layout::normalised(const Mesh& mesh) const {
  Layout out = *this;
  for (Dimension& factors : out.dims) {
    const bool listed =
        std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.kind() == Factor::Kind::listed; });
    const bool tiled = std::all_of(factors.begin(), factors.end(), [](const Factor& f) { return f.is_tiled(); });
    if (!listed || !tiled) continue;
    const Layout one{{factors}};
    if (auto better = factors_of(one.chunks(0, mesh), one.parts(0, mesh), mesh)) factors = std::move(*better);
  }
  return out;
}

bool same_parts(const Layout& a, const Layout& b, const Mesh& mesh) {
  if (a.dims.size() != b.dims.size() || a.pending != b.pending || a.halos != b.halos || a.only != b.only) return false;
  for (Dim d = 0; d < a.dims.size(); ++d) {
    if (a.dims[d] == b.dims[d]) continue;
    const auto is_local = [](const Factor& f) { return !f.is_tiled(); };
    if (std::any_of(a.dims[d].begin(), a.dims[d].end(), is_local) ||
        std::any_of(b.dims[d].begin(), b.dims[d].end(), is_local))
      return false;
    if (a.parts(d, mesh) != b.parts(d, mesh) || a.chunks(d, mesh) != b.chunks(d, mesh)) return false;
  }
  return true;
}

std::vector<std::vector<std::int64_t>> parts_held(const Layout& layout, const Mesh& mesh) {
  std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(mesh.devices()));
  for (Dim d = 0; d < layout.dims.size(); ++d) {
    const std::vector<std::int64_t> chunk = layout.chunks(d, mesh);
    for (std::size_t k = 0; k < out.size(); ++k) out[k].push_back(chunk[k]);
  }
  return out;
}

}  // namespace partir
