#include "search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "search/patterns.h"
#include "search/value_labels.h"

namespace partir {
namespace {

/// Whether a site computes each position of its results from the same position of this operand: for every dimension,
/// some entry tiles it in the operand and in all results.
bool is_positionwise(const State& state, std::size_t site, std::size_t operand) {
  const auto& defines = state.defines(site);
  if (defines.empty()) return false;
  const Type& type = state.function().type(state.reads(site)[operand]);
  for (const ValueId v : defines) {
    if (!type.is_tensor() || !state.function().type(v).is_tensor() || state.function().type(v)->dims != type->dims)
      return false;
  }
  for (Dim d = 0; d < type.rank(); ++d) {
    if (type->dims[d] <= 1) continue;
    const auto& entries = state.global_form(site).entries();
    const auto carries = [&](const Entry& e) {
      return e.operands[operand] == Action::tile(d) &&
             std::all_of(e.results.begin(), e.results.end(), [&](const Action& a) { return a == Action::tile(d); });
    };
    if (std::none_of(entries.begin(), entries.end(), carries)) return false;
  }
  return true;
}

/// By argument: whether it is read by anything other than positionwise operations that lead to the return. Weights are
/// multiplied; an optimizer's moments are only updated.
std::vector<bool> arguments_that_compute(const State& state) {
  const auto& arguments = state.function().arguments();
  std::vector<bool> out(arguments.size(), false);
  // Backwards fixed point: a value is read by computation if some use is not positionwise, or is positionwise and its
  // result is read by computation.
  std::vector<bool> computes(state.function().types.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t site = state.sites(); site-- > 0;) {
      if (!state.is_flow(site) && state.op(site).decl->kind == OpDecl::Kind::terminator) continue;
      const auto& reads = state.reads(site);
      for (std::size_t k = 0; k < reads.size(); ++k) {
        if (computes[reads[k].index()]) continue;
        const auto& defines = state.defines(site);
        const bool read = !is_positionwise(state, site, k) ||
                          std::any_of(defines.begin(), defines.end(), [&](ValueId v) { return computes[v.index()]; });
        if (read) computes[reads[k].index()] = changed = true;
      }
    }
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) out[i] = computes[arguments[i].index()];
  return out;
}

}  // namespace

SearchSpace::SearchSpace(const Session& session, std::vector<Axis> axes, const SpaceOptions& options)
    : mesh_(session.mesh()),
      axes_(std::move(axes)),
      by_argument_(!options.names),
      names_(session.names().arguments),
      dimensions_(session.state()),
      classes_(session.state(), dimensions_, {.shared = options.sharing}),
      computes_(arguments_that_compute(session.state())) {
  std::erase_if(axes_, [&](Axis a) { return mesh_.size(a) == 1; });
  sizes_.resize(classes_.classes().size());
  for (std::size_t g = 0; g < dimensions_.groups().size(); ++g) {
    for (const auto& [argument, dim] : dimensions_.groups()[g].arguments) {
      const Function& f = session.state().function();
      sizes_[classes_.class_of(GroupId(g)).index()].insert(f.type(f.arguments()[argument])->dims[dim]);
    }
  }
  find_families(session);
  if (by_argument_) return;
  find_order();
  find_resolution_sites(session);
  exchanges_ = exchanges_of(session, dimensions_, classes_);
}

void SearchSpace::find_families(const Session& session) {
  const Function& f = session.state().function();
  std::map<std::vector<std::size_t>, std::size_t> known;
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const ValueId v = f.arguments()[i];
    const Type& type = f.type(v);
    if (type.rank() == 0) continue;
    std::vector<std::size_t> key;
    if (by_argument_) key.push_back(i);
    for (Dim d = 0; d < type.rank(); ++d) {
      const auto group = dimensions_.group_of(v, d);
      key.push_back(group ? classes_.class_of(*group).index() + 1 : 0);
    }
    const auto [it, fresh] = known.emplace(std::move(key), families_.size());
    if (fresh) families_.push_back({{}, type.rank(), 0, false});
    ArgumentFamily& family = families_[it->second];
    family.arguments.push_back(i);
    family.bytes += static_cast<double>(type.bytes());
    family.has_state = family.has_state || !computes_[i];
  }
  std::stable_sort(families_.begin(), families_.end(),
                   [](const ArgumentFamily& a, const ArgumentFamily& b) { return a.bytes > b.bytes; });
  if (by_argument_) return;
  if (families_.size() > 64) families_.resize(64);
  const double most = families_.empty() ? 0 : families_[0].bytes;
  for (std::size_t k = 0; k < families_.size(); ++k) {
    all_ |= std::uint64_t{1} << k;
    if (families_[k].rank > 1 && families_[k].bytes > most * 1e-3) large_ |= std::uint64_t{1} << k;
  }
}

bool SearchSpace::divides(Axis axis, ClassId c) const {
  const auto& sizes = sizes_[c.index()];
  return std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) { return size % mesh_.size(axis) == 0; });
}

bool SearchSpace::can_tile(Axis axis, ClassId c) const {
  const auto& sizes = sizes_[c.index()];
  return divides(axis, c) ||
         std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) { return size >= 2 * mesh_.size(axis); });
}

void SearchSpace::find_order() {
  for (std::size_t c = 0; c < classes_.reaching_arguments(); ++c) {
    if (std::any_of(axes_.begin(), axes_.end(), [&](Axis a) { return can_tile(a, ClassId(c)); }))
      order_.emplace_back(c);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](ClassId a, ClassId b) {
    return classes_.classes()[a.index()].argument_bytes < classes_.classes()[b.index()].argument_bytes;
  });
}

/// A conflict is resolved at each value of its set that is not computed from another value of the set. As values are
/// requested by name, a value is used only if all values of its name need the same request.
void SearchSpace::find_resolution_sites(const Session& session) {
  const State& state = session.state();
  sites_.resize(std::min<std::size_t>(classes_.resolutions().size(), 32));
  std::map<ValueId, std::size_t> conflict_of;
  for (std::size_t k = 0; k < dimensions_.conflicts().size(); ++k)
    conflict_of.emplace(dimensions_.conflicts()[k].value, k);
  if (conflict_of.empty()) return;
  const ValueLabels labels(session.main());
  for (std::size_t r = 0; r < sites_.size(); ++r) {
    std::map<ValueId, std::pair<Dim, Dim>> wanted;
    for (const ResolutionId s : classes_.resolutions()[r].sets) {
      if (dimensions_.sets()[s.index()].symmetric) continue;
      for (const std::size_t k : dimensions_.sets()[s.index()].conflicts) {
        const DimensionConflict& c = dimensions_.conflicts()[k];
        const auto site = state.defining_site(c.value);
        if (!site || state.is_flow(*site) || state.is_constant(c.value) || !labels.has(c.value)) continue;
        const auto& reads = state.reads(*site);
        const bool begins = std::none_of(reads.begin(), reads.end(), [&](ValueId v) {
          const auto it = conflict_of.find(v);
          return it != conflict_of.end() && !state.is_constant(v) && dimensions_.conflicts()[it->second].set == c.set;
        });
        if (begins) wanted[c.value] = c.swapped ? std::pair(c.second, c.first) : std::pair(c.first, c.second);
      }
    }
    for (auto& [value, dims] : labels.labelled(wanted, false))
      sites_[r].push_back({std::move(value), dims.first, dims.second});
  }
}

std::vector<std::size_t> SearchSpace::resolutions_of(ClassId c) const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < sites_.size(); ++r) {
    const auto& about = classes_.resolutions()[r].dimension_classes;
    if (!sites_[r].empty() && std::find(about.begin(), about.end(), c) != about.end()) out.push_back(r);
  }
  return out;
}

std::vector<NamedValue> SearchSpace::values_of(const Plan& plan) const {
  std::uint64_t used = 0;
  for (const PlanStep& s : plan) used |= s.resolutions;
  std::vector<NamedValue> out;
  for (std::size_t r = 0; r < sites_.size(); ++r) {
    if (((used >> (2 * r)) & 3) == 0) continue;
    for (const ResolutionSite& s : sites_[r]) out.push_back(s.value);
  }
  for (const PlanStep& s : plan) {
    if (s.kind != PlanStep::Kind::exchange) continue;
    for (const ValueTile& t : exchanges_[s.what].values) {
      const auto same = [&](const NamedValue& v) { return v.value == t.value.value; };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back(t.value);
    }
  }
  return out;
}

bool SearchSpace::is_decided(const Session& session, std::size_t argument, Axis axis) const {
  const auto& placed = session.state().argument(argument);
  return std::any_of(placed.begin(), placed.end(), [&](const TileDecision& p) { return p.axis == axis; });
}

bool SearchSpace::tiles(const Session& session, std::size_t argument, Dim dim, Axis axis, bool padded) const {
  const Function& f = session.state().function();
  std::int64_t size = f.type(f.arguments()[argument])->dims[dim];
  for (const TileDecision& p : session.state().argument(argument)) {
    if (p.dim == dim) size /= mesh_.size(p.axis);
  }
  return size > 0 && (size % mesh_.size(axis) == 0 || (padded && size >= 2 * mesh_.size(axis)));
}

void SearchSpace::request_argument(std::size_t argument, Dim dim, Axis axis, const Session& session,
                                   ResolvedTactic& out, bool padded) const {
  if (out.arguments[argument] || is_decided(session, argument, axis)) return;
  if (tiles(session, argument, dim, axis, padded))
    out.arguments[argument] = PatternRequest{"", {Request::Kind::dim, dim}, {}};
}

/// Arguments that are read by updates only are not requested; they follow those that computation reads.
void SearchSpace::request_tile(FamilyTile tile, const PlanStep& step, const Session& session,
                               ResolvedTactic& out) const {
  for (const std::size_t i : families_[tile.family].arguments) {
    if (computes_[i] || by_argument_) request_argument(i, tile.dim, step.axis, session, out);
  }
}

void SearchSpace::request_class(ClassId c, const PlanStep& step, const Session& session, ResolvedTactic& out) const {
  for (const GroupId g : classes_.classes()[c.index()].groups) {
    const auto& places = dimensions_.group(g).arguments;
    const bool some = std::any_of(places.begin(), places.end(), [&](const auto& p) { return computes_[p.first]; });
    for (const auto& [argument, dim] : places) {
      if (!some || computes_[argument]) request_argument(argument, dim, step.axis, session, out, pads(step));
    }
  }
}

void SearchSpace::request_zero(const PlanStep& step, const Session& session, ResolvedTactic& out) const {
  bool some = false;
  for (std::size_t k = 0; k < families_.size(); ++k) {
    if (((step.families >> k) & 1) == 0) continue;
    for (const std::size_t i : families_[k].arguments) {
      if (is_decided(session, i, step.axis)) continue;
      const bool tile = step.kind == PlanStep::Kind::zero_all || !computes_[i];
      if (!tile && !families_[k].has_state) continue;
      if (tile) {
        const Function& f = session.state().function();
        const std::size_t rank = f.type(f.arguments()[i]).rank();
        Dim d = 0;
        while (d < rank && !tiles(session, i, d, step.axis)) ++d;
        if (d == rank) continue;
      }
      out.arguments[i] = PatternRequest{"", {tile ? Request::Kind::first_divisible : Request::Kind::replicated, 0}, {}};
      some = some || tile;
    }
  }
  if (!some) out.arguments.assign(out.arguments.size(), std::nullopt);
}

void SearchSpace::request_resolutions(const PlanStep& step, const Session& session, ResolvedTactic& out) const {
  for (std::size_t r = 0; r < sites_.size(); ++r) {
    const std::uint64_t choice = (step.resolutions >> (2 * r)) & 3;
    if (choice == 0) continue;
    for (const ResolutionSite& s : sites_[r]) {
      request_value({s.value, choice == 1 ? s.first : s.second}, step, session, out);
    }
  }
}

void SearchSpace::request_value(const ValueTile& tile, const PlanStep& step, const Session& session,
                                ResolvedTactic& out) const {
  const State& state = session.state();
  const auto identity = state.identity_after(tile.value.value);
  if (!identity) return;
  std::int64_t size = state.function().type(tile.value.value)->dims[tile.dim];
  for (const TileDecision& p : state.natural(state.op(*identity).results[0])) {
    if (p.axis == step.axis) return;
    if (p.dim == tile.dim) size /= mesh_.size(p.axis);
  }
  if (size % mesh_.size(step.axis) == 0)
    out.values.emplace_back(tile.value, PatternRequest{"", {Request::Kind::dim, tile.dim}, {}});
}

void SearchSpace::request_exchange(const PlanStep& step, const Session& session, ResolvedTactic& out) const {
  const Exchange& e = exchanges_[step.what];
  for (const auto& [argument, dim] : e.arguments) {
    if (computes_[argument]) request_argument(argument, dim, step.axis, session, out);
  }
  request_class(e.host, step, session, out);
  for (const ValueTile& t : e.values) request_value(t, step, session, out);
}

std::optional<ResolvedTactic> SearchSpace::realized(const PlanStep& step, const Session& session) const {
  ResolvedTactic out;
  out.axis = step.axis;
  out.uneven = pads(step);
  out.arguments.resize(names_.size());
  out.results.resize(session.names().results.size());
  // Single families first: their requests are exceptions to those of the class.
  for (const FamilyTile& t : step.with) request_tile(t, step, session, out);
  switch (step.kind) {
    case PlanStep::Kind::exchange: request_exchange(step, session, out); break;
    case PlanStep::Kind::shard:
      request_class(ClassId(step.what), step, session, out);
      request_resolutions(step, session, out);
      break;
    case PlanStep::Kind::tile: request_tile({step.what, step.dim}, step, session, out); break;
    case PlanStep::Kind::keep:
      for (const std::size_t i : families_[step.what].arguments) {
        if ((!computes_[i] && !by_argument_) || out.arguments[i] || is_decided(session, i, step.axis)) continue;
        out.arguments[i] = PatternRequest{"", {Request::Kind::replicated, 0}, {}};
      }
      break;
    case PlanStep::Kind::zero_state:
    case PlanStep::Kind::zero_all: request_zero(step, session, out); break;
  }
  const bool asks = !out.values.empty() || std::any_of(out.arguments.begin(), out.arguments.end(),
                                                       [](const auto& r) { return r.has_value(); });
  return asks ? std::optional(std::move(out)) : std::nullopt;
}

std::string SearchSpace::family_name(std::size_t family) const {
  std::vector<std::string> members;
  for (const std::size_t i : families_[family].arguments) {
    if (computes_[i]) members.push_back(names_[i]);
  }
  return members.empty() ? names_[families_[family].arguments[0]] : common_pattern(members);
}

std::string SearchSpace::name_of(const PlanStep& step) const {
  std::string out = subject_of(step);
  for (const FamilyTile& t : step.with) out += fmt::format(" with {}[{}]", family_name(t.family), t.dim);
  return out + " over " + mesh_.name(step.axis) + (pads(step) ? ", padded" : "");
}

std::string SearchSpace::class_name(ClassId c) const {
  // Named after the argument with the shortest name and all arguments of the same pattern.
  std::vector<std::string> members;
  std::string best;
  Dim at = 0;
  for (const GroupId g : classes_.classes()[c.index()].groups) {
    for (const auto& [argument, dim] : dimensions_.group(g).arguments) {
      if (!computes_[argument]) continue;
      members.push_back(names_[argument]);
      if (!best.empty() && names_[argument].size() >= best.size()) continue;
      best = names_[argument];
      at = dim;
    }
  }
  if (members.empty()) return fmt::format("class {}", c.index());
  std::erase_if(members, [&](const std::string& name) { return generalized(name) != generalized(best); });
  return fmt::format("{}[{}]", common_pattern(members), at);
}

std::string SearchSpace::subject_of(const PlanStep& step) const {
  switch (step.kind) {
    case PlanStep::Kind::exchange:
      return fmt::format("{} exchanged with {}", class_name(exchanges_[step.what].host),
                         class_name(exchanges_[step.what].guest));
    case PlanStep::Kind::shard: return class_name(ClassId(step.what));
    case PlanStep::Kind::tile: return fmt::format("{}[{}] alone", family_name(step.what), step.dim);
    case PlanStep::Kind::keep: return family_name(step.what) + " replicated";
    case PlanStep::Kind::zero_state: return "ZeRO 2";
    case PlanStep::Kind::zero_all: return "ZeRO 3";
  }
  return {};
}

}  // namespace partir
