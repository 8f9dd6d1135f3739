// Transformations of bound ranges: cutting them at guards, splitting them into a device index and an index within the
// chunk, splitting them into the digits under a division, and merging such digits back into one range.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"
#include "verify/prove/regions.h"

namespace partir::prove {

namespace {

/// The fact p = m * q with q = p div m, stated by a guard m * q - p = 0 or its negative.
struct Divides {
  std::int64_t m = 0;
  AtomId q;
  Poly p;
};

std::optional<Divides> division_of(const Factor& guard, const Context& c) {
  if (guard.kind != Factor::Kind::guard_eq) return std::nullopt;
  for (const auto& [monomial, coefficient] : guard.indices[0].terms()) {
    if (monomial.size() != 1 || std::abs(coefficient) < 2) continue;
    const Atom& a = c.at(monomial[0]);
    const Poly multiple = Poly(coefficient) * Poly::atom(monomial[0]);
    const Poly rest = guard.indices[0] - multiple;
    const bool is = a.kind == Atom::Kind::div && a.b == Poly(std::abs(coefficient)) &&
                    a.a == (coefficient > 0 ? Poly() - rest : rest);
    if (is) return Divides{std::abs(coefficient), monomial[0], a.a};
  }
  return std::nullopt;
}

/// True if g >= 0 follows from m q = p: either m g, with p for m q, is at least -(m - 1), or g is a multiple of m above
/// -m.
bool follows(const Poly& g, const Divides& d, Context& c) {
  const auto it = g.terms().find({d.q});
  if (it != g.terms().end()) {
    const Poly without = g - Poly(it->second) * Poly::atom(d.q);
    if (!c.contains(without, d.q) && c.non_negative(Poly(d.m) * without + Poly(it->second) * d.p + Poly(d.m - 1)))
      return true;
  }
  for (const std::int64_t sign : {1, -1}) {
    const Poly rest = g - Poly(sign) * d.p;
    const bool divides =
        std::all_of(rest.terms().begin(), rest.terms().end(), [&](const auto& term) { return term.second % d.m == 0; });
    if (divides && c.non_negative(g + Poly(d.m - 1))) return true;
  }
  return false;
}

}  // namespace

bool follows(const Factor& guard, const std::vector<Factor>& from, Context& c) {
  return guard.kind == Factor::Kind::guard && std::any_of(from.begin(), from.end(), [&](const Factor& g) {
           const auto d = division_of(g, c);
           return d && follows(guard.indices[0], *d, c);
         });
}

bool implied(const Factor& guard, const std::vector<Factor>& by, Context& c) {
  if (guard.kind != Factor::Kind::guard) return false;
  const Factor least = tightened(guard, c);
  if (follows(guard, by, c) || follows(least, by, c)) return true;
  for (const Factor& g : by) {
    if (g.kind != Factor::Kind::guard) continue;
    if (c.non_negative(least.indices[0] - g.indices[0])) return true;
    const Poly rest = guard.indices[0] - g.indices[0];
    for (const Factor& e : by) {
      if (e.kind == Factor::Kind::guard_eq &&
          (c.non_negative(rest - e.indices[0]) || c.non_negative(rest + e.indices[0])))
        return true;
    }
  }
  return false;
}

std::vector<Factor> independent(std::vector<Factor> guards, Context& c) {
  const std::vector<Factor> all = guards;
  std::erase_if(guards, [&](const Factor& g) { return follows(g, all, c); });
  if (c.recorder != nullptr && guards.size() != all.size())
    c.recorder->step(replay::Rule::guard_independence, c.recorder->product(all), c.recorder->product(guards));
  return guards;
}

bool cut_of(const std::vector<AtomId>& ranges, const Expr& body, Context& c, AtomId& range, Poly& place) {
  for (const Term& t : body.terms) {
    for (const Factor& f : t.factors) {
      if (f.kind != Factor::Kind::guard) continue;
      for (const AtomId r : ranges) {
        const auto it = f.indices[0].terms().find({r});
        if (it == f.indices[0].terms().end() || std::abs(it->second) != 1) continue;
        const Poly rest = f.indices[0] - Poly(it->second) * Poly::atom(r);
        const auto touches = [&](AtomId a) { return c.contains(rest, a); };
        if (std::any_of(ranges.begin(), ranges.end(), touches) ||
            std::any_of(t.ranges.begin(), t.ranges.end(), touches))
          continue;
        range = r;
        place = it->second > 0 ? Poly() - rest : rest + 1;  // r >= -rest, or r <= rest
        if (c.non_negative(place) && c.non_negative(c.at(r).extent - place)) return true;
      }
    }
  }
  return false;
}

namespace {

/// Finds a divisor of the range's extent by which an index containing the range is divided.
bool divisor_of(const Poly& p, AtomId range, const Context& c, Poly& divisor) {
  for (const auto& [m, coefficient] : p.terms()) {
    for (const AtomId a : m) {
      const Atom atom = c.at(a);
      if (atom.kind == Atom::Kind::size || atom.kind == Atom::Kind::range || atom.kind == Atom::Kind::value) continue;
      Poly quotient;
      if (atom.kind == Atom::Kind::div && c.contains(atom.a, range) &&
          Context::divides(atom.b, c.at(range).extent, quotient) && !(quotient == Poly(1))) {
        divisor = atom.b;
        return true;
      }
      if (divisor_of(atom.a, range, c, divisor) || divisor_of(atom.b, range, c, divisor)) return true;
    }
  }
  return false;
}

bool divisor_of(const Expr& e, AtomId range, const Context& c, Poly& divisor);

}  // namespace

bool divisor_of(const Factor& f, AtomId range, const Context& c, Poly& divisor) {
  for (const Poly& p : f.indices) {
    if (divisor_of(p, range, c, divisor)) return true;
  }
  for (const ExprPtr& e : f.args) {
    if (divisor_of(*e, range, c, divisor)) return true;
  }
  for (const auto& list : f.conditions) {
    for (const Factor& g : list) {
      if (divisor_of(g, range, c, divisor)) return true;
    }
  }
  return false;
}
namespace {

bool divisor_of(const Expr& e, AtomId range, const Context& c, Poly& divisor) {
  for (const Term& t : e.terms) {
    for (const Factor& f : t.factors) {
      if (divisor_of(f, range, c, divisor)) return true;
    }
  }
  return false;
}

/// Splits the ranges of one binder and returns the new ones; `s` gets the value of each old range. `under` finds a
/// divisor for a range under a division. A range k < n * c becomes r * c + l with r < n and l < c; a range of one index
/// becomes 0.
template <class Under>
std::vector<AtomId> split(const std::vector<AtomId>& ranges, AtomId n, Context& c, Substitution& s, Under&& under) {
  std::vector<AtomId> out;
  for (const AtomId r : ranges) {
    const Poly extent = c.at(r).extent;
    if (extent == Poly(1)) {
      s[r] = Poly(0);
      continue;
    }
    Poly inner;
    // Split digits first; ranges under a division are split over devices after that.
    if (!under(r, inner) && (!Context::divides(Poly::atom(n), extent, inner) || inner == Poly(1))) {
      out.push_back(r);
      continue;
    }
    Poly outer;
    Context::divides(inner, extent, outer);
    const AtomId major = c.range(outer);
    const AtomId minor = c.range(inner);
    s[r] = Poly::atom(major) * inner + Poly::atom(minor);
    out.push_back(major);
    out.push_back(minor);
  }
  return out;
}

/// True if every read index that contains the range has it with a negative coefficient. `seen`: whether there is one.
bool is_read_reversed(const Factor& f, AtomId range, bool& seen) {
  if (f.kind == Factor::Kind::read) {
    for (const Poly& p : f.indices) {
      for (const auto& [m, coefficient] : p.terms()) {
        if (!std::binary_search(m.begin(), m.end(), range)) continue;
        if (coefficient > 0) return false;
        seen = true;
      }
    }
  }
  return std::all_of(f.args.begin(), f.args.end(), [&](const ExprPtr& e) {
    return std::all_of(e->terms.begin(), e->terms.end(), [&](const Term& t) {
      return std::all_of(t.factors.begin(), t.factors.end(),
                         [&](const Factor& g) { return is_read_reversed(g, range, seen); });
    });
  });
}

/// Returns the substitution k = extent - 1 - k' for each range that is read from its end.
Substitution reflected(const std::vector<AtomId>& ranges, const std::vector<Factor>& factors, Context& c) {
  Substitution out;
  for (const AtomId r : ranges) {
    bool seen = false;
    if (std::all_of(factors.begin(), factors.end(), [&](const Factor& f) { return is_read_reversed(f, r, seen); }) &&
        seen)
      out[r] = c.at(r).extent - 1 - Poly::atom(r);
  }
  return out;
}

Factor split_inside(const Factor& f, AtomId n, Context& c) {
  Factor out = f;
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    Expr body = *f.args[k];
    if (f.kind == Factor::Kind::fold) {
      for (int round = 0; round < 4; ++round) {
        Substitution s;
        const auto under = [&](AtomId r, Poly& inner) {
          if (divisor_of(body, r, c, inner)) return true;
          return std::any_of(out.conditions[k].begin(), out.conditions[k].end(),
                             [&](const Factor& g) { return divisor_of(g, r, c, inner); });
        };
        out.ranges[k] = split(out.ranges[k], n, c, s, under);
        if (s.empty()) break;
        body = substitute(body, s, c);
        for (Factor& g : out.conditions[k]) g = substitute(g, s, c);
      }
      Factor whole;
      whole.args = {std::make_shared<Expr>(body)};
      const Substitution s = reflected(out.ranges[k], {whole}, c);
      if (!s.empty()) {
        body = substitute(body, s, c);
        for (Factor& g : out.conditions[k]) g = substitute(g, s, c);
      }
    }
    out.args[k] = std::make_shared<Expr>(split_ranges(body, n, c));
  }
  return out;
}

}  // namespace

Expr split_ranges(const Expr& e, AtomId n, Context& c) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    Term next = t;
    for (int round = 0; round < 4; ++round) {
      Substitution s;
      const auto under = [&](AtomId r, Poly& inner) {
        return std::any_of(next.factors.begin(), next.factors.end(),
                           [&](const Factor& f) { return divisor_of(f, r, c, inner); });
      };
      next.ranges = split(next.ranges, n, c, s, under);
      if (s.empty()) break;
      for (Factor& f : next.factors) f = substitute(f, s, c);
    }
    const Substitution s = reflected(next.ranges, next.factors, c);
    for (Factor& f : next.factors) f = split_inside(s.empty() ? f : substitute(f, s, c), n, c);
    out.terms.push_back(std::move(next));
  }
  return noted(
      replay::Rule::splitting, c, [&](Recorder& r) { return r.term(e); }, simplified(out, c));
}

namespace {

/// Returns the factor with every index p in it replaced by of(p).
template <class F>
Factor with_indices(const Factor& f, const F& of) {
  Factor out = f;
  for (Poly& p : out.indices) p = of(p);
  for (ExprPtr& e : out.args) {
    Expr inner = *e;
    for (Term& t : inner.terms) {
      for (Factor& g : t.factors) g = with_indices(g, of);
    }
    e = std::make_shared<Expr>(std::move(inner));
  }
  for (auto& list : out.conditions) {
    for (Factor& g : list) g = with_indices(g, of);
  }
  return out;
}

/// Maximum number of ranges of one binder for which pairs are tried.
constexpr std::size_t kMostMerged = 6;

}  // namespace

void merge(std::vector<AtomId>& ranges, std::vector<Factor>& factors, std::vector<Factor>& others, Context& c) {
  if (ranges.size() > kMostMerged) return;
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    for (std::size_t b = 0; b < ranges.size(); ++b) {
      if (a == b) continue;
      const AtomId major = ranges[a];
      const AtomId minor = ranges[b];
      const Poly step = c.at(minor).extent;
      const AtomId both = c.range(c.at(major).extent * step);
      // index = step * major + minor; valid if the two ranges are read only in this combination.
      const Substitution s{{minor, Poly::atom(both) - step * Poly::atom(major)}};
      bool read = false;
      bool only_together = true;
      std::vector<Factor> merged;
      for (const Factor& f : factors) {
        merged.push_back(with_indices(f, [&](const Poly& p) {
          read = read || c.contains(p, minor) || c.contains(p, major);
          const Poly out = c.contains(p, minor) ? c.substitute(p, s) : p;
          only_together = only_together && !c.contains(out, major) && !c.contains(out, minor);
          return out;
        }));
        if (!only_together) break;
      }
      if (!read || !only_together) continue;
      factors = std::move(merged);
      const Poly digit = c.div(Poly::atom(both), step);
      for (Factor& f : others) f = substitute(f, {{major, digit}, {minor, Poly::atom(both) - step * digit}}, c);
      ranges[a] = both;
      ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(b));
      return merge(ranges, factors, others, c);
    }
  }
}

namespace {

Factor merged_inside(const Factor& f, Context& c) {
  Factor out = f;
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    if (f.kind == Factor::Kind::fold) {  // treat the body and its conditions as factors that share the ranges
      Factor whole;
      whole.args = {f.args[k]};
      std::vector<Factor> factors = f.conditions[k];
      std::vector<Factor> none;
      factors.push_back(std::move(whole));
      merge(out.ranges[k], factors, none, c);
      out.args[k] = factors.back().args[0];
      factors.pop_back();
      out.conditions[k] = std::move(factors);
    }
    out.args[k] = std::make_shared<Expr>(merge_ranges(*out.args[k], c));
  }
  return out;
}

}  // namespace

Expr merge_ranges(const Expr& e, Context& c) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    Term next = t;
    std::vector<Factor> none;
    merge(next.ranges, next.factors, none, c);
    for (Factor& f : next.factors) f = merged_inside(f, c);
    out.terms.push_back(std::move(next));
  }
  return noted(
      replay::Rule::splitting, c, [&](Recorder& r) { return r.term(e); }, simplified(out, c));
}

}  // namespace partir::prove
