// cholesky and triangular_solve: their results satisfy the equations that define them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>

#include "tests/registry/claim.h"
#include "tests/registry/instances.h"
#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using E = ElementType;
using F = ScalarFn;
using testing::applied;
using testing::constant;
using testing::evaluate;
using testing::module_text;
using testing::ReadInstance;

/// A matrix over a domain.
struct Matrix {
  const Domain* domain;
  E type;
  std::size_t rows, columns;
  std::vector<Scalar> data;

  Scalar& at(std::size_t i, std::size_t j) { return data[i * columns + j]; }
  [[nodiscard]] Scalar at(std::size_t i, std::size_t j) const { return data[i * columns + j]; }
  [[nodiscard]] Scalar apply(F fn, Scalar a, Scalar b) const { return applied(*domain, fn, type, type, {a, b}); }
  [[nodiscard]] Scalar number(double v) const { return constant(*domain, v, type); }
};

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix out{a.domain, a.type, a.rows, b.columns, std::vector<Scalar>(a.rows * b.columns, a.number(0))};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      for (std::size_t k = 0; k < a.columns; ++k)
        out.at(i, j) = a.apply(F::add, out.at(i, j), a.apply(F::multiply, a.at(i, k), b.at(k, j)));
    }
  }
  return out;
}

Matrix transposed(const Matrix& a, bool conjugated) {
  Matrix out{a.domain, a.type, a.columns, a.rows, std::vector<Scalar>(a.data.size())};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j)
      out.at(j, i) = conjugated && is_complex(a.type) ? a.apply(F::conj, a.at(i, j), a.at(i, j)) : a.at(i, j);
  }
  return out;
}

Matrix random_matrix(const Domain& domain, E type, std::size_t rows, std::size_t columns, std::mt19937_64& random) {
  Matrix out{&domain, type, rows, columns, {}};
  for (std::size_t k = 0; k < rows * columns; ++k) out.data.push_back(domain.random(random(), type));
  return out;
}

double distance(const Matrix& a, const Matrix& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.data.size(); ++k)
    out = std::max(out, std::abs(a.domain->to_complex(a.data[k], a.type) - b.domain->to_complex(b.data[k], b.type)));
  return out;
}

bool equal(const Matrix& a, const Matrix& b) {
  for (std::size_t k = 0; k < a.data.size(); ++k) {
    if (!a.domain->equal(a.data[k], b.data[k], a.type)) return false;
  }
  return a.data.size() == b.data.size();
}

std::string text(const Matrix& a) {
  return testing::tensor_text({static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.columns)},
                              std::string(name_of(a.type)));
}

Matrix run(const std::string& program, const std::vector<Matrix>& operands) {
  const ReadInstance read(program);
  std::vector<Tensor> values;
  for (const Matrix& m : operands) values.push_back({read.op().operands[values.size()], m.data, {}});
  Matrix out = operands.back();
  out.data = evaluate(read.op(), values, *out.domain)[0].data;
  return out;
}

TEST(Cholesky, FactorsTimesTheirAdjointsAreTheMatrix) {
  EXPECT_TRUE(rc::check("a = l l^H, or u^H u", [](std::uint64_t seed, bool lower) {
    std::mt19937_64 random(seed);
    for (const E type : {E::f64, E::c128}) {
      const std::size_t n = random() % 5 + 1;
      const Matrix b = random_matrix(native_domain(), type, n, n, random);
      Matrix a = times(b, transposed(b, true));
      for (std::size_t k = 0; k < n; ++k) a.at(k, k) = a.apply(F::add, a.at(k, k), a.number(1));
      // The other triangle is not read, so that large numbers there must not matter.
      Matrix given = a;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) (lower ? given.at(i, j) : given.at(j, i)) = a.number(1e9);
      }
      const Matrix factor = run(module_text("%a: " + text(a), fmt::format("  %0 = stablehlo.cholesky %a, lower = {0} : "
                                                                          "({1}) -> {1}",
                                                                          lower, text(a))),
                                {given});
      const Matrix adjoint = transposed(factor, true);
      RC_ASSERT(distance(lower ? times(factor, adjoint) : times(adjoint, factor), a) < 1e-12);
      for (std::size_t i = 0; i < n; ++i) {
        RC_ASSERT(factor.at(i, i).f > 0 && factor.at(i, i).im == 0);
        for (std::size_t j = i + 1; j < n; ++j)
          RC_ASSERT(native_domain().to_complex(lower ? factor.at(i, j) : factor.at(j, i), type) == 0.0);
      }
    }
  }));
}

TEST(Cholesky, OfAMatrixThatIsNotPositiveHasNoNumbers) {
  Matrix a{&native_domain(), E::f64, 1, 1, {constant(native_domain(), -1, E::f64)}};
  const Matrix factor =
      run(module_text("%a: tensor<1x1xf64>",
                      "  %0 = stablehlo.cholesky %a, lower = true : (tensor<1x1xf64>) -> tensor<1x1xf64>"),
          {a});
  EXPECT_TRUE(std::isnan(factor.at(0, 0).f));
}

struct System {
  bool left, lower, unit;
  const char* transpose;
};

std::vector<System> systems() {
  std::vector<System> out;
  for (int flags = 0; flags < 8; ++flags) {
    for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})
      out.push_back({(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, transpose});
  }
  return out;
}

/// Returns op(a) with the triangle that is not read replaced by zeros.
Matrix coefficients(const System& s, const Matrix& a) {
  Matrix out = a;
  for (std::size_t i = 0; i < a.rows; ++i) {
    if (s.unit) out.at(i, i) = a.number(1);
    for (std::size_t j = i + 1; j < a.rows; ++j) (s.lower ? out.at(i, j) : out.at(j, i)) = a.number(0);
  }
  if (std::string_view(s.transpose) == "NO_TRANSPOSE") return out;
  return transposed(out, std::string_view(s.transpose) == "ADJOINT");
}

Matrix solved(const System& s, const Matrix& a, const Matrix& b) {
  return run(module_text(fmt::format("%a: {}, %b: {}", text(a), text(b)),
                         fmt::format("  %0 = \"stablehlo.triangular_solve\"(%a, %b) <{{left_side = {}, lower = {}, "
                                     "unit_diagonal = {}, transpose_a = #stablehlo<transpose {}>}}> : ({}, {}) -> {}",
                                     s.left, s.lower, s.unit, s.transpose, text(a), text(b), text(b))),
             {a, b});
}

/// In exact arithmetic the residual is zero.
TEST(TriangularSolve, LeavesNothingOver) {
  for (const System& s : systems()) {
    EXPECT_TRUE(
        rc::check(fmt::format("op(a) x = b: left {}, lower {}, unit {}, {}", s.left, s.lower, s.unit, s.transpose),
                  [&](std::uint64_t seed) {
                    std::mt19937_64 random(seed);
                    for (const E type : {E::f32, E::c64}) {
                      const std::size_t n = random() % 5 + 1;
                      const std::size_t m = random() % 4 + 1;
                      const Matrix a = random_matrix(modular_domain(), type, n, n, random);
                      const Matrix b = random_matrix(modular_domain(), type, s.left ? n : m, s.left ? m : n, random);
                      const Matrix x = solved(s, a, b);
                      const Matrix of_a = coefficients(s, a);
                      RC_ASSERT(equal(s.left ? times(of_a, x) : times(x, of_a), b));
                    }
                  }));
  }
}

TEST(TriangularSolve, LeavesLittleOverInFloats) {
  std::mt19937_64 random(7);
  for (const System& s : systems()) {
    for (const E type : {E::f64, E::c128}) {
      Matrix a = random_matrix(native_domain(), type, 4, 4, random);
      for (std::size_t k = 0; k < 4; ++k) a.at(k, k) = a.number(2);
      const Matrix b = random_matrix(native_domain(), type, s.left ? 4 : 3, s.left ? 3 : 4, random);
      const Matrix x = solved(s, a, b);
      const Matrix of_a = coefficients(s, a);
      EXPECT_LT(distance(s.left ? times(of_a, x) : times(x, of_a), b), 1e-12)
          << s.left << s.lower << s.unit << s.transpose;
    }
  }
}

}  // namespace
}  // namespace partir
