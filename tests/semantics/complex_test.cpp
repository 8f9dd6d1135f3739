// Complex arithmetic in each domain, compared with arithmetic on pairs and with the laws of a field.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "ir/op_decl.h"
#include "tests/registry/instances.h"
#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using E = ElementType;
using F = ScalarFn;
using Complex = std::complex<double>;
using testing::applied;
using testing::constant;
using testing::of_complex;

Complex native(F fn, E type, Complex a, Complex b = 0) {
  const Scalar out = applied(native_domain(), fn, type, type, {of_complex(a), of_complex(b)});
  return {out.f, out.im};
}

Complex small(std::uint64_t bits) {  // quarters in [-8, 8], whose products are exact in f32
  return {static_cast<double>(bits % 65) / 4 - 8, static_cast<double>(bits / 65 % 65) / 4 - 8};
}

TEST(ComplexNumbers, AreAddedAndMultipliedAsPairs) {
  EXPECT_TRUE(rc::check("(a + bi)(c + di) = ac - bd + (ad + bc)i", [](std::uint32_t x, std::uint32_t y) {
    const Complex a = small(testing::mixed(x));
    const Complex b = small(testing::mixed(~std::uint64_t{y}));
    for (const E type : {E::c64, E::c128}) {
      RC_ASSERT(native(F::add, type, a, b) == Complex(a.real() + b.real(), a.imag() + b.imag()));
      RC_ASSERT(native(F::subtract, type, a, b) == Complex(a.real() - b.real(), a.imag() - b.imag()));
      RC_ASSERT(native(F::negate, type, a) == Complex(-a.real(), -a.imag()));
      RC_ASSERT(native(F::multiply, type, a, b) ==
                Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()));
      RC_ASSERT(native(F::conj, type, a) == Complex(a.real(), -a.imag()));
      if (b != 0.0) {
        const double norm = b.real() * b.real() + b.imag() * b.imag();
        const Complex quotient = native(F::divide, type, a, b);
        const Complex wanted((a.real() * b.real() + a.imag() * b.imag()) / norm,
                             (a.imag() * b.real() - a.real() * b.imag()) / norm);
        RC_ASSERT(std::abs(quotient - wanted) <= std::abs(wanted) * (type == E::c64 ? 2e-7 : 1e-15));
      }
      const E part = part_of(type);
      RC_ASSERT(applied(native_domain(), F::real, type, part, {of_complex(a)}).f == a.real());
      RC_ASSERT(applied(native_domain(), F::imag, type, part, {of_complex(a)}).f == a.imag());
      const double magnitude = applied(native_domain(), F::abs, type, part, {of_complex(a)}).f;
      RC_ASSERT(magnitude == round_to(std::hypot(a.real(), a.imag()), part));
      const Scalar both =
          applied(native_domain(), F::complex, part, type, {of_complex(a.real()), of_complex(a.imag())});
      RC_ASSERT(Complex(both.f, both.im) == a);
      RC_ASSERT((applied(native_domain(), F::compare_eq, type, E::i1, {of_complex(a), of_complex(b)}).u == 1) ==
                (a == b));
    }
  }));
}

TEST(ComplexNumbers, AreRoundedInBothParts) {
  const Complex third = native(F::divide, E::c64, {1, 1}, 3);
  EXPECT_EQ(third, Complex(static_cast<double>(1.0F / 3.0F), static_cast<double>(1.0F / 3.0F)));
  const Scalar wide = of_complex({0.1, 0.3});
  const Scalar narrow = applied(native_domain(), F::convert, E::c128, E::c64, {wide});
  EXPECT_EQ(narrow.f, static_cast<double>(0.1F));
  EXPECT_EQ(narrow.im, static_cast<double>(0.3F));
  EXPECT_EQ(applied(native_domain(), F::convert, E::c128, E::f64, {wide}).f, 0.1);
  const Scalar from_real = applied(native_domain(), F::convert, E::f32, E::c128, {of_complex(0.5)});
  EXPECT_EQ(Complex(from_real.f, from_real.im), 0.5);
  EXPECT_EQ(applied(f64_domain(), F::convert, E::c128, E::c64, {wide}).im, 0.3) << "double precision does not round";
}

// --- Modular: the field with p^2 elements ----------------------------------------------------------------------------

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

Scalar modular(F fn, const std::vector<Scalar>& values, E in = E::c64, E out = E::c64) {
  return applied(modular_domain(), fn, in, out, values);
}
bool same(Scalar a, Scalar b) { return modular_domain().equal(a, b, E::c64); }

struct Three {
  Scalar a, b, c;
};
Three three(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const auto number = [](std::uint64_t bits) { return modular_domain().random(testing::mixed(bits), E::c64); };
  return {number(x), number(y), number(z)};
}

TEST(ModularComplexNumbers, AreAField) {
  EXPECT_TRUE(rc::check("laws of a field", [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    const auto [a, b, c] = three(x, y, z);
    RC_ASSERT(a.u < kPrime && a.um < kPrime);
    for (const F fn : {F::add, F::multiply}) {
      RC_ASSERT(same(modular(fn, {a, b}), modular(fn, {b, a})));
      RC_ASSERT(same(modular(fn, {modular(fn, {a, b}), c}), modular(fn, {a, modular(fn, {b, c})})));
    }
    RC_ASSERT(same(modular(F::multiply, {a, modular(F::add, {b, c})}),
                   modular(F::add, {modular(F::multiply, {a, b}), modular(F::multiply, {a, c})})));
    RC_ASSERT(same(modular(F::subtract, {a, b}), modular(F::add, {a, modular(F::negate, {b})})));
    const Scalar one = constant(modular_domain(), 1, E::c64);
    RC_ASSERT(same(modular(F::multiply, {a, one}), a));
    if (b.u != 0 || b.um != 0) {
      RC_ASSERT(same(modular(F::multiply, {modular(F::divide, {a, b}), b}), a));
      RC_ASSERT(same(modular(F::divide, {b, b}), one));
      RC_ASSERT(same(modular(F::divide, {modular(F::add, {a, c}), b}),
                     modular(F::add, {modular(F::divide, {a, b}), modular(F::divide, {c, b})})));
    }
  }));
}

TEST(ModularComplexNumbers, HavePartsAndConjugates) {
  EXPECT_TRUE(rc::check("conj is an automorphism; parts put together are the whole",
                        [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
                          const auto [a, b, unused] = three(x, y, z);
                          const auto conj = [](Scalar v) { return modular(F::conj, {v}); };
                          RC_ASSERT(same(conj(conj(a)), a));
                          RC_ASSERT(same(conj(modular(F::multiply, {a, b})), modular(F::multiply, {conj(a), conj(b)})));
                          RC_ASSERT(same(conj(modular(F::add, {a, b})), modular(F::add, {conj(a), conj(b)})));
                          const Scalar real = modular(F::real, {a}, E::c64, E::f32);
                          const Scalar imag = modular(F::imag, {a}, E::c64, E::f32);
                          RC_ASSERT(same(modular(F::complex, {real, imag}, E::f32), a));
                          RC_ASSERT(modular(F::imag, {modular(F::multiply, {a, conj(a)})}, E::c64, E::f32).u == 0);
                          (void)unused;
                        }));
  const Scalar i = constant(modular_domain(), {0, 1}, E::c64);
  EXPECT_TRUE(same(modular(F::multiply, {i, i}), constant(modular_domain(), -1, E::c64)));
  EXPECT_TRUE(
      same(constant(modular_domain(), {0.75, -2}, E::c64),
           modular(F::divide, {constant(modular_domain(), {3, -8}, E::c64), constant(modular_domain(), 4, E::c64)})));
}

TEST(ModularComplexNumbers, AreToldApartByFunctionsThatAreNotRational) {
  EXPECT_TRUE(rc::check("both parts count", [](std::uint64_t x) {
    const Scalar a = modular_domain().random(x, E::c64);
    Scalar b = a;
    b.um = (b.um + 1) % kPrime;
    for (const F fn : {F::exponential, F::sqrt, F::tanh, F::log, F::sign}) {
      RC_ASSERT(same(modular(fn, {a}), modular(fn, {a})));
      RC_ASSERT(!same(modular(fn, {a}), modular(fn, {b})));
    }
    RC_ASSERT(modular(F::bitcast, {a}, E::c64, E::f64).u != modular(F::bitcast, {b}, E::c64, E::f64).u);
    RC_ASSERT(modular(F::bitcast, {a}, E::c64, E::ui64).u != modular(F::bitcast, {b}, E::c64, E::ui64).u);
    RC_ASSERT(modular(F::compare_eq, {a, b}, E::c64, E::i1).u == 0 &&
              modular(F::compare_ne, {a, b}, E::c64, E::i1).u == 1);
  }));
}

TEST(ModularNumbers, AreReducedByBothNumbersOfBits) {
  const auto reduced = [](std::int64_t e, std::int64_t m) {
    return applied(modular_domain(), F::reduce_precision, E::f32, E::f32,
                   {constant(modular_domain(), 3, E::f32), testing::of_int(e), testing::of_int(m)})
        .u;
  };
  EXPECT_EQ(reduced(5, 10), reduced(5, 10));
  EXPECT_NE(reduced(5, 10), reduced(5, 2));
  EXPECT_NE(reduced(5, 10), reduced(4, 10));
}

/// The specification leaves the remainder of complex numbers open, so the operation is read but not evaluated.
TEST(ComplexNumbers, HaveNoRemainder) {
  const testing::ReadInstance read(testing::module_text("%x: tensor<3xcomplex<f32>>, %y: tensor<3xcomplex<f32>>",
                                                        "  %0 = stablehlo.remainder %x, %y : tensor<3xcomplex<f32>>"));
  EXPECT_FALSE(has_meaning(read.op()));
  const testing::ReadInstance folded(
      testing::module_text("%x: tensor<3xcomplex<f32>>, %c: tensor<complex<f32>>",
                           "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.remainder across dimensions = [0] : "
                           "(tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>"));
  EXPECT_FALSE(has_meaning(folded.op()));
}

}  // namespace
}  // namespace partir
