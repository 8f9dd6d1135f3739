// Index arithmetic with symbolic sizes: polynomials over atoms in a canonical form, so that equal polynomials compare
// equal.
//
// An atom is a size (an integer of at least 1), a range (a bound index, from 0 below an extent), or a term that
// polynomials cannot express: a floor division, a minimum or maximum, an integer element of an array. Divisions are
// simplified if the remainder that they drop is known to be in range: (r*c + l) div c is r if 0 <= l < c.
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
  using Monomial = std::vector<AtomId>;  ///< sorted atoms; empty for the constant term

  Poly() = default;
  Poly(std::int64_t constant);  // NOLINT: numbers are polynomials
  static Poly atom(AtomId a);

  [[nodiscard]] const std::map<Monomial, std::int64_t>& terms() const { return terms_; }
  [[nodiscard]] bool is_zero() const { return terms_.empty(); }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] std::int64_t constant() const;  ///< the constant term
  /// Returns a string that is the same for equal polynomials and differs for others.
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
  Poly extent;                        ///< of a range; of a value that is known to be a position below it
  Poly a, b;                          ///< operands of div (a div b), min and max
  std::shared_ptr<const Expr> value;  ///< of value: the integer element

  /// True if its value is known to be at least 0 and below `extent`.
  [[nodiscard]] bool is_below_extent() const {
    return kind == Kind::range || (kind == Kind::value && !extent.is_zero());
  }
};

using Substitution = std::map<AtomId, Poly>;

/// A fact about indices on which a proof relies, to be cross-checked by Z3 (second_answer.h).
struct Obligation {
  enum class Kind : std::uint8_t {
    non_negative,  ///< a >= 0
    quotient,      ///< a div b = c
    equal,         ///< a = b
  };
  Kind kind = Kind::non_negative;
  Poly a, b, c;
};

/// The atoms of one proof, their arithmetic, and the state of the proof: its arithmetic on floats and the laws it has
/// used.
class Context {
 public:
  AtomId size(const std::string& name);
  AtomId range(Poly extent);  ///< always a new one
  [[nodiscard]] const Atom& at(AtomId a) const { return atoms_[a.index()]; }
  [[nodiscard]] std::size_t atoms() const { return atoms_.size(); }

  /// Returns p div q (rounded down), simplified: (c * r + l) div c is r for a range l < c.
  Poly div(const Poly& p, const Poly& q);
  Poly mod(const Poly& p, const Poly& q) { return p - q * div(p, q); }
  Poly min(const Poly& p, const Poly& q);
  Poly max(const Poly& p, const Poly& q);
  /// Returns the atom of an integer element. Equal elements have the same atom.
  Poly value(std::shared_ptr<const Expr> element);

  /// Replaces atoms, also inside other atoms, and simplifies the result.
  Poly substitute(const Poly& p, const Substitution& s);
  /// True if the atom occurs in p, also inside other atoms.
  [[nodiscard]] bool contains(const Poly& p, AtomId a) const;
  /// Returns the minima and maxima in p, also inside other atoms.
  [[nodiscard]] std::vector<AtomId> extremes(const Poly& p) const;
  /// True if p >= 0 is proved for all sizes and all indices in their ranges. False may mean "not known": the test is
  /// sound, not complete.
  bool non_negative(const Poly& p);
  /// Returns p as readable text.
  [[nodiscard]] std::string text(const Poly& p);
  /// Receives the steps of the proof; null if they are not recorded.
  Recorder* recorder = nullptr;
  /// Receives the obligations of the proof; null if they are not recorded.
  std::vector<Obligation>* obligations = nullptr;
  /// How floats are interpreted, and whether a step so far required them to be real numbers. (An atom of kind `value`
  /// that depends on the bits of a float is made only from bit-exact forms.)
  Arithmetic arithmetic = Arithmetic::reals;
  bool used_reals = false;
  /// Discontinuous operations (ir/continuity.h) that read results of real arithmetic, so that rounding may change their
  /// result.
  std::set<std::string> jumps;
  /// True if a law was applied that holds only if dimensions are below 2^31.
  bool used_sizes = false;
  /// True if a step may apply a law to values of the type; records its use. Laws of finite numbers are queried through
  /// prove::may (finite.h), which sees their operands.
  bool may(Law law, ElementType type) {
    PARTIR_CHECK(!is_of_finite(law), "a law of finite numbers is asked without its operands");
    return may_of_finite(law, type);
  }
  /// Likewise, if the operands are known to be finite.
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
  /// If true, sums are cut at the points where guards of the summand change; otherwise the two sides are compared by
  /// regions (same_by_regions).
  bool cut_sums = true;
  /// If true, whether a fold selects an element is stated by comparisons: one side of the claim has such folds, the other
  /// has comparisons.
  bool selections_by_comparison = false;
  /// Selects one of the two distributive laws of a lattice: if true, forms are minima of maxima, else maxima of minima.
  bool minima_outside = false;
  /// If p = q * d exactly, sets `quotient` to q and returns true.
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
