// Bounds of rounding errors decide what a program asks of a computed float: whether it is finite, and how it is ordered.
#include <gtest/gtest.h>

#include <cmath>

#include "semantics/domain.h"

namespace partir {
namespace {

Scalar computed(double value, double error) {
  Scalar out;
  out.f = value;
  out.error = error;
  return out;
}

Scalar apply(ScalarFn fn, ElementType in, ElementType type, const Scalar& a, const Scalar& b = {}) {
  const Scalar* args[] = {&a, &b};
  Scalar out;
  error_domain().apply(fn, in, type, args, 1, &out);
  return out;
}

TEST(ErrorBounds, DecideFinitenessUnlessTheErrorReachesBeyondTheType) {
  const auto error = [](double value, double by) {
    return apply(ScalarFn::is_finite, ElementType::f16, ElementType::i1, computed(value, by)).error;
  };
  EXPECT_EQ(error(60000, 1), 0);
  EXPECT_NE(error(60000, 10000), 0);
  EXPECT_EQ(error(INFINITY, 0), 0);
  EXPECT_NE(error(1, INFINITY), 0);
}

TEST(ErrorBounds, OfBoundedFunctionsOfWhatMayBeUndefined) {
  const auto error = [](ScalarFn fn, double by) {
    return apply(fn, ElementType::f32, ElementType::f32, computed(0.5, by)).error;
  };
  for (const ScalarFn fn : {ScalarFn::cosine, ScalarFn::sine, ScalarFn::tanh, ScalarFn::logistic, ScalarFn::erf}) {
    EXPECT_LE(error(fn, 1e6), 2.1) << name_of(fn);
    EXPECT_TRUE(std::isinf(error(fn, INFINITY))) << name_of(fn);
  }
}

TEST(ErrorBounds, OrderRanksThatAreApart) {
  const auto rank = [](double value, double by) {
    return apply(ScalarFn::order_key, ElementType::f32, ElementType::i64, computed(value, by));
  };
  const auto error = [](const Scalar& a, const Scalar& b) {
    return apply(ScalarFn::compare_lt, ElementType::i64, ElementType::i1, a, b).error;
  };
  EXPECT_EQ(error(rank(1, 1e-3), rank(2, 1e-3)), 0);
  EXPECT_NE(error(rank(1, 1e-3), rank(1.0005, 0)), 0);
  EXPECT_NE(error(rank(-1e-6, 1e-5), rank(1e-6, 0)), 0);
}

TEST(ErrorBounds, OfAFloatAreNoneOfItsBits) {
  const auto bits = [](double value, double by) {
    return apply(ScalarFn::bitcast, ElementType::f32, ElementType::i32, computed(value, by));
  };
  const Scalar a = bits(1, 1e-3);
  EXPECT_NE(apply(ScalarFn::compare_lt, ElementType::i32, ElementType::i1, a, bits(1.0001, 0)).error, 0);
  EXPECT_EQ(apply(ScalarFn::bitcast, ElementType::i32, ElementType::f32, a).error, 1e-3);
}

}  // namespace
}  // namespace partir
