#include "ir/layout.h"

#include <algorithm>
#include <numeric>

#include "support/check.h"

namespace partir {

Factor Factor::digit(Axis axis, std::int64_t before, std::int64_t size, const Mesh& mesh) {
  PARTIR_CHECK(before >= 1 && size >= 1 && mesh.size(axis) % (before * size) == 0, "a digit that an axis lacks");
  if (before == 1 && size == mesh.size(axis)) return {axis};
  Factor out(axis);
  out.kind_ = Kind::digit;
  out.before_ = static_cast<std::int32_t>(before);
  out.size_ = static_cast<std::int32_t>(size);
  return out;
}

Factor Factor::local(std::int64_t size) {
  Factor out;
  out.size_ = static_cast<std::int32_t>(size);
  return out;
}

Factor Factor::listed(std::vector<std::int64_t> piece, std::int64_t size) {
  Factor out;
  out.kind_ = Kind::listed;
  out.size_ = static_cast<std::int32_t>(size);
  out.piece_ = std::make_shared<const std::vector<std::int64_t>>(std::move(piece));
  return out;
}

std::int64_t Factor::piece(DeviceId device, const Mesh& mesh) const {
  switch (kind_) {
    case Kind::axis: return mesh.coordinate(device, axis_);
    case Kind::digit: return mesh.coordinate(device, axis_) / (mesh.size(axis_) / (before_ * size_)) % size_;
    case Kind::listed: return piece_->at(device.index());
    case Kind::local: break;
  }
  PARTIR_CHECK(false, "the piece of a local factor");
}

std::pair<Factor, Factor> Factor::split(std::int64_t minor, const Mesh& mesh) const {
  const std::int64_t major = size(mesh) / minor;
  PARTIR_CHECK(major * minor == size(mesh), "a split by what does not divide");
  switch (kind_) {
    case Kind::axis:
    case Kind::digit: return {digit(axis_, before_, major, mesh), digit(axis_, before_ * major, minor, mesh)};
    case Kind::local: return {local(major), local(minor)};
    case Kind::listed: break;
  }
  std::vector<std::int64_t> high = *piece_;
  std::vector<std::int64_t> low = *piece_;
  for (std::int64_t& p : high) p /= minor;
  for (std::int64_t& p : low) p %= minor;
  return {listed(std::move(high), major), listed(std::move(low), minor)};
}

std::strong_ordering operator<=>(const Factor& a, const Factor& b) {
  if (const auto c = a.kind_ <=> b.kind_; c != 0) return c;
  if (const auto c = a.axis_ <=> b.axis_; c != 0) return c;
  if (const auto c = a.before_ <=> b.before_; c != 0) return c;
  if (const auto c = a.size_ <=> b.size_; c != 0) return c;
  if (a.piece_ == b.piece_) return std::strong_ordering::equal;
  return *a.piece_ <=> *b.piece_;
}

bool Layout::is_replicated() const {
  return pending.empty() && halos.empty() && !only &&
         std::all_of(dims.begin(), dims.end(), [](const Dimension& factors) { return factors.empty(); });
}

bool Layout::is_by_axes() const {
  const auto by_axes = [](const Dimension& factors) {
    return std::all_of(factors.begin(), factors.end(), [](const Factor& f) { return f.is_axis(); });
  };
  return halos.empty() && !only && std::all_of(dims.begin(), dims.end(), by_axes) &&
         std::all_of(pending.begin(), pending.end(), [](const Pending& p) { return p.over.is_axis(); });
}

std::optional<Dim> Layout::tiled_by(Axis axis) const {
  for (Dim d = 0; d < dims.size(); ++d) {
    if (std::any_of(dims[d].begin(), dims[d].end(), [&](const Factor& f) { return f.is_of(axis); })) return d;
  }
  return std::nullopt;
}

std::optional<Monoid> Layout::pending_over(Axis axis) const {
  for (const Pending& p : pending) {
    if (p.over.is_of(axis)) return p.monoid;
  }
  return std::nullopt;
}

void Layout::add_pending(const Factor& over, Monoid monoid) {
  PARTIR_CHECK(std::none_of(pending.begin(), pending.end(), [&](const Pending& p) { return p.over == over; }),
               "a reduction that is pending twice over one axis");
  pending.push_back({over, monoid});
  std::sort(pending.begin(), pending.end());
}

void Layout::drop_pending(const Factor& over) {
  std::erase_if(pending, [&](const Pending& p) { return p.over == over; });
}

void Layout::append(Dim dim, const Factor& factor, const Mesh& mesh) {
  Dimension& factors = dims.at(dim);
  // Two adjacent digits of an axis form one digit.
  if (!factors.empty() && factor.kind() == Factor::Kind::digit && factors.back().kind() == Factor::Kind::digit) {
    const Factor& major = factors.back();
    if (major.axis() == factor.axis() && major.before() * major.size(mesh) == factor.before()) {
      factors.back() = Factor::digit(factor.axis(), major.before(), major.size(mesh) * factor.size(mesh), mesh);
      return;
    }
  }
  factors.push_back(factor);
}

Layout::Dimension Layout::take_minor(Dim dim, std::int64_t size, const Mesh& mesh) {
  Dimension& factors = dims.at(dim);
  Dimension taken;
  Dimension rest = factors;
  std::int64_t left = size;
  while (left > 1 && !rest.empty() && rest.back().is_tiled()) {
    const Factor last = rest.back();
    const std::int64_t n = last.size(mesh);
    if (left % n == 0) {
      taken.insert(taken.begin(), last);
      left /= n;
      rest.pop_back();
    } else if (n % left == 0) {
      const auto [major, minor] = last.split(left, mesh);
      taken.insert(taken.begin(), minor);
      left = 1;
      rest.back() = major;
    } else {
      break;
    }
  }
  if (left == 1) {
    factors = std::move(rest);
    return taken;
  }
  // The size crosses the boundaries of factors: use lists of chunk numbers.
  PARTIR_CHECK(parts(dim, mesh) % size == 0, "a factor that does not divide the chunks");
  PARTIR_CHECK(std::all_of(factors.begin(), factors.end(), [](const Factor& f) { return f.is_tiled(); }),
               "a factor across a local one");
  const auto [major, minor] = Factor::listed(chunks(dim, mesh), parts(dim, mesh)).split(size, mesh);
  factors = {major};
  return {minor};
}

Layout Layout::then(const Layout& inner, const Mesh& mesh) const {
  PARTIR_CHECK(inner.dims.size() == dims.size() && halos.empty() && inner.halos.empty(), "layouts of other values");
  Layout out = *this;
  for (Dim d = 0; d < dims.size(); ++d) {
    for (const Factor& f : inner.dims[d]) out.append(d, f, mesh);
  }
  for (const Pending& p : inner.pending) out.add_pending(p.over, p.monoid);
  if (!out.only) out.only = inner.only;
  return out;
}

bool Layout::refines(const Layout& other) const {
  if (dims.size() != other.dims.size() || pending != other.pending || only != other.only) return false;
  for (Dim d = 0; d < dims.size(); ++d) {
    const Dimension& prefix = other.dims[d];
    if (prefix.size() > dims[d].size() || !std::equal(prefix.begin(), prefix.end(), dims[d].begin())) return false;
  }
  return true;
}

}  // namespace partir
