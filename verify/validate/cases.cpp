// Case distinctions: elements whose value depends on an integer variable, as a decision diagram over ordered variables.
//
//   select(x < y, a, b)       on the variable s = sign(x - y):  s <= -1: a,  s <= 1: b
//   table[clamp(id, 0, 2)]    on the variable id:  id <= 0: table[0],  id <= 1: table[1],  else table[2]
//
// The canonical element of a case distinction f on v is linear in unknowns R_t that represent max(v - t, 0):
//   f(low) + (f(low + 1) - f(low)) R_low + sum over t of (f(t + 1) - 2 f(t) + f(t - 1)) R_t
// Only points where f's slope changes contribute, so its length is that of f in pieces, and it depends only on the
// function f.
#include <algorithm>
#include <utility>

#include "support/check.h"
#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostPieces = 4096;             ///< of one case distinction
constexpr std::int64_t kMostPoints = 64;              ///< of an interval that is evaluated point by point
constexpr int kMostDepth = 64;                        ///< of nested variables
constexpr std::size_t kMostJoined = 1'000'000;        ///< pieces that one function of cases may join
constexpr std::size_t kMostPiecesInAll = 30'000'000;  ///< of all case distinctions together, for the memory's sake

}  // namespace

Element Algebra::linear(Linear l) {
  if (l.slope == 0) return Element::integer(l.offset);
  const Variable& v = variables_[l.variable];
  if (v.low == v.high) return Element::integer(l.at(v.low));
  const auto [it, fresh] = linear_numbers_.try_emplace(l, linears_.size());
  if (fresh) linears_.push_back(l);
  return Element::of(Element::Kind::linear, it->second);
}

Element Algebra::node(VariableId v, std::vector<Piece> pieces) {
  spend(pieces.size());
  if (differences_.contains(v)) {
    std::int64_t from = -1;
    for (Piece& p : pieces) {
      p.value = implied(p.value, v, {from, p.upto});
      from = p.upto + 1;
    }
  }
  std::vector<Piece> merged;
  std::int64_t low = variables_[v].low;
  for (Piece& p : pieces) {
    if (low == p.upto && p.value.is(Element::Kind::linear)) p.value = restricted(p.value, v, {low, low});
    if (!merged.empty() && merged.back().value == p.value) {
      merged.back().upto = p.upto;
    } else {
      merged.push_back(p);
    }
    low = p.upto + 1;
  }
  PARTIR_CHECK(!merged.empty() && merged.back().upto == variables_[v].high, "cases that leave values out");
  if (merged.size() == 1) return merged[0].value;
  // x for d < 0 and d > 0, and for d = 0 what then equals x:  select(x = 0, 0, x) is x
  if (const auto d = differences_.find(v); d != differences_.end() && merged.size() == 3 && !by_bits()) {
    const Element x = merged[0].value;
    if (x == merged[2].value && is_multiple(ring_.subtract(canonical(x), canonical(merged[1].value)), d->second.value))
      return x;
  }
  if (const Variable& of = variables_[v]; of.low == 0 && of.high == 1 && merged[0].value.is(Element::Kind::integer) &&
                                          merged[1].value.is(Element::Kind::integer)) {
    const std::int64_t slope = merged[1].value.as_int() - merged[0].value.as_int();  // two values always lie on a line
    if (slope == 1 || slope == -1) return linear({v, slope, merged[0].value.as_int()});
  }
  Key content = {v};
  for (const Piece& p : merged) {
    content.push_back(static_cast<std::uint64_t>(p.upto));
    content.push_back(p.value.lo);
    content.push_back(p.value.hi);
  }
  const auto [it, fresh] = node_numbers_.try_emplace(std::move(content), nodes_.size());
  if (fresh) {
    std::vector<VariableId> all = {v};
    for (const Piece& p : merged) {
      const auto more = support(p.value);
      all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    pieces_ += merged.size();
    if (pieces_ > kMostPiecesInAll) throw Unknown{"more cases than are followed"};
    nodes_.push_back({v, std::move(merged)});
    supports_.push_back(std::move(all));
  }
  return Element::of(Element::Kind::node, it->second);
}

std::vector<VariableId> Algebra::support(Element e) const {
  if (e.is(Element::Kind::node)) return supports_[e.index()];
  if (e.is(Element::Kind::linear)) return {linears_[e.index()].variable};
  return {};
}

Element Algebra::join(VariableId v, std::vector<Piece> pieces) {
  spend(pieces.size());
  if (joined_ && (*joined_ += pieces.size()) > kMostJoined) throw TooManyCases{{"more cases than are followed"}};
  if (winners_.contains(v)) {
    if (auto out = flattened(v, pieces)) return *out;
  }
  std::optional<VariableId> above;
  bool again = false;
  for (const Piece& p : pieces) {
    if (!p.value.is_cases()) continue;
    const auto top = top_variable(p.value);
    if (*top == v) again = again || p.value.is(Element::Kind::node);
    if (*top < v && (!above || *top < *above)) above = top;
  }
  if (!above && !again) return node(v, std::move(pieces));
  if (above) {
    std::vector<std::int64_t> cuts = {variables_[*above].high};
    for (const Piece& p : pieces) cut_points(p.value, *above, cuts);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Piece> outer;
    std::int64_t low = variables_[*above].low;
    for (const std::int64_t high : cuts) {
      std::vector<Piece> inner = pieces;
      for (Piece& p : inner) {
        p.value = restricted(p.value, *above, {low, high});
        // A piece that is linear in the outer variable cannot be a piece of a node on `v`: use its canonical element.
        if (p.value.is(Element::Kind::linear) && linears_[p.value.index()].variable == *above)
          p.value = canonical(p.value);
      }
      outer.push_back({high, join(v, std::move(inner))});
      if (high == variables_[*above].high) break;
      low = high + 1;
    }
    return join(*above, std::move(outer));
  }
  std::vector<Piece> flat;
  std::int64_t low = variables_[v].low;
  for (const Piece& p : pieces) {
    if (p.value.is(Element::Kind::node) && nodes_[p.value.index()].variable == v) {
      for (const Piece& q : nodes_[p.value.index()].pieces) {
        if (q.upto < low) continue;
        flat.push_back({std::min(q.upto, p.upto), q.value});
        if (q.upto >= p.upto) break;
      }
    } else {
      flat.push_back(p);
    }
    low = p.upto + 1;
  }
  return join(v, std::move(flat));
}

std::optional<VariableId> Algebra::top_variable(Element e) const {
  if (e.is(Element::Kind::node)) return nodes_[e.index()].variable;
  if (e.is(Element::Kind::linear)) return linears_[e.index()].variable;
  return std::nullopt;
}

Element Algebra::restricted(Element e, VariableId v, Interval in) const {
  if (e.is(Element::Kind::node) && nodes_[e.index()].variable == v) {
    for (const Piece& p : nodes_[e.index()].pieces) {
      if (in.low <= p.upto) {
        e = p.value;
        break;
      }
    }
  }
  if (e.is(Element::Kind::linear) && in.low == in.high) {
    const Linear& l = linears_[e.index()];
    if (l.variable == v) return Element::integer(l.at(in.low));
  }
  return e;
}

void Algebra::cut_points(Element e, VariableId v, std::vector<std::int64_t>& out) const {
  if (!e.is(Element::Kind::node) || nodes_[e.index()].variable != v) return;
  for (const Piece& p : nodes_[e.index()].pieces) out.push_back(p.upto);
}

Condition Algebra::is_true(Element condition) {
  if (condition.is(Element::Kind::linear)) {
    const Linear& l = linears_[condition.index()];
    if (l.slope == 1 || l.slope == -1) {
      const auto value = static_cast<std::int64_t>(l.slope * (1 - static_cast<Signed>(l.offset)));
      return {as_element(l.variable), value, value};
    }
  }
  return {canonical(condition), 1, 1};
}

std::optional<Element> Algebra::split(std::span<const Element> args, const Leaf& leaf, ScalarFn fn, ElementType in,
                                      ElementType type, bool has_fn, int depth) {
  if (depth == 0) {
    struct Count {  // begins at 0, and is as before at the end
      std::optional<std::size_t>& of;
      std::optional<std::size_t> outside = std::exchange(of, 0);
      ~Count() { of = outside; }
    } count{joined_};
    return split(args, leaf, fn, in, type, has_fn, 1);
  }
  std::optional<VariableId> v;
  for (const Element e : args) {
    const auto top = top_variable(e);
    if (top && (!v || *top < *v)) v = top;
  }
  if (!v) return leaf(args);
  if (depth > kMostDepth) return std::nullopt;
  std::vector<std::int64_t> cuts = {variables_[*v].high};
  for (const Element e : args) cut_points(e, *v, cuts);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Piece> pieces;
  std::vector<Element> inner(args.size());
  const auto at = [&](Interval i) -> std::optional<Element> {
    for (std::size_t k = 0; k < args.size(); ++k) inner[k] = restricted(args[k], *v, i);
    const std::vector<Element> held = inner;  // a copy, as `inner` is reused below
    struct Entered {
      PathCondition& path;
      std::size_t before = path.size();
      ~Entered() { path.resize(before); }
    } entered{path_};
    if (i.low > variables_[*v].low || i.high < variables_[*v].high) path_.push_back({as_element(*v), i.low, i.high});
    return split(held, leaf, fn, in, type, has_fn, depth + 1);
  };
  std::int64_t low = variables_[*v].low;
  for (const std::int64_t high : cuts) {
    if (pieces.size() > kMostPieces) return std::nullopt;
    spend(args.size());
    for (std::size_t k = 0; k < args.size(); ++k) inner[k] = restricted(args[k], *v, {low, high});
    const bool free = std::none_of(inner.begin(), inner.end(), [&](Element e) {
      return e.is(Element::Kind::linear) && linears_[e.index()].variable == *v;
    });
    const auto count = static_cast<Wide>(static_cast<Signed>(high) - low) + 1;
    if (free) {
      const auto value = at({low, high});
      if (!value) return std::nullopt;
      pieces.push_back({high, *value});
    } else if (std::vector<Piece> own; has_fn && linear_case(fn, in, type, *v, {low, high}, inner, own)) {
      pieces.insert(pieces.end(), own.begin(), own.end());
    } else if (count <= static_cast<Wide>(kMostPoints)) {
      for (std::int64_t p = low;; ++p) {
        const auto value = at({p, p});
        if (!value) return std::nullopt;
        pieces.push_back({p, *value});
        if (p == high) break;
      }
    } else {
      return std::nullopt;
    }
    if (high == variables_[*v].high) break;
    low = high + 1;
  }
  return join(*v, std::move(pieces));
}

std::optional<Element> Algebra::by_cases(std::span<const Element> args, const Leaf& leaf) {
  return split(args, leaf, ScalarFn::select, ElementType::f32, ElementType::f32, false, 0);
}

std::optional<Element> Algebra::by_index(Element index, std::int64_t limit,
                                         const std::function<Element(std::int64_t)>& leaf) {
  const Element poison = Element::special(Special::poison);
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < limit ? leaf(i) : poison; };
  if (index.is(Element::Kind::integer)) return inside(index.as_int());
  const auto of_linear = [&](const Linear& l, Interval i, std::vector<Piece>& out) {
    // The interval of v in which 0 <= slope v + offset < limit.
    Signed first = i.low;
    Signed last = i.high;
    const auto floor_div = [](Signed a, Signed b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); };
    const auto ceil_div = [&](Signed a, Signed b) { return -floor_div(-a, b); };
    const Signed low = -static_cast<Signed>(l.offset);
    const Signed high = static_cast<Signed>(limit) - 1 - l.offset;
    if (l.slope > 0) {
      first = std::max(first, ceil_div(low, l.slope));
      last = std::min(last, floor_div(high, l.slope));
    } else {
      first = std::max(first, ceil_div(high, l.slope));
      last = std::min(last, floor_div(low, l.slope));
    }
    if (first > last) {
      out.push_back({i.high, poison});
      return true;
    }
    if (last - first > static_cast<Signed>(kMostPieces)) return false;
    if (first > i.low) out.push_back({static_cast<std::int64_t>(first - 1), poison});
    for (auto p = static_cast<std::int64_t>(first); p <= static_cast<std::int64_t>(last); ++p)
      out.push_back({p, inside(l.at(p))});
    if (last < i.high) out.push_back({i.high, poison});
    return true;
  };
  std::vector<Piece> pieces;
  if (index.is(Element::Kind::linear)) {
    const Linear l = linears_[index.index()];
    const Variable v = variables_[l.variable];
    if (!of_linear(l, {v.low, v.high}, pieces)) return std::nullopt;
    return join(l.variable, std::move(pieces));
  }
  if (!index.is(Element::Kind::node)) return std::nullopt;
  const Node n = nodes_[index.index()];
  std::int64_t low = variables_[n.variable].low;
  for (const Piece& p : n.pieces) {
    if (p.value.is(Element::Kind::linear) && linears_[p.value.index()].variable == n.variable) {
      if (!of_linear(linears_[p.value.index()], {low, p.upto}, pieces)) return std::nullopt;
    } else {
      const auto value = by_index(p.value, limit, leaf);
      if (!value) return std::nullopt;
      pieces.push_back({p.upto, *value});
    }
    low = p.upto + 1;
  }
  return join(n.variable, std::move(pieces));
}

Element Algebra::value_at(const std::vector<Piece>& pieces, VariableId v, std::int64_t at) {
  const auto it =
      std::lower_bound(pieces.begin(), pieces.end(), at, [](const Piece& p, std::int64_t t) { return p.upto < t; });
  return canonical(restricted(it->value, v, {at, at}));
}

Element Algebra::collapsed(Element e) {
  const bool is_node = e.is(Element::Kind::node);
  if (is_node) {
    if (const auto it = collapsed_nodes_.find(e.lo); it != collapsed_nodes_.end()) return it->second;
    if (!by_bits() && contains_special(e)) {
      if (const auto of = number_or_nan(e); of && of->number)
        return collapsed_nodes_[e.lo] = or_nan(*of->number, of->where);
    }
  }
  const VariableId v = *top_variable(e);
  const Variable of = variables_[v];
  const std::vector<Piece> pieces = is_node ? nodes_[e.index()].pieces : std::vector<Piece>{{of.high, e}};
  const Element first = value_at(pieces, v, of.low);
  Element out = first;
  if (is_node && differences_.contains(v) && !by_bits()) {
    out = by_sign(restricted(e, v, {-1, -1}), restricted(e, v, {0, 0}), restricted(e, v, {1, 1}), v);
  } else if (of.high > of.low) {
    const Element slope = ring_.subtract(value_at(pieces, v, of.low + 1), first);
    if (!ring_.is_zero(slope)) out = ring_.add(out, ring_.multiply(slope, ramp(v, of.low)));
    std::vector<std::int64_t> turns;
    for (const Piece& p : pieces) {
      for (const std::int64_t t : {p.upto, p.upto < of.high ? p.upto + 1 : p.upto}) {
        if (t > of.low && t < of.high) turns.push_back(t);
      }
    }
    std::sort(turns.begin(), turns.end());
    turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
    spend(turns.size());
    for (const std::int64_t t : turns) {
      const Element here = value_at(pieces, v, t);
      const Element turn =
          ring_.subtract(ring_.add(value_at(pieces, v, t + 1), value_at(pieces, v, t - 1)), ring_.add(here, here));
      if (!ring_.is_zero(turn)) out = ring_.add(out, ring_.multiply(turn, ramp(v, t)));
    }
  }
  if (is_node) {
    collapsed_nodes_.emplace(e.lo, out);
    if (!by_bits() && contains_special(e)) note_no_number(out);
  } else {
    const Linear& l = linears_[e.index()];
    note_low_zeros(out, std::min(low_zeros(Element::integer(l.slope)), low_zeros(Element::integer(l.offset))));
  }
  // The canonical element of an integer inherits its bounds.
  if (!bounds_.contains(out)) {
    std::optional<Bounds> all;
    std::int64_t low = of.low;
    for (const Piece& p : pieces) {
      std::optional<Bounds> b;
      if (p.value.is(Element::Kind::linear) && linears_[p.value.index()].variable == v) {
        const Linear& l = linears_[p.value.index()];
        b = Bounds{std::min(l.at(low), l.at(p.upto)), std::max(l.at(low), l.at(p.upto))};
      } else {
        b = bounds(p.value.is_cases() ? canonical(p.value) : p.value, ElementType::i64);
      }
      if (!b) return out;
      all = all ? Bounds{std::min(all->low, b->low), std::max(all->high, b->high)} : *b;
      low = p.upto + 1;
    }
    if (all) bounds_.emplace(out, *all);
  }
  return out;
}

Element Algebra::ramp(VariableId v, std::int64_t above) {
  if (const auto it = bottoms_.find(v); it != bottoms_.end() && above == variables_[v].low) return it->second;
  return ring_.unknown({record("ramp"), static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(above)});
}

Element Algebra::canonical(Element e) {
  switch (e.kind()) {
    case Element::Kind::plain: return e;
    case Element::Kind::integer: {
      const Element out = ring_.constant(e.as_int());
      if (const auto v = known(e)) known_.emplace(out, *v);
      bounds_.emplace(out, Bounds{e.as_int(), e.as_int()});
      return out;
    }
    case Element::Kind::number: {
      const Element out = ring_.constant(e.as_number());
      known_.emplace(out, e.as_number());
      return out;
    }
    case Element::Kind::special: {
      const Element out = ring_.unknown({record("special"), e.lo});
      if (!by_bits()) note_no_number(out);
      return out;
    }
    case Element::Kind::linear:
    case Element::Kind::node: return collapsed(e);
  }
  return e;
}

bool Algebra::contains(Element e, Special s) const {
  if (e.is(s)) return true;
  if (!e.is(Element::Kind::node)) return false;
  const Node& n = nodes_[e.index()];
  return std::any_of(n.pieces.begin(), n.pieces.end(), [&](const Piece& p) { return contains(p.value, s); });
}

bool Algebra::contains_special(Element e) const {
  if (e.is(Element::Kind::special)) return true;
  if (e.is_plain()) return not_numbers_.contains(e);
  if (!e.is(Element::Kind::node)) return false;
  const Node& n = nodes_[e.index()];
  return std::any_of(n.pieces.begin(), n.pieces.end(), [&](const Piece& p) { return contains_special(p.value); });
}

}  // namespace partir::validate
