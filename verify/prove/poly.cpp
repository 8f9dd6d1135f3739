// Polynomials, atoms and sign decisions of the prover's index arithmetic (poly.h). `non_negative` is the only decision
// procedure; division, minima, maxima and guards are simplified by it.
#include "verify/prove/poly.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "support/checked.h"
#include "verify/prove/expr.h"
#include "verify/prove/merges.h"
#include "verify/prove/record.h"

namespace partir::prove {

// --- Polynomials ----------------------------------------------------------------------------------------------------

Poly::Poly(std::int64_t constant) { add({}, constant); }

Poly Poly::atom(AtomId a) {
  Poly out;
  out.add({a}, 1);
  return out;
}

void Poly::add(const Monomial& m, std::int64_t c) {
  if (c == 0) return;
  const auto it = terms_.try_emplace(m, 0).first;
  if (__builtin_add_overflow(it->second, c, &it->second)) throw GiveUp{"a coefficient of an index beyond 64 bits"};
  if (it->second == 0) terms_.erase(it);
}

bool Poly::is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty()); }

std::int64_t Poly::constant() const {
  const auto it = terms_.find({});
  return it == terms_.end() ? 0 : it->second;
}

std::string Poly::key() const {
  std::string out;
  for (const auto& [m, c] : terms_) {
    out += fmt::format("{:+}", c);
    for (const AtomId a : m) out += fmt::format("*{}", a.index());
  }
  return out.empty() ? "0" : out;
}

Poly operator+(const Poly& a, const Poly& b) {
  Poly out = a;
  for (const auto& [m, c] : b.terms_) out.add(m, c);
  return out;
}

Poly operator-(const Poly& a, const Poly& b) {
  Poly out = a;
  for (const auto& [m, c] : b.terms_) out.add(m, -c);
  return out;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly out;
  for (const auto& [m, c] : a.terms_) {
    for (const auto& [k, d] : b.terms_) {
      Poly::Monomial product;
      std::merge(m.begin(), m.end(), k.begin(), k.end(), std::back_inserter(product));
      const auto coefficient = checked_multiply(c, d);
      if (!coefficient) throw GiveUp{"a coefficient of an index beyond 64 bits"};
      out.add(product, *coefficient);
    }
  }
  return out;
}

// --- Atoms ----------------------------------------------------------------------------------------------------------

AtomId Context::intern(Atom atom, const std::string& key) {
  const auto [it, fresh] = known_.try_emplace(key, AtomId(atoms_.size()));
  if (fresh) atoms_.push_back(std::move(atom));
  return it->second;
}

AtomId Context::size(const std::string& name) {
  Atom a;
  a.name = name;
  return intern(std::move(a), "size " + name);
}

AtomId Context::range(Poly extent) {
  Atom a;
  a.kind = Atom::Kind::range;
  a.extent = std::move(extent);
  atoms_.push_back(std::move(a));
  return AtomId(atoms_.size() - 1);
}

Poly Context::value(std::shared_ptr<const Expr> element) {
  Atom a;
  a.kind = Atom::Kind::value;
  a.extent = extent_of_places(*element, *this).value_or(Poly());
  const std::string key = "value " + element->key(*this);
  a.value = std::move(element);
  return Poly::atom(intern(std::move(a), key));
}

bool Context::divides(const Poly& d, const Poly& p, Poly& quotient) {
  if (d.is_zero()) return false;
  // Polynomial long division by the largest monomial of d.
  const auto& [lead, by] = *d.terms().rbegin();
  Poly rest = p;
  quotient = Poly();
  for (int step = 0; !rest.is_zero() && step < 64; ++step) {
    bool found = false;
    for (auto it = rest.terms().rbegin(); it != rest.terms().rend(); ++it) {
      const auto& [m, c] = *it;
      if (c % by != 0 || !std::includes(m.begin(), m.end(), lead.begin(), lead.end())) continue;
      Poly factor(c / by);
      Poly::Monomial left;
      std::set_difference(m.begin(), m.end(), lead.begin(), lead.end(), std::back_inserter(left));
      for (const AtomId a : left) factor = factor * Poly::atom(a);
      rest = rest - factor * d;  // invalidates `it`
      quotient = quotient + factor;
      found = true;
      break;
    }
    if (!found) return false;
  }
  return rest.is_zero();
}

Poly Context::div(const Poly& p, const Poly& q) {
  if (q == Poly(1)) return p;
  Poly out = divided(p, q);
  if (obligations != nullptr) obligations->push_back({Obligation::Kind::quotient, p, q, out});
  return noted(
      replay::Rule::quotient, *this, [&](Recorder& r) { return r.quotient(p, q); }, out);
}

Poly Context::divided(const Poly& p, const Poly& q) {
  if (p.is_constant() && q.is_constant() && q.constant() > 0) return floor_divide(p.constant(), q.constant());
  // Write p = q * whole + rest, removing the multiples of q's largest monomial from rest.
  if (q.is_zero()) throw GiveUp{"a division of an index by zero"};
  const auto [lead, by] = *q.terms().rbegin();
  Poly whole;
  Poly rest = p;
  for (int step = 0; by > 0 && step < 64; ++step) {
    bool found = false;
    for (const auto& [m, c] : rest.terms()) {
      if (!std::includes(m.begin(), m.end(), lead.begin(), lead.end())) continue;
      const std::int64_t times = floor_divide(c, by);
      if (times == 0) continue;
      if (lead.empty() && m.empty() && c >= 0 && c < by) continue;
      Poly factor(times);
      Poly::Monomial left;
      std::set_difference(m.begin(), m.end(), lead.begin(), lead.end(), std::back_inserter(left));
      for (const AtomId a : left) factor = factor * Poly::atom(a);
      // Only if the monomial is removed completely, or a constant is reduced below a constant divisor.
      if (c % by != 0 && !(lead.empty() && m.empty())) continue;
      rest = rest - factor * q;
      whole = whole + factor;
      found = true;
      break;
    }
    if (!found) break;
  }
  if (non_negative(rest) && non_negative(q - 1 - rest)) return whole;
  if (!whole.is_zero() && non_negative(p) && non_negative(q - 1 - p)) return 0;
  // (x / a) / b = x / (a * b)
  if (rest.terms().size() == 1 && rest.terms().begin()->second == 1 && rest.terms().begin()->first.size() == 1) {
    const Atom inner = at(rest.terms().begin()->first[0]);
    if (inner.kind == Atom::Kind::div) return whole + div(inner.a, inner.b * q);
  }
  Atom a;
  a.kind = Atom::Kind::div;
  a.a = rest;
  a.b = q;
  const std::string key = fmt::format("div {} / {}", rest.key(), q.key());
  return whole + Poly::atom(intern(std::move(a), key));
}

Poly Context::min(const Poly& p, const Poly& q) { return extreme(Atom::Kind::min, p, q); }
Poly Context::max(const Poly& p, const Poly& q) { return extreme(Atom::Kind::max, p, q); }

Poly Context::extreme(Atom::Kind kind, const Poly& p, const Poly& q) {
  const bool least = kind == Atom::Kind::min;
  const auto is = [&](const Poly& out) {
    return noted(
        least ? replay::Rule::lesser : replay::Rule::greater, *this,
        [&](Recorder& r) {
          return r.join(least ? Monoid::min : Monoid::max, ElementType::index, {r.term(p), r.term(q)});
        },
        out);
  };
  if (non_negative(least ? q - p : p - q)) return is(p);
  if (non_negative(least ? p - q : q - p)) return is(q);
  Atom a;
  a.kind = kind;
  const bool swap = q.key() < p.key();
  a.a = swap ? q : p;
  a.b = swap ? p : q;
  const std::string key = fmt::format("{} {} , {}", least ? "min" : "max", a.a.key(), a.b.key());
  return is(Poly::atom(intern(std::move(a), key)));
}

Poly Context::substitute(const Poly& p, const Substitution& s) {
  Poly out;
  for (const auto& [m, c] : p.terms()) {
    Poly product(c);
    for (const AtomId id : m) {
      const auto it = s.find(id);
      if (it != s.end()) {
        product = product * it->second;
        continue;
      }
      const Atom atom = at(id);
      switch (atom.kind) {
        case Atom::Kind::size:
        case Atom::Kind::range: product = product * Poly::atom(id); break;
        case Atom::Kind::div: product = product * div(substitute(atom.a, s), substitute(atom.b, s)); break;
        case Atom::Kind::min: product = product * min(substitute(atom.a, s), substitute(atom.b, s)); break;
        case Atom::Kind::max: product = product * max(substitute(atom.a, s), substitute(atom.b, s)); break;
        case Atom::Kind::value:
          product = product * value(std::make_shared<Expr>(prove::substitute(*atom.value, s, *this)));
          break;
      }
    }
    out = out + product;
  }
  return out;
}

bool Context::contains(const Poly& p, AtomId a) const {
  for (const auto& [m, c] : p.terms()) {
    for (const AtomId id : m) {
      if (id == a) return true;
      const Atom& atom = at(id);
      if (atom.kind == Atom::Kind::value) {
        if (prove::contains(*atom.value, a, *this)) return true;
      } else if (atom.kind != Atom::Kind::size && atom.kind != Atom::Kind::range) {
        if (contains(atom.a, a) || contains(atom.b, a)) return true;
      }
    }
  }
  return false;
}

std::vector<AtomId> Context::extremes(const Poly& p) const {
  std::vector<AtomId> out;
  for (const auto& [m, c] : p.terms()) {
    for (const AtomId id : m) {
      const Atom& atom = at(id);
      if (atom.kind == Atom::Kind::min || atom.kind == Atom::Kind::max) out.push_back(id);
      if (atom.kind == Atom::Kind::size || atom.kind == Atom::Kind::range || atom.kind == Atom::Kind::value) continue;
      for (const Poly* inner : {&atom.a, &atom.b}) {
        const auto more = extremes(*inner);
        out.insert(out.end(), more.begin(), more.end());
      }
    }
  }
  return out;
}

// --- Signs ----------------------------------------------------------------------------------------------------------

bool Context::non_negative(const Poly& p) {
  if (p.is_constant()) return p.constant() >= 0;
  const std::string key = p.key();
  const auto it = signs_.find(key);
  if (it != signs_.end()) return it->second;
  const bool out = non_negative(p, 0);
  signs_[key] = out;
  if (out && obligations != nullptr) obligations->push_back({Obligation::Kind::non_negative, p, {}, {}});
  if (out && recorder != nullptr)
    recorder->step(replay::Rule::sign, recorder->at_least_zero(p), recorder->number(1, ElementType::index));
  return out;
}

/// Returns an upper bound of a sum of multiples of ranges with constant extents; nothing for other polynomials.
std::optional<std::int64_t> Context::largest(const Poly& p) const {
  constexpr std::int64_t few = std::int64_t{1} << 31;  // products of two such numbers, and their sums, fit in 64 bits
  std::int64_t out = 0;
  if (p.terms().size() > 64) return std::nullopt;
  for (const auto& [m, c] : p.terms()) {
    if (m.size() > 1 || c > few || c < -few || out > few * few / 2) return std::nullopt;
    if (m.empty()) {
      out += c;
      continue;
    }
    const Atom& atom = at(m[0]);
    if (atom.kind != Atom::Kind::range || !atom.extent.is_constant() || atom.extent.constant() > few)
      return std::nullopt;
    out += std::max<std::int64_t>(0, c) * std::max<std::int64_t>(0, atom.extent.constant() - 1);
  }
  return out;
}

bool Context::non_negative(const Poly& p, int depth) {
  if (p.is_constant()) return p.constant() >= 0;
  if (depth > 24) return false;
  // Eliminate non-polynomial atoms first, then integer elements, then ranges, then sizes.
  AtomId chosen;
  bool any = false;
  const auto order = [&](AtomId a) {
    const Atom::Kind k = at(a).kind;
    return k == Atom::Kind::size ? 0 : k == Atom::Kind::range ? 1 : k == Atom::Kind::value ? 2 : 3;
  };
  for (const auto& [m, c] : p.terms()) {
    for (const AtomId a : m) {
      // A range is eliminated before the atoms in its extent.
      const bool depends = any && a != chosen && at(a).kind == Atom::Kind::range && contains(at(a).extent, chosen);
      if (!any || depends || order(a) > order(chosen)) {
        chosen = a;
        any = true;
      }
    }
  }
  const Atom atom = at(chosen);
  // p = slope * atom + rest
  Poly slope;
  Poly rest;
  for (const auto& [m, c] : p.terms()) {
    Poly term(c);
    std::size_t count = 0;
    for (const AtomId a : m) {
      if (a == chosen && count++ == 0) continue;
      if (a == chosen)
        return atom.kind == Atom::Kind::size &&
               std::all_of(p.terms().begin(), p.terms().end(), [](const auto& t) { return t.second >= 0; });
      term = term * Poly::atom(a);
    }
    (count == 0 ? rest : slope) = (count == 0 ? rest : slope) + term;
  }
  switch (atom.kind) {
    case Atom::Kind::size: {
      // A size is at least 1: p >= 0 if it holds at 1 and p does not decrease.
      return non_negative(slope + rest, depth + 1) && non_negative(slope, depth + 1);
    }
    case Atom::Kind::value:
      if (!atom.is_below_extent()) return false;
      [[fallthrough]];
    // p is affine in it, so its minimum is at one of the two ends. If the range is empty, anything holds.
    case Atom::Kind::range: {
      const bool falls = slope.is_constant() && slope.constant() < 0;
      const bool rises = slope.is_constant() && slope.constant() > 0;
      return (falls || non_negative(rest, depth + 1)) &&
             (rises || non_negative(rest + slope * (atom.extent - 1), depth + 1));
    }
    case Atom::Kind::min:
    // The atom equals a or b. A maximum is at least each of them, so with a non-negative slope one case suffices;
    // likewise for minima with a non-positive slope.
    case Atom::Kind::max: {
      const bool a = non_negative(rest + slope * atom.a, depth + 1);
      const bool b = non_negative(rest + slope * atom.b, depth + 1);
      return (a && b) || ((a || b) && non_negative(atom.kind == Atom::Kind::max ? slope : Poly() - slope, depth + 1));
    }
    case Atom::Kind::div: {
      Poly times;
      if (divides(atom.b, slope, times)) {
        if (non_negative(times, depth + 1) && non_negative(rest + times * (atom.a - atom.b + 1), depth + 1))
          return true;
        if (non_negative(Poly() - times, depth + 1) && non_negative(rest + times * atom.a, depth + 1)) return true;
      }
      // The quotient of a number of at most U by a constant b is at most U div b.
      if (slope.is_constant() && slope.constant() < 0 && atom.b.is_constant() && atom.b.constant() > 0) {
        const auto greatest = largest(atom.a);
        if (greatest && *greatest >= 0 && non_negative(rest + slope * (*greatest / atom.b.constant()), depth + 1))
          return true;
      }
      // The quotient of a non-negative number is between 0 and that number.
      if (!non_negative(atom.a, depth + 1)) return false;
      if (non_negative(slope, depth + 1)) return non_negative(rest, depth + 1);
      return non_negative(Poly() - slope, depth + 1) && non_negative(rest + slope * atom.a, depth + 1);
    }
  }
  return false;
}

std::string Context::text(const Poly& p) {
  std::string out;
  for (const auto& [m, c] : p.terms()) {
    std::string term;
    for (const AtomId a : m) {
      const Atom atom = at(a);
      std::string name;
      switch (atom.kind) {
        case Atom::Kind::size: name = atom.name; break;
        case Atom::Kind::range: name = fmt::format("i{}", a.index()); break;
        case Atom::Kind::div: name = fmt::format("({}) div ({})", text(atom.a), text(atom.b)); break;
        case Atom::Kind::min: name = fmt::format("min({}, {})", text(atom.a), text(atom.b)); break;
        case Atom::Kind::max: name = fmt::format("max({}, {})", text(atom.a), text(atom.b)); break;
        case Atom::Kind::value: name = "<" + atom.value->key(*this) + ">"; break;
      }
      term += (term.empty() ? "" : "*") + name;
    }
    if (term.empty()) {
      term = fmt::format("{}", c);
    } else if (c != 1) {
      term = fmt::format("{}*{}", c, term);
    }
    out += (out.empty() ? "" : " + ") + term;
  }
  return out.empty() ? "0" : out;
}

}  // namespace partir::prove
