// Translates obligations into linear integer arithmetic for Z3 (second_answer.h). Before a disagreement is reported,
// its numbers are evaluated here.
#include "verify/prove/second_answer.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "support/checked.h"

namespace partir::prove {
namespace {

/// Resource limit for one question; beyond it Z3's answer is "unknown".
constexpr unsigned kResources = 400'000;

/// Translates terms of one proof's context into Z3's. A product of unknowns becomes a variable, constrained by the
/// bounds of its factors, so that questions are linear.
class Terms {
 public:
  Terms(z3::context& z, z3::solver& solver, Context& c) : z_(z), solver_(solver), c_(c) {}

  z3::expr term(const Poly& p) {
    z3::expr out = z_.int_val(0);
    for (const auto& [m, coefficient] : p.terms()) {
      const z3::expr scale = z_.int_val(static_cast<std::int64_t>(coefficient));
      out = out + (m.empty() ? scale : scale * product(m));
    }
    return out;
  }

  [[nodiscard]] const std::set<AtomId>& atoms() const { return seen_; }
  z3::expr variable(AtomId a) { return z_.int_const(fmt::format("a{}", a.index()).c_str()); }

 private:
  z3::expr product(const Poly::Monomial& m) {
    for (const AtomId a : m) define(a);
    if (m.size() == 1) return variable(m[0]);
    std::string name = "p";
    for (const AtomId a : m) name += fmt::format("_{}", a.index());
    const z3::expr out = z_.int_const(name.c_str());
    if (!products_.insert(m).second) return out;
    // If 0 <= rest and low <= x <= high, then low * rest <= x * rest <= high * rest.
    for (std::size_t k = 0; k < m.size(); ++k) {
      if (k > 0 && m[k] == m[k - 1]) continue;
      Poly rest(1);
      bool known = true;
      for (std::size_t j = 0; j < m.size(); ++j) {
        if (j == k) continue;
        known = known && is_bounded(m[j]);
        rest = rest * Poly::atom(m[j]);
      }
      const Atom atom = c_.at(m[k]);
      if (!known || !is_bounded(m[k])) continue;
      if (atom.kind == Atom::Kind::size) {
        solver_.add(out >= term(rest));
      } else {
        solver_.add(out >= 0);
        solver_.add(out <= term(rest * (atom.extent - 1)));
      }
    }
    return out;
  }
  bool is_bounded(AtomId a) const { return c_.at(a).kind == Atom::Kind::size || c_.at(a).is_below_extent(); }

  void define(AtomId a) {
    if (!seen_.insert(a).second) return;
    const Atom atom = c_.at(a);
    const z3::expr x = variable(a);
    switch (atom.kind) {
      case Atom::Kind::size: solver_.add(x >= 1); break;
      case Atom::Kind::value:
        if (!atom.is_below_extent()) break;  // may be any integer
        [[fallthrough]];
      case Atom::Kind::range:
        solver_.add(x >= 0);
        solver_.add(x < term(atom.extent));
        break;
      case Atom::Kind::div: {
        const Poly times = atom.b * Poly::atom(a);
        solver_.add(term(times) <= term(atom.a));
        solver_.add(term(atom.a - times) < term(atom.b));
        break;
      }
      case Atom::Kind::min:
      case Atom::Kind::max: {
        const z3::expr p = term(atom.a);
        const z3::expr q = term(atom.b);
        solver_.add(x == z3::ite(atom.kind == Atom::Kind::min ? p <= q : p >= q, p, q));
        break;
      }
    }
  }

  z3::context& z_;
  z3::solver& solver_;
  Context& c_;
  std::set<AtomId> seen_;
  std::set<Poly::Monomial> products_;
};

/// Evaluates polynomials at numbers for atoms. Z3's models are checked with it, since they treat products as variables
/// and may violate their meaning.
class Numbers {
 public:
  Numbers(Context& c, std::map<AtomId, std::int64_t> free) : c_(c), known_(std::move(free)) {}

  std::optional<std::int64_t> value(const Poly& p) {
    std::int64_t out = 0;
    for (const auto& [m, coefficient] : p.terms()) {
      std::optional<std::int64_t> product = coefficient;
      for (const AtomId a : m) {
        const auto x = value(a);
        product = product && x ? checked_multiply(*product, *x) : std::nullopt;
      }
      if (!product || __builtin_add_overflow(out, *product, &out)) return std::nullopt;
    }
    return out;
  }

 private:
  std::optional<std::int64_t> value(AtomId a) {
    const Atom atom = c_.at(a);
    const auto it = known_.find(a);
    switch (atom.kind) {
      case Atom::Kind::size: return it != known_.end() && it->second >= 1 ? std::optional(it->second) : std::nullopt;
      case Atom::Kind::value:
        if (!atom.is_below_extent()) return it != known_.end() ? std::optional(it->second) : std::nullopt;
        [[fallthrough]];
      case Atom::Kind::range: {
        const auto extent = value(atom.extent);
        const bool inside = it != known_.end() && extent && it->second >= 0 && it->second < *extent;
        return inside ? std::optional(it->second) : std::nullopt;
      }
      default: break;
    }
    const auto p = value(atom.a);
    const auto q = value(atom.b);
    if (!p || !q || (atom.kind == Atom::Kind::div && *q < 1)) return std::nullopt;
    return atom.kind == Atom::Kind::div   ? floor_divide(*p, *q)
           : atom.kind == Atom::Kind::min ? std::min(*p, *q)
                                          : std::max(*p, *q);
  }

  Context& c_;
  std::map<AtomId, std::int64_t> known_;
};

std::string shown(const Obligation& o, Context& c) {
  switch (o.kind) {
    case Obligation::Kind::non_negative: return c.text(o.a) + " >= 0";
    case Obligation::Kind::quotient: return fmt::format("({}) div ({}) = {}", c.text(o.a), c.text(o.b), c.text(o.c));
    case Obligation::Kind::equal: return fmt::format("{} = {}", c.text(o.a), c.text(o.b));
  }
  return "";
}

z3::expr negation(const Obligation& o, Terms& t) {
  switch (o.kind) {
    case Obligation::Kind::non_negative: return t.term(o.a) < 0;
    case Obligation::Kind::quotient: {
      const Poly rest = o.a - o.b * o.c;
      return t.term(rest) < 0 || t.term(rest) >= t.term(o.b);
    }
    case Obligation::Kind::equal: return t.term(o.a - o.b) != 0;
  }
  return t.term(Poly()) != 0;
}

bool fails(const Obligation& o, Numbers& n) {
  const auto a = n.value(o.a);
  if (!a) return false;
  if (o.kind == Obligation::Kind::non_negative) return *a < 0;
  const auto b = n.value(o.b);
  if (!b) return false;
  if (o.kind == Obligation::Kind::equal) return *a != *b;
  const auto c = n.value(o.c);
  return c && *b >= 1 && floor_divide(*a, *b) != *c;
}

/// Returns numbers at which an obligation fails: Z3's model, or else small random numbers; nothing if none were found.
std::optional<std::map<AtomId, std::int64_t>> numbers_that_fail(const Obligation& o, const std::set<AtomId>& atoms,
                                                                std::map<AtomId, std::int64_t> model, Context& c) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    if (trial > 0) {
      model.clear();
      for (const AtomId a : atoms) {  // atoms of an extent come before its range
        const Atom::Kind kind = c.at(a).kind;
        const auto drawn = static_cast<std::int64_t>(random() % 4);
        const auto extent = c.at(a).is_below_extent() ? Numbers(c, model).value(c.at(a).extent) : std::nullopt;
        if (kind == Atom::Kind::size) model[a] = drawn + 1;
        if (kind == Atom::Kind::value) model[a] = drawn - 1;
        if (extent && *extent > 0) model[a] = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(*extent));
      }
    }
    Numbers numbers(c, model);
    if (fails(o, numbers)) return model;
  }
  return std::nullopt;
}

/// The scope of the assertions of one question.
class Scope {
 public:
  explicit Scope(z3::solver& solver) : solver_(solver) { solver_.push(); }
  ~Scope() { solver_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  z3::solver& solver_;
};

}  // namespace

struct SecondAnswerer::Solver {
  z3::context z;
  z3::solver solver{z};

  Solver() {
    z3::params limits(z);
    limits.set("rlimit", kResources);
    solver.set(limits);
  }
};

SecondAnswerer::SecondAnswerer() : solver_(std::make_unique<Solver>()) {}
SecondAnswerer::~SecondAnswerer() = default;

SecondAnswers SecondAnswerer::ask(const std::vector<Obligation>& obligations, Context& c) {
  SecondAnswers out;
  for (const Obligation& o : obligations) {
    z3::solver& solver = solver_->solver;
    const Scope scope(solver);
    Terms terms(solver_->z, solver, c);
    for (const Poly* p : {&o.a, &o.b, &o.c}) terms.term(*p);  // defines all atoms, even those that cancel
    solver.add(negation(o, terms));
    const z3::check_result answer = solver.check();
    if (answer == z3::unsat) {
      ++out.confirmed;
      continue;
    }
    ++out.open;
    if (answer != z3::sat) continue;
    std::map<AtomId, std::int64_t> model;
    for (const AtomId a : terms.atoms()) {
      std::int64_t number = 0;
      if (solver.get_model().eval(terms.variable(a), true).is_numeral_i64(number)) model[a] = number;
    }
    const auto numbers = numbers_that_fail(o, terms.atoms(), std::move(model), c);
    if (!numbers) continue;
    out.disagreement = shown(o, c) + " fails at";
    for (const auto& [a, number] : *numbers) out.disagreement += fmt::format(" {} = {}", c.text(Poly::atom(a)), number);
    return out;
  }
  return out;
}

}  // namespace partir::prove
