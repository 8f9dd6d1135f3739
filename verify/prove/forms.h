// The core of the prover for entries: checks that a program and the loop over devices of its device-local part, both at
// symbolic sizes, have the same canonical form. Called for claims (prove.cpp), single operations (instance.cpp) and
// decomposed operations (offsets.cpp).
#pragma once

#include <string>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"
#include "verify/prove/reach.h"

namespace partir::prove {

/// True if `whole` equals the loop over n devices (combined by the results' actions) of `part`, applied to arguments
/// distributed by their actions, and what a device computes is defined wherever the whole program is. Tries bit-exact
/// arithmetic first, then the reals. Returns false if the two sides have different forms (`why` describes the
/// difference); throws GiveUp if a step has no rule.
bool equal_forms(const SymbolicProgram& whole, const SymbolicProgram& part, const std::vector<Action>& arguments,
                 const std::vector<Action>& results, AtomId n, Context& c, std::string& why, Reach& reach,
                 const OutOfTime& out_of_time = nullptr);

/// True if `equal` succeeds with sums cut at guards, or otherwise with sums compared by regions of guards
/// (Context::cut_sums). May throw GiveUp.
template <class Equal>
bool with_cuts_or_regions(Context& c, const Equal& equal) {
  try {
    if (equal(true)) return true;
  } catch (const GiveUp&) {  // possibly caused by the cuts: try without
  }
  struct Uncut {
    Context& c;
    explicit Uncut(Context& context) : c(context) { c.cut_sums = false; }
    ~Uncut() { c.cut_sums = true; }
  } const uncut(c);
  return equal(false);
}

/// Calls `equal` in bit-exact arithmetic, then over the reals, and stops at the first success. `equal` may throw
/// GiveUp.
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
