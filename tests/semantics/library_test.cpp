// Library functions compared with their definitions: sort, top_k, Fourier transforms, random bits.
#include "semantics/library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "tests/registry/claim.h"
#include "tests/registry/instances.h"
#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using E = ElementType;
using Complex = std::complex<double>;
using testing::evaluate;
using testing::kInfinity;
using testing::kNan;
using testing::module_text;
using testing::of_complex;
using testing::of_float;
using testing::of_int;
using testing::ReadInstance;

// --- sort and top_k --------------------------------------------------------------------------------------------------

/// Returns values with many ties, among them NaNs, infinities and both zeros.
double tied(std::mt19937_64& random) {
  const double values[] = {-kInfinity, -2, -1, -0.0, 0.0, 1, 1.5, kInfinity, kNan, -kNan};
  return values[random() % std::size(values)];
}

std::int32_t order(double v) {  // -NaN < -inf < … < -0 < +0 < … < inf < NaN
  const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(v));
  return bits < 0 ? -1 - (bits & 0x7fffffff) : bits;
}

TEST(Sort, OrdersAPermutationAndKeepsTheOrderOfEquals) {
  EXPECT_TRUE(rc::check("sorted, stable, along the dimension alone", [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::int64_t> dims = {static_cast<std::int64_t>(random() % 4 + 1),
                                            static_cast<std::int64_t>(random() % 12 + 1),
                                            static_cast<std::int64_t>(random() % 3 + 1)};
    const auto dim = static_cast<std::size_t>(random() % 3);
    const bool down = random() % 2 != 0;
    const std::string x = testing::tensor_text(dims, "f32");
    const std::string i = testing::tensor_text(dims, "i32");
    const ReadInstance read(module_text(
        fmt::format("%x: {}, %i: {}", x, i),
        fmt::format("  %0:2 = \"stablehlo.sort\"(%x, %i) <{{dimension = {} : i64, is_stable = true}}> ({{\n  ^bb0(%a: "
                    "tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):\n    %r = stablehlo.compare {}, "
                    "%a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %r : "
                    "tensor<i1>\n  }}) : ({}, {}) -> ({}, {})",
                    static_cast<std::int64_t>(dim) - (random() % 2 != 0 ? 3 : 0), down ? "GT" : "LT", x, i, x, i)));
    Tensor keys{read.op().operands[0], {}, {}};
    Tensor places{read.op().operands[1], {}, {}};
    std::int64_t inner = 1;
    for (std::size_t d = dim + 1; d < 3; ++d) inner *= dims[d];
    for (std::int64_t k = 0; k < keys.type->elements(); ++k) {
      keys.data.push_back(of_float(tied(random)));
      places.data.push_back(of_int(k));
    }
    const auto out = evaluate(read.op(), {keys, places}, native_domain());
    std::vector<bool> seen(keys.data.size(), false);
    for (std::size_t k = 0; k < keys.data.size(); ++k) {
      const auto from = static_cast<std::size_t>(out[1].data[k].i);
      RC_ASSERT(!seen[from]);
      seen[from] = true;
      RC_ASSERT(order(out[0].data[k].f) == order(keys.data[from].f));
      const std::int64_t size = inner * dims[dim];  // elements in one run of lines
      const auto line = [&](std::size_t e) {
        const auto v = static_cast<std::int64_t>(e);
        return std::pair(v / size, v % inner);
      };
      RC_ASSERT(line(from) == line(k));
      const std::size_t next = k + static_cast<std::size_t>(inner);
      if (next >= keys.data.size() || line(next) != line(k)) continue;
      const std::int32_t a = order(out[0].data[k].f);
      const std::int32_t b = order(out[0].data[next].f);
      RC_ASSERT((down ? a >= b : a <= b));
      RC_ASSERT(a != b || out[1].data[k].i < out[1].data[next].i);
    }
  }));
}

TEST(TopK, IsTheBeginningOfASortDownwards) {
  EXPECT_TRUE(rc::check("values and places", [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto n = static_cast<std::int64_t>(random() % 15 + 1);
    const auto k = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n + 1));
    const ReadInstance read(module_text(
        fmt::format("%x: tensor<2x{}xf32>", n),
        fmt::format("  %v, %i = chlo.top_k(%x, k = {0}) : tensor<2x{1}xf32> -> (tensor<2x{0}xf32>, tensor<2x{0}xi32>)",
                    k, n)));
    Tensor x{read.op().operands[0], {}, {}};
    for (std::int64_t e = 0; e < 2 * n; ++e) x.data.push_back(of_float(tied(random)));
    const auto out = evaluate(read.op(), {x}, native_domain());
    for (std::int64_t row = 0; row < 2; ++row) {
      const auto key = [&](std::int64_t e) { return order(x.data[static_cast<std::size_t>(row * n + e)].f); };
      std::vector<std::int64_t> wanted(static_cast<std::size_t>(n));
      std::iota(wanted.begin(), wanted.end(), 0);
      std::stable_sort(wanted.begin(), wanted.end(), [&](std::int64_t a, std::int64_t b) { return key(a) > key(b); });
      for (std::int64_t e = 0; e < k; ++e) {
        const auto at = static_cast<std::size_t>(row * k + e);
        RC_ASSERT(out[1].data[at].i == wanted[static_cast<std::size_t>(e)]);
        RC_ASSERT(order(out[0].data[at].f) == key(out[1].data[at].i));
      }
    }
  }));
}

/// In the domain without rounding, numbers are distinguished that f32 rounds to the same value.
TEST(TopK, OrdersByTheNumbersOfTheDomain) {
  const ReadInstance read(module_text(
      "%x: tensor<3xf32>", "  %v, %i = chlo.top_k(%x, k = 1) : tensor<3xf32> -> (tensor<1xf32>, tensor<1xi32>)"));
  const Tensor x{read.op().operands[0], {of_float(1), of_float(1 + 1e-12), of_float(1)}, {}};
  EXPECT_EQ(evaluate(read.op(), {x}, f64_domain())[1].data[0].i, 1);
}

// --- Fourier transforms ----------------------------------------------------------------------------------------------

std::size_t count(const std::vector<std::int64_t>& dims) {
  return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

std::vector<Complex> fft(const std::string& kind, const std::vector<std::int64_t>& from, const char* from_element,
                         const std::vector<std::int64_t>& to, const char* to_element,
                         const std::vector<std::int64_t>& length, const std::vector<Complex>& x) {
  const std::string t = testing::tensor_text(from, from_element);
  const ReadInstance read(
      module_text("%x: " + t, fmt::format("  %0 = stablehlo.fft %x, type = {}, length = [{}] : ({}) -> {}", kind,
                                          fmt::join(length, ", "), t, testing::tensor_text(to, to_element))));
  Tensor in{read.op().operands[0], {}, {}};
  for (const Complex v : x) in.data.push_back(of_complex(v));
  const Tensor result = evaluate(read.op(), {in}, native_domain())[0];
  std::vector<Complex> out;
  for (const Scalar& s : result.data) out.push_back(native_domain().to_complex(s, result.type->element));
  return out;
}

/// Returns the transform by its definition: one sum over all of the transformed dimensions, in long double.
std::vector<Complex> by_definition(const std::vector<std::int64_t>& dims, std::size_t transformed,
                                   const std::vector<Complex>& x) {
  const std::vector<std::int64_t> last(dims.end() - static_cast<std::ptrdiff_t>(transformed), dims.end());
  const std::size_t size = count(last);
  std::vector<Complex> out;
  for (std::size_t e = 0; e < x.size(); ++e) {
    std::complex<long double> sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
      long double turns = 0;
      std::size_t a = e % size;
      std::size_t b = k;
      for (std::size_t d = last.size(); d-- > 0;) {
        const auto n = static_cast<std::size_t>(last[d]);
        turns += static_cast<long double>(a % n * (b % n) % n) / static_cast<long double>(n);
        a /= n;
        b /= n;
      }
      sum += std::complex<long double>(x[e / size * size + k]) *
             std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
    }
    out.emplace_back(sum);
  }
  return out;
}

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  RC_ASSERT(a.size() == b.size());
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, std::abs(a[k] - b[k]));
  return out;
}

TEST(FourierTransforms, AreTheirDefinitionLinearAndInvertible) {
  EXPECT_TRUE(rc::check("FFT, IFFT, RFFT and IRFFT", [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::size_t transformed = random() % 3 + 1;
    std::vector<std::int64_t> dims;
    for (std::size_t d = 0; d < transformed + random() % 2; ++d)
      dims.push_back(static_cast<std::int64_t>(random() % 5 + 1));
    const std::vector<std::int64_t> length(dims.end() - static_cast<std::ptrdiff_t>(transformed), dims.end());
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&](bool complex) {
      std::vector<Complex> out;
      for (std::size_t k = 0; k < count(dims); ++k) out.emplace_back(uniform(random), complex ? uniform(random) : 0);
      return out;
    };
    const char* const complex = "complex<f64>";
    const auto run = [&](const char* kind, const std::vector<Complex>& v) {
      return fft(kind, dims, complex, dims, complex, length, v);
    };
    const auto x = vector(true);
    const auto y = vector(true);
    const auto forward = run("FFT", x);
    RC_ASSERT(distance(forward, by_definition(dims, transformed, x)) < 1e-12);
    RC_ASSERT(distance(run("IFFT", forward), x) < 1e-13);
    RC_ASSERT(distance(run("FFT", run("IFFT", x)), x) < 1e-13);
    std::vector<Complex> combined(x.size());
    std::vector<Complex> wanted(x.size());
    const Complex a(0.5, -2);
    const auto other = run("FFT", y);
    for (std::size_t k = 0; k < x.size(); ++k) {
      combined[k] = x[k] + a * y[k];
      wanted[k] = forward[k] + a * other[k];
    }
    RC_ASSERT(distance(run("FFT", combined), wanted) < 1e-12);
    // The transform of a real array is determined by half of it.
    const auto real = vector(false);
    std::vector<std::int64_t> half = dims;
    half.back() = dims.back() / 2 + 1;
    const auto whole = run("FFT", real);
    const auto part = fft("RFFT", dims, "f64", half, complex, length, real);
    std::vector<Complex> kept;
    for (std::size_t k = 0; k < whole.size(); ++k) {
      if (static_cast<std::int64_t>(k) % dims.back() < half.back()) kept.push_back(whole[k]);
    }
    RC_ASSERT(distance(part, kept) < 1e-13);
    RC_ASSERT(distance(fft("IRFFT", half, complex, dims, "f64", length, part), real) < 1e-13);
  }));
}

// --- Random bits: as JAX computes them -------------------------------------------------------------------------------

using Words = std::vector<std::uint64_t>;

void expect_bits(const char* algorithm, const char* result, const Words& state, const Words& bits,
                 const Words& before = {1, 2}) {
  const ReadInstance read(
      module_text(fmt::format("%s: tensor<{}xui64>", before.size()),
                  fmt::format("  %t, %0 = stablehlo.rng_bit_generator %s, algorithm = {0} : (tensor<{1}xui64>) -> "
                              "(tensor<{1}xui64>, {2})",
                              algorithm, before.size(), result)));
  Tensor initial{read.op().operands[0], {}, {}};
  for (const std::uint64_t word : before) initial.data.push_back(of_int(static_cast<std::int64_t>(word)));
  for (const Domain* domain : {&native_domain(), &f64_domain(), &modular_domain()}) {
    const auto out = evaluate(read.op(), {initial}, *domain);
    const auto words = [](const Tensor& t) {
      Words all;
      for (const Scalar& s : t.data) all.push_back(s.u);
      return all;
    };
    EXPECT_EQ(words(out[0]), state) << algorithm << " " << result;
    EXPECT_EQ(words(out[1]), bits) << algorithm << " " << result;
  }
}

TEST(RandomBits, OfThreefryAreThoseOfJax) {
  expect_bits("THREE_FRY", "tensor<2x2xui64>", {1, 6},
              {9236835810183407956U, 16087790271692313299U, 18212823393184779219U, 2658481902456610144U});
  expect_bits("THREE_FRY", "tensor<5xui32>", {1, 5}, {43444564, 2150618427, 3979645651, 3745730563, 1672743891});
  expect_bits(
      "THREE_FRY", "tensor<3x3xui32>", {1, 8},
      {43444564, 3979645651, 1672743891, 2150618427, 3745730563, 4240503393, 2109414752, 2534981805, 2868795927});
  expect_bits("THREE_FRY", "tensor<7xui16>", {1, 6}, {59732, 54587, 37587, 20483, 3027, 62049, 7520});
  expect_bits("THREE_FRY", "tensor<3x5xui8>", {1, 11},
              {84, 59, 211, 3, 211, 96, 52, 173, 229, 23, 208, 130, 101, 78, 242});
}

TEST(RandomBits, OfPhiloxAreThoseOfJax) {
  expect_bits("PHILOX", "tensor<2x2xui64>", {1, 4},
              {12229731395331991369U, 3437131457114678231U, 13465615291114923006U, 9328616520744100567U});
  expect_bits("PHILOX", "tensor<5xui32>", {1, 4}, {2100602697, 2847456232, 2074354647, 800269529, 1828267006});
  expect_bits(
      "PHILOX", "tensor<3x3xui32>", {1, 5},
      {2100602697, 2847456232, 2074354647, 800269529, 1828267006, 3135207875, 3972719319, 2171987788, 433598563});
  expect_bits("PHILOX", "tensor<3x5xui8>", {1, 6},
              {73, 232, 215, 217, 254, 195, 215, 76, 99, 52, 33, 112, 227, 193, 164});
  // A counter of two words, counters that carry, and XLA's default algorithm.
  constexpr std::uint64_t most = ~std::uint64_t{0};
  expect_bits("PHILOX", "tensor<8xui32>", {5, 9, 11},
              {1157300755, 1818170253, 4058399549, 1626842040, 2592076784, 1929384169, 2018122784, 3780938169},
              {5, 7, 11});
  expect_bits("PHILOX", "tensor<8xui32>", {5, 1, 12},
              {3828074690, 2338245796, 3870853208, 3035440549, 2197712298, 2173829237, 2178235051, 3725717012},
              {5, most, 11});
  expect_bits("PHILOX", "tensor<8xui32>", {5, 1},
              {1314562490, 4035658752, 2543735481, 4162936588, 64677483, 3635105107, 3931607701, 727262183}, {5, most});
  expect_bits("DEFAULT", "tensor<4xui32>", {5, 8}, {1957188081, 3299040168, 2189429415, 2942269241}, {5, 7});
  expect_bits("DEFAULT", "tensor<4xui32>", {5, 8, 11}, {1157300755, 1818170253, 4058399549, 1626842040}, {5, 7, 11});
}

}  // namespace
}  // namespace partir
