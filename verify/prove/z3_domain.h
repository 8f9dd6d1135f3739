// An arithmetic domain whose elements are Z3 terms: integers are bit-vectors of their width, booleans are Booleans,
// floats are real numbers. Interpreting a program in this domain yields its results for all inputs at once. It shares
// the interpreter with the trials and nothing with the prover: no canonical form, and no laws but those stated here.
//
// Known integers and booleans stay concrete, so that shapes, positions and loop counts are available to the
// interpreter. A position or condition that the interpreter needs but that depends on the inputs throws Unsettled.
#pragma once

#include <z3++.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "semantics/domain_native.h"

namespace partir::prove {

inline constexpr const char* kPosition = "a position or condition that the inputs decide";

/// Thrown if a concrete value is needed that depends on the inputs, or a value that real numbers and bit-vectors cannot
/// represent.
struct Unsettled {
  std::string what;
};

class Z3Domain final : public NativeDomain {
 public:
  explicit Z3Domain(z3::context& z);

  /// Returns a fresh unknown of the type. A complex one consists of two real unknowns.
  Scalar unknown(const std::string& name, ElementType type);
  /// Selects what happens with domain conditions of functions: conditions from the source are assumed, those from the
  /// target must be shown.
  void in_source(bool source) { source_ = source; }
  [[nodiscard]] const z3::expr_vector& assumed() const { return assumed_; }
  [[nodiscard]] const z3::expr_vector& to_show() const { return to_show_; }
  /// Returns facts about the uninterpreted functions that were applied: monotonicity and positivity (exp is positive).
  [[nodiscard]] z3::expr_vector facts() const;
  /// Returns the condition that two elements are equal. An infinity or NaN equals only an element of the same kind.
  z3::expr same(Scalar a, Scalar b, ElementType type) const;
  /// Return the term of an element, for evaluating it in a model.
  z3::expr real(Scalar s) const;
  z3::expr bits(Scalar s, ElementType type) const;
  z3::expr truth(Scalar s) const;

  void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
             Scalar* out) const override;
  [[nodiscard]] Scalar from_index(std::int64_t index, ElementType type) const override;
  [[nodiscard]] Scalar from_literal(const Literal& literal, std::int64_t position) const override;
  [[nodiscard]] Scalar random(std::uint64_t bits, ElementType type) const override;
  [[nodiscard]] double to_double(Scalar value, ElementType type) const override;
  [[nodiscard]] std::complex<double> to_complex(Scalar value, ElementType type) const override;
  [[nodiscard]] bool equal(Scalar a, Scalar b, ElementType type) const override;
  [[nodiscard]] std::int64_t position(Scalar value) const override;

 private:
  using Args = const Scalar* const*;
  struct Application {
    ScalarFn fn;
    z3::expr arg;
    z3::expr value;
  };

  Scalar one(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const;
  Scalar of_booleans(ScalarFn fn, const std::vector<Scalar>& args) const;
  Scalar of_integers(ScalarFn fn, ElementType type, const std::vector<Scalar>& args) const;
  Scalar of_reals(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const;
  Scalar of_complex(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const;
  Scalar compared(ScalarFn fn, ElementType in, Scalar a, Scalar b) const;
  Scalar converted(ElementType in, ElementType type, Scalar a) const;
  Scalar chosen(ElementType type, Scalar condition, Scalar a, Scalar b) const;
  /// Applies a function about which nothing is known but facts().
  Scalar uninterpreted(ScalarFn fn, ElementType in, ElementType type, const std::vector<Scalar>& args) const;
  z3::expr exponential(const z3::expr& x) const;
  z3::expr applied(ScalarFn fn, const z3::expr& x) const;
  void require(const z3::expr& condition) const;
  void require_domain(ScalarFn fn, ElementType in, const std::vector<Scalar>& args) const;

  [[nodiscard]] z3::expr number(double value) const;
  Scalar keep(const z3::expr& e, ElementType type) const;
  z3::expr term(Scalar s, ElementType type) const;

  z3::context& z_;
  bool source_ = true;
  mutable std::vector<z3::expr> terms_;
  mutable std::map<unsigned, std::uint64_t> known_;                    ///< index of each term, by Z3's id
  mutable std::map<unsigned, std::pair<Scalar, ElementType>> floats_;  ///< by Z3's id of their bits
  mutable std::vector<Application> applications_;
  mutable z3::expr_vector assumed_;
  mutable z3::expr_vector to_show_;
};

}  // namespace partir::prove
