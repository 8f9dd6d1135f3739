// Index arithmetic with symbolic sizes: polynomials over atoms, in a form where equal polynomials are equal terms.
//
// An atom is a size (an integer of at least 1), a range (from 0 below an extent), or a term that polynomials do not
// express: a floor division, a minimum or maximum, an element that is read. Divisions are simplified where what they
// drop is known to vanish, so r*c + l over c is r when l is below c.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/check.h"
#include "support/ids.h"
#include "verify/prove/laws.h"

namespace partir::prove {

using AtomId = Id<struct AtomTag>;

/// A sum of coefficient * product of atoms.
class Poly {
 public:
  using Monomial = std::vector<AtomId>;  ///< sorted; empty for the constant

  Poly() = default;
  Poly(std::int64_t constant);  // NOLINT: numbers are polynomials
  static Poly atom(AtomId a);

  [[nodiscard]] const std::map<Monomial, std::int64_t>& terms() const { return terms_; }
  [[nodiscard]] bool is_zero() const { return terms_.empty(); }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] std::int64_t constant() const;  ///< the constant term
  /// A text that equal polynomials share and others do not.
  [[nodiscard]] std::string key() const;

  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator*(const Poly& a, const Poly& b);
  friend bool operator==(const Poly& a, const Poly& b) { return a.terms_ == b.terms_; }

 private:
  void add(const Monomial& m, std::int64_t c);
  std::map<Monomial, std::int64_t> terms_;  ///< no zero coefficients
};

struct Expr;
class Recorder;

struct Atom {
  enum class Kind : std::uint8_t { size, range, div, min, max, value };
  Kind kind = Kind::size;
  std::string name;                   ///< of a size
  Poly extent;                        ///< of a range; of a value that is known to be one of so many places
  Poly a, b;                          ///< of div (a by b), min and max
  std::shared_ptr<const Expr> value;  ///< of value: an integer element

  /// Whether it is from 0 below `extent`.
  [[nodiscard]] bool is_below_extent() const {
    return kind == Kind::range || (kind == Kind::value && !extent.is_zero());
  }
};

using Substitution = std::map<AtomId, Poly>;

/// What a proof relied on about indices, for a second answer (second_answer.h).
struct Obligation {
  enum class Kind : std::uint8_t {
    non_negative,  ///< a >= 0
    quotient,      ///< a div b = c
    equal,         ///< a = b
  };
  Kind kind = Kind::non_negative;
  Poly a, b, c;
};

/// The atoms of one proof.
class Context {
 public:
  AtomId size(const std::string& name);
  AtomId range(Poly extent);  ///< a new one
  [[nodiscard]] const Atom& at(AtomId a) const { return atoms_[a.index()]; }
  [[nodiscard]] std::size_t atoms() const { return atoms_.size(); }

  Poly div(const Poly& p, const Poly& q);
  Poly mod(const Poly& p, const Poly& q) { return p - q * div(p, q); }
  Poly min(const Poly& p, const Poly& q);
  Poly max(const Poly& p, const Poly& q);
  Poly value(std::shared_ptr<const Expr> element);

  /// Atoms replaced, also inside others, and the result simplified again.
  Poly substitute(const Poly& p, const Substitution& s);
  /// Whether an atom occurs, also inside others.
  [[nodiscard]] bool contains(const Poly& p, AtomId a) const;
  /// The minima and maxima in it, also inside others.
  [[nodiscard]] std::vector<AtomId> extremes(const Poly& p) const;
  /// Whether p >= 0 for all sizes and all indices in their ranges. False may mean "not known".
  bool non_negative(const Poly& p);
  /// p as text for people.
  [[nodiscard]] std::string text(const Poly& p);
  /// Where the steps of the proof are written down; null: nowhere.
  Recorder* recorder = nullptr;
  /// Where the obligations of the proof are noted; null: nowhere.
  std::vector<Obligation>* obligations = nullptr;
  /// How floats are read, and whether a step so far needed them to be reals. (A value about the bits of a float is made
  /// of forms by bits alone.)
  Arithmetic arithmetic = Arithmetic::reals;
  bool used_reals = false;
  /// Operations that jump (ir/continuity.h) and read what real arithmetic gave, so that rounding may decide.
  std::set<std::string> jumps;
  /// Whether a law was taken that holds only where sizes are integers of 32 bits.
  bool used_sizes = false;
  /// Whether a step may take a law, of a type; it is noted. Not of laws of finite numbers, which finite.h asks with
  /// their operands.
  bool may(Law law, ElementType type) {
    PARTIR_CHECK(!is_of_finite(law), "a law of finite numbers is asked without its operands");
    return may_of_finite(law, type);
  }
  /// The same, where the operands are known to be finite.
  bool may_of_finite(Law law, ElementType type) {
    const LawRow& row = row_of(law);
    const unsigned kind = kind_of(type);
    if ((row.types & kind) == 0) return false;
    const bool floats = (kind & (types::kFloats | types::kComplex)) != 0;
    if (arithmetic == Arithmetic::every_bit && floats) return law == Law::bitcast_back;
    if ((row.exactly & kind) != 0) return true;
    if (arithmetic != Arithmetic::reals) return false;
    used_reals = true;
    return true;
  }
  /// Whether sums are cut where guards of what is summed change; else sides are compared by regions (same_by_regions).
  bool cut_sums = true;
  /// Which of the two distributive laws of a lattice is used: minima of maxima, or maxima of minima.
  bool minima_outside = false;
  /// q when p = q * d exactly.
  static bool divides(const Poly& d, const Poly& p, Poly& quotient);

 private:
  AtomId intern(Atom atom, const std::string& key);
  bool non_negative(const Poly& p, int depth);
  [[nodiscard]] std::optional<std::int64_t> largest(const Poly& p) const;
  Poly divided(const Poly& p, const Poly& q);
  Poly extreme(Atom::Kind kind, const Poly& p, const Poly& q);

  std::vector<Atom> atoms_;
  std::map<std::string, AtomId> known_;
  std::map<std::string, bool> signs_;
};

}  // namespace partir::prove
