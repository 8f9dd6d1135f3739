// Sums that differ in their guards alone: where pieces of a value are put side by side, each piece has guards of its own,
// and together they hold where the value is there. x[i - 1] where i >= 1, in two pieces, is
//
//   [i = 0][b >= 1] x[b m + i - 1] + [i >= 1] x[b m + i - 1]   =   [b m + i >= 1] x[b m + i - 1]
//
// since at each b and i as many terms count on the left as on the right. Ranges are cut where guards begin to hold.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "verify/prove/expr_detail.h"

namespace partir::prove {
namespace {

/// Guards that are counted, so many times, where all of them hold.
struct Region {
  std::int64_t count = 0;
  std::vector<Factor> guards;
};

std::string text_of(const Factor& guard) {
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
        if (h == Holds::unknown) guards.emplace(text_of(g), g);
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
      for (const Factor& g : r.guards) ++guards.try_emplace(text_of(g), g, 0).first->second.second;
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
        if (c_.contains(rest, r)) continue;
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
    return vanish(with(regions, r, count == Poly(1) ? from : from + Poly::atom(c_.range(count))));
  }

  ElementType type_;
  Context& c_;
  std::size_t steps_ = 0;
};

}  // namespace

bool same_by_regions(const Expr& a, const Expr& b, Context& c) {
  struct Product {
    std::vector<AtomId> ranges;
    std::vector<Region> regions;
  };
  if (a.type != b.type) return false;
  std::map<std::string, Product> products;
  for (const auto& [side, sign] : {std::pair(&a, 1), std::pair(&b, -1)}) {
    for (const Term& t : side->terms) {
      Term product;
      product.ranges = t.ranges;
      Region region{times(t.coefficient, sign, a.type), {}};
      for (const Factor& f : t.factors) (is_guard(f) ? region.guards : product.factors).push_back(f);
      merge(product.ranges, product.factors, region.guards, c);
      const std::string key = named_key(product, c);
      const auto [it, fresh] = products.try_emplace(key, Product{product.ranges, {}});
      if (!fresh) {
        Substitution names;
        for (std::size_t k = 0; k < product.ranges.size(); ++k) {
          if (product.ranges[k] != it->second.ranges[k]) names[product.ranges[k]] = Poly::atom(it->second.ranges[k]);
        }
        for (Factor& g : region.guards) g = substitute(g, names, c);
      }
      it->second.regions.push_back(std::move(region));
    }
  }
  return std::all_of(products.begin(), products.end(),
                     [&](auto& p) { return Regions(a.type, c).vanish(std::move(p.second.regions)); });
}

}  // namespace partir::prove
