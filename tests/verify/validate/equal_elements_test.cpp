// Random expressions of few variables: wherever the algebra finds two of them equal, they have equal values at every
// point that is tried. It searches for false laws, with maxima, selections and comparisons that meet at ties, floats
// that are NaN at some points, and integers of several widths that wrap.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <unordered_map>

#include "semantics/domain.h"
#include "tests/random_settings.h"
#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

using F = ScalarFn;
using E = ElementType;

constexpr std::size_t kPoints = 48;
constexpr std::size_t kExpressions = 600;  ///< of one algebra

/// An expression: its element, its values at all points, and how it is written.
struct Expression {
  E type = E::f32;
  Element element;
  std::array<Scalar, kPoints> values;
  double scale = 1;      ///< the greatest magnitude among its own and its parts' values
  bool is_exact = true;  ///< computed without rounding, so that comparisons of it are reliable
  std::size_t size = 1;
  std::string text;
};

enum class Values : std::uint8_t { floats, floats_or_nan, integers };

class Author {
 public:
  Author(std::uint64_t seed, bool exact, Values values)
      : random_(seed),
        algebra_(Seed{seed, 0}, exact),
        floats_(values != Values::integers),
        with_nan_(values == Values::floats_or_nan) {
    algebra_.track_sums(true);
    static const std::vector<E> integers = {E::i8, E::ui8, E::i32, E::ui32};
    for (std::size_t k = 0; k < 3; ++k) {
      const E type = floats_ ? E::f32 : integers[below(integers.size())];
      Expression e;
      e.type = type;
      e.element = algebra_.input(k, 0, type);
      e.text = fmt::format("{}:{}", static_cast<char>('x' + k), name_of(type));
      for (Scalar& v : e.values) v = value(type);
      // Ties, opposites and zeros.
      for (std::size_t p = 0; k > 0 && all_[0].type == type && p < kPoints / 3; ++p) {
        e.values[p] = all_[0].values[p];
        if (floats_ && p % 3 == 0) e.values[p].f = -e.values[p].f;
      }
      all_.push_back(e);
    }
    for (const double c : {0.0, 1.0, 2.0, 0.5}) {
      if (floats_) constant(E::f32, c);
    }
    if (with_nan_) add_lookups();
    for (const Expression& e : std::vector<Expression>(all_)) {
      for (const std::int64_t c : {0, 1, 3, 4, 7, 16}) {
        if (!floats_) constant(e.type, static_cast<double>(c));
      }
    }
  }

  /// Adds numbers that are NaN where a boolean, or a comparison, is false.
  void add_lookups() {
    for (std::size_t k = 0; k < 5; ++k) {
      Expression mask;
      mask.type = E::i1;
      mask.element = algebra_.input(1, static_cast<std::int64_t>(k), E::i1);
      for (Scalar& v : mask.values) v.i = below(6) != 0 ? 1 : 0;
      mask.text = fmt::format("m{}", k);
      Expression nan;
      nan.element = Element::special(Special::nan);
      for (Scalar& v : nan.values) v.f = std::nan("");
      nan.text = "NaN";
      const Expression number = all_[k % 3];
      all_.push_back(*applied(F::select, E::f32, E::f32, {&mask, &number, &nan}));
    }
  }

  /// Pairs that the algebra finds equal, although their values differ.
  std::optional<std::string> false_law() {
    std::unordered_map<Element, std::vector<std::size_t>, ElementHash> known;
    std::optional<std::string> worst;
    std::size_t least = 1000;
    while (all_.size() < kExpressions) {
      const auto e = floats_ ? of_floats() : of_integers();
      if (!e) continue;
      all_.push_back(*e);
      auto& same = known[algebra_.canonical(e->element)];
      for (const std::size_t k : same) {
        const Expression& other = all_[k];
        if (other.type != e->type) continue;
        ++equal_;
        if (agree(other, *e) || other.size + e->size >= least) continue;
        least = other.size + e->size;
        worst = fmt::format("{}  =  {}", other.text, e->text);
      }
      same.push_back(all_.size() - 1);
    }
    return worst;
  }

  [[nodiscard]] std::size_t equal() const { return equal_; }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  Scalar value(E type) {
    Scalar v;
    if (is_float(type)) {
      v.f = static_cast<double>(static_cast<std::int64_t>(below(17)) - 8) / 4;
    } else {
      const auto bits = below(3) == 0 ? below(9) - 4 : random_();
      v.i = wrap(bits, type);
    }
    return v;
  }

  void constant(E type, double c) {
    Expression e;
    e.type = type;
    e.element = is_float(type) ? Element::number(c) : Element::integer(static_cast<std::int64_t>(c));
    for (Scalar& v : e.values) {
      if (is_float(type))
        v.f = c;
      else
        v.i = static_cast<std::int64_t>(c);
    }
    e.text = fmt::format("{:g}", c);
    e.size = 1;
    all_.push_back(e);
  }

  /// An expression of the type. Small ones are more likely.
  const Expression& any(E type, bool exact) {
    for (;;) {
      const Expression& e = all_[std::min(below(all_.size()), below(all_.size()))];
      if (e.type == type && (e.is_exact || !exact)) return e;
    }
  }

  std::optional<Expression> applied(F fn, E in, E type, const std::vector<const Expression*>& args) {
    Expression out;
    out.type = type;
    std::vector<Element> elements;
    out.text = std::string(name_of(fn)) + (in == type ? "" : fmt::format(":{}", name_of(type))) + "(";
    for (const Expression* e : args) {
      elements.push_back(e->element);
      out.scale = std::max(out.scale, e->scale);
      out.is_exact = out.is_exact && e->is_exact;
      out.size += e->size;
      out.text += (elements.size() == 1 ? "" : ", ") + e->text;
    }
    out.text += ")";
    if (out.size > 24) return std::nullopt;
    for (std::size_t p = 0; p < kPoints; ++p) {
      const Scalar* of[3] = {};
      for (std::size_t k = 0; k < args.size(); ++k) of[k] = &args[k]->values[p];
      f64_domain().apply(fn, in, type, of, 1, &out.values[p]);
      if (!is_float(type)) continue;
      if (with_nan_ && std::isnan(out.values[p].f)) continue;
      if (!std::isfinite(out.values[p].f) || std::fabs(out.values[p].f) > 1e4) return std::nullopt;
      out.scale = std::max(out.scale, std::fabs(out.values[p].f));
    }
    out.element = algebra_.apply(fn, in, type, elements);
    return out;
  }

  std::optional<Expression> comparison(E type) {
    static const std::vector<F> all = {F::compare_eq, F::compare_ne, F::compare_lt,
                                       F::compare_le, F::compare_gt, F::compare_ge};
    return applied(all[below(all.size())], type, E::i1, {&any(type, true), &any(type, true)});
  }

  std::optional<Expression> of_floats() {
    if (below(4) == 0) {
      const auto p = comparison(E::f32);
      return p ? applied(F::select, E::f32, E::f32, {&*p, &any(E::f32, false), &any(E::f32, false)}) : std::nullopt;
    }
    if (below(4) == 0) {
      static const std::vector<F> smooth = {F::exponential, F::exponential_minus_one, F::tanh, F::logistic, F::erf,
                                            F::erfc,        F::log_plus_one};
      const F fn = smooth[below(smooth.size())];
      std::optional<Expression> of = any(E::f32, true);
      if (fn == F::log_plus_one) of = applied(F::exponential, E::f32, E::f32, {&*of});
      auto out = of ? applied(fn, E::f32, E::f32, {&*of}) : std::nullopt;
      if (out) out->is_exact = false;
      return out;
    }
    static const std::vector<F> unary = {F::negate, F::abs, F::sign};
    static const std::vector<F> binary = {F::add, F::subtract, F::multiply, F::maximum, F::minimum};
    if (below(4) == 0) {
      const F fn = unary[below(unary.size())];
      return applied(fn, E::f32, E::f32, {&any(E::f32, fn == F::sign)});
    }
    return applied(binary[below(binary.size())], E::f32, E::f32, {&any(E::f32, false), &any(E::f32, false)});
  }

  std::optional<Expression> of_integers() {
    const E type = all_[below(3)].type;
    if (below(6) == 0) {
      const auto p = comparison(type);
      return p ? applied(F::select, type, type, {&*p, &any(type, true), &any(type, true)}) : std::nullopt;
    }
    if (below(6) == 0) {
      const E from = all_[below(3)].type;
      return applied(F::convert, from, type, {&any(from, true)});
    }
    if (below(3) == 0) {
      static const std::vector<F> by_constant = {F::divide, F::remainder, F::shift_left, F::shift_right_logical,
                                                 F::shift_right_arithmetic};
      const F fn = by_constant[below(by_constant.size())];
      Expression c;
      c.type = type;
      const std::int64_t amount = fn == F::divide || fn == F::remainder ? std::array{2, 3, 4, 8, 16}[below(5)]
                                                                        : static_cast<std::int64_t>(below(9));
      c.element = Element::integer(amount);
      for (Scalar& v : c.values) v.i = amount;
      c.text = fmt::format("{}", amount);
      return applied(fn, type, type, {&any(type, true), &c});
    }
    if (below(8) == 0) return applied(below(2) == 0 ? F::negate : F::logical_not, type, type, {&any(type, true)});
    static const std::vector<F> binary = {F::add,     F::subtract,    F::multiply,   F::maximum,
                                          F::minimum, F::logical_and, F::logical_or, F::logical_xor};
    return applied(binary[below(binary.size())], type, type, {&any(type, true), &any(type, true)});
  }

  static bool agree(const Expression& a, const Expression& b) {
    for (std::size_t p = 0; p < kPoints; ++p) {
      if (!is_float(a.type)) {
        if (a.values[p].i != b.values[p].i) return false;
      } else if (std::isnan(a.values[p].f) || std::isnan(b.values[p].f)) {
        if (std::isnan(a.values[p].f) != std::isnan(b.values[p].f)) return false;
      } else if (std::fabs(a.values[p].f - b.values[p].f) > 1e-8 * std::max(a.scale, b.scale)) {
        return false;
      }
    }
    return true;
  }

  std::mt19937_64 random_;
  Algebra algebra_;
  bool floats_;
  bool with_nan_;
  std::vector<Expression> all_;
  std::size_t equal_ = 0;
};

const bool set_up = testing::draw_cases(20);

void hold_laws(bool exact, Values values) {
  std::size_t equal = 0;
  const bool holds = rc::check([&](std::uint64_t seed) {
    Author author(seed, exact, values);
    std::optional<std::string> wrong;
    try {
      wrong = author.false_law();
    } catch (const Ring::TooLarge&) {
      return;  // only exact evaluation
    }
    equal += author.equal();
    if (wrong) RC_FAIL(fmt::format("seed {}: {}", seed, *wrong));
  });
  EXPECT_TRUE(holds);
  EXPECT_GT(equal, 1000U) << "hardly any two expressions were found equal";
}

TEST(EqualElements, OfFloatsHaveEqualValues) { hold_laws(false, Values::floats); }
TEST(EqualElements, OfFloatsHaveEqualValuesInExactEvaluation) { hold_laws(true, Values::floats); }
TEST(EqualElements, OfFloatsThatMayBeNaNHaveEqualValues) { hold_laws(false, Values::floats_or_nan); }
TEST(EqualElements, OfFloatsThatMayBeNaNHaveEqualValuesInExactEvaluation) { hold_laws(true, Values::floats_or_nan); }
TEST(EqualElements, OfIntegersHaveEqualValues) { hold_laws(false, Values::integers); }
TEST(EqualElements, OfIntegersHaveEqualValuesInExactEvaluation) { hold_laws(true, Values::integers); }

}  // namespace
}  // namespace partir::validate
