// Decides whether two sides count equally often at each point, by cutting ranges at the indices where guards begin to
// hold:
//
//   [i = 0][b >= 1]  and  [i >= 1]   together are   [b m + i >= 1]   for 0 <= b < n, 0 <= i < m
//
// At i = 0, the first and the last are equivalent to b m >= 1; from i = 1 on, the second and the last always hold.
#include "verify/prove/regions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "support/checked.h"

namespace partir::prove {
namespace {

std::string guard_text(const Factor& guard) {
  return (guard.kind == Factor::Kind::guard ? "g" : "e") + guard.indices[0].key();
}

/// Eliminates divisions from a bound: floor(a / b) + q >= 0 is a + q b >= 0, and q - floor(a / b) >= 0 is q b + b - 1 -
/// a >= 0.
Factor without_division(Factor guard, Context& c) {
  for (bool again = guard.kind == Factor::Kind::guard; again;) {
    again = false;
    const Poly p = guard.indices[0];
    for (const auto& [m, coefficient] : p.terms()) {
      if (m.size() != 1 || std::abs(coefficient) != 1 || c.at(m[0]).kind != Atom::Kind::div) continue;
      const Atom atom = c.at(m[0]);
      const Poly q = p - Poly(coefficient) * Poly::atom(m[0]);
      if (c.contains(q, m[0]) || !c.non_negative(atom.b - 1)) continue;
      guard.indices[0] = coefficient > 0 ? atom.a + q * atom.b : q * atom.b + atom.b - 1 - atom.a;
      again = true;
      break;
    }
  }
  return guard;
}

class Regions {
 public:
  Regions(Overlap overlap, ElementType type, Context& c) : overlap_(overlap), type_(type), c_(c) {}

  /// True if both sides are found to count equally often at every point. Simplifies the regions, then splits one range
  /// or size by a guard that differs between regions and recurses.
  bool agree(std::vector<Region> regions) {
    if (++steps_ > kMostSteps) return false;
    if (!settle(regions)) return true;
    if (std::all_of(regions.begin(), regions.end(), [](const Region& r) { return r.guards.empty(); })) return false;
    // Guards common to all regions do not distinguish them, so they are used last.
    const std::vector<Factor> deciding = differing(regions);
    std::set<AtomId> ranges;
    for (const Factor& g : deciding) ranges_of(g.indices[0], c_, ranges);
    for (const AtomId r : ranges) {
      Poly inner;
      if (under_division(deciding, r, inner)) return agree(digits(regions, r, inner));
    }
    AtomId range;
    Poly place;
    if (cut(deciding, ranges, false, range, place)) return in_parts(regions, range, place);
    for (const Factor& g : deciding) {
      if (const auto size = bound_of_size(g)) return by_size(regions, size->first, size->second);
    }
    std::optional<AtomId> smallest;
    for (const AtomId r : ranges) {
      const Poly& extent = c_.at(r).extent;
      if (extent.is_constant() && (!smallest || extent.constant() < c_.at(*smallest).extent.constant())) smallest = r;
    }
    if (smallest && c_.at(*smallest).extent.constant() <= kMostPlaces) {
      const std::int64_t extent = c_.at(*smallest).extent.constant();
      for (std::int64_t k = 0; k < extent; ++k) {
        if (!part(regions, *smallest, k, 1)) return false;
      }
      return true;
    }
    return cut(deciding, ranges, true, range, place) && in_parts(regions, range, place);
  }

  /// Replaces each position, an integer of any sign, by a range from its least to its greatest value at which a region
  /// can hold. Returns nothing if such bounds are not found.
  std::optional<std::vector<Region>> bounded(std::vector<Region> regions, const std::vector<AtomId>& positions) {
    for (Region& r : regions) {
      for (Factor& g : r.guards) g = without_division(g, c_);
    }
    for (const AtomId at : positions) {
      const std::vector<Factor> deciding = differing(regions);
      if (std::none_of(deciding.begin(), deciding.end(),
                       [&](const Factor& g) { return c_.contains(g.indices[0], at); }))
        continue;
      const auto least = common_bound(regions, at, positions, true);
      const auto greatest = common_bound(regions, at, positions, false);
      if (!least || !greatest) return std::nullopt;
      const Poly count = *greatest - *least + 1;
      if (!c_.non_negative(count)) return std::nullopt;
      regions = with(std::move(regions), at, *least + Poly::atom(c_.range(count)));
    }
    return regions;
  }

 private:
  static constexpr std::size_t kMostSteps = 20000;
  static constexpr std::int64_t kMostPlaces = 256;
  static constexpr std::int64_t kMostSizes = 8;

  /// Drops guards that always hold, and regions that never count or on which both sides agree; unites regions with the
  /// same guards. Returns false if nothing is left to decide: both sides agree.
  bool settle(std::vector<Region>& regions) {
    std::map<std::set<std::string>, Region> kept;
    for (Region& r : regions) {
      std::map<std::string, Factor> guards;
      bool never = r.left == 0 && r.right == 0;
      for (const Factor& given : r.guards) {
        const Factor g = tightened(given, c_);
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
      same.left = combined_count(same.left, r.left);
      same.right = combined_count(same.right, r.right);
    }
    if (overlap_ == Overlap::one) absorb(kept);
    const auto decides_nothing = [&](const auto& k) {
      const Region& r = k.second;
      return overlap_ == Overlap::one ? r.left == r.right : plus(r.left, times(r.right, -1, type_), type_) == 0;
    };
    // With Overlap::one, a region in which both sides count may still cover a region in which only one does, so it is
    // kept.
    if (overlap_ == Overlap::sum) std::erase_if(kept, decides_nothing);
    if (std::all_of(kept.begin(), kept.end(), decides_nothing)) return false;
    regions.clear();
    for (auto& [texts, r] : kept) regions.push_back(std::move(r));
    return true;
  }

  [[nodiscard]] std::int64_t combined_count(std::int64_t a, std::int64_t b) const {
    return overlap_ == Overlap::one ? std::max(a, b) : plus(a, b, type_);
  }

  /// A side that counts in a region gains nothing from a smaller one (with more guards), so its count there is dropped.
  static void absorb(std::map<std::set<std::string>, Region>& regions) {
    for (const auto& [few, large] : regions) {
      for (auto& [more, small] : regions) {
        if (more.size() <= few.size() || !std::includes(more.begin(), more.end(), few.begin(), few.end())) continue;
        if (large.left != 0) small.left = 0;
        if (large.right != 0) small.right = 0;
      }
    }
    std::erase_if(regions, [](const auto& r) { return r.second.left == 0 && r.second.right == 0; });
  }

  /// Returns the guards that are not common to all regions; if all guards are common, returns all of them.
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

  /// Substitutes a value for an index. Ranges whose extents depend on it are replaced by ranges with the new extents.
  std::vector<Region> with(std::vector<Region> regions, AtomId index, const Poly& value) {
    Substitution s{{index, value}};
    std::set<AtomId> ranges;
    for (const Region& region : regions) {
      for (const Factor& g : region.guards) ranges_of(g.indices[0], c_, ranges);
    }
    for (bool again = true; again;) {
      again = false;
      for (const AtomId r : ranges) {
        const Poly extent = c_.at(r).extent;
        const auto depends = [&](const auto& changed) { return c_.contains(extent, changed.first); };
        if (s.contains(r) || std::none_of(s.begin(), s.end(), depends)) continue;
        s[r] = Poly::atom(c_.range(c_.substitute(extent, s)));
        again = true;
      }
    }
    for (Region& region : regions) {
      for (Factor& g : region.guards) g = substitute(g, s, c_);
    }
    return regions;
  }

  std::vector<Region> digits(const std::vector<Region>& regions, AtomId r, const Poly& inner) {
    Poly outer;
    Context::divides(inner, c_.at(r).extent, outer);
    return with(regions, r, Poly::atom(c_.range(outer)) * inner + Poly::atom(c_.range(inner)));
  }

  /// Finds an index at which a guard begins or ceases to hold along a range. `depending`: it may depend on other
  /// ranges.
  bool cut(const std::vector<Factor>& guards, const std::set<AtomId>& ranges, bool depending, AtomId& range,
           Poly& place) {
    for (const Factor& g : guards) {
      for (const AtomId r : ranges) {
        const auto it = g.indices[0].terms().find({r});
        if (it == g.indices[0].terms().end() || std::abs(it->second) != 1) continue;
        const Poly rest = g.indices[0] - Poly(it->second) * Poly::atom(r);
        std::set<AtomId> others;
        ranges_of(rest, c_, others);
        if (depending ? others.contains(r) : !others.empty()) continue;
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

  bool in_parts(const std::vector<Region>& regions, AtomId range, const Poly& place) {
    return part(regions, range, 0, place) && part(regions, range, place, c_.at(range).extent - place);
  }

  /// Decides the regions on `count` indices of a range from `from` on.
  bool part(const std::vector<Region>& regions, AtomId r, const Poly& from, const Poly& count) {
    if (c_.non_negative(Poly() - count)) return true;  // the part is empty
    const Poly at = count == Poly(1) ? from : from + Poly::atom(c_.range(count));
    std::vector<Region> there = with(regions, r, at);
    if (const auto size = size_above(count))
      there =
          with(std::move(there), size->first, Poly::atom(c_.size("size " + std::to_string(c_.atoms()))) + size->second);
    return agree(std::move(there));
  }

  /// If the guard states whether a size S is at least a small k (or at most k - 1), returns S and k.
  std::optional<std::pair<AtomId, std::int64_t>> bound_of_size(const Factor& guard) const {
    const auto& terms = guard.indices[0].terms();
    if (guard.kind != Factor::Kind::guard || terms.size() != 2 || terms.rbegin()->first.size() != 1)
      return std::nullopt;
    const AtomId size = terms.rbegin()->first[0];
    const std::int64_t sign = terms.rbegin()->second;
    if (c_.at(size).kind != Atom::Kind::size || std::abs(sign) != 1) return std::nullopt;
    const std::int64_t constant = guard.indices[0].constant();
    const std::int64_t least = sign > 0 ? -constant : constant + 1;
    if (least < 2 || least > kMostSizes) return std::nullopt;
    return std::pair(size, least);
  }

  /// Decides the regions at each size below k, and at k or more.
  bool by_size(const std::vector<Region>& regions, AtomId size, std::int64_t k) {
    for (std::int64_t value = 1; value < k; ++value) {
      if (!agree(with(regions, size, value))) return false;
    }
    return agree(with(regions, size, Poly::atom(c_.size("size " + std::to_string(c_.atoms()))) + (k - 1)));
  }

  /// If a non-empty part has S - k indices for a size S, then S is above k: returns S and k.
  std::optional<std::pair<AtomId, std::int64_t>> size_above(const Poly& count) {
    if (c_.non_negative(count - 1)) return std::nullopt;
    for (const auto& [m, coefficient] : count.terms()) {
      if (m.size() != 1 || coefficient != 1 || c_.at(m[0]).kind != Atom::Kind::size) continue;
      const Poly rest = count - Poly::atom(m[0]);
      if (rest.is_constant() && rest.constant() < 0) return std::pair(m[0], -rest.constant());
    }
    return std::nullopt;
  }

  /// Finds a bound of a position, lower (`least`) or upper, that some guard states and that every region implies.
  std::optional<Poly> common_bound(const std::vector<Region>& regions, AtomId at, const std::vector<AtomId>& positions,
                                   bool least) {
    const std::int64_t sign = least ? 1 : -1;
    std::vector<std::vector<Poly>> bounds;  // by region
    for (const Region& r : regions) {
      bounds.emplace_back();
      for (const Factor& g : r.guards) {
        const auto it = g.indices[0].terms().find({at});
        if (g.kind != Factor::Kind::guard || it == g.indices[0].terms().end() || it->second != sign) continue;
        const Poly rest = Poly(-sign) * (g.indices[0] - Poly(sign) * Poly::atom(at));
        if (std::none_of(positions.begin(), positions.end(), [&](AtomId p) { return c_.contains(rest, p); }))
          bounds.back().push_back(rest);
      }
    }
    const auto keeps = [&](const std::vector<Poly>& of_region, const Poly& p) {
      return std::any_of(of_region.begin(), of_region.end(),
                         [&](const Poly& bound) { return c_.non_negative(Poly(sign) * (bound - p)); });
    };
    for (const auto& of_region : bounds) {
      for (const Poly& p : of_region) {
        if (std::all_of(bounds.begin(), bounds.end(), [&](const auto& other) { return keeps(other, p); })) return p;
      }
    }
    return std::nullopt;
  }

  Overlap overlap_;
  ElementType type_;
  Context& c_;
  std::size_t steps_ = 0;
};

}  // namespace

Factor tightened(Factor guard, Context& c) {
  guard = settled(std::move(guard), c);
  const Poly& p = guard.indices[0];
  std::int64_t common = 0;
  for (const auto& [m, coefficient] : p.terms()) {
    if (!m.empty()) common = std::gcd(common, coefficient);
  }
  if (guard.kind != Factor::Kind::guard || common < 2) return guard;
  Poly out(floor_divide(p.constant(), common));
  for (const auto& [m, coefficient] : p.terms()) {
    if (m.empty()) continue;
    Poly product(coefficient / common);
    for (const AtomId a : m) product = product * Poly::atom(a);
    out = out + product;
  }
  guard.indices[0] = std::move(out);
  return guard;
}

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

bool agree(std::vector<Region> regions, Overlap overlap, const std::vector<AtomId>& positions, ElementType type,
           Context& c) {
  Regions both(overlap, type, c);
  if (positions.empty()) return both.agree(std::move(regions));
  auto there = both.bounded(std::move(regions), positions);
  return there && both.agree(std::move(*there));
}

}  // namespace partir::prove
