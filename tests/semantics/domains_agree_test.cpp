// Compares the arithmetic domains with each other. On small integers, sums, products, maxima and comparisons are exact
// in all of them, so their results must be equal.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>
#include <set>

#include "tests/registry/claim.h"
#include "tests/registry/instances.h"
#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using E = ElementType;
using F = ScalarFn;
using testing::applied;
using testing::Instance;
using testing::ReadInstance;

const Domain* const kDomains[] = {&native_domain(), &f64_domain(), &modular_domain()};

/// Returns an integer or a truth value in a domain's representation.
Scalar whole(const Domain& domain, std::int64_t v, E type) {
  if (!is_complex(type)) return domain.from_index(v, type);
  return testing::constant(domain, {static_cast<double>(v), static_cast<double>(v % 3)}, type);
}

/// Returns a native result in the representation of the modular domain.
Scalar in_modular(Scalar native, E type) {
  if (!is_float(type) && !is_complex(type)) return native;
  return testing::constant(modular_domain(), native_domain().to_complex(native, type), type);
}

TEST(Domains, AgreeOnExpressionsOfWholeNumbers) {
  EXPECT_TRUE(rc::check("+, -, *, max, min, comparisons, choices, conversions", [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    struct Value {
      E type;
      Scalar in[3];
    };
    for (const E type : {E::f32, E::f64, E::c64}) {
      std::vector<Value> values;
      for (int k = 0; k < 4; ++k) {
        values.push_back({type, {}});
        const auto v = static_cast<std::int64_t>(random() % 7) - 3;
        for (std::size_t d = 0; d < 3; ++d) values.back().in[d] = whole(*kDomains[d], v, type);
      }
      std::size_t products = 0;
      for (int step = 0; step < 12; ++step) {
        const F real[] = {F::add, F::subtract, F::negate, F::maximum, F::minimum, F::multiply};
        F fn = real[random() % std::size(real)];
        if (is_complex(type) && (fn == F::maximum || fn == F::minimum)) fn = F::conj;  // complex orders differ
        if (fn == F::multiply && ++products > 3) fn = F::add;                          // to stay below 2^24
        const Value a = values[random() % values.size()];
        const Value b = values[random() % values.size()];
        const Value c = values[random() % values.size()];
        Value out{type, {}};
        for (std::size_t d = 0; d < 3; ++d) {
          const Scalar result = applied(*kDomains[d], fn, type, type, {a.in[d], b.in[d]});
          const F compare = is_complex(type) ? F::compare_ne : F::compare_lt;
          const Scalar less = applied(*kDomains[d], compare, type, E::i1, {a.in[d], c.in[d]});
          out.in[d] = applied(*kDomains[d], F::select, type, type, {less, result, c.in[d]});
          if (type == E::f64) {  // a conversion to an integer and back
            const Scalar integer = applied(*kDomains[d], F::convert, type, E::i64, {out.in[d]});
            out.in[d] = applied(*kDomains[d], F::convert, E::i64, type, {integer});
          }
        }
        RC_ASSERT(native_domain().equal(out.in[0], out.in[1], type));
        RC_ASSERT(modular_domain().equal(in_modular(out.in[0], type), out.in[2], type));
        values.push_back(out);
      }
    }
  }));
}

bool is_exact(const OpInstance& op) {
  static const std::set<std::string> families = {
      "stablehlo.add",         "stablehlo.subtract",        "stablehlo.multiply",      "stablehlo.negate",
      "stablehlo.dot_general", "stablehlo.convolution",     "stablehlo.reduce",        "stablehlo.reduce_window",
      "stablehlo.gather",      "stablehlo.scatter",         "stablehlo.pad",           "stablehlo.concatenate",
      "stablehlo.transpose",   "stablehlo.reshape",         "stablehlo.dynamic_slice", "stablehlo.select_and_scatter",
      "stablehlo.maximum",     "chlo.ragged_dot",           "stablehlo.compare",       "stablehlo.select",
      "stablehlo.complex",     "stablehlo.broadcast_in_dim"};
  if (!families.contains(op.decl->name)) return false;
  const bool ordered = op.decl->name == "stablehlo.maximum" && is_complex(op.results[0]->element);
  if (ordered) return false;  // maxima of complex numbers are hashes in the modular domain
  bool floats = false;
  std::vector<Type> types = op.operands;
  types.insert(types.end(), op.results.begin(), op.results.end());
  for (const Type& t : types) {
    const E part = part_of(t->element);
    if (is_float(part) && bit_width(part) < 32) return false;
    floats = floats || is_float(part);
  }
  return floats;
}

TEST(Domains, AgreeOnInstancesOverWholeNumbers) {
  std::size_t tried = 0;
  for (const Instance& instance : testing::instances()) {
    const ReadInstance read(instance.text);
    const OpInstance& op = read.op();
    if (!is_exact(op)) continue;
    ++tried;
    std::vector<std::vector<Tensor>> results;
    for (const Domain* domain : kDomains) {
      std::mt19937_64 random(tried);
      std::vector<Tensor> operands;
      for (const Type& t : op.operands) {
        Tensor x{t, {}, {}};
        for (std::int64_t k = 0; k < t->elements(); ++k) {
          const std::uint64_t bits = random();
          const std::int64_t low = is_float(t->element) || is_complex(t->element) ? -1 : 0;
          x.data.push_back(
              whole(*domain, t->element == E::i1 ? bits & 1 : static_cast<std::int64_t>(bits % 4) + low, t->element));
        }
        operands.push_back(std::move(x));
      }
      results.push_back(testing::evaluate(op, operands, *domain));
    }
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const E type = op.results[r]->element;
      for (std::size_t k = 0; k < results[0][r].data.size(); ++k) {
        const Scalar native = results[0][r].data[k];
        const double size = std::abs(native_domain().to_complex(native, type));
        ASSERT_FALSE(size < 1e300 && size >= 0x1p24) << "too large to be exact\n" << instance.text;
        ASSERT_TRUE(native_domain().equal(native, results[1][r].data[k], type)) << instance.text << "element " << k;
        ASSERT_TRUE(modular_domain().equal(in_modular(native, type), results[2][r].data[k], type))
            << instance.text << "element " << k << ": " << native_domain().to_double(native, type);
      }
    }
  }
  EXPECT_GT(tried, 500U);
}

/// max(0, x) must not equal x for every x of a domain; otherwise moving a relu through a sum would go unnoticed.
TEST(Domains, HaveNumbersBelowZero) {
  for (const Domain* domain : kDomains) {
    const Scalar zero = domain->from_index(0, E::f32);
    const Scalar below = domain->from_index(-3, E::f32);
    const Scalar above = domain->from_index(2, E::f32);
    const auto relu = [&](Scalar x) { return applied(*domain, F::maximum, E::f32, E::f32, {x, zero}); };
    EXPECT_TRUE(domain->equal(relu(below), zero, E::f32)) << domain->name();
    EXPECT_TRUE(domain->equal(relu(above), above, E::f32)) << domain->name();
    EXPECT_EQ(applied(*domain, F::compare_lt, E::f32, E::i1, {below, above}).u, 1U) << domain->name();
    EXPECT_EQ(applied(*domain, F::convert, E::f32, E::i32, {below}).i, -3) << domain->name();
    EXPECT_LT(applied(*domain, F::order_key, E::f32, E::i64, {below}).i,
              applied(*domain, F::order_key, E::f32, E::i64, {above}).i)
        << domain->name();
  }
}

}  // namespace
}  // namespace partir
