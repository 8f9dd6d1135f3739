// Compares two sides whose terms differ only in their guards. This arises where pieces of a value are placed side by
// side (halos, concatenated blocks): each piece has guards of its own, and together they hold where the value exists.
// For example, x[i - 1] where i >= 1, in two pieces, is
//
//   [i = 0][b >= 1] x[b m + i - 1] + [i >= 1] x[b m + i - 1]   =   [b m + i >= 1] x[b m + i - 1]
//
// since for each b and i as many terms count on the left as on the right (for a maximum: since one counts on the left
// exactly if one does on the right). Terms that read an array at different indices on the two sides are compared by the
// array position: the maximum of x[k + i + 1 - d] over k < d from d - 1 - i on is that of x[p] over 0 <= p <= i.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "verify/prove/cases.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/finite.h"
#include "verify/prove/integers.h"
#include "verify/prove/products.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

// If guards restrict a range to one index, the other factors may not mention the range. Ranges with few indices are
// therefore also expanded index by index.
constexpr std::int64_t kFewPlaces = 16;
constexpr std::size_t kMostPlacedTerms = 4000;

/// Returns the ranges with few indices that occur in a term's guards.
std::set<AtomId> few_places(const Term& t, const Context& c) {
  std::set<AtomId> out;
  for (const Factor& f : t.factors) {
    if (is_guard(f)) ranges_of(f.indices[0], c, out);
  }
  std::erase_if(out, [&](AtomId r) {
    const Poly& extent = c.at(r).extent;
    return !extent.is_constant() || extent.constant() > kFewPlaces;
  });
  return out;
}

/// Expands the summed ranges with these extents: returns each term at each index of such a range.
std::vector<Term> place_by_place(const std::vector<Term>& terms, const std::set<std::int64_t>& extents, Context& c) {
  std::vector<Term> out;
  std::vector<Term> open = terms;
  while (!open.empty()) {
    Term t = std::move(open.back());
    open.pop_back();
    const auto r = std::find_if(t.ranges.begin(), t.ranges.end(), [&](AtomId a) {
      return c.at(a).extent.is_constant() && extents.contains(c.at(a).extent.constant());
    });
    if (r == t.ranges.end()) {
      out.push_back(std::move(t));
      continue;
    }
    const AtomId range = *r;
    t.ranges.erase(r);
    for (std::int64_t k = 0; k < c.at(range).extent.constant(); ++k) {
      Term at = t;
      for (Factor& f : at.factors) f = substitute(f, {{range, Poly(k)}}, c);
      const auto fails = [&](const Factor& f) { return is_guard(f) && holds(f, c) == Holds::never; };
      if (std::none_of(at.factors.begin(), at.factors.end(), fails)) open.push_back(std::move(at));
    }
    if (open.size() + out.size() > kMostPlacedTerms) throw GiveUp{"too many places of guards"};
  }
  return out;
}

/// Two sums, or folds, given as terms with their guards.
class BothSides {
 public:
  BothSides(std::vector<Term> left, std::vector<Term> right, Overlap overlap, ElementType type, Context& c)
      : left_(std::move(left)), right_(std::move(right)), overlap_(overlap), type_(type), c_(c) {}

  bool agree() {
    return products().agree(left_, right_) || products().agree_by_positions(left_, right_) || agree_place_by_place();
  }

 private:
  Products products() { return {overlap_, type_, c_}; }

  bool agree_place_by_place() {
    std::set<AtomId> free;
    std::set<std::int64_t> summed;
    for (const auto* side : {&left_, &right_}) {
      for (const Term& t : *side) {
        std::set<AtomId> few = few_places(t, c_);
        for (const AtomId r : t.ranges) {
          if (few.erase(r) != 0) summed.insert(c_.at(r).extent.constant());
        }
        free.insert(few.begin(), few.end());
      }
    }
    const std::vector<Term> left = place_by_place(left_, summed, c_);
    const std::vector<Term> right = place_by_place(right_, summed, c_);
    if (products().agree(left, right)) return true;
    return std::any_of(free.begin(), free.end(), [&](AtomId r) {
      for (std::int64_t k = 0; k < c_.at(r).extent.constant(); ++k) {
        if (!products().agree(at(left, r, k), at(right, r, k))) return false;
      }
      return true;
    });
  }

  std::vector<Term> at(std::vector<Term> terms, AtomId r, std::int64_t place) {
    for (Term& t : terms) {
      for (Factor& f : t.factors) f = substitute(f, {{r, Poly(place)}}, c_);
    }
    return terms;
  }

  std::vector<Term> left_;
  std::vector<Term> right_;
  Overlap overlap_;
  ElementType type_;
  Context& c_;
};

/// Returns the monoid of a fold among the factors of a side, if there is one.
std::optional<Monoid> combination_in(const Expr& e) {
  for (const Term& t : e.terms) {
    for (const Factor& f : t.factors) {
      if (f.kind == Factor::Kind::fold) return f.monoid;
    }
  }
  return std::nullopt;
}

/// Returns the ranges with fresh ones for those whose extents change under `s`, and adds these to `s`.
std::vector<AtomId> follow(const std::vector<AtomId>& ranges, Substitution& s, Context& c) {
  std::vector<AtomId> out;
  for (const AtomId r : ranges) {
    const Poly extent = c.substitute(c.at(r).extent, s);
    out.push_back(extent == c.at(r).extent ? r : c.range(extent));
    if (out.back() != r) s[r] = Poly::atom(out.back());
  }
  return out;
}

/// Substitutes indices in an expression; ranges whose extents depend on them are replaced, too.
Expr followed(const Expr& e, Substitution s, Context& c);

Factor followed(const Factor& f, const Substitution& s, Context& c) {
  if (f.args.empty()) return substitute(f, s, c);
  Factor out = f;
  for (Poly& p : out.indices) p = c.substitute(p, s);
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    Substitution inside = s;
    if (k < f.ranges.size()) out.ranges[k] = follow(f.ranges[k], inside, c);
    if (k < f.conditions.size()) {
      for (Factor& g : out.conditions[k]) g = substitute(g, inside, c);
    }
    out.args[k] = std::make_shared<Expr>(followed(*f.args[k], inside, c));
  }
  return out;
}

Expr followed(const Expr& e, Substitution s, Context& c) {
  Expr out{e.type, {}};
  for (const Term& t : e.terms) {
    Substitution inside = s;
    Term next{t.coefficient, follow(t.ranges, inside, c), {}};
    for (const Factor& f : t.factors) next.factors.push_back(followed(f, inside, c));
    out.terms.push_back(std::move(next));
  }
  return simplified(out, c);
}

/// Adds the ranges with few indices that are free in a factor.
void few_places_in(const Factor& f, const Context& c, std::set<AtomId>& out) {
  std::set<AtomId> found;
  for (const Poly& p : f.indices) ranges_of(p, c, found);
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    if (k < f.conditions.size()) {
      for (const Factor& g : f.conditions[k]) few_places_in(g, c, found);
    }
    for (const Term& t : f.args[k]->terms) {
      for (const Factor& g : t.factors) few_places_in(g, c, found);
      for (const AtomId r : t.ranges) found.erase(r);
    }
  }
  for (const auto& ranges : f.ranges) {
    for (const AtomId r : ranges) found.erase(r);
  }
  std::erase_if(found, [&](AtomId r) {
    const Poly& extent = c.at(r).extent;
    return !extent.is_constant() || extent.constant() > kFewPlaces;
  });
  out.insert(found.begin(), found.end());
}

/// True if two folds by the monoid have the same members, whatever their guards.
bool same_members(Monoid monoid, const Expr& a, const Expr& b, Context& c) {
  const bool once = monoid != Monoid::prod;
  if (once ? !c.may(Law::order_as_set, a.type) : !may(Law::product_over_ranges, a.type, {&a, &b}, c)) return false;
  auto left = cases_of(monoid, a, c);
  auto right = cases_of(monoid, b, c);
  // How often a member occurs is a plain number, whatever the members' type is.
  return left && right &&
         BothSides(std::move(*left), std::move(*right), once ? Overlap::one : Overlap::sum, ElementType::index, c)
             .agree();
}

/// Likewise, decided separately at each index of a free range that has few.
bool same_members_at_each_place(Monoid monoid, const Expr& a, const Expr& b, Context& c) {
  std::set<AtomId> few;
  for (const Expr* e : {&a, &b}) {
    for (const Term& t : e->terms) {
      for (const Factor& f : t.factors) few_places_in(f, c, few);
      for (const AtomId r : t.ranges) few.erase(r);
    }
  }
  return std::any_of(few.begin(), few.end(), [&](AtomId r) {
    for (std::int64_t k = 0; k < c.at(r).extent.constant(); ++k) {
      if (!same_members(monoid, followed(a, {{r, k}}, c), followed(b, {{r, k}}, c), c)) return false;
    }
    return true;
  });
}

/// Returns a boolean as a number, 0 or 1, in which choices by indices are sums: these have one form however they nest.
Expr zero_or_one(const Expr& e, Context& c) {
  const Factor* f = single(e);
  if (f == nullptr || !is(*f, Symbol::choose)) return indicator(e, c);
  const Expr& condition = *f->args[0];
  const Expr outside = simplified(add(number(1), condition, -1), c);
  return simplified(
      add(multiply(condition, zero_or_one(*f->args[1], c), c), multiply(outside, zero_or_one(*f->args[2], c), c)), c);
}

}  // namespace

bool same_by_regions(const Expr& a, const Expr& b, Context& c) {
  if (a.type != b.type) return false;
  // This comparison is recorded as one step. Its sub-proofs use sizes and ranges of their own, so they are not
  // recorded.
  struct Unrecorded {
    Context& c;
    Recorder* recorder;
    std::vector<Obligation>* obligations;
    explicit Unrecorded(Context& of)
        : c(of), recorder(std::exchange(of.recorder, nullptr)), obligations(std::exchange(of.obligations, nullptr)) {}
    ~Unrecorded() {
      c.recorder = recorder;
      c.obligations = obligations;
    }
  } const unrecorded(c);
  const auto in_left = combination_in(a);
  const auto monoid = in_left ? in_left : combination_in(b);
  if (monoid && (same_members(*monoid, a, b, c) || same_members_at_each_place(*monoid, a, b, c))) return true;
  if (a.type == ElementType::i1)
    return BothSides(zero_or_one(a, c).terms, zero_or_one(b, c).terms, Overlap::sum, ElementType::index, c).agree();
  return BothSides(a.terms, b.terms, Overlap::sum, a.type, c).agree();
}

}  // namespace partir::prove
