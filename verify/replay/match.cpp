// A backtracking search that matches two terms (match.h).
#include "verify/replay/match.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace partir::replay {
namespace {

constexpr std::size_t kMostMatchSteps = 2'000'000;
/// Bounds the recursion: continuations are nested on the stack.
constexpr std::size_t kMostMatchDepth = 1000;

using Then = std::function<bool()>;

/// A search in continuation-passing style: the rest of the match is passed on as `then`, so that a choice (which
/// arguments of two joins correspond) can be undone if it fails later.
class Match {
 public:
  explicit Match(const Terms& terms) : terms_(terms) {}

  bool terms(TermId a, TermId b, const Then& then) {
    if (shape(a) != shape(b)) return false;
    if (++steps_ > kMostMatchSteps || depth_ >= kMostMatchDepth) {
      gave_up_ = true;
      return false;
    }
    ++depth_;
    const bool matched = deeper(a, b, then);
    --depth_;
    return matched;
  }

  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  bool deeper(TermId a, TermId b, const Then& then) {
    const Term& x = terms_.at(a);
    const Term& y = terms_.at(b);
    switch (x.kind) {
      case Term::Kind::index: return index(a, b, then);
      case Term::Kind::join: return in_any_order(x.args, y.args, then);
      case Term::Kind::over:
      case Term::Kind::fold:
      case Term::Kind::array: return binder(x, y, then);
      case Term::Kind::with: return false;  // does not occur in canonical forms
      default: return in_order(x.args, y.args, then);
    }
  }

  struct Names {
    std::set<TermId> left, right;                ///< indices bound on each side
    std::map<TermId, TermId> to_right, to_left;  ///< their correspondence
  };

  bool index(TermId a, TermId b, const Then& then) {
    const bool bound = names_.left.contains(a);
    if (bound != names_.right.contains(b)) return false;
    if (!bound) return a == b && then();
    const auto there = names_.to_right.find(a);
    const auto back = names_.to_left.find(b);
    if (there != names_.to_right.end() || back != names_.to_left.end())
      return there != names_.to_right.end() && back != names_.to_left.end() && there->second == b && then();
    names_.to_right[a] = b;
    names_.to_left[b] = a;
    const bool matched = terms(terms_.at(a).args[0], terms_.at(b).args[0], then);
    names_.to_right.erase(a);
    names_.to_left.erase(b);
    return matched;
  }

  bool binder(const Term& x, const Term& y, const Then& then) {
    const Names outer = names_;
    const auto enter = [](const std::vector<TermId>& bound, std::set<TermId>& names, auto& to, auto& back) {
      for (const TermId i : bound) {
        names.insert(i);
        const auto it = to.find(i);  // an outer binder's index, shadowed here
        if (it == to.end()) continue;
        back.erase(it->second);
        to.erase(it);
      }
    };
    enter(x.bound, names_.left, names_.to_right, names_.to_left);
    enter(y.bound, names_.right, names_.to_left, names_.to_right);
    const Then leave = [&] {
      const Names inner = std::exchange(names_, outer);
      const bool matched = then();
      names_ = inner;
      return matched;
    };
    bool matched = false;
    if (x.kind != Term::Kind::over) {  // the order of its indices matters
      matched = in_order(x.bound, y.bound, [&] { return in_order(x.args, y.args, leave); });
    } else {
      matched = terms(x.args[0], y.args[0], [&] {
        return in_any_order({x.args.begin() + 1, x.args.end()}, {y.args.begin() + 1, y.args.end()},
                            [&] { return in_any_order(x.bound, y.bound, leave); });
      });
    }
    names_ = outer;
    return matched;
  }

  bool in_order(const std::vector<TermId>& a, const std::vector<TermId>& b, const Then& then, std::size_t from = 0) {
    if (a.size() != b.size()) return false;
    if (from == a.size()) return then();
    return terms(a[from], b[from], [&] { return in_order(a, b, then, from + 1); });
  }

  bool in_any_order(std::vector<TermId> a, const std::vector<TermId>& b, const Then& then) {
    if (a.size() != b.size()) return false;
    if (a.empty()) return then();
    const TermId one = a.back();
    a.pop_back();
    std::set<TermId> tried;
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (!tried.insert(b[k]).second) continue;
      std::vector<TermId> rest = b;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      if (terms(one, b[k], [&] { return in_any_order(a, rest, then); })) return true;
    }
    return false;
  }

  /// Returns a hash that is equal for terms that match.
  std::size_t shape(TermId id) {
    const auto it = shapes_.find(id);
    if (it != shapes_.end()) return it->second;
    const Term& t = terms_.at(id);
    const auto mix = [](std::size_t a, std::size_t b) {
      return (a ^ (b + 0x9e3779b97f4a7c15ULL)) * 0xbf58476d1ce4e5b9ULL;
    };
    std::size_t out = mix(static_cast<std::size_t>(t.kind), std::hash<std::string>()(t.name));
    if (t.kind != Term::Kind::index) {
      out = mix(mix(out, static_cast<std::size_t>(t.type)), static_cast<std::size_t>(t.fn));
      out = mix(mix(out, std::hash<double>()(t.real)), std::hash<double>()(t.imaginary));
      out = mix(mix(mix(out, static_cast<std::size_t>(t.value)), static_cast<std::size_t>(t.monoid)), t.bound.size());
      std::vector<std::size_t> of;
      for (const TermId a : t.args) of.push_back(shape(a));
      const std::size_t ordered = t.kind == Term::Kind::join ? 0 : t.kind == Term::Kind::over ? 1 : of.size();
      std::sort(of.begin() + static_cast<std::ptrdiff_t>(ordered), of.end());
      for (const std::size_t s : of) out = mix(out, s);
    }
    return shapes_[id] = out;
  }

  const Terms& terms_;
  Names names_;
  std::map<TermId, std::size_t> shapes_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
  bool gave_up_ = false;
};

}  // namespace

std::optional<bool> same_up_to_names(const Terms& terms, TermId a, TermId b) {
  Match match(terms);
  if (match.terms(a, b, [] { return true; })) return true;
  return match.gave_up() ? std::nullopt : std::optional(false);
}

}  // namespace partir::replay
