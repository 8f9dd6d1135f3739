#include "rewrite/offsets.h"

#include <algorithm>
#include <map>
#include <optional>

#include "rewrite/microbatches.h"

namespace partir {

namespace {

/// The number of chunks along a dimension in which all uses slice a value; 1 if they disagree.
std::int64_t chunks_wanted(const State& state, ValueId v, Dim dim) {
  std::optional<std::vector<Axis>> all;
  for (const State::Use& use : state.uses(v)) {
    std::vector<Axis> axes;
    for (const Step& step : state.steps(use.site)) {
      if (use.operand && step.entry.operands[*use.operand] == Action::tile(dim)) axes.push_back(step.axis);
    }
    if (all && *all != axes) return 1;
    all = std::move(axes);
  }
  std::int64_t out = 1;
  for (const Axis a : all.value_or(std::vector<Axis>())) out *= state.mesh().size(a);
  return out;
}

/// How to decompose an operation without operands (such as iota) whose result all uses slice alike.
std::optional<ByOffsets> result_by_offsets(const State& state, std::size_t site) {
  const Op& op = state.op(site);
  const OpInstance instance = instance_of(state.function(), op);
  for (Dim d = 0; d < instance.results[0].rank(); ++d) {
    const std::int64_t n = chunks_wanted(state, op.results[0], d);
    if (n > 1 && op.decl->by_offsets(instance, op.operands.size(), d, n)) return ByOffsets{op.operands.size(), d, n};
  }
  return std::nullopt;
}

/// For a slice, where slices take all of an argument in blocks (microbatches): a multiple of n, so many chunks that each
/// is smaller than a block. The slice is then taken as a block (ops::slice_of_block), of which each device has its rows,
/// and not added up for all devices. Slices of computed values are not: their gradients have to be joined again.
std::optional<std::int64_t> chunks_below_blocks(const State& state, const Op& op, Dim dim, std::int64_t n) {
  const Function& f = state.function();
  if (!is_static_slice(state, state.site_of(op.id)) || state.defining_site(op.operands[0])) return std::nullopt;
  const std::int64_t whole = f.tensor(op.operands[0]).dims[dim];
  const std::int64_t size = f.tensor(op.results[0]).dims[dim];
  const auto starts = slice_starts(state, op.operands[0], dim, [&](std::size_t site) {
    return f.tensor(state.op(site).results[0]).dims[dim] == size;
  });
  if (size == 0 || whole % size != 0 || static_cast<std::int64_t>(starts.size()) != whole / size) return std::nullopt;
  for (std::int64_t chunks = n; n > 1 && chunks <= size; chunks += n) {
    if (size % chunks == 0 && size > whole / chunks) return chunks;
  }
  return std::nullopt;
}

/// Steps whose entries hold in blocks only, so that no device computes by them in the current state.
std::vector<Step> steps_in_blocks_only(const State& state, std::size_t site) {
  std::vector<Step> out;
  if (state.op(site).decl->in_blocks == nullptr) return out;
  const auto done = state.computed(site).steps;
  for (const Step& step : state.steps(site)) {
    if (std::find(done.begin(), done.end(), &step) == done.end()) out.push_back(step);
  }
  return out;
}

}  // namespace

OperationsByOffsets to_write_by_offsets(const State& state, const RewrittenInfinities& infinities) {
  OperationsByOffsets out;
  const ByOffsetsSubjects subjects(state.function());
  for (std::size_t site = 0; site < state.operations(); ++site) {
    const Op& op = state.op(site);
    if (op.decl->by_offsets == nullptr || op.results.empty()) continue;
    if (op.operands.empty()) {
      if (const auto how = result_by_offsets(state, site)) out.emplace(op.results[0], *how);
      continue;
    }
    if (state.is_constant(op.results[0])) continue;
    std::map<std::pair<std::size_t, Dim>, std::int64_t> chunks;  // by operand and dimension
    for (const Step& step : steps_in_blocks_only(state, site)) {
      const auto& actions = step.entry.operands;
      const auto tiled = std::find_if(actions.begin(), actions.end(), [](const Action& a) { return a.is_tile(); });
      const auto operand = static_cast<std::size_t>(tiled - actions.begin());
      chunks.try_emplace({operand, tiled->dim}, 1).first->second *= state.mesh().size(step.axis);
    }
    const ByOffsetsSubject subject = subjects.of(op);
    // An infinity in the padding of a selection may be selected instead of one of the value's own.
    if (filling_of(subject.instance) != nullptr && !infinities.of(subject.operands[0]).none()) continue;
    for (std::size_t k = 0; k < subject.operands.size(); ++k) {
      for (const TileDecision& p : state.natural(subject.operands[k])) {
        if (!p.dim || state.step(site, p.axis) != nullptr) continue;
        chunks.try_emplace({k, *p.dim}, 1).first->second *= state.mesh().size(p.axis);
      }
    }
    // Updates of a constant, such as the gradient of a lookup, are made in the chunks in which all uses read the result.
    if (chunks.empty() && op.decl->traits.update && state.is_constant(op.operands[0])) {
      for (Dim d = 0; d < subject.instance.results[0].rank(); ++d)
        chunks.try_emplace({0, d}, chunks_wanted(state, op.results[0], d));
    }
    for (const auto& [place, tiles] : chunks) {
      const auto& [operand, dim] = place;
      const std::int64_t n = chunks_below_blocks(state, op, dim, tiles).value_or(tiles);
      if (n == 1 || !subject.instance.decl->by_offsets(subject.instance, operand, dim, n)) continue;
      out.emplace(op.results[0], ByOffsets{operand, dim, n});
      break;
    }
  }
  return out;
}

}  // namespace partir
