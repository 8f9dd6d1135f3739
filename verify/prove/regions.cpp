// Sums that differ in their guards alone: where pieces of a value are put side by side, each piece has guards of its
// own, and together they hold where the value is there. x[i - 1] where i >= 1, in two pieces, is
//
//   [i = 0][b >= 1] x[b m + i - 1] + [i >= 1] x[b m + i - 1]   =   [b m + i >= 1] x[b m + i - 1]
//
// since at each b and i as many terms count on the left as on the right. Ranges are cut where guards begin to hold.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "verify/prove/expr_detail.h"

namespace partir::prove {
namespace {

/// Guards that are counted, so many times, where all of them hold.
struct Region {
  std::int64_t count = 0;
  std::vector<Factor> guards;
};

std::string guard_text(const Factor& guard) {
  return (guard.kind == Factor::Kind::guard ? "g" : "e") + guard.indices[0].key();
}

/// The ranges that occur in an index.
void ranges_of(const Poly& p, const Context& c, std::set<AtomId>& out) {
  for (const auto& [m, coefficient] : p.terms()) {
    for (const AtomId a : m) {
      const Atom& atom = c.at(a);
      if (atom.kind == Atom::Kind::range) out.insert(a);
      if (atom.kind == Atom::Kind::div || atom.kind == Atom::Kind::min || atom.kind == Atom::Kind::max) {
        ranges_of(atom.a, c, out);
        ranges_of(atom.b, c, out);
      }
    }
  }
}

class Regions {
 public:
  Regions(ElementType type, Context& c) : type_(type), c_(c) {}

  /// Whether at each place as many count as are taken off.
  bool vanish(std::vector<Region> regions) {
    if (++steps_ > kMostSteps) return false;
    if (!settle(regions)) return true;
    if (std::all_of(regions.begin(), regions.end(), [](const Region& r) { return r.guards.empty(); })) return false;
    // What stands in all regions decides nothing between them, and comes last.
    const std::vector<Factor> deciding = differing(regions);
    std::set<AtomId> ranges;
    for (const Factor& g : deciding) ranges_of(g.indices[0], c_, ranges);
    for (const AtomId r : ranges) {
      Poly inner;
      if (under_division(deciding, r, inner)) return vanish(digits(regions, r, inner));
    }
    AtomId range;
    Poly place;
    if (cut(deciding, ranges, range, place)) {
      const Poly extent = c_.at(range).extent;
      return part(regions, range, 0, place) && part(regions, range, place, extent - place);
    }
    std::optional<AtomId> smallest;
    for (const AtomId r : ranges) {
      const Poly& extent = c_.at(r).extent;
      if (extent.is_constant() && (!smallest || extent.constant() < c_.at(*smallest).extent.constant())) smallest = r;
    }
    if (!smallest || c_.at(*smallest).extent.constant() > kMostPlaces) return false;
    const std::int64_t extent = c_.at(*smallest).extent.constant();
    for (std::int64_t k = 0; k < extent; ++k) {
      if (!part(regions, *smallest, k, 1)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostSteps = 20000;
  static constexpr std::int64_t kMostPlaces = 256;

  /// Guards that are decided, and regions that never count or that cancel, are dropped. False: none is left.
  bool settle(std::vector<Region>& regions) {
    std::map<std::set<std::string>, Region> kept;
    for (Region& r : regions) {
      std::map<std::string, Factor> guards;
      bool never = false;
      for (const Factor& given : r.guards) {
        const Factor g = settled(given, c_);
        const Holds h = holds(g, c_);
        never = never || h == Holds::never;
        if (h == Holds::unknown) guards.emplace(guard_text(g), g);
      }
      if (never) continue;
      std::set<std::string> texts;
      Region next;
      for (auto& [text, g] : guards) {
        texts.insert(text);
        next.guards.push_back(std::move(g));
      }
      Region& same = kept.try_emplace(std::move(texts), std::move(next)).first->second;
      same.count = plus(same.count, r.count, type_);
    }
    std::erase_if(kept, [](const auto& k) { return k.second.count == 0; });
    regions.clear();
    for (auto& [texts, r] : kept) regions.push_back(std::move(r));
    return !regions.empty();
  }

  /// Guards that do not stand in all regions; where there are none, all.
  static std::vector<Factor> differing(const std::vector<Region>& regions) {
    std::map<std::string, std::pair<Factor, std::size_t>> guards;
    for (const Region& r : regions) {
      for (const Factor& g : r.guards) ++guards.try_emplace(guard_text(g), g, 0).first->second.second;
    }
    const bool differ =
        std::any_of(guards.begin(), guards.end(), [&](const auto& g) { return g.second.second != regions.size(); });
    std::vector<Factor> out;
    for (auto& [text, g] : guards) {
      if (!differ || g.second != regions.size()) out.push_back(std::move(g.first));
    }
    return out;
  }

  bool under_division(const std::vector<Factor>& guards, AtomId r, Poly& inner) {
    return std::any_of(guards.begin(), guards.end(), [&](const Factor& g) { return divisor_of(g, r, c_, inner); });
  }

  std::vector<Region> with(std::vector<Region> regions, AtomId r, const Poly& value) {
    for (Region& region : regions) {
      for (Factor& g : region.guards) g = substitute(g, {{r, value}}, c_);
    }
    return regions;
  }

  std::vector<Region> digits(const std::vector<Region>& regions, AtomId r, const Poly& inner) {
    Poly outer;
    Context::divides(inner, c_.at(r).extent, outer);
    return with(regions, r, Poly::atom(c_.range(outer)) * inner + Poly::atom(c_.range(inner)));
  }

  /// A place at which a guard begins, or ends, to hold along a range.
  bool cut(const std::vector<Factor>& guards, const std::set<AtomId>& ranges, AtomId& range, Poly& place) {
    for (const Factor& g : guards) {
      for (const AtomId r : ranges) {
        const auto it = g.indices[0].terms().find({r});
        if (it == g.indices[0].terms().end() || std::abs(it->second) != 1) continue;
        const Poly rest = g.indices[0] - Poly(it->second) * Poly::atom(r);
        std::set<AtomId> others;
        ranges_of(rest, c_, others);
        if (!others.empty()) continue;  // its parts' sizes would depend on another
        const Poly extent = c_.at(r).extent;
        std::vector<Poly> places = {it->second > 0 ? Poly() - rest : rest + 1};
        if (g.kind == Factor::Kind::guard_eq) {
          const Poly value = it->second > 0 ? Poly() - rest : rest;
          places = {value, value + 1};
        }
        for (const Poly& p : places) {
          if (p.is_zero() || p == extent || !c_.non_negative(p) || !c_.non_negative(extent - p)) continue;
          range = r;
          place = p;
          return true;
        }
      }
    }
    return false;
  }

  /// The places of a range from `from` on, so many.
  bool part(const std::vector<Region>& regions, AtomId r, const Poly& from, const Poly& count) {
    if (c_.non_negative(Poly() - count)) return true;  // there are none
    const Poly at = count == Poly(1) ? from : from + Poly::atom(c_.range(count));
    std::vector<Region> there = with(regions, r, at);
    if (const auto size = size_above(count)) there = larger(there, size->first, size->second);
    return vanish(std::move(there));
  }

  /// A size S that is above k where there are S - k places and at least one: [C, 1] of C - 1.
  std::optional<std::pair<AtomId, std::int64_t>> size_above(const Poly& count) {
    if (c_.non_negative(count - 1)) return std::nullopt;
    for (const auto& [m, coefficient] : count.terms()) {
      if (m.size() != 1 || coefficient != 1 || c_.at(m[0]).kind != Atom::Kind::size) continue;
      const Poly rest = count - Poly::atom(m[0]);
      if (rest.is_constant() && rest.constant() < 0) return std::pair(m[0], -rest.constant());
    }
    return std::nullopt;
  }

  /// The same where a size is above k: another size and k.
  std::vector<Region> larger(std::vector<Region> regions, AtomId size, std::int64_t k) {
    Substitution s{{size, Poly::atom(c_.size("size " + std::to_string(c_.atoms()))) + k}};
    std::set<AtomId> ranges;
    for (const Region& region : regions) {
      for (const Factor& g : region.guards) ranges_of(g.indices[0], c_, ranges);
    }
    for (const AtomId r : ranges) {
      const Poly extent = c_.at(r).extent;
      if (c_.contains(extent, size)) s[r] = Poly::atom(c_.range(c_.substitute(extent, {{size, s.at(size)}})));
    }
    for (Region& region : regions) {
      for (Factor& g : region.guards) g = substitute(g, s, c_);
    }
    return regions;
  }

  ElementType type_;
  Context& c_;
  std::size_t steps_ = 0;
};

/// Terms that differ in their coefficients and guards: a product of factors, summed over ranges.
struct Product {
  Term body;
  std::vector<Region> regions;
};

/// The text of factors in which all ranges are named by themselves.
std::string product_text(const std::vector<Factor>& factors, ElementType type, Context& c) {
  return Expr{type, {{1, {}, factors}}}.key(c);
}

/// Sum over r below k of f(r + s) is that over R of f(R) where s <= R < s + k; and f(s) is that where R = s. Writes the
/// product that has such a part of another's range, or one place of it, as one over that range.
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
      r.guards.push_back(guard(Poly::atom(whole) - *start));
      r.guards.push_back(guard(*start + count - 1 - Poly::atom(whole)));
    }
    return out;
  }

  static Factor guard(const Poly& p) {
    Factor out;
    out.kind = Factor::Kind::guard;
    out.indices = {p};
    return out;
  }

  /// Where the part starts, by the first index that reads the range.
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

/// Adds the terms of one side, with their guards apart.
void add_products(const Expr& side, std::int64_t sign, std::map<std::string, Product>& products, Context& c) {
  for (const Term& t : side.terms) {
    Term body;
    body.ranges = t.ranges;
    Region region{times(t.coefficient, sign, side.type), {}};
    for (const Factor& f : t.factors) (is_guard(f) ? region.guards : body.factors).push_back(f);
    merge(body.ranges, body.factors, region.guards, c);
    const std::string key = named_key(body, c);
    Product& product = products.try_emplace(key, Product{body, {}}).first->second;
    Substitution names;
    for (std::size_t k = 0; k < body.ranges.size(); ++k) {
      if (body.ranges[k] != product.body.ranges[k]) names[body.ranges[k]] = Poly::atom(product.body.ranges[k]);
    }
    for (Factor& g : region.guards) g = substitute(g, names, c);
    product.regions.push_back(std::move(region));
  }
}

bool same_products(const Expr& a, const Expr& b, Context& c) {
  std::map<std::string, Product> products;
  add_products(a, 1, products, c);
  std::set<std::string> first;
  for (const auto& [key, product] : products) first.insert(key);
  add_products(b, -1, products, c);
  for (auto& [key, product] : products) {
    if (first.contains(key)) continue;
    for (const std::string& large : first) {
      auto regions = Embedding(product, products.at(large), a.type, c).run();
      if (!regions) continue;
      auto& into = products.at(large).regions;
      into.insert(into.end(), regions->begin(), regions->end());
      product.regions.clear();
      break;
    }
  }
  return std::all_of(products.begin(), products.end(),
                     [&](auto& p) { return Regions(a.type, c).vanish(std::move(p.second.regions)); });
}

// Where guards leave one place of a range alone, what is read there may not name the range. Few places are looked at
// one by one.
constexpr std::int64_t kFewPlaces = 16;
constexpr std::size_t kMostPlacedTerms = 4000;

/// The ranges of few places in a term's guards.
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

/// The sum with a term for each place of ranges of these extents.
Expr place_by_place(const Expr& e, const std::set<std::int64_t>& extents, Context& c) {
  Expr out{e.type, {}};
  std::vector<Term> open = e.terms;
  while (!open.empty()) {
    Term t = std::move(open.back());
    open.pop_back();
    const auto r = std::find_if(t.ranges.begin(), t.ranges.end(), [&](AtomId a) {
      return c.at(a).extent.is_constant() && extents.contains(c.at(a).extent.constant());
    });
    if (r == t.ranges.end()) {
      out.terms.push_back(std::move(t));
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
    if (open.size() + out.terms.size() > kMostPlacedTerms) throw GiveUp{"too many places of guards"};
  }
  return out;
}

}  // namespace

bool same_by_regions(const Expr& a, const Expr& b, Context& c) {
  if (a.type != b.type) return false;
  // What is found here is one step; its parts speak of sizes and places of their own.
  struct Apart {
    Context& c;
    Recorder* recorder;
    std::vector<Obligation>* obligations;
    explicit Apart(Context& of)
        : c(of), recorder(std::exchange(of.recorder, nullptr)), obligations(std::exchange(of.obligations, nullptr)) {}
    ~Apart() {
      c.recorder = recorder;
      c.obligations = obligations;
    }
  } const apart(c);
  if (same_products(a, b, c)) return true;
  std::set<AtomId> free;
  std::set<std::int64_t> summed;
  for (const Expr* e : {&a, &b}) {
    for (const Term& t : e->terms) {
      std::set<AtomId> few = few_places(t, c);
      for (const AtomId r : t.ranges) {
        if (few.erase(r) != 0) summed.insert(c.at(r).extent.constant());
      }
      free.insert(few.begin(), few.end());
    }
  }
  const Expr left = place_by_place(a, summed, c);
  const Expr right = place_by_place(b, summed, c);
  if (same_products(left, right, c)) return true;
  return std::any_of(free.begin(), free.end(), [&](AtomId r) {
    for (std::int64_t k = 0; k < c.at(r).extent.constant(); ++k) {
      const Substitution at{{r, Poly(k)}};
      if (!same_products(substitute(left, at, c), substitute(right, at, c), c)) return false;
    }
    return true;
  });
}

}  // namespace partir::prove
