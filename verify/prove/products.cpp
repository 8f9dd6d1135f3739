// Compares sides product by product: first with the terms as they are, then with each term expressed by the array
// positions that it reads. For example, the maximum of x[k + i + 1 - d] over k < d from d - 1 - i on is that of x[p]
// over 0 <= p <= i.
#include "verify/prove/products.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace partir::prove {
namespace {

Factor at_least_zero(const Poly& p) {
  Factor out;
  out.kind = Factor::Kind::guard;
  out.indices = {p};
  return out;
}

/// Returns the key of factors, in which all ranges keep their own names.
std::string product_text(const std::vector<Factor>& factors, ElementType type, Context& c) {
  return Expr{type, {{1, {}, factors}}}.key(c);
}

/// Expresses a product over a part of another product's range as one over the whole range: the sum over r < k of f(r +
/// s) is the sum over R of f(R) where s <= R < s + k; and f(s) is the sum over R of f(R) where R = s.
class Embedding {
 public:
  Embedding(const Product& small, const Product& large, ElementType type, Context& c)
      : small_(small), large_(large), type_(type), c_(c) {}

  std::optional<std::vector<Region>> run() {
    const std::size_t few = small_.body.ranges.size();
    const std::size_t many = large_.body.ranges.size();
    if (few != many && few + 1 != many) return std::nullopt;
    for (std::size_t i = 0; i < many; ++i) {
      for (std::size_t j = 0; j < (few == many ? few : 1); ++j) {
        if (auto out = along(i, few == many ? std::optional(small_.body.ranges[j]) : std::nullopt)) return out;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<std::vector<Region>> along(std::size_t i, std::optional<AtomId> part) {
    const AtomId whole = large_.body.ranges[i];
    std::vector<AtomId> others = large_.body.ranges;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    Substitution names;
    std::size_t at = 0;
    for (const AtomId r : small_.body.ranges) {
      if (r == part) continue;
      if (!(c_.at(r).extent == c_.at(others[at]).extent)) return std::nullopt;
      names[r] = Poly::atom(others[at++]);
    }
    const auto start = start_of(whole, part, names);
    if (!start) return std::nullopt;
    const Poly count = part ? c_.at(*part).extent : Poly(1);
    if (!c_.non_negative(*start) || !c_.non_negative(c_.at(whole).extent - *start - count)) return std::nullopt;
    if (part) names[*part] = Poly::atom(whole) - *start;
    std::vector<Factor> wanted = large_.body.factors;
    if (!part) {
      for (Factor& f : wanted) f = substitute(f, {{whole, *start}}, c_);
    }
    std::vector<Factor> factors = small_.body.factors;
    for (Factor& f : factors) f = substitute(f, names, c_);
    if (product_text(factors, type_, c_) != product_text(wanted, type_, c_)) return std::nullopt;
    std::vector<Region> out = small_.regions;
    for (Region& r : out) {
      for (Factor& g : r.guards) g = substitute(g, names, c_);
      r.guards.push_back(at_least_zero(Poly::atom(whole) - *start));
      r.guards.push_back(at_least_zero(*start + count - 1 - Poly::atom(whole)));
    }
    return out;
  }

  /// Returns the start of the part in the range, from the first index that reads the range.
  std::optional<Poly> start_of(AtomId whole, std::optional<AtomId> part, Substitution names) {
    if (part) names[*part] = Poly::atom(whole);
    for (const Factor& f : large_.body.factors) {
      if (f.kind != Factor::Kind::read) continue;
      const auto same = std::find_if(small_.body.factors.begin(), small_.body.factors.end(), [&](const Factor& g) {
        return g.kind == Factor::Kind::read && g.array == f.array;
      });
      if (same == small_.body.factors.end()) return std::nullopt;
      for (std::size_t k = 0; k < f.indices.size(); ++k) {
        const auto it = f.indices[k].terms().find({whole});
        if (it == f.indices[k].terms().end()) continue;
        const Poly of_part = c_.substitute(same->indices[k], names);
        const Poly between =
            part ? of_part - f.indices[k] : of_part - f.indices[k] + Poly(it->second) * Poly::atom(whole);
        if (!between.is_constant() || between.constant() % it->second != 0) return std::nullopt;
        return Poly(between.constant() / it->second);
      }
    }
    return std::nullopt;
  }

  const Product& small_;
  const Product& large_;
  ElementType type_;
  Context& c_;
};

/// An array's number and one of its dimensions.
using ArrayDim = std::pair<std::size_t, std::size_t>;

/// Adds the array reads in a factor whose index in a dimension contains neither these ranges nor one bound inside the
/// factor.
void reads_of(const Factor& f, std::vector<AtomId> bound, const Context& c,
              std::vector<std::pair<ArrayDim, Poly>>& out) {
  if (f.kind == Factor::Kind::read) {
    for (std::size_t d = 0; d < f.indices.size(); ++d) {
      const Poly& index = f.indices[d];
      if (std::none_of(bound.begin(), bound.end(), [&](AtomId r) { return c.contains(index, r); }))
        out.emplace_back(ArrayDim{f.array, d}, index);
    }
  }
  for (const auto& ranges : f.ranges) bound.insert(bound.end(), ranges.begin(), ranges.end());
  for (const ExprPtr& e : f.args) {
    for (const Term& t : e->terms) {
      std::vector<AtomId> inside = bound;
      inside.insert(inside.end(), t.ranges.begin(), t.ranges.end());
      for (const Factor& g : t.factors) reads_of(g, inside, c, out);
    }
  }
}

/// Rewrites terms in terms of the array positions at which they read: x[r + s] with r below n becomes x[p] where 0 <= p
/// - s < n.
class ByPositions {
 public:
  explicit ByPositions(Context& c) : c_(c) {}

  /// Collects the array dimensions that the term reads through a range of its own.
  void find(const Term& t) {
    Term copy = t;
    by_ranges(copy, &ranged_);
  }

  /// Returns the rewritten term. `find` must have been called with all terms of both sides.
  Term written(Term t) {
    by_ranges(t, nullptr);
    // A dimension that other terms read through a range may be read at a single index here.
    std::vector<std::pair<ArrayDim, Poly>> reads;
    for (const Factor& f : t.factors) reads_of(f, {}, c_, reads);
    std::set<ArrayDim> seen;
    for (const auto& [place, index] : reads) {
      const Poly at = position(place);
      if (!ranged_.contains(place) || !seen.insert(place).second || index == at) continue;
      for (Factor& f : t.factors) f = reading(f, place, index, at);
      t.factors.push_back(at_least_zero(at - index));
      t.factors.push_back(at_least_zero(index - at));
    }
    return t;
  }

  [[nodiscard]] std::vector<AtomId> all() const {
    std::vector<AtomId> out;
    for (const auto& [place, at] : positions_) out.push_back(at);
    return out;
  }

 private:
  /// Returns the atom for the position in an array's dimension: an integer about which nothing is known.
  Poly position(const ArrayDim& place) {
    const auto it = positions_.find(place);
    if (it != positions_.end()) return Poly::atom(it->second);
    Factor f = applied(Symbol::library, ElementType::index);
    f.kind = Factor::Kind::opaque;
    f.record = "position " + std::to_string(place.first) + " " + std::to_string(place.second);
    const Poly out = c_.value(std::make_shared<Expr>(factor(std::move(f))));
    positions_[place] = out.terms().begin()->first[0];
    return out;
  }

  void by_ranges(Term& t, std::set<ArrayDim>* found) {
    std::vector<std::pair<ArrayDim, Poly>> reads;
    for (const Factor& f : t.factors) reads_of(f, {}, c_, reads);
    std::stable_sort(reads.begin(), reads.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::set<ArrayDim> seen;
    Substitution s;
    for (const auto& [place, given] : reads) {
      if (!seen.insert(place).second) continue;
      const Poly index = c_.substitute(given, s);
      const auto r = std::find_if(t.ranges.begin(), t.ranges.end(), [&](AtomId a) {
        const auto it = index.terms().find({a});
        return it != index.terms().end() && std::abs(it->second) == 1 &&
               !c_.contains(index - Poly(it->second) * Poly::atom(a), a);
      });
      if (r == t.ranges.end()) continue;
      if (found != nullptr) found->insert(place);
      const AtomId range = *r;
      const std::int64_t sign = index.terms().at({range});
      const Poly value = Poly(sign) * (position(place) - index + Poly(sign) * Poly::atom(range));
      t.ranges.erase(r);
      const Poly extent = c_.at(range).extent;
      const Substitution one{{range, value}};
      for (Factor& f : t.factors) f = substitute(f, one, c_);
      for (auto& [a, p] : s) p = c_.substitute(p, one);
      s[range] = value;
      t.factors.push_back(at_least_zero(value));
      t.factors.push_back(at_least_zero(extent - 1 - value));
    }
  }

  /// Returns the factor with reads at `index` in this dimension replaced by reads at the position `at`.
  Factor reading(const Factor& f, const ArrayDim& place, const Poly& index, const Poly& at) {
    Factor out = f;
    if (f.kind == Factor::Kind::read && f.array == place.first && f.indices[place.second] == index)
      out.indices[place.second] = at;
    for (ExprPtr& e : out.args) {
      Expr inner = *e;
      for (Term& t : inner.terms) {
        for (Factor& g : t.factors) g = reading(g, place, index, at);
      }
      e = std::make_shared<Expr>(std::move(inner));
    }
    return out;
  }

  Context& c_;
  std::set<ArrayDim> ranged_;
  std::map<ArrayDim, AtomId> positions_;
};

/// Removes the guards from the term's factors and returns them.
std::vector<Factor> extract_guards(Term& t) {
  std::vector<Factor> guards;
  std::vector<Factor> others;
  for (Factor& f : t.factors) (is_guard(f) ? guards : others).push_back(std::move(f));
  t.factors = std::move(others);
  return guards;
}

}  // namespace

bool Products::agree(const std::vector<Term>& left, const std::vector<Term>& right) {
  for (const Term& t : left) add(t, true);
  std::set<std::string> first;
  for (const auto& [key, product] : products_) first.insert(key);
  for (const Term& t : right) add(t, false);
  for (auto& [key, product] : products_) {
    if (first.contains(key)) continue;
    for (const std::string& large : first) {
      auto regions = Embedding(product, products_.at(large), type_, c_).run();
      if (!regions) continue;
      auto& into = products_.at(large).regions;
      into.insert(into.end(), regions->begin(), regions->end());
      product.regions.clear();
      break;
    }
  }
  return all_agree({});
}

bool Products::agree_by_positions(std::vector<Term> left, std::vector<Term> right) {
  ByPositions positions(c_);
  for (std::vector<Term>* side : {&left, &right}) {
    for (Term& t : *side) {
      merged(t);
      positions.find(t);
    }
  }
  for (const Term& t : left) add(positions.written(t), true);
  for (const Term& t : right) add(positions.written(t), false);
  return all_agree(positions.all());
}

bool Products::all_agree(const std::vector<AtomId>& positions) {
  if (overlap_ == Overlap::one) absorb(positions);
  return std::all_of(products_.begin(), products_.end(), [&](auto& p) {
    return prove::agree(std::move(p.second.regions), overlap_, positions, type_, c_);
  });
}

/// If a side has a product without ranges at all points, its occurrences of the same product over ranges add nothing,
/// so their counts are dropped (for Overlap::one).
void Products::absorb(const std::vector<AtomId>& positions) {
  for (const auto& [key, large] : products_) {
    if (!large.body.ranges.empty()) continue;
    const std::string text = product_text(large.body.factors, type_, c_);
    for (const auto side : {&Region::left, &Region::right}) {
      std::vector<Region> regions = {{0, 1, {}}};
      for (const Region& r : large.regions) {
        if (r.*side != 0) regions.push_back({1, 0, r.guards});
      }
      if (regions.size() == 1 || !prove::agree(std::move(regions), overlap_, positions, type_, c_)) continue;
      for (auto& [other, small] : products_) {
        if (small.body.ranges.empty() || product_text(small.body.factors, type_, c_) != text) continue;
        for (Region& r : small.regions) r.*side = 0;
      }
    }
  }
}

/// Merges pairs of ranges that are read only as the digits of one index.
void Products::merged(Term& t) {
  std::vector<Factor> guards = extract_guards(t);
  merge(t.ranges, t.factors, guards, c_);
  t.factors.insert(t.factors.end(), guards.begin(), guards.end());
}

void Products::add(Term body, bool is_left) {
  const std::int64_t count = overlap_ == Overlap::one ? 1 : body.coefficient;
  Region region{is_left ? count : 0, is_left ? 0 : count, extract_guards(body)};
  body.coefficient = 1;
  merge(body.ranges, body.factors, region.guards, c_);
  if (overlap_ == Overlap::one) drop_unread(body, region);
  const std::string key = named_key(body, c_);
  Product& product = products_.try_emplace(key, Product{body, {}}).first->second;
  Substitution names;
  for (std::size_t k = 0; k < body.ranges.size(); ++k) {
    if (body.ranges[k] != product.body.ranges[k]) names[body.ranges[k]] = Poly::atom(product.body.ranges[k]);
  }
  for (Factor& g : region.guards) g = substitute(g, names, c_);
  product.regions.push_back(std::move(region));
}

/// Drops ranges that nothing reads: for an idempotent monoid only whether the range is non-empty matters, which becomes
/// a guard.
void Products::drop_unread(Term& body, Region& region) {
  const auto reads = [&](AtomId r) { return [&, r](const Factor& f) { return contains(f, r, c_); }; };
  std::vector<AtomId> read;
  for (const AtomId r : body.ranges) {
    const bool is_read = std::any_of(body.factors.begin(), body.factors.end(), reads(r)) ||
                         std::any_of(region.guards.begin(), region.guards.end(), reads(r));
    if (is_read) {
      read.push_back(r);
    } else {
      region.guards.push_back(at_least_zero(c_.at(r).extent - 1));
    }
  }
  body.ranges = std::move(read);
}

}  // namespace partir::prove
