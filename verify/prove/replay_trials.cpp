// Draws instances of claims for the replayer (replay_trials.h), and runs the interpreter on them.
#include "verify/prove/replay_trials.h"

#include <algorithm>
#include <random>

#include "semantics/interpreter.h"
#include "verify/prove/lift.h"
#include "verify/prove/rewrite.h"
#include "verify/prove/trial.h"

namespace partir::prove {
namespace {

constexpr std::size_t kReplayTrials = 6;

/// Returns the element at the indices after the first `from`, which are device coordinates; nothing outside the tensor.
std::optional<replay::Number> element_of(const Tensor& t, const std::vector<std::int64_t>& at, std::size_t from) {
  if (at.size() != t.type.rank() + from) return std::nullopt;
  std::size_t offset = 0;
  for (std::size_t d = 0; d < t.type.rank(); ++d) {
    if (at[from + d] < 0 || at[from + d] >= t.type->dims[d]) return std::nullopt;
    offset = offset * static_cast<std::size_t>(t.type->dims[d]) + static_cast<std::size_t>(at[from + d]);
  }
  const Scalar& s = t.data[offset];
  const ElementType type = t.type->element;
  if (is_unsigned(type) || type == ElementType::i1) return replay::Number::whole(static_cast<std::int64_t>(s.u));
  if (is_integer(type)) return replay::Number::whole(s.i);
  return replay::Number(trial_domain().to_complex(s, type));
}

/// The arguments of a program and what the devices hold of them: each device has its own array of an argument with a
/// pending reduction; other arguments are shared.
struct DrawnArguments {
  std::vector<Tensor> whole;                 ///< the program's inputs
  std::vector<std::vector<Tensor>> devices;  ///< the devices' arrays, for arguments with a pending reduction
};

DrawnArguments drawn_arguments(const Claim& claim, const Function& f, std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Mesh mesh({{"a", n}});
  DrawnArguments out;
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    const TensorType& type = *f.type(f.arguments()[k]);
    out.devices.emplace_back();
    if (!claim.arguments[k].is_partial()) {
      out.whole.push_back(drawn(type, random, static_cast<Draw>(seed % 3)));
      continue;
    }
    std::vector<const Tensor*> parts;
    for (std::int64_t d = 0; d < n; ++d) out.devices.back().push_back(drawn(type, random, static_cast<Draw>(seed % 3)));
    for (const Tensor& t : out.devices.back()) parts.push_back(&t);
    Layout how = Layout::replicated(type.rank());
    how.add_pending(Axis(0), claim.arguments[k].monoid);
    bool disagreement = false;
    out.whole.push_back(gather_from(parts, type, how, mesh, trial_domain(), disagreement));
  }
  return out;
}

/// Runs a rewrite's source on a mesh, where arguments are a tensor per device, and stores the results and the elements
/// that it started from in the trial.
void interpret_rewrite(const Claim& claim, const Module& source, const Sizes& sizes, replay::Trial& trial) {
  const Mesh mesh = mesh_of(claim, sizes);
  const Function f = on_mesh(source, mesh);
  const auto devices = static_cast<std::size_t>(mesh.devices());
  std::mt19937_64 random(trial.instance.seed);
  auto inputs = std::make_shared<std::vector<std::vector<Tensor>>>(devices);
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    for (std::size_t d = 0; d < devices; ++d)
      (*inputs)[d].push_back(d > 0 && claim.whole[k] ? (*inputs)[0][k]
                                                     : drawn(f.tensor(f.arguments()[k]), random,
                                                             static_cast<Draw>(trial.instance.seed % 3)));
  }
  auto results = run_spmd(f, *inputs, {1, mesh.devices()}, trial_domain());
  if (!results || !stays_in_real_domains(f, *inputs, {1, mesh.devices()})) return;
  // Returns the device whose coordinates are the first indices.
  const auto device_at = [axes = mesh.axes()](const std::vector<std::int64_t>& at) -> std::optional<std::size_t> {
    std::int64_t out = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (a >= at.size() || at[a] < 0 || at[a] >= axes[a].size) return std::nullopt;
      out = out * axes[a].size + at[a];
    }
    return static_cast<std::size_t>(out);
  };
  trial.instance.element = [inputs, device_at, whole = claim.whole, axes = mesh.axes().size()](
                               std::size_t k, const std::vector<std::int64_t>& at) -> std::optional<replay::Number> {
    const auto device = whole[k] ? std::optional<std::size_t>(0) : device_at(at);
    return device ? element_of((*inputs)[*device][k], at, whole[k] ? 0 : axes) : std::nullopt;
  };
  trial.wanted = [results = std::make_shared<std::vector<std::vector<Tensor>>>(std::move(*results)), device_at,
                  axes = mesh.axes().size()](std::size_t result,
                                             const std::vector<std::int64_t>& at) -> std::optional<replay::Number> {
    const auto device = device_at(at);
    return device ? element_of((*results)[*device][result], at, axes) : std::nullopt;
  };
}

/// Likewise for an entry's program.
void interpret(const Claim& claim, const Function& f, std::int64_t n, replay::Trial& trial) {
  auto held = std::make_shared<DrawnArguments>(drawn_arguments(claim, f, n, trial.instance.seed));
  auto results = run_sequential(f, held->whole, trial_domain());
  if (!results || !stays_in_real_domains(f, {held->whole}, {1, 1})) return;
  trial.instance.element = [held](std::size_t k, const std::vector<std::int64_t>& at) -> std::optional<replay::Number> {
    const Tensor* t = &held->whole.at(k);
    const std::size_t from = held->devices.at(k).empty() ? 0 : 1;
    if (from == 1) {
      if (at.empty() || at[0] < 0 || static_cast<std::size_t>(at[0]) >= held->devices[k].size()) return std::nullopt;
      t = &held->devices[k][static_cast<std::size_t>(at[0])];
    }
    return element_of(*t, at, from);
  };
  trial.wanted = [results = std::make_shared<std::vector<Tensor>>(std::move(*results))](
                     std::size_t result, const std::vector<std::int64_t>& at) -> std::optional<replay::Number> {
    return element_of(results->at(result), at, 0);
  };
}

}  // namespace

std::vector<replay::Trial> trials_of(const Claim& claim) {
  Context c;
  const Symbols symbols(claim, c);
  std::mt19937_64 random(11);
  std::vector<replay::Trial> out;
  for (std::size_t tries = 0; tries < 400 && out.size() < kReplayTrials; ++tries) {
    const auto sizes = symbols.draw(random, 1, tries < 200 ? 3 : 8, 7);
    if (!sizes) continue;
    const auto whole = claim.at(sizes->global);
    if (!whole) continue;
    const Function& f = whole->functions.at(0);
    if (work_of(f, kMostWork) > kMostWork / 10) continue;
    replay::Trial trial;
    for (std::size_t k = 0; k < symbols.atoms().size(); ++k)
      trial.instance.sizes[c.at(symbols.atoms()[k]).name] = sizes->values[k];
    for (const ValueId v : f.arguments()) trial.instance.arrays.push_back(f.type(v)->element);
    trial.instance.seed = tries + 1;
    trial.instance.positive = trial.instance.seed % 3 == 1;
    if (claim.is_rewrite) {
      interpret_rewrite(claim, *whole, sizes->global, trial);
    } else {
      interpret(claim, f, sizes->n, trial);
    }
    out.push_back(std::move(trial));
  }
  return out;
}

}  // namespace partir::prove
