// What the files of normal forms share and others do not need.
#pragma once

#include <algorithm>

#include "verify/prove/expr.h"

namespace partir::prove {

constexpr std::size_t kMaxTerms = 600;

/// Of coefficients of a type: residues of integers that wrap. Throws GiveUp where 64 bits do not hold others.
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

bool contains(const Factor& f, AtomId a, const Context& c);
inline bool is_guard(const Factor& f) { return f.kind == Factor::Kind::guard || f.kind == Factor::Kind::guard_eq; }
inline bool is(const Factor& f, Symbol s) {
  return (f.kind == Factor::Kind::apply || f.kind == Factor::Kind::opaque) && f.symbol == s;
}
inline bool is_function(const Factor& f, ScalarFn fn) { return is(f, Symbol::function) && f.fn == fn; }
/// 0 or 1, whatever else is true.
inline bool is_choice(const Factor& f) { return is_guard(f) || is(f, Symbol::indicator); }
inline bool is_extremum(const Factor& f) {
  return f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min);
}
inline bool all_choices(const Term& t, const Factor* but = nullptr) {
  return std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return &f == but || is_choice(f); });
}
/// A guard in one form: p = 0 and -p = 0 say the same, and so does t = max(a, b) as t = a where t > b.
Factor settled(Factor guard, Context& c);
enum class Holds : std::uint8_t { always, never, unknown };
Holds holds(const Factor& guard, Context& c);

/// The text of a term, whose ranges are brought in the order in which it names them.
std::string named_key(Term& t, Context& c);
/// Merges pairs of ranges that these factors read only as the digits of one index; `others` follow.
void merge(std::vector<AtomId>& ranges, std::vector<Factor>& factors, std::vector<Factor>& others, Context& c);
/// A divisor under which the range stands alone, and which divides its extent.
bool divisor_of(const Factor& f, AtomId range, const Context& c, Poly& divisor);
/// Whether two sums count each product of their factors alike, whatever guards say where: at each place the guards that
/// hold are counted (verify/prove/regions.cpp).
bool same_by_regions(const Expr& a, const Expr& b, Context& c);

/// One combination's part: a body over ranges where conditions hold.
struct Member {
  std::vector<AtomId> ranges;
  std::vector<Factor> conditions;
  Expr body;
};
/// The members of a combination: of a factor by the same monoid its own, else the expression itself.
std::vector<Member> members_of(Monoid monoid, const Expr& e);
/// The combination of members, in its form.
Expr built(Monoid monoid, std::vector<Member> members, Context& c, int choices = 0);

}  // namespace partir::prove
