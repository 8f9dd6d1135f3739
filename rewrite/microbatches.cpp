#include "rewrite/microbatches.h"

#include <algorithm>

namespace partir {
namespace {

/// The dimension of which the slice takes one position.
std::optional<Dim> single_position(const State& s, std::size_t site) {
  const Op& op = s.op(site);
  const Type& whole = s.function().type(op.operands[0]);
  const Type& taken = s.function().type(op.results[0]);
  for (Dim d = 0; d < whole.rank(); ++d) {
    if (whole->dims[d] > 1 && taken->dims[d] == 1) return d;
  }
  return std::nullopt;
}

/// Whether static slices take at least a quarter of the positions of the dimension of which this one takes a position.
/// The tile of a value of which less is read stays where it is: moving it would move all of it.
bool takes_enough(const State& s, std::size_t site, Dim dim) {
  const ValueId whole = s.op(site).operands[0];
  if (!is_static_slice(s, site)) return false;
  const auto taken = slice_starts(s, whole, dim, [&](std::size_t other) { return single_position(s, other) == dim; });
  return 4 * static_cast<std::int64_t>(taken.size()) >= s.function().type(whole)->dims[dim];
}

bool is_slice(const State& s, std::size_t site) {
  static const OpDecl* const dynamic = find_decl("stablehlo.dynamic_slice");
  return is_static_slice(s, site) || (!s.is_flow(site) && s.op(site).decl == dynamic);
}

/// The dimension of which the loop's regions slice out one position at a time, if they read the value in no other way.
std::optional<Dim> stepped_through(const State& s, std::size_t site) {
  std::optional<Dim> dim;
  for (const ValueId v : s.defines(site)) {
    for (const State::Use& use : s.uses(v)) {
      if (use.site == site) continue;  // forwarded to the next iteration
      if (!is_slice(s, use.site) || use.operand != 0) return std::nullopt;
      const auto here = single_position(s, use.site);
      if (!here || (dim && *dim != *here)) return std::nullopt;
      dim = here;
    }
  }
  return dim;
}

/// Whether an entry of the operation carries a tile of dimension d from operand k to its only result.
bool carries(const State& s, std::size_t site, std::size_t k, Dim d) {
  const auto& entries = s.global_form(site).entries();
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& e) {
    return e.operands[k] == Action::tile(d) && e.results.size() == 1 && e.results[0] == Action::tile(d);
  });
}

bool is_reshape(const State& s, std::size_t site) {
  static const OpDecl* const reshape = find_decl("stablehlo.reshape");
  return !s.is_flow(site) && s.op(site).decl == reshape;
}

/// The reshape from which the value derives through operations that carry tiles of both dimensions; null if there is
/// none.
const Op* reshape_of(const State& s, ValueId v, Dim steps, Dim batch) {
  while (true) {
    const auto site = s.defining_site(v);
    if (!site || s.is_flow(*site)) return nullptr;
    const Op& op = s.op(*site);
    if (is_reshape(s, *site)) return &op;
    std::optional<ValueId> from;
    for (std::size_t k = 0; k < op.operands.size() && !from; ++k) {
      if (!s.is_constant(op.operands[k]) && carries(s, *site, k, steps) && carries(s, *site, k, batch))
        from = op.operands[k];
    }
    if (!from) return nullptr;
    v = *from;
  }
}

/// The dimension of the reshape's operand whose major factors are dimensions d and d + 1 of its result.
std::optional<Dim> split_into(const TensorType& operand, const TensorType& result, Dim d) {
  if (d + 1 >= result.dims.size()) return std::nullopt;
  const std::int64_t cut = result.dims[d] * result.dims[d + 1];
  std::int64_t before = 1;
  for (Dim e = 0; e < d; ++e) before *= result.dims[e];
  for (Dim e = 0; e < operand.dims.size(); ++e) {
    if (before == 1 && cut > 0 && operand.dims[e] % cut == 0 && operand.dims[e] > 0) return e;
    if (operand.dims[e] == 0 || before % operand.dims[e] != 0) return std::nullopt;
    before /= operand.dims[e];
  }
  return std::nullopt;
}

}  // namespace

bool is_static_slice(const State& state, std::size_t site) {
  static const OpDecl* const slice = find_decl("stablehlo.slice");
  return !state.is_flow(site) && state.op(site).decl == slice;
}

std::set<std::int64_t> slice_starts(const State& state, ValueId v, Dim dim,
                                    const std::function<bool(std::size_t)>& counts) {
  std::set<std::int64_t> out;
  for (const State::Use& use : state.uses(v)) {
    if (is_static_slice(state, use.site) && counts(use.site))
      out.insert(instance_of(state.function(), state.op(use.site)).ints("start_indices")[dim]);
  }
  return out;
}

std::optional<Microbatches> microbatches_of(const State& state, std::size_t site) {
  const bool carried = state.is_flow(site) && hands_operands_on(state.op(site));
  if (!carried && !is_slice(state, site)) return std::nullopt;
  const auto steps = carried ? stepped_through(state, site) : single_position(state, site);
  if (!steps || (!carried && !takes_enough(state, site, *steps))) return std::nullopt;
  const Dim batch = *steps + 1;
  const Op* cut = reshape_of(state, state.reads(site)[0], *steps, batch);
  if (cut == nullptr) return std::nullopt;
  const Function& f = state.function();
  const auto split = split_into(*f.type(cut->operands[0]), *f.type(cut->results[0]), *steps);
  return split ? std::optional(Microbatches{cut->operands[0], *split, *steps, batch}) : std::nullopt;
}

std::vector<std::size_t> readers_behind_cut(const State& state, std::size_t site) {
  std::vector<std::size_t> out;
  if (!is_reshape(state, site)) return out;
  std::vector<ValueId> open = state.defines(site);
  std::set<ValueId> seen(open.begin(), open.end());
  while (!open.empty()) {
    const ValueId v = open.back();
    open.pop_back();
    for (const State::Use& use : state.uses(v)) {
      if (state.is_flow(use.site) || is_slice(state, use.site)) out.push_back(use.site);
      for (const ValueId next : state.is_flow(use.site) ? std::vector<ValueId>() : state.defines(use.site)) {
        const Type& type = state.function().type(next);
        if (type.is_tensor() && type->dims == state.function().type(v)->dims && seen.insert(next).second)
          open.push_back(next);
      }
    }
  }
  return out;
}

}  // namespace partir
