// Cross-checks complete claims with Z3 at small sizes (small_instances.h): interprets both programs in Z3Domain and
// asks for inputs at which they differ; such inputs are confirmed by running both in double precision.
#include "verify/prove/small_instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "ir/op_decl.h"
#include "semantics/interpreter.h"
#include "verify/prove/prove.h"
#include "verify/prove/rewrite.h"
#include "verify/prove/trial.h"
#include "verify/prove/z3_domain.h"

namespace partir::prove {
namespace {

constexpr unsigned kResourcesOfInstance = 400'000;
/// Z3's resource limit bounds a query; this timeout covers only work that the limit does not count.
constexpr unsigned kMilliseconds = 2000;
/// Number of draws of integer inputs, if these determine positions.
constexpr std::uint64_t kDrawsOfIntegers = 3;
/// Limits on the elements of all arguments and on the interpreter steps of both sides. Larger instances are skipped.
constexpr double kMostSymbolicElements = 160;
constexpr double kMostSymbolicWork = 4000;

/// Both sides at one choice of sizes: programs, the devices they run on, and how arguments and results are sharded.
struct SmallSides {
  Function source;
  Function target;
  Devices source_devices;
  Devices target_devices;
  Mesh mesh;
  std::vector<Layout> arguments;  ///< layouts of the source's arguments on the target's devices
  std::vector<Layout> results;
  std::vector<bool> same;  ///< of a rewrite: which arguments are replicated
};

Layout layout_of(const Action& action, std::size_t rank) {
  Layout out = Layout::replicated(rank);
  if (action.is_tile()) out.dims[action.dim] = {Axis(0)};
  if (action.is_partial()) out.add_pending(Axis(0), action.monoid);
  return out;
}

/// True if the program can be translated for Z3. Library functions, impure operations, and partial functions under
/// guards (which only some lanes of a kernel evaluate) cannot.
bool is_symbolic(const Function& f, const Block& block) {
  return std::all_of(block.ops.begin(), block.ops.end(), [&](const Op& op) {
    if (op.decl->kind == OpDecl::Kind::terminator) return true;
    if (!op.decl->pure ||
        !std::all_of(op.regions.begin(), op.regions.end(), [&](const Block& b) { return is_symbolic(f, b); }))
      return false;
    const OpInstance instance = instance_of(f, op);
    if (op.decl->kind != OpDecl::Kind::array || !has_meaning(instance)) return true;
    const Meaning meaning = meaning_of(instance);
    bool guards = false;
    bool partial = false;
    for (const ScalarTerm& t : meaning.scalars) {
      if (t.kind == ScalarTerm::Kind::library) return false;
      guards = guards || !t.guards.empty();
      partial = partial || (t.kind == ScalarTerm::Kind::apply && real_laws_of(t.fn).domain == RealLaws::Domain::part);
    }
    return !guards || !partial;
  });
}

std::optional<SmallSides> sides_at(const Claim& claim, const Sizes& global, const Sizes& local, std::int64_t n) {
  auto source = claim.at(global);
  if (!source) return std::nullopt;
  SmallSides out;
  if (claim.is_rewrite) {
    auto target = claim.target_at(global);
    if (!target) return std::nullopt;
    out.mesh = mesh_of(claim, global);
    out.source = on_mesh(*source, out.mesh);
    out.target = on_mesh(*target, out.mesh);
    out.source_devices = out.target_devices = {1, out.mesh.devices()};
    out.same = claim.whole;
    out.same.resize(out.source.arguments().size());
    return out;
  }
  auto part = claim.at(local);
  if (!part) return std::nullopt;
  out.mesh = Mesh({{"a", n}});
  out.source = source->functions.at(0);
  out.target = part->functions.at(0);
  out.target_devices = {1, n};
  for (std::size_t k = 0; k < claim.arguments.size(); ++k)
    out.arguments.push_back(layout_of(claim.arguments[k], out.source.type(out.source.arguments()[k]).rank()));
  for (std::size_t k = 0; k < claim.results.size(); ++k)
    out.results.push_back(layout_of(claim.results[k], out.source.type(out.source.returned()[k]).rank()));
  return out;
}

using Tensors = std::vector<Tensor>;

/// Inputs of both sides in a domain, by device.
struct Inputs {
  std::vector<Tensors> source;
  std::vector<Tensors> target;
};

template <class Unknown>
Inputs inputs_of(const SmallSides& s, const Domain& domain, const Unknown& unknown) {
  Inputs out;
  const auto devices = static_cast<std::size_t>(s.target_devices.count());
  out.target.resize(devices);
  const auto fresh = [&](std::size_t k, std::size_t device) {
    const TensorType& type = s.source.tensor(s.source.arguments()[k]);
    Tensor t{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
    for (std::size_t e = 0; e < t.data.size(); ++e)
      t.data[e] = unknown(fmt::format("x{}.{}.{}", k, device, e), type.element);
    return t;
  };
  const std::size_t count = s.source.arguments().size();
  if (s.arguments.empty()) {  // a rewrite
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t d = 0; d < devices; ++d)
        out.target[d].push_back(d > 0 && s.same[k] ? out.target[0][k] : fresh(k, d));
    }
    out.source = out.target;
    return out;
  }
  out.source.resize(1);
  for (std::size_t k = 0; k < count; ++k) {
    const Layout& layout = s.arguments[k];
    std::vector<Tensor> parts;
    if (!layout.pending.empty()) {
      for (std::size_t d = 0; d < devices; ++d) parts.push_back(fresh(k, d));
      std::vector<const Tensor*> held;
      for (const Tensor& t : parts) held.push_back(&t);
      bool disagreement = false;
      out.source[0].push_back(
          gather_from(held, s.source.tensor(s.source.arguments()[k]), layout, s.mesh, domain, disagreement));
    } else {
      out.source[0].push_back(fresh(k, 0));
      for (std::size_t d = 0; d < devices; ++d)
        parts.push_back(scatter_to(out.source[0].back(), layout, s.mesh, DeviceId(d), domain));
    }
    for (std::size_t d = 0; d < devices; ++d) out.target[d].push_back(std::move(parts[d]));
  }
  return out;
}

/// Pairs of a wanted result and the corresponding actual one.
struct Outputs {
  std::vector<std::pair<Tensor, Tensor>> pairs;
};

Outputs outputs_of(const SmallSides& s, const std::vector<Tensors>& source, const std::vector<Tensors>& target,
                   const Domain& domain) {
  Outputs out;
  for (std::size_t r = 0; r < source[0].size(); ++r) {
    if (s.results.empty()) {
      for (std::size_t d = 0; d < target.size(); ++d) out.pairs.emplace_back(source[d][r], target[d][r]);
      continue;
    }
    const Layout& layout = s.results[r];
    if (layout.is_replicated()) {
      for (const Tensors& device : target) out.pairs.emplace_back(source[0][r], device[r]);
      continue;
    }
    std::vector<const Tensor*> held;
    for (const Tensors& device : target) held.push_back(&device[r]);
    bool disagreement = false;
    out.pairs.emplace_back(source[0][r], gather_from(held, *source[0][r].type, layout, s.mesh, domain, disagreement));
  }
  return out;
}

/// Runs both sides in double precision on a model's inputs. Returns a description of a difference where the source is
/// defined, or nothing.
std::optional<std::string> shown_difference(const SmallSides& s, const Inputs& in) {
  const auto wanted = run_spmd(s.source, in.source, s.source_devices, trial_domain());
  const auto got = run_spmd(s.target, in.target, s.target_devices, trial_domain());
  if (!wanted || !got) return std::nullopt;
  for (const auto& [w, g] : outputs_of(s, *wanted, *got, trial_domain()).pairs) {
    if (!is_finite(w) || is_near(g, w)) continue;
    if (!stays_in_domains(s.source, in.source, s.source_devices)) return std::nullopt;
    std::string text;
    for (const Tensors& device : in.target) {
      for (const Tensor& t : device) text += (text.empty() ? "" : ", ") + text_of(t);
    }
    return fmt::format("with {} the source has {}, the target {}", text, text_of(w), text_of(g));
  }
  return std::nullopt;
}

Scalar value_in(z3::model& model, const Z3Domain& domain, Scalar of, ElementType type) {
  Scalar out{};
  if (type == ElementType::i1) {
    out.u = model.eval(domain.truth(of), true).is_true() ? 1 : 0;
  } else if (!is_float(type) && !is_complex(type)) {
    std::uint64_t value = 0;
    model.eval(domain.bits(of, type), true).is_numeral_u64(value);
    out.i = wrap(value, type);
  } else {
    const auto number = [&](Scalar s) {
      double v = 0;
      const z3::expr e = model.eval(domain.real(s), true);
      return e.is_numeral(v) ? v : 0.0;
    };
    out.f = number(of);
    if (is_complex(type)) {
      Scalar imaginary = of;
      imaginary.u = of.um;
      out.im = number(imaginary);
    }
  }
  return out;
}

/// Asks Z3 about one instance. `integers`: if set, the seed from which integer inputs are drawn; otherwise they are
/// unknowns.
void ask(const SmallSides& s, z3::context& z, const std::optional<std::uint64_t>& integers, SmallInstances& out) {
  Z3Domain domain(z);
  std::mt19937_64 random(integers.value_or(0));
  const auto draws = integers ? static_cast<Draw>(*integers % 2 == 0 ? Draw::small : Draw::positive) : Draw::small;
  const auto open = [&](std::string why) { out.why_open = std::move(why); };
  std::vector<std::pair<std::string, Scalar>> unknowns;
  const Inputs in = inputs_of(s, domain, [&](const std::string& name, ElementType type) {
    const bool is_whole = is_integer(type) || type == ElementType::i1;
    unknowns.emplace_back(name,
                          integers && is_whole ? drawn({type, {}}, random, draws).data[0] : domain.unknown(name, type));
    if (integers && is_whole) unknowns.back().second.um = 0;
    return unknowns.back().second;
  });
  const auto wanted = run_spmd(s.source, in.source, s.source_devices, domain);
  domain.in_source(false);
  const auto got = run_spmd(s.target, in.target, s.target_devices, domain);
  if (!wanted || !got) return open("a program that the interpreter does not run");
  z3::solver solver(z);
  z3::params limits(z);
  limits.set("rlimit", kResourcesOfInstance);
  limits.set("timeout", kMilliseconds);
  solver.set(limits);
  z3::expr_vector wrong(z);
  for (const auto& [w, g] : outputs_of(s, *wanted, *got, domain).pairs) {
    for (std::size_t k = 0; k < w.data.size(); ++k) {
      const z3::expr same = domain.same(w.data[k], g.data[k], w.type->element).simplify();
      if (!same.is_true()) wrong.push_back(!same);
    }
  }
  for (const z3::expr& e : domain.to_show()) wrong.push_back(!e);
  for (const z3::expr& e : domain.assumed()) solver.add(e);
  for (const z3::expr& e : domain.facts()) solver.add(e);
  if (!domain.assumed().empty() && solver.check() == z3::unsat) return open("a source that is never defined");
  if (wrong.empty()) {
    ++out.equal;
    return;
  }
  solver.add(z3::mk_or(wrong));
  const z3::check_result answer = solver.check();
  if (answer == z3::unsat) {
    ++out.equal;
    return;
  }
  if (answer != z3::sat) return open("out of Z3's resources");
  z3::model model = solver.get_model();
  std::size_t next = 0;
  const Inputs concrete = inputs_of(s, trial_domain(), [&](const std::string&, ElementType type) {
    return value_in(model, domain, unknowns[next++].second, type);
  });
  if (const auto difference = shown_difference(s, concrete)) {
    out.disagreement = *difference;
  } else {
    open("inputs that differ by what Z3 knows of functions only");
  }
}

}  // namespace

SmallInstances small_instances(const Claim& claim) {
  SmallInstances out;
  const std::size_t symbols = claim.symbols.size();
  const bool one_device = !claim.is_rewrite && claim.is_for_one_device();
  for (const std::int64_t least : {1, 2}) {
    // Choose symbols from `least` to `least` + 2, smallest sums first, and two devices, or two along each axis.
    std::vector<std::vector<std::int64_t>> choices;
    std::vector<std::int64_t> at(symbols, 0);
    while (choices.size() < 2000) {
      choices.push_back(at);
      std::size_t k = 0;
      while (k < symbols && ++at[k] > 2) at[k++] = 0;
      if (k == symbols) break;
    }
    std::stable_sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
      return std::accumulate(a.begin(), a.end(), std::int64_t{0}) <
             std::accumulate(b.begin(), b.end(), std::int64_t{0});
    });
    bool asked = false;
    for (const auto& choice : choices) {
      const std::int64_t n = one_device ? 1 : 2;
      Sizes global;
      Sizes local;
      for (std::size_t k = 0; k < symbols; ++k) {
        const std::string& name = claim.symbols[k];
        const auto is_in = [&](const std::vector<std::string>& list) {
          return std::find(list.begin(), list.end(), name) != list.end();
        };
        local[name] = is_in(claim.axes) ? 2 : least + choice[k];
        global[name] = is_in(claim.tiled) ? n * local[name] : local[name];
      }
      if (!claim.allows(global)) continue;
      auto sides = sides_at(claim, global, local, n);
      if (!sides) continue;
      double elements = 0;
      for (const ValueId v : sides->source.arguments())
        elements += static_cast<double>(sides->source.type(v)->elements());
      const double work = work_of(sides->source, kMostSymbolicWork) + work_of(sides->target, kMostSymbolicWork);
      if (elements > kMostSymbolicElements || work > kMostSymbolicWork) break;
      asked = true;
      if (!is_symbolic(sides->source, sides->source.body) || !is_symbolic(sides->target, sides->target.body)) {
        ++out.open;
        out.why_open = "a library function";
        break;
      }
      const auto answer = [&](const std::optional<std::uint64_t>& integers) {
        SmallInstances one;
        try {
          z3::context z;  // a context shared by many claims would slow down as terms accumulate
          ask(*sides, z, integers, one);
        } catch (const Unsettled& u) {
          one.why_open = u.what;
        } catch (const z3::exception& e) {
          one.why_open = e.msg();
        } catch (const UserError& e) {
          one.why_open = e.diagnostic().text();
        }
        return one;
      };
      SmallInstances one = answer(std::nullopt);
      if (one.why_open == kPosition) {
        for (std::uint64_t draw = 0; draw < kDrawsOfIntegers && (draw == 0 || one.equal == 1); ++draw)
          one = answer(draw);
        one.drawn = one.equal;
      }
      out.equal += one.equal;
      out.drawn += one.drawn;
      if (one.equal == 0) {
        ++out.open;
        out.why_open = one.why_open;
      }
      out.disagreement = one.disagreement;
      break;
    }
    if (!asked && least == 1) {
      ++out.open;
      out.why_open = "no small sizes";
    }
    if (symbols == claim.axes.size() || !out.disagreement.empty()) break;  // there are no other choices
  }
  return out;
}

}  // namespace partir::prove
