// How a session decides which rewrites a program needs: the dimensions that are padded, and the operations that are
// decomposed by offsets. Settling repeats this until nothing more is wanted, because a rewrite may lead to others.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "driver/session.h"
#include "ir/control_flow.h"
#include "ir/ops/padded.h"
#include "rewrite/offsets.h"
#include "rewrite/padded_sizes.h"

namespace partir {

std::vector<UnevenDim> Session::uneven_dims(const ResolvedTactic& tactic) const {
  std::vector<UnevenDim> out;
  const State& state = version_->state;
  const Function& written = version_->main(*program_);
  // A result may be returned without the padding of its value.
  const auto type_of = [&](ValueId v, std::optional<std::size_t> result) -> const Type& {
    return result ? version_->source.type(version_->source.returned()[*result]) : written.type(v);
  };
  const auto want = [&](ValueId v, std::optional<std::size_t> result, Dim dim, std::int64_t parts) {
    const std::int64_t size = type_of(v, result)->dims.at(dim);
    const UnevenDim wanted{v, dim, parts};
    const auto& known = version_->how.padding.uneven;  // padding that did not help is not tried again
    if (size > 0 && size % parts != 0 && std::find(known.begin(), known.end(), wanted) == known.end())
      out.push_back(wanted);
  };
  for (const LayoutRequest& layout : tactic.layouts) {
    if (layout.of == LayoutRequest::Of::manual) continue;  // their shardings always divide
    const bool of_argument = layout.of == LayoutRequest::Of::argument;
    const std::optional<std::size_t> result = of_argument ? std::nullopt : layout.value.result;
    const ValueId v = of_argument ? main().arguments()[layout.number]
                      : result    ? main().returned()[*result]
                                  : layout.value.value;
    std::map<Dim, std::int64_t> parts;
    for (const LayoutRequest::Tile& t : layout.tiles) parts.try_emplace(t.dim, 1).first->second *= mesh().size(t.axis);
    for (const auto& [dim, n] : parts) want(v, result, dim, n);
  }
  const auto ask = [&](ValueId v, std::optional<std::size_t> result, const std::vector<TileDecision>& placed,
                       const PatternRequest& r) {
    if (r.request.kind != Request::Kind::dim) return;
    std::int64_t parts = mesh().size(tactic.axis);
    for (const TileDecision& p : placed) {
      if (p.axis == tactic.axis) return;  // decided already
      if (p.dim == r.request.dim) parts *= mesh().size(p.axis);
    }
    // Any tactic may tile a dimension that divides as given, and does not with the padding of another tactic.
    const bool divides = main().type(v)->dims.at(r.request.dim) % parts == 0;
    if (tactic.uneven || divides) want(v, result, r.request.dim, parts);
  };
  const auto ask_result = [&](std::size_t k, const PatternRequest& r) {
    ask(main().returned()[k], k, state.returned(k), r);
  };
  for (std::size_t i = 0; i < tactic.arguments.size(); ++i) {
    if (tactic.arguments[i]) ask(main().arguments()[i], std::nullopt, state.argument(i), *tactic.arguments[i]);
  }
  for (std::size_t k = 0; k < tactic.results.size(); ++k) {
    if (tactic.results[k]) ask_result(k, *tactic.results[k]);
  }
  for (const auto& [value, request] : tactic.values) {
    if (value.result) {
      ask_result(*value.result, request);
    } else {
      ask(value.value, std::nullopt, state.natural(value.value), request);
    }
  }
  return out;
}

Padding Session::without_idle_padding() const {
  Padding out = version_->how.padding;
  if (out.empty()) return out;
  const State& state = version_->state;
  const bool asked = std::any_of(applied_.begin(), applied_.end(),
                                 [](const AppliedTactic& a) { return a.tactic.uneven || !a.tactic.layouts.empty(); });
  const auto idle = [&](const Type& own, const Type& wide, const std::vector<TileDecision>& placed) {
    if (own == wide) return false;
    if (!asked) return true;  // padded only for the results of windows
    for (Dim d = 0; d < own.rank(); ++d) {
      const bool tiled = std::any_of(placed.begin(), placed.end(), [d](const TileDecision& p) { return p.dim == d; });
      if (own->dims[d] != wide->dims[d] && tiled) return false;
    }
    return true;
  };
  const Function& source = version_->source;
  for (std::size_t i = 0; i < main().arguments().size(); ++i) {
    if (idle(main().type(main().arguments()[i]), source.type(source.arguments()[i]), state.argument(i)))
      out.arguments.insert(i);
  }
  for (std::size_t k = 0; k < main().returned().size(); ++k) {
    if (idle(main().type(main().returned()[k]), source.type(source.returned()[k]), state.returned(k)))
      out.results.insert(k);
  }
  return out;
}

namespace {

/// Whether windows slide over a dimension and their results go on where it does, or, if `slices`, a slice takes nearly
/// all of it.
bool is_shorter(const OpInstance& op, Dim dim, bool slices) {
  if (op.decl->in_blocks == nullptr) return slices && ops::is_nearly_whole(op, dim);
  const auto goes_on = longer_form(op, dim);
  return goes_on && goes_on->type(goes_on->returned().at(0)) != op.results[0];
}

/// Whether the operation joins operand `k`, which is nearly all of the result, with others along the dimension, and the
/// result is longer: padding the operand to that length gives both the same chunks.
bool is_joined(const OpInstance& op, std::size_t k, Dim dim) {
  return ops::joins_along(op, dim) && ops::is_most_of(*op.operands[k], *op.results[0], dim) &&
         op.operands[k]->dims[dim] != op.results[0]->dims[dim];
}

}  // namespace

bool Session::settling_may_pad() const {
  return find_op(main().body, [&](const Op& op) {
           if (op.decl->padded == nullptr || op.operands.empty() || op.results.empty()) return false;
           const OpInstance instance = instance_of(main(), op);
           for (Dim d = 0; d < instance.operands[0].rank(); ++d) {
             if (instance.operands[0]->dims[d] > 1 && is_shorter(instance, d, true)) return true;
             for (std::size_t k = 0; k < op.operands.size(); ++k) {
               if (is_joined(instance, k, d)) return true;
             }
           }
           return false;
         }) != nullptr;
}

std::vector<UnevenDim> Session::uneven_windows(bool slices) const {
  std::vector<UnevenDim> out;
  const State& state = version_->state;
  const auto& known = version_->how.padding.uneven;  // padding that did not help is not tried again
  // A region's argument has no name in a certificate; the result that it becomes is padded alike.
  std::unordered_map<ValueId, ValueId> named;
  for_each_op(program_->main->body, [&](const Op& op) {
    for (const Flow& flow : flows_of(op)) {
      for (const ValueId v : flow.to) named.emplace(v, flow.to.back());
    }
  });
  std::unordered_set<ValueId> used;
  for_each_op(version_->source.body, [&](const Op& op) { used.insert(op.operands.begin(), op.operands.end()); });
  for (std::size_t site = 0; site < state.operations(); ++site) {
    const Op& op = state.op(site);
    if (op.decl->padded == nullptr || op.operands.empty()) continue;
    const std::size_t given = program_->main->types.size();  // only operations of the given program
    if (op.results.empty() || op.results[0].index() >= given || !used.contains(op.results[0])) continue;
    std::optional<OpInstance> instance;  // of operations with tiled operands only
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId x = op.operands[k];
      if (x.index() >= given) continue;
      std::map<Dim, std::int64_t> parts;
      for (const TileDecision& p : state.natural(x)) {
        if (p.dim && state.step(site, p.axis) == nullptr)
          parts.try_emplace(*p.dim, 1).first->second *= mesh().size(p.axis);
      }
      if (!parts.empty() && !instance) instance = state.global(site);
      for (const auto& [dim, n] : parts) {
        const bool joins = slices && is_joined(*instance, k, dim);
        if (!joins && (k != 0 || !is_shorter(*instance, dim, slices))) continue;
        const ValueId v = joins ? op.results[0] : x;
        const auto result = named.find(v);
        const UnevenDim wanted{result == named.end() ? v : result->second, dim, n};
        if (std::find(known.begin(), known.end(), wanted) == known.end()) out.push_back(wanted);
      }
    }
  }
  return out;
}

void Session::keep_given(OperationsByOffsets& operations) const {
  std::erase_if(operations, [&](const auto& o) { return o.first.index() >= program_->main->types.size(); });
}

std::shared_ptr<Session::Version> Session::padded_more(const std::vector<UnevenDim>& dims,
                                                       std::vector<NamedValue> named) const {
  Writing how = version_->how;
  how.padding.uneven.insert(how.padding.uneven.end(), dims.begin(), dims.end());
  keep_given(how.by_offsets);
  return std::make_shared<Version>(*program_, std::move(how), std::move(named));
}

Result<bool> Session::settle(const std::function<Result<void>()>& after_each) {
  constexpr std::size_t kRounds = 100;  // a rewrite may change which rewrites are requested
  for (std::size_t round = 0;; ++round) {
    WantedByOffsets wanted = wanted_by_offsets();
    Writing how{version_->how.padding, std::move(wanted.given)};
    if (how.by_offsets.empty()) how.padding = without_idle_padding();  // decompositions may tile what is idle now
    for (const UnevenDim& dim : uneven_windows(how.by_offsets.empty())) how.padding.uneven.push_back(dim);
    bool settled = how.by_offsets.empty() && how.padding == version_->how.padding;
    if (settled) {  // otherwise the decompositions are made anew, and what they contain gets other numbers
      settled = wanted.inside.empty();
      how.again = std::move(wanted.inside);
      how.again.insert(version_->how.again.begin(), version_->how.again.end());
    }
    if (settled || round == kRounds) return round > 0;
    how.by_offsets.insert(version_->how.by_offsets.begin(), version_->how.by_offsets.end());
    if (how.padding != version_->how.padding) keep_given(how.by_offsets);
    auto ok = replay(std::make_shared<Version>(*program_, std::move(how), version_->named), after_each);
    if (!ok) return tl::unexpected(ok.error());
  }
}

Session::WantedByOffsets Session::wanted_by_offsets() const {
  WantedByOffsets out;
  // A mask's iota over a padded dimension is cheaper to slice than to compute in blocks.
  std::unordered_set<ValueId> masks;
  if (version_->padded) {
    for_each_op(version_->padded->body, [&](const Op& op) {
      if (op.operands.empty() && op.results.size() == 1 && op.results[0].index() >= main().types.size())
        masks.insert(op.results[0]);
    });
  }
  const State& state = version_->state;
  const std::size_t given = version_->base(*program_).types.size();
  const std::size_t written = version_->written ? version_->written->types.size() : given;
  for (const auto& [result, how] :
       to_write_by_offsets(state, RewrittenInfinities(*program_->infinities, version_->source))) {
    if (result.index() < given) {
      if (!masks.contains(result) && !version_->how.by_offsets.contains(result)) out.given.emplace(result, how);
    } else if (result.index() < written && !version_->how.again.contains(result)) {
      // Windows and the like. A dimension of one position for each device holds the numbers of the blocks.
      const Op& op = state.op(*state.defining_site(result));
      const TensorType& type = version_->source.tensor(result);
      if (op.decl->in_blocks != nullptr && op.results.size() == 1 && how.dim < type.rank() &&
          type.dims[how.dim] > how.devices)
        out.inside.emplace(result, how);
    }
  }
  return out;
}

}  // namespace partir
