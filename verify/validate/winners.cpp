// Positions of greatest elements (argmax, top_k). The position of the greatest element of a list, the first among equal
// ones, is a variable W with one value per member; the element selected by it is a case distinction on W:
//
//   argmax(x0, x1, x2)               W of [x0, x1, x2]:  0: 0,  1: 1,  2: 2
//
// The greatest of several greatest elements, with the payload selected along with each, is selected from the
// concatenated lists. So is the minimum over devices of "my position if my maximum is the global maximum, else a large
// number". Ranks above 0 are those of top_k and of sorts: the values of all ranks depend on the set of values only, and
// what rank k selects from the values themselves is the value of rank k.
#include <algorithm>
#include <set>

#include "verify/validate/algebra.h"

namespace partir::validate {

std::optional<Algebra::Precision> Algebra::joined(Precision a, Precision b) {
  if (a != 0 && b != 0 && a != b) return std::nullopt;
  return std::max(a, b);
}

Element Algebra::of_rank(std::int64_t rank, std::vector<Element> values, std::vector<Element> payloads,
                         Precision precision) {
  std::vector<Element> list;
  std::vector<Element> chosen;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (rank == 0 && values[k].is(Special::minus_infinity) && values.size() > 1) continue;
    const Element v = canonical(values[k]);
    // Among equal elements only the first counts.
    if (rank == 0 && std::find(list.begin(), list.end(), v) != list.end()) continue;
    list.push_back(v);
    chosen.push_back(payloads[k]);
  }
  if (list.empty()) return payloads.at(0);
  if (list.size() == 1) return chosen[0];
  Key k = key(record("winner"), list);  // a copy
  k.push_back(static_cast<std::uint64_t>(rank));
  k.push_back(precision);
  const VariableId v = variable_of(k, 0, static_cast<std::int64_t>(list.size()) - 1);
  winners_.try_emplace(v, Winner{rank, list, precision});
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p < chosen.size(); ++p) pieces.push_back({static_cast<std::int64_t>(p), chosen[p]});
  return join(v, std::move(pieces));
}

std::optional<Element> Algebra::at_greatest(std::vector<Element> values, std::vector<Element> payloads, bool least,
                                            Ties ties, ElementType type) {
  const Precision p = precision(values, type);
  return in_order_of_ties(std::move(values), std::move(payloads), least, ties, p);
}

std::optional<Element> Algebra::in_order_of_ties(std::vector<Element> values, std::vector<Element> payloads, bool least,
                                                 Ties ties, Precision precision) {
  for (Element& v : values) {
    if (may_be_nan(v)) return std::nullopt;
    if (v.is_cases()) {
      for (const Special s : {Special::minus_infinity, Special::plus_infinity}) {
        if (contains(v, s)) return std::nullopt;
      }
      v = canonical(v);
    }
    if (!least) continue;
    if (v.is(Special::plus_infinity))
      v = Element::special(Special::minus_infinity);
    else if (v.is(Special::minus_infinity))
      v = Element::special(Special::plus_infinity);
    else
      v = ring_.negate(canonical(v));
  }
  if (ties == Ties::last) {
    std::reverse(values.begin(), values.end());
    std::reverse(payloads.begin(), payloads.end());
  }
  if (ties == Ties::smallest) {
    // Sort by payload; the payloads' ranges must not overlap.
    struct Entry {
      std::int64_t low = 0;
      std::int64_t high = 0;
      std::size_t from = 0;
    };
    std::vector<Entry> order;
    const auto is_least = [](Element v) { return v.is(Special::minus_infinity); };
    const bool all_least = std::all_of(values.begin(), values.end(), is_least);
    for (std::size_t k = 0; k < payloads.size(); ++k) {
      if (is_least(values[k]) && !all_least) continue;  // never chosen
      const auto range = integer_range(payloads[k]);
      if (!range) return std::nullopt;
      order.push_back({range->low, range->high, k});
    }
    std::sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) { return a.low < b.low; });
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      if (order[k].high >= order[k + 1].low) return std::nullopt;
    }
    std::vector<Element> v;
    std::vector<Element> p;
    for (const Entry& e : order) {
      v.push_back(values[e.from]);
      p.push_back(payloads[e.from]);
    }
    values = std::move(v);
    payloads = std::move(p);
  }
  return of_rank(0, std::move(values), std::move(payloads), precision);
}

std::optional<Algebra::Bounds> Algebra::integer_range(Element e) const {
  if (e.is(Element::Kind::integer)) return Bounds{e.as_int(), e.as_int()};
  if (e.is(Element::Kind::linear)) {
    const Linear& l = linears_[e.index()];
    const Variable& v = variables_[l.variable];
    if (static_cast<Signed>(v.high) - v.low > 1'000'000) return std::nullopt;
    return Bounds{std::min(l.at(v.low), l.at(v.high)), std::max(l.at(v.low), l.at(v.high))};
  }
  if (!e.is(Element::Kind::node)) return std::nullopt;
  const Node& n = nodes_[e.index()];
  std::optional<Bounds> out;
  std::int64_t low = variables_[n.variable].low;
  for (const Piece& p : n.pieces) {
    std::optional<Bounds> own;
    if (p.value.is(Element::Kind::linear) && linears_[p.value.index()].variable == n.variable) {
      const Linear& l = linears_[p.value.index()];
      own = Bounds{std::min(l.at(low), l.at(p.upto)), std::max(l.at(low), l.at(p.upto))};
    } else {
      own = integer_range(p.value);
    }
    if (!own) return std::nullopt;
    out = out ? Bounds{std::min(out->low, own->low), std::max(out->high, own->high)} : *own;
    low = p.upto + 1;
  }
  return out;
}

bool Algebra::has_members(Element greatest, std::vector<Element> list) const {
  const auto it = members_.find(greatest);
  if (it == members_.end()) return list.size() == 1 && list[0] == greatest;
  std::sort(list.begin(), list.end(), ElementOrder());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  std::vector<Element> own = it->second;
  std::sort(own.begin(), own.end(), ElementOrder());
  return own == list;
}

std::optional<Element> Algebra::flattened(VariableId v, const std::vector<Piece>& pieces) {
  const auto it = winners_.find(v);
  if (it == winners_.end()) return std::nullopt;
  const Winner outer = it->second;
  const auto payload_at = [&](std::size_t p) {
    const auto at = static_cast<std::int64_t>(p);
    const auto piece =
        std::lower_bound(pieces.begin(), pieces.end(), at, [](const Piece& q, std::int64_t t) { return q.upto < t; });
    return restricted(piece->value, v, {at, at});
  };
  /// The winner variable of this rank, if the payload depends on it alone.
  const auto inner_of = [&](Element payload, std::int64_t rank) -> std::optional<VariableId> {
    const auto on = support(payload);
    if (on.size() != 1) return std::nullopt;
    const auto w = winners_.find(on[0]);
    if (w == winners_.end() || w->second.rank != rank) return std::nullopt;
    return on[0];
  };
  // What selects the values themselves, or their opposites, is the value of that rank.
  const auto chooses = [&](bool opposite) {
    for (std::size_t p = 0; p < outer.values.size(); ++p) {
      const Element payload = canonical(payload_at(p));
      if ((opposite ? ring_.negate(payload) : payload) != outer.values[p]) return false;
    }
    return true;
  };
  for (const bool opposite : {false, true}) {
    if (!chooses(opposite)) continue;
    const Element value = top_values(outer.values, outer.rank + 1).back();
    return opposite ? ring_.negate(canonical(value)) : value;
  }
  std::vector<Element> values;
  std::vector<Element> payloads;
  bool any = false;
  std::optional<Precision> precision = outer.precision;
  for (std::size_t p = 0; p < outer.values.size() && precision;) {
    const Element value = outer.values[p];
    const Element payload = payload_at(p);
    if (const auto top = tops_.find(value); top != tops_.end() && top->second.rank == 0) {
      // A run of consecutive ranks of one list, from 0, that all select payloads by the same rule.
      const std::vector<Element> list = top_lists_[top->second.list];
      std::vector<Element> rule;
      std::size_t count = 0;
      while (p + count < outer.values.size()) {
        const auto next = tops_.find(outer.values[p + count]);
        if (next == tops_.end() || next->second.rank != static_cast<std::int64_t>(count) ||
            next->second.list != top->second.list)
          break;
        const Element own = payload_at(p + count);
        const auto w = inner_of(own, static_cast<std::int64_t>(count));
        if (!w || winners_.at(*w).values != list) break;
        if (precision) precision = joined(*precision, winners_.at(*w).precision);
        std::vector<Element> chosen;
        for (std::size_t l = 0; l < list.size(); ++l)
          chosen.push_back(restricted(own, *w, {static_cast<std::int64_t>(l), static_cast<std::int64_t>(l)}));
        if (count == 0) rule = chosen;
        if (chosen != rule) break;
        ++count;
      }
      if (count > 0 && (static_cast<std::int64_t>(count) > outer.rank || count >= list.size())) {
        values.insert(values.end(), list.begin(), list.end());
        payloads.insert(payloads.end(), rule.begin(), rule.end());
        p += count;
        any = true;
        continue;
      }
    }
    if (const auto w = inner_of(payload, 0); w && outer.rank == 0 && has_members(value, winners_.at(*w).values)) {
      const std::vector<Element> list = winners_.at(*w).values;
      precision = joined(*precision, winners_.at(*w).precision);
      for (std::size_t l = 0; l < list.size(); ++l) {
        values.push_back(list[l]);
        payloads.push_back(restricted(payload, *w, {static_cast<std::int64_t>(l), static_cast<std::int64_t>(l)}));
      }
      any = true;
    } else if (members_.contains(value) || tops_.contains(value)) {
      return std::nullopt;
    } else {
      values.push_back(value);
      payloads.push_back(payload);
    }
    ++p;
  }
  if (!any || !precision) return std::nullopt;
  return of_rank(outer.rank, std::move(values), std::move(payloads), *precision);
}

Element Algebra::given(Element e, VariableId v, std::int64_t at) {
  if (!e.is(Element::Kind::node)) return restricted(e, v, {at, at});
  const Node n = nodes_[e.index()];
  if (n.variable == v) return restricted(e, v, {at, at});
  std::vector<Piece> pieces = n.pieces;
  for (Piece& p : pieces) p.value = given(p.value, v, at);
  return join(n.variable, std::move(pieces));
}

std::optional<Element> Algebra::least_of_marked(const std::vector<Element>& of) {
  std::optional<Element> all;
  std::optional<std::int64_t> large;
  std::vector<Element> values;
  std::vector<Element> payloads;
  std::vector<Element> covered;
  std::optional<Precision> precision = 0;
  std::optional<std::int64_t> bound;  // a known member, such as the initial value of the minimum
  for (const Element e : of) {
    if (!precision) return std::nullopt;
    if (e.is(Element::Kind::integer)) {
      bound = bound ? std::min(*bound, e.as_int()) : e.as_int();
      continue;
    }
    // One variable is the sign of (own maximum) - (global maximum); the payload depends on the other.
    std::optional<VariableId> sign;
    for (const VariableId v : support(e)) {
      if (!signs_.contains(v)) continue;
      if (sign) return std::nullopt;
      sign = v;
    }
    if (!sign) return std::nullopt;
    auto [x, y, own] = signs_.at(*sign);
    precision = joined(*precision, own);
    const auto size = [&](Element m) {
      const auto it = members_.find(m);
      return it == members_.end() ? std::size_t{1} : it->second.size();
    };
    if (size(x) > size(y)) std::swap(x, y);
    if (all && *all != y) return std::nullopt;
    all = y;
    const Variable range = variables_[*sign];
    for (std::int64_t s = range.low; s <= range.high; ++s) {
      if (s == 0) continue;
      const Element other = given(e, *sign, s);
      if (!other.is(Element::Kind::integer) || (large && *large != other.as_int())) return std::nullopt;
      large = other.as_int();
    }
    const Element payload = given(e, *sign, 0);
    const auto on = support(payload);
    if (on.empty()) {
      if (members_.contains(x)) return std::nullopt;
      values.push_back(x);
      payloads.push_back(payload);
      covered.push_back(x);
      continue;
    }
    if (on.size() != 1) return std::nullopt;
    const auto w = winners_.find(on[0]);
    if (w == winners_.end() || w->second.rank != 0) return std::nullopt;
    const std::vector<Element> list = w->second.values;
    if (precision) precision = joined(*precision, w->second.precision);
    if (!has_members(x, list)) return std::nullopt;
    for (std::size_t l = 0; l < list.size(); ++l) {
      values.push_back(list[l]);
      payloads.push_back(restricted(payload, on[0], {static_cast<std::int64_t>(l), static_cast<std::int64_t>(l)}));
      if (l > 0) {
        const auto before = integer_range(payloads[payloads.size() - 2]);
        const auto here = integer_range(payloads.back());
        if (!before || !here || before->high >= here->low) return std::nullopt;  // else a tie may differ
      }
      covered.push_back(list[l]);
    }
  }
  if (!precision || !all || !has_members(*all, covered)) return std::nullopt;
  for (const Element p : payloads) {
    const auto range = integer_range(p);
    if (!range || range->high >= *large || (bound && range->high > *bound)) return std::nullopt;
  }
  return in_order_of_ties(std::move(values), std::move(payloads), false, Ties::smallest, *precision);
}

std::vector<Element> Algebra::top_values(std::vector<Element> of, std::int64_t count) {
  // The first ranks of a list, in any order, represent the whole list if there are at least as many as requested.
  std::map<std::size_t, std::vector<bool>> ranks_of;  // by list: the ranks that occur
  for (const Element e : of) {
    const auto top = tops_.find(e);
    if (top == tops_.end()) continue;
    auto& ranks = ranks_of.try_emplace(top->second.list, top_lists_[top->second.list].size(), false).first->second;
    ranks[static_cast<std::size_t>(top->second.rank)] = true;
  }
  const auto is_whole = [&](const std::vector<bool>& ranks) {
    const auto first = std::find(ranks.begin(), ranks.end(), false) - ranks.begin();
    const auto all = std::count(ranks.begin(), ranks.end(), true);
    return first == all && (all >= count || static_cast<std::size_t>(all) == ranks.size());
  };
  std::vector<Element> list;
  for (const auto& [number, ranks] : ranks_of) {
    if (is_whole(ranks)) list.insert(list.end(), top_lists_[number].begin(), top_lists_[number].end());
  }
  std::set<std::pair<std::size_t, std::int64_t>> represented;
  for (const Element e : of) {
    const auto top = tops_.find(e);
    if (top == tops_.end() || !is_whole(ranks_of.at(top->second.list)) ||
        !represented.emplace(top->second.list, top->second.rank).second)
      list.push_back(e);
  }
  const auto in_order = [](std::vector<Element> v) {
    std::sort(v.begin(), v.end(), ElementOrder());
    return v;
  };
  std::vector<Element> opposites;
  for (const Element e : list) opposites.push_back(ring_.negate(canonical(e)));
  // Rank r of x is the opposite of rank n - 1 - r of -x; one of the two lists represents both.
  std::vector<Element> sorted = in_order(list);
  std::vector<Element> opposite = in_order(opposites);
  const bool turned =
      std::lexicographical_compare(opposite.begin(), opposite.end(), sorted.begin(), sorted.end(), ElementOrder());
  const Element whole = ring_.unknown(key(record("top"), turned ? opposite : sorted));
  const auto last = static_cast<std::int64_t>(list.size()) - 1;
  std::size_t number = top_lists_.size();
  top_lists_.push_back(list);
  std::vector<Element> out;
  for (std::int64_t rank = 0; rank < count; ++rank) {
    const std::int64_t named = turned ? last - rank : rank;
    Element e = rank == 0      ? extremum(ScalarFn::maximum, list, ElementType::f32)
                : rank == last ? extremum(ScalarFn::minimum, list, ElementType::f32)
                               : ring_.unknown({record("rank"), whole.lo, whole.hi, static_cast<std::uint64_t>(named)});
    if (turned && rank != 0 && rank != last) e = ring_.negate(e);
    out.push_back(e);
    if (last == 0) continue;
    const auto [it, fresh] = tops_.try_emplace(e, Top{rank, number});
    if (!fresh && rank == 0 && top_lists_[it->second.list] == list) number = it->second.list;
  }
  return out;
}

std::vector<Element> Algebra::carried(std::vector<Element> keys, const std::vector<Element>& payloads,
                                      std::int64_t count, bool least, ElementType type) {
  const Precision p = precision(keys, type);
  if (least) {
    for (Element& k : keys) k = ring_.negate(canonical(k));
  }
  std::vector<Element> out;
  for (std::int64_t rank = 0; rank < count; ++rank) out.push_back(of_rank(rank, keys, payloads, p));
  return out;
}

std::vector<Element> Algebra::top_places(std::vector<Element> of, std::int64_t count, ElementType of_type,
                                         ElementType type) {
  std::vector<Element> places;
  for (std::size_t k = 0; k < of.size(); ++k) places.push_back(from_index(static_cast<std::int64_t>(k), type));
  return carried(std::move(of), places, count, false, of_type);
}

}  // namespace partir::validate
