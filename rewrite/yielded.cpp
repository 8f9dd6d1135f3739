#include "rewrite/yielded.h"

#include <algorithm>

#include "rewrite/named_values.h"

namespace partir {
namespace {

bool has_axis(const std::vector<TileDecision>& list, Axis axis) {
  return std::any_of(list.begin(), list.end(), [&](const TileDecision& p) { return p.axis == axis; });
}

std::map<std::size_t, std::size_t> donors_of(const State& state) {
  const Function& f = state.function();
  std::map<std::size_t, std::size_t> out;
  for (std::size_t i = 0; i < f.argument_attributes.size(); ++i) {
    const Attribute* a = find(f.argument_attributes[i], "tf.aliasing_output");
    const IntAttr* number = a != nullptr ? a->as<IntAttr>() : nullptr;
    if (number == nullptr || number->value < 0) continue;
    const auto result = static_cast<std::size_t>(number->value);
    if (result >= f.returned().size()) continue;
    const auto site = state.defining_site(f.returned()[result]);
    if (site && !state.is_flow(*site) && names_result(state.op(*site))) continue;  // an annotation states its layout
    if (f.type(f.arguments()[i]) == f.type(f.returned()[result])) out.emplace(result, i);
  }
  return out;
}

}  // namespace

bool same_tiles(const std::vector<TileDecision>& a, const std::vector<TileDecision>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TileDecision& x, const TileDecision& y) { return x.axis == y.axis && x.dim == y.dim; });
}

Yielded::Yielded(const State& state) : s_(state), donors_(donors_of(state)) {}

std::vector<TileDecision> Yielded::result(std::size_t k) const {
  const ValueId v = s_.function().returned()[k];
  const std::vector<TileDecision> have = s_.natural(v);
  const auto donor = donors_.find(k);
  const std::vector<TileDecision>& inherited = donor != donors_.end() ? s_.argument(donor->second) : have;
  const std::vector<TileDecision>& asked = s_.result(k);
  if (!s_.function().type(v).is_tensor()) return {};
  std::vector<std::int64_t> rest = s_.function().tensor(v).dims;
  for (const TileDecision& p : asked) {
    if (p.dim) rest[*p.dim] /= s_.mesh().size(p.axis);
  }
  std::vector<TileDecision> wanted;
  for (const TileDecision& p : inherited) {
    // A requested axis that is inherited on the same dimension keeps its position in the nesting.
    const auto same = std::find_if(asked.begin(), asked.end(), [&](const TileDecision& q) { return q.axis == p.axis; });
    if (!p.dim || (same != asked.end() && same->dim != p.dim)) continue;
    if (same == asked.end()) {
      if (rest[*p.dim] % s_.mesh().size(p.axis) != 0) continue;
      rest[*p.dim] /= s_.mesh().size(p.axis);
    }
    wanted.push_back(p);
  }
  for (const TileDecision& p : asked) {
    if (!has_axis(wanted, p.axis) && (p.dim || has_axis(have, p.axis))) wanted.push_back(p);
  }
  return with_lost_axes(v, std::move(wanted));
}

std::vector<TileDecision> Yielded::carried(ValueId v, const Flow& flow) const {
  return with_lost_axes(v, s_.natural(flow.to.back()));
}

std::vector<TileDecision> Yielded::with_lost_axes(ValueId v, std::vector<TileDecision> wanted) const {
  for (const TileDecision& p : s_.natural(v)) {
    if (!has_axis(wanted, p.axis)) wanted.push_back({p.axis, std::nullopt});
  }
  return wanted;
}

}  // namespace partir
