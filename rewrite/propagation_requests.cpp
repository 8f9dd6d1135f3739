// Requests of a tactic for arguments, results and named values.
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/propagation.h"
#include "support/check.h"

namespace partir {

void Propagation::request_argument(std::size_t number, const PatternRequest& r, const std::string& name,
                                   const std::string& file) {
  const ValueId v = f_.arguments()[number];
  if (defined_[v.index()] || atomic_[v.index()]) {
    if (r.request.kind != Request::Kind::unknown) report(about(Conflict::Reason::decided_before, name));
    return;
  }
  const auto dim = requested_dim(v, s_.argument(number), r, name, file);
  if (r.request.kind == Request::Kind::replicated) {
    s_.place_argument(number, {axis_, std::nullopt, s_.tactic(), true});
    atomic_[v.index()] = true;
  } else if (dim) {
    s_.place_argument(number, {axis_, *dim, s_.tactic(), true});
    defined_[v.index()] = *dim;
    enqueue_users(v);
  }
}

void Propagation::request_result(std::size_t number, const PatternRequest& r, const std::string& name,
                                 const std::string& file) {
  const ValueId v = f_.returned()[number];
  const auto& placements = s_.result(number);
  if (std::any_of(placements.begin(), placements.end(), [&](const TileDecision& p) { return p.axis == axis_; })) {
    if (r.request.kind != Request::Kind::unknown) report(about(Conflict::Reason::decided_before, name));
    return;
  }
  // A result that is computed tiled along another dimension keeps that tiling.
  if (r.request.kind == Request::Kind::dim && tiled_otherwise(v, r.request.dim, name)) return;
  std::vector<TileDecision> placed = s_.returned(number);
  std::erase_if(placed, [&](const TileDecision& p) { return p.axis == axis_; });
  const auto dim = requested_dim(v, placed, r, name, file);
  if (r.request.kind == Request::Kind::replicated) {
    s_.place_result(number, {axis_, std::nullopt, s_.tactic(), true});
  } else if (dim) {
    if (tiled_otherwise(v, *dim, name)) return;
    s_.place_result(number, {axis_, *dim, s_.tactic(), true});
    demand(v, *dim);
  }
}

void Propagation::request_value(const NamedValue& value, const PatternRequest& r, const std::string& file) {
  const auto identity = s_.identity_after(value.value);
  if (!identity || r.request.kind == Request::Kind::unknown) return;  // never read
  const ValueId v = s_.op(*identity).results[0];
  if (defined_[v.index()] || atomic_[v.index()]) {
    const bool same = r.request.kind == Request::Kind::dim && defined_[v.index()] == r.request.dim;
    if (!same) report(about(Conflict::Reason::decided_before, value.name));
    return;
  }
  const auto dim = requested_dim(v, s_.natural(v), r, value.name, file);
  if (r.request.kind == Request::Kind::replicated) {
    s_.keep_replicated(axis_, v);
    atomic_[v.index()] = true;
  } else if (dim) {
    const Entry entry{{Action::tile(*dim)}, {Action::tile(*dim)}};
    const Form* local = s_.form(*identity).localized(entry, n_);
    PARTIR_CHECK(local != nullptr, "a size that was checked");
    s_.join(*identity, axis_, entry, *local);
    defined_[v.index()] = *dim;
    enqueue_users(v);
    demand(value.value, *dim);
  }
}

bool Propagation::tiled_otherwise(ValueId v, Dim dim, const std::string& name) {
  if (!defined_[v.index()] || defined_[v.index()] == dim) return false;
  Conflict c = about(Conflict::Reason::tiled_otherwise, name);
  c.dim = defined_[v.index()];
  report(std::move(c));
  return true;
}

std::optional<Dim> Propagation::requested_dim(ValueId v, const std::vector<TileDecision>& placed,
                                              const PatternRequest& r, const std::string& name,
                                              const std::string& file) {
  const Type& type = f_.type(v);
  if (r.request.kind == Request::Kind::dim) {
    const std::int64_t size = local_size(v, placed, r.request.dim);
    if (!splits(size) && uneven_) {
      Conflict c = about(Conflict::Reason::indivisible, name);
      c.type = type.str();
      c.dim = r.request.dim;
      report(std::move(c));
      return std::nullopt;
    }
    if (!splits(size)) {
      throw UserError(
          Diagnostic{"schedule", file, r.place,
                     fmt::format("dimension {} of '{}' ({}) of local size {}", r.request.dim, name, type.str(), size),
                     fmt::format("a size that the axis {} of {} divides, or \"uneven\" in the tactic",
                                 s_.mesh().name(axis_), n_)});
    }
    return r.request.dim;
  }
  if (r.request.kind == Request::Kind::first_divisible) {
    for (Dim d = 0; d < type.rank(); ++d) {
      if (splits(local_size(v, placed, d))) return d;
    }
    Conflict c = about(Conflict::Reason::indivisible, name);
    c.type = type.str();
    report(std::move(c));
  }
  return std::nullopt;
}

std::int64_t Propagation::local_size(ValueId v, const std::vector<TileDecision>& placed, Dim d) const {
  std::int64_t size = f_.type(v)->dims[d];
  for (const TileDecision& p : placed) {
    if (p.dim == d) size /= s_.mesh().size(p.axis);
  }
  return size;
}

}  // namespace partir
