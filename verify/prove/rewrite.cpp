// Proves rewrites by canonical forms on one symbolic device, and searches for counterexamples by running both sides on
// small meshes (rewrite.h).
#include "verify/prove/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lowering/emit.h"
#include "support/check.h"
#include "verify/prove/defined.h"
#include "verify/prove/elements.h"
#include "verify/prove/forms.h"
#include "verify/prove/promises.h"
#include "verify/prove/record.h"
#include "verify/prove/trial.h"
#include "verify/prove/trial_difference.h"

namespace partir::prove {
namespace {

/// Returns a symbolic index below the extent, split into a digit for each axis that divides it, and the rest.
Poly index_below(Poly extent, const std::vector<Poly>& axes, Context& c) {
  Poly out;
  for (const Poly& axis : axes) {
    Poly rest;
    if (axis == Poly(1) || !Context::divides(axis, extent, rest)) continue;
    out = out + Poly::atom(c.range(axis)) * rest;
    extent = rest;
  }
  return extent == Poly(1) ? out : out + Poly::atom(c.range(extent));
}

class Trials {
 public:
  Trials(const Claim& claim, bool unbounded) : claim_(claim), unbounded_(unbounded) {}

  /// Runs one choice of sizes; `finite` counts draws for which the source has a finite result. Returns false if it
  /// makes no statement: the source is not well-formed, or too large.
  bool run(const Sizes& sizes, std::uint64_t seed, std::size_t& finite, std::optional<Counterexample>& found) {
    auto source = claim_.at(sizes);
    if (!source) {
      if (!ill_formed_) ill_formed_ = source.error();
      return false;
    }
    const Mesh mesh = mesh_of(claim_, sizes);
    Counterexample out;
    out.sizes = sizes;
    out.n = mesh.devices();
    auto target = claim_.target_at(sizes);
    if (!target) {
      out.got = "no program: " + target.error().found;
      out.wanted = target.error().wanted;
      found = std::move(out);
      return true;
    }
    const Function left = on_mesh(*source, mesh);
    const Function right = on_mesh(*target, mesh);
    if (work_of(left, kMostWork) + work_of(right, kMostWork) > kMostWork / static_cast<double>(mesh.devices()))
      return false;
    const PreparedFunction from(left, trial_domain());
    const PreparedFunction to(right, trial_domain());
    Constants constants;
    constants.add(left);
    constants.add(right);
    for (std::uint64_t kind = 0; kind < 2 * kDraws && !found; ++kind)
      finite += compare(from, to, constants, mesh, 2 * kDraws * seed + kind, finite == 0, out, found) ? 1 : 0;
    return true;
  }

  const std::optional<Diagnostic>& ill_formed() const { return ill_formed_; }

 private:
  /// Runs one draw of inputs. True if a result of the source is finite on some device (in the first draw: also in the
  /// program's own types).
  bool compare(const PreparedFunction& source, const PreparedFunction& target, const Constants& constants,
               const Mesh& mesh, std::uint64_t seed, bool first, Counterexample& out,
               std::optional<Counterexample>& found) const {
    const Function& left = source.function();
    const Function& right = target.function();
    std::mt19937_64 random(seed);
    const auto devices = static_cast<std::size_t>(mesh.devices());
    std::vector<std::vector<Tensor>> inputs(devices);
    for (std::size_t k = 0; k < left.arguments().size(); ++k) {
      for (std::size_t d = 0; d < devices; ++d) {
        const bool same = d > 0 && k < claim_.whole.size() && claim_.whole[k];
        inputs[d].push_back(
            same ? inputs[0][k]
                 : drawn(left.tensor(left.arguments()[k]), random, static_cast<Draw>(seed % kDraws), constants));
      }
    }
    const Devices grid{1, mesh.devices()};
    const auto wanted = source.run_spmd(inputs, grid);
    if (!wanted) throw UserError(wanted.error());
    const auto got = target.run_spmd(inputs, grid, seed);
    if (!got) throw UserError(got.error());
    bool finite = false;
    for (std::size_t d = 0; d < devices; ++d) {
      for (std::size_t r = 0; r < (*wanted)[d].size(); ++r) {
        const Tensor& w = (*wanted)[d][r];
        const Tensor& g = (*got)[d][r];
        if (!is_finite(w)) continue;
        finite = true;
        const auto result = [&](const auto& results) { return std::vector<Tensor>{results[d][r]}; };
        const Difference difference =
            judge({left, inputs, grid, {w}, result}, {right, inputs, grid, {g}, result}, unbounded_);
        if (difference == Difference::outside) return false;
        if (difference == Difference::explained) continue;
        out.result = r;
        out.wanted = text_of(w);
        for (std::size_t e = 0; e < devices; ++e) {
          std::string arguments;
          for (const Tensor& t : inputs[e]) arguments += (arguments.empty() ? "" : ", ") + text_of(t);
          out.devices.push_back(fmt::format("device {} has {}", e, arguments.empty() ? "nothing" : arguments));
        }
        out.got = fmt::format("on device {}: {}", d, text_of(g));
        found = out;
        return true;
      }
    }
    return finite && (!first || (has_finite_result(left, inputs, grid) && stays_in_real_domains(left, inputs, grid)));
  }

  const Claim& claim_;
  bool unbounded_;  ///< differences without a bound on rounding errors count as failures
  std::optional<Diagnostic> ill_formed_;
};

/// Returns all choices of 1 to 3 for the symbols, ordered by their sum; axes of size 1, which show little, come late.
std::vector<std::vector<std::int64_t>> small_sizes(std::size_t symbols, std::size_t axes) {
  std::vector<std::vector<std::int64_t>> out;
  std::vector<std::int64_t> at(symbols, 1);
  while (out.size() < 4000) {
    out.push_back(at);
    std::size_t k = 0;
    while (k < symbols && ++at[k] > 3) at[k++] = 1;
    if (k == symbols) break;
  }
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
    const auto weight = [&](const auto& sizes) {
      std::int64_t total = 0;
      for (std::size_t k = 0; k < sizes.size(); ++k) total += k < axes ? (sizes[k] == 1 ? 3 : 2 * sizes[k]) : sizes[k];
      return total;
    };
    return weight(a) < weight(b);
  });
  return out;
}

/// Both sides of a rewrite at symbolic sizes.
struct SidesOfRewrite {
  SymbolicProgram source;
  SymbolicProgram target;
  const Claim& claim;
  Context& c;
  const OutOfTime& out_of_time;

  /// True if a result has the same form on both sides on a device. Its indices are split by the axes in each order,
  /// until the forms agree: which order makes divisions vanish depends on how the sides nest the axes.
  bool equal(std::size_t result, const DeviceAt& device, const std::vector<Poly>& axes, std::string& why) const {
    std::vector<std::size_t> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    std::optional<GiveUp> give_up;
    do {
      std::vector<Poly> nested;
      for (const std::size_t k : order) nested.push_back(axes[k]);
      try {
        for (const bool minima_outside : {false, true}) {
          c.minima_outside = minima_outside;
          if (equal_in_order(result, device, nested, why)) {
            why.clear();
            return true;
          }
          // The order matters only if a form has both minima and maxima.
          if (why.find("max(") == std::string::npos || why.find("min(") == std::string::npos) break;
        }
      } catch (const GiveUp& g) {
        give_up = g;
      }
    } while (order.size() <= 3 && std::next_permutation(order.begin(), order.end()));
    if (give_up && why.empty()) throw GiveUp(*give_up);
    return false;
  }

  /// Returns a description of a promise or computation of the target that may not hold or be defined where the source's
  /// are; nothing if there is none. (A bit-exact proof also covers inputs for which a value is not defined.)
  std::optional<std::string> first_violation(const DeviceAt& device, const std::vector<Poly>& axes) const {
    const Computed from(source, arguments(source), device);
    const Computed to(target, arguments(target), device);
    auto wrong = not_promised(from, to, c, out_of_time);
    if (wrong || c.arithmetic == Arithmetic::bits) return wrong;
    std::vector<AtomId> splits;
    for (const Poly& axis : axes) {
      if (const auto atom = single_atom(axis)) splits.push_back(*atom);
    }
    return not_defined(from, to, splits, c, out_of_time);
  }

 private:
  bool equal_in_order(std::size_t result, const DeviceAt& device, const std::vector<Poly>& axes,
                      std::string& why) const {
    const ValueId left = source.module.functions.at(0).returned()[result];
    const ValueId right = target.module.functions.at(0).returned()[result];
    std::vector<Poly> at;
    for (const Poly& extent : source.dims[left.index()]) at.push_back(index_below(extent, axes, c));
    Expr l;
    Expr r;
    std::string difference;
    const bool same = with_cuts_or_regions(c, [&](bool cuts) {
      l = form(source, left, at, device, axes);
      r = form(target, right, at, device, axes);
      std::string by_regions;
      return same_form(l, r, c, cuts ? difference : by_regions);
    });
    if (!same && why.empty()) why = fmt::format("result {}: {}", result, difference);
    if (same && c.recorder != nullptr) {
      Recorder& to = *c.recorder;
      replay::End end{to.term(l), to.term(r), result, {}};
      for (const std::string& a : claim.axes) end.at.push_back(to.term(device.at(a).coordinate));
      for (const Poly& i : at) end.at.push_back(to.term(i));
      to.proof.ends.push_back(std::move(end));
    }
    return same;
  }

  DeviceElement arguments(const SymbolicProgram& side) const {
    return [&](std::size_t k, const std::vector<Poly>& i, const DeviceAt& on) {
      const Function& f = side.module.functions.at(0);
      Factor read;
      read.type = f.type(f.arguments()[k])->element;
      read.array = k;
      for (const std::string& a : claim.axes) {
        if (!claim.whole[k]) read.indices.push_back(on.at(a).coordinate);
      }
      read.indices.insert(read.indices.end(), i.begin(), i.end());
      return factor(std::move(read));
    };
  }

  Expr form(const SymbolicProgram& side, ValueId v, const std::vector<Poly>& at, const DeviceAt& device,
            const std::vector<Poly>& axes) const {
    Expr e = simplified(element(side, v, at, arguments(side), device, c, out_of_time), c);
    for (int round = 0; round < 3; ++round) {
      for (const Poly& axis : axes) {
        if (const auto atom = single_atom(axis)) e = split_ranges(e, *atom, c);
      }
    }
    return e;
  }

  static std::optional<AtomId> single_atom(const Poly& p) {
    if (p.terms().size() != 1 || p.terms().begin()->first.size() != 1 || p.terms().begin()->second != 1)
      return std::nullopt;
    return p.terms().begin()->first[0];
  }
};

}  // namespace

Mesh mesh_of(const Claim& claim, const Sizes& sizes) {
  std::vector<Mesh::AxisInfo> axes;
  for (const std::string& a : claim.axes) axes.push_back({a, sizes.at(a)});
  return Mesh(axes);
}

Function on_mesh(const Module& side, const Mesh& mesh) {
  SpmdProgram program;
  program.mesh = mesh;
  program.function = side.functions.at(0);
  for (const Type& t : program.function.types) program.layouts.push_back(Layout::replicated(t.rank()));
  return stablehlo_module(program, side).functions.at(0);
}

bool prove_rewrite(const Claim& claim, Context& c, const OutOfTime& out_of_time, std::string& why, Reach& reach) {
  const Symbols symbols(claim, c);
  Samples samples = sample(
      symbols, [&](const Symbols::Drawn& d) { return claim.at(d.global); },
      [&](const Symbols::Drawn& d) { return claim.target_at(d.global); }, "the target");
  Fit fit(symbols.atoms(), std::move(samples.values), samples.fitted);
  const SidesOfRewrite sides{lift(std::move(samples.left), fit), lift(std::move(samples.right), fit), claim, c,
                             out_of_time};
  c.selections_by_comparison = has_selections(sides.source) != has_selections(sides.target);
  DeviceAt device;
  std::vector<Poly> axes;
  for (const std::string& a : claim.axes) {
    axes.push_back(symbols.value(a));
    device[a] = {axes.back(), axes.back() == Poly(1) ? Poly(0) : Poly::atom(c.range(axes.back()))};
  }
  return equal_by_bits_or_reals(c, why, reach, [&] {
    for (std::size_t k = 0; k < sides.source.module.functions.at(0).returned().size(); ++k) {
      if (!sides.equal(k, device, axes, why)) return false;
    }
    // Values in the padding need not be defined.
    if (claim.uneven_entry == nullptr) {
      if (const auto wrong = sides.first_violation(device, axes)) why = *wrong;
    }
    return why.empty();
  });
}

std::optional<Counterexample> refute_rewrite(const Claim& claim, const TrialPlan& plan, Tried& tried,
                                             const OutOfTime& out_of_time, Unbounded unbounded) {
  tried = {};
  Trials trial(claim, unbounded == Unbounded::fails);
  std::optional<Counterexample> found;
  auto all = small_sizes(claim.symbols.size(), claim.axes.size());
  if (plan.seed != 0) std::shuffle(all.begin(), all.end(), std::mt19937_64(plan.seed));
  for (const auto& values : all) {
    Sizes sizes;
    for (std::size_t k = 0; k < values.size(); ++k) sizes[claim.symbols[k]] = values[k];
    if (out_of_time && out_of_time()) return std::nullopt;
    if (!claim.allows(sizes) || !trial.run(sizes, plan.seed + tried.cases + 1, tried.finite, found)) continue;
    if (found || ++tried.cases >= plan.most) return found;
  }
  if (tried.cases == 0 && trial.ill_formed()) throw UserError(*trial.ill_formed());
  return std::nullopt;
}

}  // namespace partir::prove
