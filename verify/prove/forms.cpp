#include "verify/prove/forms.h"

#include <fmt/format.h>

#include "verify/prove/elements.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

/// What the whole program reads: of a partial argument, the combination over all devices.
ArgumentElement global_arguments(const SymbolicProgram& program, const std::vector<Action>& actions, AtomId n,
                                 Context& c) {
  return [&, n](std::size_t k, const std::vector<Poly>& at) {
    const Function& f = program.module.functions.at(0);
    const ElementType type = f.type(f.arguments()[k]).element;
    Factor read;
    read.array = k;
    read.indices = at;
    if (!actions[k].is_partial()) return factor(std::move(read));
    const AtomId device = c.range(Poly::atom(n));
    read.indices.insert(read.indices.begin(), Poly::atom(device));
    const Monoid m = actions[k].monoid;
    if (m != Monoid::sum) return fold(m, {device}, {}, factor(std::move(read)), c, wraps(type));
    if (!is_number(type)) throw GiveUp{"sums of booleans"};
    return sum_over({device}, factor(std::move(read)));
  };
}

/// What the program of a device reads.
ArgumentElement local_arguments(const SymbolicProgram& program, const std::vector<Action>& actions, AtomId device) {
  return [&, device](std::size_t k, const std::vector<Poly>& at) {
    Factor read;
    read.array = k;
    read.indices = at;
    const ValueId v = program.module.functions.at(0).arguments()[k];
    if (actions[k].is_tile()) {
      const Dim d = actions[k].dim;
      read.indices[d] = at[d] + Poly::atom(device) * program.dims[v.index()][d];
    }
    if (actions[k].is_partial()) read.indices.insert(read.indices.begin(), Poly::atom(device));
    return factor(std::move(read));
  };
}

}  // namespace

bool equal_forms(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
                 const std::vector<Action>& results, AtomId n_atom, Context& c, std::string& why,
                 const OutOfTime& out_of_time) {
  const Function& wf = whole.module.functions.at(0);
  const Function& pf = part.module.functions.at(0);
  const Poly n = Poly::atom(n_atom);
  const auto fits = [&](const Action& action, ValueId w, ValueId p) {
    const auto& a = whole.dims[w.index()];
    const auto& b = part.dims[p.index()];
    for (std::size_t d = 0; d < a.size(); ++d) {
      const Poly wanted = action.is_tile() && action.dim == d ? b[d] * n : b[d];
      if (!(a[d] == wanted)) return false;
      if (c.obligations != nullptr) c.obligations->push_back({Obligation::Kind::equal, a[d], wanted, {}});
    }
    return true;
  };
  for (std::size_t k = 0; k < wf.arguments().size(); ++k) {
    if (!fits(arguments[k], wf.arguments()[k], pf.arguments()[k]))
      throw GiveUp{fmt::format("argument {} does not have its action's part", k)};
  }
  for (std::size_t k = 0; k < wf.returned().size(); ++k) {
    const ValueId w = wf.returned()[k];
    const ValueId p = pf.returned()[k];
    const Action& action = results[k];
    if (!fits(action, w, p)) throw GiveUp{fmt::format("result {} does not have its action's part", k)};
    const AtomId r = c.range(n);
    std::vector<Poly> at;
    for (const Poly& extent : part.dims[p.index()])
      at.push_back(extent == Poly(1) ? Poly(0) : Poly::atom(c.range(extent)));
    std::vector<Poly> in_whole = at;
    if (action.is_tile()) in_whole[action.dim] = Poly::atom(r) * part.dims[p.index()][action.dim] + at[action.dim];
    std::string difference;
    const auto equal = [&](bool minima_outside) {
      c.minima_outside = minima_outside;
      Expr left = element(whole, w, in_whole, global_arguments(whole, arguments, n_atom, c), c, out_of_time);
      Expr right = element(part, p, at, local_arguments(part, arguments, r), c, out_of_time);
      if (action.is_partial()) {
        if (action.monoid == Monoid::sum && !is_number(wf.type(w).element)) throw GiveUp{"sums of booleans"};
        right = action.monoid == Monoid::sum
                    ? sum_over({r}, right)
                    : fold(action.monoid, {r}, {}, simplified(right, c), c, wraps(wf.type(w).element));
      }
      left = split_ranges(simplified(left, c), n_atom, c);
      right = split_ranges(simplified(right, c), n_atom, c);
      // Splitting may bring forms together that simplification unites, and the other way round.
      for (int round = 0; round < 2; ++round) {
        left = split_ranges(left, n_atom, c);
        right = split_ranges(right, n_atom, c);
      }
      if (!same_form(left, right, c, difference)) return false;
      if (c.recorder != nullptr) {
        Recorder& to = *c.recorder;
        replay::End end{to.term(left), to.term(right), k, {}};
        for (const Poly& i : in_whole) end.at.push_back(to.term(i));
        to.proof.ends.push_back(std::move(end));
      }
      return true;
    };
    const bool lower = action.is_partial() && (action.monoid == Monoid::min || action.monoid == Monoid::conj);
    const bool proved = [&] {
      if (equal(lower)) return true;
      // Which of minima and maxima stand outside matters only where both are there.
      const auto has = [&](const char* name) { return difference.find(name) != std::string::npos; };
      return ((has("max(") && has("min(")) || (has("and(") && has("or("))) && equal(!lower);
    }();
    if (!proved) {
      why = fmt::format("result {}: {}", k, difference);
      return false;
    }
  }
  return true;
}

}  // namespace partir::prove
