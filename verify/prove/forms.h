// The prover's core: a program and its device-local part, both at symbolic sizes, have one normal form.
#pragma once

#include <string>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"
#include "verify/prove/reach.h"

namespace partir::prove {

/// Whether `whole` equals the loop over n devices, with the results' actions, of `part` on arguments taken by their
/// actions, and what a device computes is defined where the whole is. Tried bit by bit first, then over the reals.
/// False when the two sides have different forms (`why` says which); throws GiveUp where a step has no rule.
bool equal_forms(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
                 const std::vector<Action>& results, AtomId n, Context& c, std::string& why, Reach& reach,
                 const OutOfTime& out_of_time = nullptr);

/// Whether `equal` holds with sums cut at guards, or else by regions of guards (Context::cut_sums). May throw GiveUp.
template <class Equal>
bool with_cuts_or_regions(Context& c, const Equal& equal) {
  try {
    if (equal(true)) return true;
  } catch (const GiveUp&) {  // which may be of the cuts
  }
  struct Uncut {
    Context& c;
    explicit Uncut(Context& context) : c(context) { c.cut_sums = false; }
    ~Uncut() { c.cut_sums = true; }
  } const uncut(c);
  return equal(false);
}

/// Calls `equal` by bits, then over the reals; the first that is true counts. `equal` may throw GiveUp.
template <class Equal>
bool equal_by_bits_or_reals(Context& c, std::string& why, Reach& reach, const Equal& equal) {
  for (const Arithmetic arithmetic : {Arithmetic::bits, Arithmetic::reals}) {
    c.arithmetic = arithmetic;
    c.used_reals = c.used_sizes = false;
    c.jumps.clear();
    why.clear();
    try {
      if (!equal()) continue;
      reach = {arithmetic, c.used_sizes, c.jumps};
      return true;
    } catch (const GiveUp&) {
      if (arithmetic == Arithmetic::reals) throw;
    }
  }
  return false;
}

}  // namespace partir::prove
