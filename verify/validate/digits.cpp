#include "verify/validate/digits.h"

#include <algorithm>

namespace partir::validate {
namespace {

constexpr std::int64_t kFew = 3;
constexpr std::int64_t kMostWhole = 4096;

}  // namespace

Sample sample_of_size(std::int64_t size, const std::set<std::int64_t>& extra, const Ring& ring) {
  Sample out;
  std::set<std::int64_t> at;
  if (size <= kFew) {
    for (std::int64_t i = 0; i < size; ++i) at.insert(i);
    out.at.assign(at.begin(), at.end());
    return out;
  }
  at = {0,
        1 + static_cast<std::int64_t>(static_cast<std::uint64_t>(size) * 0x9e3779b97f4a7c15ULL %
                                      static_cast<std::uint64_t>(size - 2)),
        size - 1};
  for (const std::int64_t p : extra) {
    if (p >= 0 && p < size) at.insert(p);
  }
  out.at.assign(at.begin(), at.end());
  if (static_cast<std::int64_t>(out.at.size()) == size) return out;
  Element rest = ring.constant(size);
  for (std::size_t k = 0; k + 1 < out.at.size(); ++k) {
    const Element w =
        ring.unknown({0x7767ULL, static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(out.at[k])});
    out.weights.push_back(w);
    rest = ring.subtract(rest, w);
  }
  out.weights.push_back(rest);
  return out;
}

Digits::Digit Digits::fresh(std::int64_t size) {
  Node n;
  n.size = size;
  n.parent = static_cast<Digit>(nodes_.size());
  nodes_.push_back(std::move(n));
  return static_cast<Digit>(nodes_.size() - 1);
}

Digits::List Digits::dimension(std::int64_t size) { return size == 1 ? List{} : List{fresh(size)}; }

Digits::List Digits::axis(Axis axis, std::int64_t size) {
  if (size == 1) return {};
  const auto it = axes_.find(axis.index());
  if (it != axes_.end()) return {it->second};
  const Digit d = fresh(size);
  nodes_[d].is_axis = true;
  nodes_[d].axis = axis.index();
  axes_.emplace(axis.index(), d);
  return {d};
}

Digits::Digit Digits::find(Digit d) {
  while (nodes_[d].parent != d) d = nodes_[d].parent = nodes_[nodes_[d].parent].parent;
  return d;
}

void Digits::expand(Digit d, List& out) {
  d = find(d);
  if (!nodes_[d].split) {
    out.push_back(d);
    return;
  }
  expand(nodes_[d].major, out);
  expand(nodes_[d].minor, out);
}

Digits::List Digits::expanded(const List& list) {
  List out;
  for (const Digit d : list) expand(d, out);
  return out;
}

bool Digits::merge(Digit a, Digit b) {
  a = find(a);
  b = find(b);
  if (a == b) return true;
  if (nodes_[a].is_axis && nodes_[b].is_axis) return false;
  if (nodes_[b].is_axis) std::swap(a, b);
  nodes_[b].parent = a;
  nodes_[a].whole = nodes_[a].whole || nodes_[b].whole;
  nodes_[a].extra.insert(nodes_[b].extra.begin(), nodes_[b].extra.end());
  return true;
}

bool Digits::cut(Digit d, std::int64_t minor) {
  d = find(d);
  if (nodes_[d].is_axis) return false;
  const Digit high = fresh(nodes_[d].size / minor);
  const Digit low = fresh(minor);
  Node& n = nodes_[d];
  n.split = true;
  n.major = high;
  n.minor = low;
  nodes_[high].whole = nodes_[low].whole = n.whole;
  for (const std::int64_t p : n.extra) {
    nodes_[high].extra.insert(p / minor);
    nodes_[low].extra.insert(p % minor);
  }
  return true;
}

bool Digits::unify(const List& a, const List& b) {
  List x = expanded(a);
  List y = expanded(b);
  if (size(x) != size(y)) return false;
  while (!x.empty() && !y.empty()) {
    Digit p = find(x.back());
    Digit q = find(y.back());
    const std::int64_t m = nodes_[p].size;
    const std::int64_t n = nodes_[q].size;
    x.pop_back();
    y.pop_back();
    if (m == n) {
      if (!merge(p, q)) return false;
      continue;
    }
    const bool first = m > n;
    Digit& large = first ? p : q;
    const Digit small = first ? q : p;
    if (nodes_[large].size % nodes_[small].size != 0 || !cut(large, nodes_[small].size)) return false;
    (first ? x : y).push_back(nodes_[large].major);
    if (!merge(nodes_[large].minor, small)) return false;
  }
  return x.empty() && y.empty();
}

void Digits::take_whole(const List& list) {
  for (const Digit d : expanded(list)) nodes_[d].whole = true;
}

void Digits::take(const List& list, std::int64_t position) {
  const List digits = expanded(list);
  for (std::size_t k = digits.size(); k-- > 0;) {
    nodes_[digits[k]].extra.insert(position % nodes_[digits[k]].size);
    position /= nodes_[digits[k]].size;
  }
}

void Digits::choose(std::vector<Sample> axes, const Ring& ring) {
  chosen_ = std::move(axes);
  ring_ = &ring;
  samples_.clear();
}

const Sample& Digits::of_digit(Digit d) {
  const auto [it, fresh] = samples_.try_emplace(d);
  if (!fresh) return it->second;
  const Node& n = nodes_[d];
  if (n.is_axis) return it->second = chosen_[n.axis];
  if (!n.whole) return it->second = sample_of_size(n.size, n.extra, *ring_);
  if (n.size > kMostWhole) throw Unknown{"a dimension too large to be looked at as a whole"};
  for (std::int64_t i = 0; i < n.size; ++i) it->second.at.push_back(i);
  return it->second;
}

Sample Digits::sample(const List& list) {
  Sample out;
  out.at = {0};
  bool weighted = false;
  for (const Digit d : expanded(list)) weighted = weighted || !of_digit(d).weights.empty();
  if (weighted) out.weights = {ring_->one()};
  for (const Digit d : expanded(list)) {
    const Sample& s = of_digit(d);
    const std::int64_t size = nodes_[d].size;
    std::vector<std::int64_t> at;
    std::vector<Element> weights;
    for (std::size_t k = 0; k < out.at.size(); ++k) {
      for (std::size_t j = 0; j < s.at.size(); ++j) {
        at.push_back(out.at[k] * size + s.at[j]);
        if (weighted)
          weights.push_back(s.weights.empty() ? out.weights[k] : ring_->multiply(out.weights[k], s.weights[j]));
      }
    }
    out.at = std::move(at);
    out.weights = std::move(weights);
  }
  return out;
}

std::int64_t Digits::size(const List& list) {
  std::int64_t out = 1;
  for (const Digit d : list) out *= nodes_[find(d)].size;
  return out;
}

}  // namespace partir::validate
