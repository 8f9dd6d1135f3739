// Keys: strings that are equal for expressions of the same canonical form. Bound ranges are named by their binder's
// depth and the order in which they occur, so that the key does not depend on the atoms' numbers. Also same_form, the
// final comparison of two forms.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "support/check.h"
#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

std::string type_name(ElementType type) { return type == ElementType::index ? "" : std::string(partir::name_of(type)); }

/// Returns the text of a function; its arguments, with their types, follow in the key.
std::string symbol_text(const Factor& f) {
  switch (f.symbol) {
    case Symbol::function: return fmt::format("{} to {}", partir::name_of(f.fn), type_name(f.type));
    case Symbol::truth: return "truth";
    case Symbol::indicator: return "indicator";
    case Symbol::choose: return "choose";
    case Symbol::reciprocal: return "reciprocal";
    case Symbol::lowest: return "lowest " + type_name(f.type);
    case Symbol::highest: return "highest " + type_name(f.type);
    case Symbol::boolean: return f.number != 0 ? "true" : "false";
    case Symbol::literal: return fmt::format("literal {} {}", type_name(f.type), f.literal->str());
    case Symbol::imaginary_unit: return "imaginary unit";
    case Symbol::placeholder: return fmt::format("argument {}", f.number);
    case Symbol::tuple: return "tuple";
    case Symbol::defined: return fmt::format("defined {}", partir::name_of(f.fn));
    case Symbol::dense:
    case Symbol::library:
    case Symbol::folded: return fmt::format("<{}>", f.record);
  }
  return "";
}

/// Builds keys, naming bound ranges in the order in which a traversal meets them.
class Keys {
 public:
  explicit Keys(Context& c) : c_(c) {}

  std::string expr(const Expr& e) {
    std::vector<std::string> terms;
    for (const Term& t : e.terms) terms.push_back(term(t));
    std::sort(terms.begin(), terms.end());
    std::string out;
    for (const std::string& t : terms) out += (out.empty() ? "" : " ") + t;
    return type_name(e.type) + "{" + out + "}";
  }

  /// Returns the key of one term, and sorts the term's ranges in the order of their names; ranges that are not read
  /// come last.
  std::string named(Term& t) {
    std::string out = term(t);
    const auto place = [&](AtomId r) {
      const std::string& name = first_names_.at(r);
      return name == "_" ? std::pair(std::string::npos, c_.at(r).extent.key())
                         : std::pair(static_cast<std::size_t>(std::stoul(name.substr(1))), std::string());
    };
    std::sort(t.ranges.begin(), t.ranges.end(), [&](AtomId a, AtomId b) { return place(a) < place(b); });
    return out;
  }

 private:
  /// Names the ranges of one binder, in the order in which `walk` meets them, with names that no enclosing range has.
  /// The numbering starts at the binder's depth, so equal expressions get equal names wherever they occur.
  template <class Walk>
  void name(const std::vector<AtomId>& ranges, Walk&& walk) {
    const auto met = std::exchange(met_, {});
    const auto outer = std::exchange(met_of_, std::set<AtomId>(ranges.begin(), ranges.end()));
    for (const AtomId r : ranges) names_[r] = "?" + poly(c_.at(r).extent);
    walk();
    const std::vector<AtomId> order = std::exchange(met_, met);
    met_of_ = outer;
    for (const AtomId r : ranges) {
      if (std::find(order.begin(), order.end(), r) == order.end()) names_[r] = "_";  // only its extent matters
    }
    for (const AtomId r : order) names_[r] = fmt::format("k{}", depth_++);
  }

  /// Orders the factors by their text without the names of the term's ranges, then names the ranges in that order.
  std::string term(const Term& t) {
    std::vector<const Factor*> factors;
    for (const Factor& f : t.factors) factors.push_back(&f);
    const auto outer = names_;
    const std::size_t depth = depth_;
    if (!t.ranges.empty()) {
      name(t.ranges, [&] {
        std::vector<std::pair<std::string, const Factor*>> blank;
        for (const Factor* f : factors) blank.emplace_back(factor(*f), f);
        std::stable_sort(blank.begin(), blank.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        met_.clear();
        for (const auto& [text, f] : blank) factor(*f);
      });
    }
    std::vector<std::string> named;
    for (const Factor* f : factors) named.push_back(factor(*f));
    std::string out = fmt::format("{}", t.coefficient);
    std::vector<std::string> extents;
    for (const AtomId r : t.ranges) extents.push_back(names_[r] + "<" + poly(c_.at(r).extent));
    std::sort(extents.begin(), extents.end());
    for (const std::string& e : extents) out += " " + e;
    std::sort(named.begin(), named.end());
    for (const std::string& f : named) out += " * " + f;
    if (depth == 0) first_names_ = names_;
    names_ = outer;
    depth_ = depth;
    return "(" + out + ")";
  }

  std::string factor(const Factor& f) {
    std::string out;
    switch (f.kind) {
      case Factor::Kind::read: out = fmt::format("x{}", f.array); break;
      case Factor::Kind::guard: out = "ge"; break;
      case Factor::Kind::guard_eq: out = "eq"; break;
      case Factor::Kind::index: out = "index " + type_name(f.type); break;
      case Factor::Kind::apply:
      case Factor::Kind::opaque: out = symbol_text(f); break;
      case Factor::Kind::fold: out = std::string(name_of(f.monoid)); break;
    }
    if (!f.indices.empty()) {
      out += "[";
      for (const Poly& p : f.indices) out += poly(p) + ",";
      out += "]";
    }
    if (f.args.empty()) return out;
    std::vector<std::string> members;
    for (std::size_t k = 0; k < f.args.size(); ++k) members.push_back(member(f, k));
    if (f.kind == Factor::Kind::fold) std::sort(members.begin(), members.end());
    out += "(";
    for (const std::string& m : members) out += m + ";";
    return out + ")";
  }

  std::string member(const Factor& f, std::size_t k) {
    if (f.ranges.empty() || f.ranges[k].empty()) {
      std::vector<std::string> conditions;
      if (!f.conditions.empty()) {
        for (const Factor& g : f.conditions[k]) conditions.push_back(factor(g));
      }
      std::sort(conditions.begin(), conditions.end());
      std::string out;
      for (const std::string& g : conditions) out += g + "?";
      return out + expr(*f.args[k]);
    }
    const auto outer = names_;
    const std::size_t depth = depth_;
    const auto text = [&] {
      std::string body = expr(*f.args[k]);
      if (!f.conditions.empty()) {
        std::vector<std::string> conditions;
        for (const Factor& g : f.conditions[k]) conditions.push_back(factor(g));
        std::sort(conditions.begin(), conditions.end());
        for (const std::string& g : conditions) body += "?" + g;
      }
      return body;
    };
    name(f.ranges[k], text);
    std::string body = text();
    std::vector<std::string> extents;
    for (const AtomId r : f.ranges[k]) extents.push_back(names_[r] + "<" + poly(c_.at(r).extent));
    // The order of ranges does not matter in a fold, but it does in an argument of a library function.
    if (f.kind == Factor::Kind::fold) std::sort(extents.begin(), extents.end());
    for (const std::string& e : extents) body += " " + e;
    names_ = outer;
    depth_ = depth;
    return body;
  }

  std::string poly(const Poly& p) {
    std::vector<std::pair<std::string, const Poly::Monomial*>> terms;
    for (const auto& [m, coefficient] : p.terms()) {
      std::vector<std::string> atoms;
      for (const AtomId a : m) atoms.push_back(quietly(a));
      std::sort(atoms.begin(), atoms.end());
      std::string text;
      for (const std::string& a : atoms) text += "*" + a;
      terms.emplace_back(text + fmt::format("{:+}", coefficient), &m);
    }
    std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string out;
    for (const auto& [text, m] : terms) {
      out += text;
      if (!met_of_.empty()) {
        for (const AtomId a : *m) atom(a);  // in the order of the text, independent of the atoms' numbers
      }
    }
    return out.empty() ? "0" : out;
  }

  std::string quietly(AtomId a) {
    if (met_of_.empty()) return atom(a);
    std::vector<AtomId> met = met_;
    std::string out = atom(a);
    met_ = std::move(met);
    return out;
  }

  std::string atom(AtomId a) {
    const Atom at = c_.at(a);
    switch (at.kind) {
      case Atom::Kind::size: return at.name;
      case Atom::Kind::range: {
        if (met_of_.contains(a) && std::find(met_.begin(), met_.end(), a) == met_.end()) met_.push_back(a);
        const auto it = names_.find(a);
        return it != names_.end() ? it->second : fmt::format("i{}", a.index());
      }
      case Atom::Kind::div: return "div(" + poly(at.a) + "/" + poly(at.b) + ")";
      case Atom::Kind::min:
      case Atom::Kind::max: {
        std::string x = poly(at.a);
        std::string y = poly(at.b);
        if (y < x) std::swap(x, y);
        return (at.kind == Atom::Kind::min ? "min(" : "max(") + x + "," + y + ")";
      }
      case Atom::Kind::value: return "value" + expr(*at.value);
    }
    return "";
  }

  Context& c_;
  std::map<AtomId, std::string> names_;
  std::set<AtomId> met_of_;                    ///< the ranges whose order is being determined
  std::vector<AtomId> met_;                    ///< those met so far, in order
  std::map<AtomId, std::string> first_names_;  ///< names in the last term of the outermost binder
  std::size_t depth_ = 0;
};

/// Truncates the key of a form for a message; keys of large forms are too long to read.
std::string beginning(const std::string& key) {
  constexpr std::size_t kMost = 400;
  return key.size() <= kMost ? key : fmt::format("{}… ({} bytes)", key.substr(0, kMost), key.size());
}

}  // namespace

std::string Expr::key(Context& c) const { return Keys(c).expr(*this); }
std::string named_key(Term& t, Context& c) { return Keys(c).named(t); }

bool same_form(Expr& a, Expr& b, Context& c, std::string& difference) {
  const std::string x = a.key(c);
  const std::string y = b.key(c);
  if (x == y) return true;
  const Expr left = a;
  const Expr right = b;
  a = merge_ranges(a, c);
  b = merge_ranges(b, c);
  if (a.key(c) == b.key(c)) return true;
  if (!c.cut_sums && same_by_regions(left, right, c)) {
    b = noted(
        replay::Rule::guard_regions, c, [&](Recorder& r) { return r.term(b); }, a);
    return true;
  }
  if (difference.empty()) difference = fmt::format("{} is not {}", beginning(x), beginning(y));
  return false;
}

}  // namespace partir::prove
