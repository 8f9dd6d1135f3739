// Helpers shared by the files that implement canonical forms (expr.cpp, simplify.cpp, folds.cpp, functions.cpp,
// keys.cpp, ranges.cpp, regions.cpp and their like). Other code uses expr.h.
#pragma once

#include <algorithm>
#include <optional>

#include "verify/prove/expr.h"

namespace partir::prove {

constexpr std::size_t kMaxTerms = 600;

/// Arithmetic on coefficients of a type. Integers that wrap use residues; for other types a result beyond 64 bits
/// throws GiveUp.
inline std::int64_t times(std::int64_t a, std::int64_t b, ElementType type) {
  std::int64_t out = 0;
  const bool over = __builtin_mul_overflow(a, b, &out);
  if (wraps(type)) return residue(out, type);
  if (over) throw GiveUp{"a coefficient beyond 64 bits"};
  return out;
}
inline std::int64_t plus(std::int64_t a, std::int64_t b, ElementType type) {
  std::int64_t out = 0;
  const bool over = __builtin_add_overflow(a, b, &out);
  if (wraps(type)) return residue(out, type);
  if (over) throw GiveUp{"a coefficient beyond 64 bits"};
  return out;
}

/// The first of `ranges` that an equation allows one index of, and that index (which need not be in the range); nullopt
/// if there is none. The equation k - i = 0 pins k to i.
std::optional<std::pair<AtomId, Poly>> pinned_range(const Factor& guard, const std::vector<AtomId>& ranges,
                                                    const Context& c);

bool contains(const Factor& f, AtomId a, const Context& c);
inline bool is_guard(const Factor& f) { return f.kind == Factor::Kind::guard || f.kind == Factor::Kind::guard_eq; }
inline bool is(const Factor& f, Symbol s) {
  return (f.kind == Factor::Kind::apply || f.kind == Factor::Kind::opaque) && f.symbol == s;
}
inline bool is_function(const Factor& f, ScalarFn fn) { return is(f, Symbol::function) && f.fn == fn; }
/// True if the factor's value is always 0 or 1.
inline bool is_choice(const Factor& f) { return is_guard(f) || is(f, Symbol::indicator); }
inline bool is_extremum(const Factor& f) {
  return f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min);
}
inline bool all_choices(const Term& t, const Factor* but = nullptr) {
  return std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return &f == but || is_choice(f); });
}
/// Returns add, subtract, negate or multiply of numbers by the ring laws; nothing if these do not hold for the operands.
std::optional<Expr> by_ring_laws(ScalarFn fn, ElementType type, const std::vector<Expr>& args, Context& c);
/// Normalises a guard: p = 0 and -p = 0 get the same form, and t = max(a, b) becomes t = a if t > b is known.
Factor settled(Factor guard, Context& c);
enum class Holds : std::uint8_t { always, never, unknown };
Holds holds(const Factor& guard, Context& c);

/// Returns the key of a term, and sorts its ranges in the order in which the key names them.
std::string named_key(Term& t, Context& c);
/// Merges pairs of ranges that `factors` read only as the two digits of one index, and rewrites `others` accordingly:
/// x[3 * r + l] over r < n and l < 3 becomes x[k] over k < 3 * n.
void merge(std::vector<AtomId>& ranges, std::vector<Factor>& factors, std::vector<Factor>& others, Context& c);
/// Finds a divisor of the range's extent by which an index containing the range is divided in the factor.
bool divisor_of(const Factor& f, AtomId range, const Context& c, Poly& divisor);
/// True if two sums have the same products of factors equally often at every point, whatever guards state where; the
/// guards that hold at each point are counted (verify/prove/regions.cpp).
bool same_by_regions(const Expr& a, const Expr& b, Context& c);

/// A member of a fold: a body over ranges where conditions hold.
struct Member {
  std::vector<AtomId> ranges;
  std::vector<Factor> conditions;
  Expr body;
};
/// Returns the members of a fold by this monoid; any other expression is its own single member.
std::vector<Member> members_of(Monoid monoid, const Expr& e);
/// Returns the canonical form of the fold of the members. `choices` counts nested case distinctions.
Expr built(Monoid monoid, std::vector<Member> members, Context& c, int choices = 0);

}  // namespace partir::prove
