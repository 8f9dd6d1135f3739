// Compares a program with the loop over its device-local parts: evaluates each result of both at a symbolic index, and
// brings the two elements to canonical form.
#include "verify/prove/forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/prove/defined.h"
#include "verify/prove/elements.h"
#include "verify/prove/promises.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// Returns the reduction over all devices of what each of them holds.
Expr over_devices(Monoid m, AtomId device, const Expr& e, Context& c) {
  require_any_order(m, e, c);
  return m == Monoid::sum ? sum_over({device}, e) : fold(m, {device}, {}, e, c);
}

/// An element of argument k of a program. What is read is an element (a guard sees to that), so the index along a
/// dimension of size 1 is 0, however it is computed.
Factor read_of(const SymbolicProgram& program, std::size_t k, const std::vector<Poly>& at) {
  const Function& f = program.module.functions.at(0);
  const ValueId v = f.arguments()[k];
  Factor read;
  read.type = f.type(v)->element;
  read.array = k;
  read.indices = at;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (program.dims[v.index()][d] == Poly(1)) read.indices[d] = Poly(0);
  }
  return read;
}

/// Returns the arguments of the global program. An argument with a pending reduction is the reduction of its values on
/// all devices.
ArgumentElement global_arguments(const SymbolicProgram& program, const std::vector<Action>& actions, AtomId n,
                                 Context& c) {
  return [&, n](std::size_t k, const std::vector<Poly>& at) {
    Factor read = read_of(program, k, at);
    if (!actions[k].is_partial()) return factor(std::move(read));
    const AtomId device = c.range(Poly::atom(n));
    read.indices.insert(read.indices.begin(), Poly::atom(device));
    return over_devices(actions[k].monoid, device, factor(std::move(read)), c);
  };
}

/// Returns the arguments of one device's program: its chunk, its summand or the whole, according to the actions.
ArgumentElement local_arguments(const SymbolicProgram& program, const std::vector<Action>& actions, AtomId device) {
  return [&, device](std::size_t k, const std::vector<Poly>& at) {
    Factor read = read_of(program, k, at);
    if (actions[k].is_tile()) {
      const Dim d = actions[k].dim;
      const ValueId v = program.module.functions.at(0).arguments()[k];
      read.indices[d] = read.indices[d] + Poly::atom(device) * program.dims[v.index()][d];
    }
    if (actions[k].is_partial()) read.indices.insert(read.indices.begin(), Poly::atom(device));
    return factor(std::move(read));
  };
}

/// The two sides of a claim: the global program and the device-local one.
class Sides {
 public:
  Sides(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
        const std::vector<Action>& results, AtomId n, Context& c, const OutOfTime& out_of_time)
      : whole_(whole), part_(part), arguments_(arguments), results_(results), n_(n), c_(c), out_of_time_(out_of_time) {}

  /// Throws GiveUp unless the local arguments and results have the shapes that the actions imply.
  void require_parts() const {
    const Function& wf = whole_.module.functions.at(0);
    const Function& pf = part_.module.functions.at(0);
    for (std::size_t k = 0; k < wf.arguments().size(); ++k) {
      if (!fits(arguments_[k], wf.arguments()[k], pf.arguments()[k]))
        throw GiveUp{fmt::format("argument {} does not have its action's part", k)};
    }
    for (std::size_t k = 0; k < wf.returned().size(); ++k) {
      if (!fits(results_[k], wf.returned()[k], pf.returned()[k]))
        throw GiveUp{fmt::format("result {} does not have its action's part", k)};
    }
  }

  bool equal(std::string& why) const {
    for (std::size_t k = 0; k < results_.size(); ++k) {
      std::string difference;
      if (equal(k, difference)) continue;
      why = fmt::format("result {}: {}", k, difference);
      return false;
    }
    const AtomId r = c_.range(Poly::atom(n_));
    const Computed source(whole_, global_arguments(whole_, arguments_, n_, c_), {});
    const Computed target(part_, local_arguments(part_, arguments_, r), {r});
    auto wrong = not_promised(source, target, c_, out_of_time_);
    // A bit-exact proof also covers inputs for which a value is not defined.
    if (!wrong && c_.arithmetic == Arithmetic::reals) wrong = not_defined(source, target, {n_}, c_, out_of_time_);
    if (wrong) why = *wrong;
    return !wrong;
  }

 private:
  bool fits(const Action& action, ValueId w, ValueId p) const {
    const auto& a = whole_.dims[w.index()];
    const auto& b = part_.dims[p.index()];
    for (std::size_t d = 0; d < a.size(); ++d) {
      const Poly wanted = action.is_tile() && action.dim == d ? b[d] * Poly::atom(n_) : b[d];
      if (!(a[d] == wanted)) return false;
      if (c_.obligations != nullptr) c_.obligations->push_back({Obligation::Kind::equal, a[d], wanted, {}});
    }
    return true;
  }

  /// Compares result k, with sums cut at guards or else by regions.
  bool equal(std::size_t k, std::string& difference) const {
    return with_cuts_or_regions(c_, [&](bool cuts) {
      std::string by_regions;
      return equal_either_way(k, cuts ? difference : by_regions);
    });
  }

  /// Tries the order of minima and maxima (Context::minima_outside) that suits the result's action, then, only if a
  /// form has both, the other one.
  bool equal_either_way(std::size_t k, std::string& difference) const {
    const Action& action = results_[k];
    // Which element is selected is a conjunction; as a disjunction it has a member for each subset of the places.
    if (c_.selections_by_comparison) return equal(k, true, difference);
    const bool lower = action.is_partial() && (action.monoid == Monoid::min || action.monoid == Monoid::conj);
    if (equal(k, lower, difference)) return true;
    const auto has = [&](const char* name) { return difference.find(name) != std::string::npos; };
    return ((has("max(") && has("min(")) || (has("and(") && has("or("))) && equal(k, !lower, difference);
  }

  bool equal(std::size_t k, bool minima_outside, std::string& difference) const {
    c_.minima_outside = minima_outside;
    const ValueId w = whole_.module.functions.at(0).returned()[k];
    const ValueId p = part_.module.functions.at(0).returned()[k];
    const Action& action = results_[k];
    const AtomId r = c_.range(Poly::atom(n_));
    std::vector<Poly> at;
    for (const Poly& extent : part_.dims[p.index()])
      at.push_back(extent == Poly(1) ? Poly(0) : Poly::atom(c_.range(extent)));
    std::vector<Poly> in_whole = at;
    if (action.is_tile()) in_whole[action.dim] = Poly::atom(r) * part_.dims[p.index()][action.dim] + at[action.dim];
    Expr left = element(whole_, w, in_whole, global_arguments(whole_, arguments_, n_, c_), c_, out_of_time_);
    Expr right = element(part_, p, at, local_arguments(part_, arguments_, r), c_, out_of_time_);
    if (action.is_partial()) right = over_devices(action.monoid, r, simplified(right, c_), c_);
    left = simplified(left, c_);
    right = simplified(right, c_);
    // Splitting may enable simplification, and vice versa, so both are repeated.
    for (int round = 0; round < 3; ++round) {
      left = split_ranges(left, n_, c_);
      right = split_ranges(right, n_, c_);
    }
    if (!same_form(left, right, c_, difference)) return false;
    if (c_.recorder == nullptr) return true;
    Recorder& to = *c_.recorder;
    replay::End end{to.term(left), to.term(right), k, {}};
    for (const Poly& i : in_whole) end.at.push_back(to.term(i));
    to.proof.ends.push_back(std::move(end));
    return true;
  }

  const SymbolicProgram& whole_;
  const SymbolicProgram& part_;
  const std::vector<Action>& arguments_;
  const std::vector<Action>& results_;
  AtomId n_;
  Context& c_;
  const OutOfTime& out_of_time_;
};

}  // namespace

std::string text_of_jumps(const std::set<std::string>& jumps) {
  return jumps.empty() ? std::string() : fmt::format("jumps of {}; ", fmt::join(jumps, ", "));
}

std::string Reach::text() const {
  return fmt::format("{}{}{}", text_of_jumps(jumps),
                     arithmetic == Arithmetic::bits ? "bit-exact" : "over the reals, reassociated",
                     sizes_of_32_bits ? "; dimensions below 2^31" : "");
}

bool equal_forms(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
                 const std::vector<Action>& results, AtomId n_atom, Context& c, std::string& why, Reach& reach,
                 const OutOfTime& out_of_time) {
  const Sides sides(whole, part, arguments, results, n_atom, c, out_of_time);
  sides.require_parts();
  c.selections_by_comparison = has_selections(whole) != has_selections(part);
  return equal_by_bits_or_reals(c, why, reach, [&] { return sides.equal(why); });
}

}  // namespace partir::prove
