// The laws by which validation recognises equal elements, and elements that must stay distinct, in random and in exact
// evaluation.
#include "verify/validate/algebra.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ir/text/read.h"
#include "semantics/domain.h"
#include "verify/validate/library.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i32 = ElementType::i32;

class Laws : public ::testing::TestWithParam<bool> {
 protected:
  Algebra a{Seed{7, 0}, GetParam()};
  Element x = a.input(0, 0, f32);
  Element y = a.input(0, 1, f32);
  Element z = a.input(0, 2, f32);
  Element id = a.input(1, 0, i32);
  Element jd = a.input(1, 1, i32);

  Element of(ScalarFn fn, Element p, Element q, ElementType type = f32) { return a.apply(fn, type, type, {p, q}); }
  Element of(ScalarFn fn, Element p, ElementType type = f32) { return a.apply(fn, type, type, {p}); }
  Element compare(ScalarFn fn, Element p, Element q, ElementType type = f32) {
    return a.apply(fn, type, ElementType::i1, {p, q});
  }
  Element number(double v) { return Element::number(v); }
  Element integer(std::int64_t v) { return Element::integer(v); }
};

TEST_P(Laws, SumsAndProductsOfARing) {
  const Element left = of(ScalarFn::multiply, x, of(ScalarFn::add, y, z));
  EXPECT_TRUE(a.equal(left, of(ScalarFn::add, of(ScalarFn::multiply, z, x), of(ScalarFn::multiply, x, y))));
  EXPECT_TRUE(a.equal(of(ScalarFn::divide, of(ScalarFn::multiply, x, y), y), x));
  EXPECT_FALSE(a.equal(of(ScalarFn::multiply, x, x), x));
  EXPECT_FALSE(a.equal(of(ScalarFn::add, x, y), of(ScalarFn::multiply, x, y)));
}

TEST_P(Laws, MaximaAreSets) {
  const auto max = [&](Element p, Element q) { return of(ScalarFn::maximum, p, q); };
  EXPECT_TRUE(a.equal(max(max(x, y), z), max(max(z, x), max(y, x))));
  EXPECT_TRUE(a.equal(max(x, Element::special(Special::minus_infinity)), x));
  EXPECT_TRUE(a.equal(max(max(x, number(1)), number(2)), max(x, number(2))));
  EXPECT_FALSE(a.equal(max(x, y), max(x, z)));
  // A sum that is a number: the maximum of it and itself.
  EXPECT_TRUE(a.equal(max(number(-3), of(ScalarFn::subtract, x, of(ScalarFn::add, x, number(3)))), number(-3)));
  EXPECT_FALSE(a.equal(max(of(ScalarFn::add, x, y), z), of(ScalarFn::add, max(x, z), max(y, z))));
}

TEST_P(Laws, IntegersWithoutOverlapAddUpInCases) {
  const Element low = compare(ScalarFn::compare_lt, id, integer(4), i32);
  const Element high = compare(ScalarFn::compare_ge, id, integer(4), i32);
  const Element more = compare(ScalarFn::compare_ge, id, integer(3), i32);
  const Element kd = a.input(1, 2, i32);
  const auto masked = [&](Element mask, Element e) { return a.select(mask, e, integer(0), i32); };
  const Element sum = of(ScalarFn::add, masked(low, jd), masked(high, kd), i32);
  EXPECT_EQ(sum, a.select(low, jd, kd, i32));
  EXPECT_EQ(of(ScalarFn::logical_or, masked(low, jd), masked(high, kd), i32), sum);
  EXPECT_FALSE(a.equal(of(ScalarFn::add, masked(low, jd), masked(more, kd), i32), sum));
}

TEST_P(Laws, BitsAreCombinedInAnyOrder) {
  const Element kd = a.input(1, 2, i32);
  for (const ScalarFn fn : {ScalarFn::logical_and, ScalarFn::logical_or, ScalarFn::logical_xor}) {
    const Element all = of(fn, of(fn, id, integer(6), i32), of(fn, jd, kd, i32), i32);
    EXPECT_TRUE(a.equal(all, of(fn, kd, of(fn, of(fn, jd, integer(6), i32), id, i32), i32)));
    EXPECT_FALSE(a.equal(all, of(fn, of(fn, id, jd, i32), kd, i32)));
    EXPECT_EQ(a.equal(of(fn, of(fn, id, jd, i32), jd, i32), of(fn, id, jd, i32)), fn != ScalarFn::logical_xor);
  }
  EXPECT_TRUE(a.equal(of(ScalarFn::logical_xor, of(ScalarFn::logical_xor, id, jd, i32), id, i32), jd));
  EXPECT_TRUE(a.equal(of(ScalarFn::logical_and, id, integer(-1), i32), id));
  EXPECT_EQ(of(ScalarFn::logical_or, of(ScalarFn::logical_or, id, jd, i32), integer(-1), i32), integer(-1));
}

TEST_P(Laws, PowersOfFourLeaveRoots) {
  const auto scaled = [&](double c) { return of(ScalarFn::multiply, x, number(c)); };
  const Element root = of(ScalarFn::sqrt, x);
  EXPECT_TRUE(a.equal(of(ScalarFn::sqrt, scaled(16)), of(ScalarFn::multiply, root, number(4))));
  EXPECT_TRUE(a.equal(of(ScalarFn::rsqrt, scaled(0.25)), of(ScalarFn::divide, number(2), root)));
  EXPECT_FALSE(a.equal(of(ScalarFn::sqrt, scaled(2)), of(ScalarFn::multiply, root, number(2))));
  EXPECT_FALSE(a.equal(of(ScalarFn::sqrt, scaled(-4)), of(ScalarFn::multiply, root, number(2))));
}

TEST_P(Laws, ExponentialsOfSumsAreProducts) {
  a.track_sums(true);
  const Element sum = of(ScalarFn::add, x, of(ScalarFn::negate, y));
  EXPECT_TRUE(a.equal(of(ScalarFn::exponential, sum),
                      of(ScalarFn::divide, of(ScalarFn::exponential, x), of(ScalarFn::exponential, y))));
  EXPECT_TRUE(a.equal(of(ScalarFn::log, of(ScalarFn::exponential, x)), x));
  EXPECT_FALSE(a.equal(of(ScalarFn::exponential, x), of(ScalarFn::exponential, y)));
  EXPECT_TRUE(a.equal(of(ScalarFn::exponential, Element::special(Special::minus_infinity)), number(0)));
}

TEST_P(Laws, LogarithmsOfShiftedSumsAreOne) {
  a.track_sums(true);
  const auto shifted = [&](Element by) {
    const Element p = of(ScalarFn::exponential, of(ScalarFn::subtract, x, by));
    const Element q = of(ScalarFn::exponential, of(ScalarFn::subtract, y, by));
    return of(ScalarFn::add, of(ScalarFn::log, of(ScalarFn::add, p, q)), by);
  };
  EXPECT_TRUE(a.equal(shifted(z), shifted(of(ScalarFn::maximum, x, y))));
}

TEST_P(Laws, RootsSquare) {
  const Element root = of(ScalarFn::sqrt, x);
  EXPECT_TRUE(a.equal(of(ScalarFn::multiply, root, root), x));
  EXPECT_TRUE(a.equal(of(ScalarFn::rsqrt, x), of(ScalarFn::divide, number(1), root)));
}

TEST_P(Laws, LogaddexpIsTheLogarithmOfASum) {
  a.track_sums(true);
  const auto plus = [&](Element p, Element q) { return of(ScalarFn::add, p, q); };
  const auto minus = [&](Element p, Element q) { return of(ScalarFn::subtract, p, q); };
  const auto max = [&](Element p, Element q) { return of(ScalarFn::maximum, p, q); };
  const auto log_of_one_plus = [&](Element size) {
    return of(ScalarFn::log_plus_one, of(ScalarFn::exponential, of(ScalarFn::negate, size)));
  };
  const Element sum = of(ScalarFn::log, plus(of(ScalarFn::exponential, x), of(ScalarFn::exponential, y)));
  const Element d = minus(x, y);
  const Element found = plus(max(x, y), log_of_one_plus(of(ScalarFn::abs, d)));
  EXPECT_TRUE(a.equal(found, sum));
  for (const Element other : {minus(x, z), plus(x, y), of(ScalarFn::multiply, d, d)})
    EXPECT_FALSE(a.equal(plus(max(x, y), log_of_one_plus(of(ScalarFn::abs, other))), sum));
  EXPECT_FALSE(a.equal(plus(max(max(x, y), z), log_of_one_plus(of(ScalarFn::abs, d))), sum));
  for (const Element w : {minus(x, z), minus(y, z), minus(z, x)}) {
    // The greatest member may come first or last.
    EXPECT_FALSE(a.equal(plus(max(max(x, y), w), log_of_one_plus(of(ScalarFn::abs, d))), sum));
    EXPECT_FALSE(a.equal(plus(max(max(x, y), w), log_of_one_plus(of(ScalarFn::abs, minus(w, x)))),
                         of(ScalarFn::log, plus(of(ScalarFn::exponential, w), of(ScalarFn::exponential, x)))));
    for (const Element difference : {d, minus(y, x)})
      EXPECT_FALSE(a.equal(plus(max(x, y), log_of_one_plus(max(difference, w))), sum));
  }
  // Neither of the exponentials is 1, although their exponents add up to -|d|.
  const Element rest = minus(of(ScalarFn::negate, of(ScalarFn::abs, d)), z);
  const Element others = of(ScalarFn::log, plus(of(ScalarFn::exponential, z), of(ScalarFn::exponential, rest)));
  EXPECT_FALSE(a.equal(plus(max(x, y), others), sum));
  const auto is_nan = [&](Element e) { return compare(ScalarFn::compare_ne, e, e); };
  EXPECT_TRUE(a.equal(a.select(is_nan(d), plus(x, y), found, f32), found));
  EXPECT_FALSE(a.equal(a.select(is_nan(d), d, found, f32), found));
  EXPECT_FALSE(a.equal(a.select(is_nan(z), plus(x, y), found, f32), found));
}

TEST_P(Laws, RootsSquareInsideProducts) {
  const auto times = [&](Element p, Element q) { return of(ScalarFn::multiply, p, q); };
  const auto plus = [&](Element p, Element q) { return of(ScalarFn::add, p, q); };
  const Element u = a.input(0, 3, f32);
  const Element r = of(ScalarFn::sqrt, x);
  const Element s = of(ScalarFn::sqrt, u);
  EXPECT_TRUE(a.equal(times(times(r, y), times(z, r)), times(x, times(y, z))));
  EXPECT_TRUE(a.equal(times(plus(times(r, y), times(z, r)), r), times(x, plus(y, z))));
  EXPECT_TRUE(a.equal(times(of(ScalarFn::negate, times(r, y)), r), of(ScalarFn::negate, times(x, y))));
  EXPECT_TRUE(a.equal(times(times(r, y), of(ScalarFn::divide, z, r)), times(y, z)));
  const Element quotient = of(ScalarFn::divide, z, times(r, y));
  EXPECT_TRUE(a.equal(times(quotient, quotient), of(ScalarFn::divide, times(z, z), times(x, times(y, y)))));
  for (const Element radicand : {x, u}) {
    EXPECT_FALSE(a.equal(times(times(r, y), times(z, s)), times(radicand, times(y, z))));
    EXPECT_FALSE(a.equal(times(plus(times(r, y), times(s, z)), r), times(radicand, plus(y, z))));
    EXPECT_FALSE(a.equal(times(times(r, y), of(ScalarFn::divide, z, r)), times(radicand, times(y, z))));
  }
  EXPECT_FALSE(a.equal(times(plus(times(r, y), z), r), times(x, plus(y, z))));
}

TEST_P(Laws, ChoicesByOneConditionJoin) {
  const Element c = compare(ScalarFn::compare_lt, x, y);
  const Element both = of(ScalarFn::add, a.select(c, x, number(0), f32), a.select(c, number(0), z, f32));
  EXPECT_TRUE(a.equal(both, a.select(c, x, z, f32)));
  EXPECT_TRUE(a.equal(compare(ScalarFn::compare_gt, y, x), c));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_le, x, y), c));
}

TEST_P(Laws, IntegersAreClampedPieceByPiece) {
  const auto clamped = [&](Element e) {
    return of(ScalarFn::maximum, integer(0), of(ScalarFn::minimum, e, integer(15), i32), i32);
  };
  // A table of 16 rows in two halves: each device looks up the rows of its half and adds zero for the others.
  const auto row = [&](std::int64_t i) { return a.input(2, i, f32); };
  const auto whole = a.by_index(clamped(id), 16, row);
  ASSERT_TRUE(whole);
  Element sum = number(0);
  for (std::int64_t half = 0; half < 2; ++half) {
    const Element local = of(ScalarFn::subtract, clamped(id), integer(8 * half), i32);
    const Element inside = a.apply(
        ScalarFn::logical_and, ElementType::i1, ElementType::i1,
        {compare(ScalarFn::compare_ge, local, integer(0), i32), compare(ScalarFn::compare_lt, local, integer(8), i32)});
    const Element at = a.select(inside, local, integer(0), i32);
    const auto own = a.by_index(at, 8, [&](std::int64_t i) { return row(8 * half + i); });
    ASSERT_TRUE(own);
    sum = of(ScalarFn::add, sum, a.select(inside, *own, number(0), f32));
  }
  EXPECT_TRUE(a.equal(sum, *whole));
}

TEST_P(Laws, IntegersWrap) {
  const Element next = of(ScalarFn::add, id, integer(1), i32);
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_gt, next, id, i32), integer(1)));
  EXPECT_TRUE(a.equal(of(ScalarFn::subtract, next, integer(1), i32), id));
  EXPECT_TRUE(a.equal(of(ScalarFn::add, of(ScalarFn::add, id, jd, i32), integer(3), i32),
                      of(ScalarFn::add, of(ScalarFn::add, integer(3), jd, i32), id, i32)));
}

TEST_P(Laws, AWrappedSumIsNotTheWiderSum) {
  const Element p = a.input(3, 0, ElementType::i8);
  const Element q = a.input(3, 1, ElementType::i8);
  const auto wide = [&](Element e) { return a.apply(ScalarFn::convert, ElementType::i8, i32, {e}); };
  const Element exact = of(ScalarFn::add, wide(p), wide(q), i32);
  EXPECT_FALSE(a.equal(wide(of(ScalarFn::add, p, q, ElementType::i8)), exact));
}

TEST_P(Laws, DivisionOfIntegersIsNotLinear) {
  const Element eight = integer(8);
  const auto by = [&](Element e) { return of(ScalarFn::divide, e, eight, i32); };
  EXPECT_FALSE(a.equal(by(of(ScalarFn::add, id, jd, i32)), of(ScalarFn::add, by(id), by(jd), i32)));
}

TEST_P(Laws, RoundingIsAFunctionOfItsOwn) {
  const auto narrow = [&](Element e) { return a.apply(ScalarFn::convert, f32, ElementType::bf16, {e}); };
  const auto widen = [&](Element e) { return a.apply(ScalarFn::convert, ElementType::bf16, f32, {e}); };
  EXPECT_FALSE(a.equal(narrow(of(ScalarFn::add, x, y)), of(ScalarFn::add, narrow(x), narrow(y), ElementType::bf16)));
  // A value computed in 16 bits is not the value computed in 32 bits.
  const Element p = a.input(4, 0, ElementType::bf16);
  const Element q = a.input(4, 1, ElementType::bf16);
  EXPECT_FALSE(a.equal(widen(of(ScalarFn::add, p, q, ElementType::bf16)), of(ScalarFn::add, widen(p), widen(q))));
  EXPECT_TRUE(a.equal(narrow(widen(p)), p));
  EXPECT_TRUE(
      a.equal(narrow(of(ScalarFn::maximum, x, y)), of(ScalarFn::maximum, narrow(x), narrow(y), ElementType::bf16)));
}

TEST_P(Laws, TheGreatestOfGreatestIsTheGreatest) {
  const auto at = [&](std::vector<Element> values, std::vector<Element> places) {
    return *a.at_greatest(std::move(values), std::move(places), false, Algebra::Ties::smallest, ElementType::f32);
  };
  const Element w = a.input(0, 3, f32);
  const Element whole = at({x, y, z, w}, {integer(0), integer(1), integer(2), integer(3)});
  const Element left = at({x, y}, {integer(0), integer(1)});
  const Element right = at({z, w}, {integer(2), integer(3)});
  EXPECT_TRUE(a.equal(at({of(ScalarFn::maximum, x, y), of(ScalarFn::maximum, z, w)}, {left, right}), whole));
  EXPECT_FALSE(a.equal(at({of(ScalarFn::maximum, z, w), of(ScalarFn::maximum, x, y)}, {left, right}), whole));
}

TEST_P(Laws, OfNothingButInfinitiesTheSmallestPlaceIsTaken) {
  const Element least = Element::special(Special::minus_infinity);
  EXPECT_EQ(a.at_greatest({least, least}, {integer(5), integer(3)}, false, Algebra::Ties::smallest, f32), integer(3));
  EXPECT_EQ(a.at_greatest({least, x}, {integer(3), integer(5)}, false, Algebra::Ties::smallest, f32), integer(5));
}

TEST_P(Laws, OrdersOfIntegersAreThoseOfTheirType) {
  const auto less = [&](ElementType type) {
    const Element sum = a.apply(ScalarFn::add, type, type, {a.input(7, 0, type), a.input(7, 1, type)});
    return a.apply(ScalarFn::compare_lt, type, ElementType::i1, {sum, a.input(7, 2, type)});
  };
  const auto widened = [&](ElementType type) {
    const auto wide = [&](std::int64_t k) {
      return a.apply(ScalarFn::convert, ElementType::i8, type, {a.input(7, k, ElementType::i8)});
    };
    return a.apply(ScalarFn::compare_lt, type, ElementType::i1,
                   {a.apply(ScalarFn::add, type, type, {wide(0), wide(1)}), wide(2)});
  };
  EXPECT_FALSE(a.equal(less(ElementType::i8), widened(i32)));
  EXPECT_TRUE(a.equal(widened(ElementType::i16), widened(i32)));
}

TEST_P(Laws, OrdersOfFloatsAreThoseOfTheTypeThatComputedThem) {
  const Element p = a.input(8, 0, ElementType::bf16);
  const Element q = a.input(8, 1, ElementType::bf16);
  const auto less = [&](Element u, Element v, ElementType type) {
    return a.apply(ScalarFn::compare_lt, type, ElementType::i1, {u, v});
  };
  const auto sum = [&](ElementType type) { return a.apply(ScalarFn::add, type, type, {p, q}); };
  EXPECT_TRUE(a.equal(less(p, q, ElementType::bf16), less(p, q, f32)));
  EXPECT_FALSE(a.equal(less(sum(ElementType::bf16), p, ElementType::bf16), less(sum(f32), p, f32)));
}

TEST_P(Laws, WhetherANumberIsFiniteIsNotKnown) {
  const auto finite = [&](Element e) { return a.apply(ScalarFn::is_finite, f32, ElementType::i1, {e}); };
  EXPECT_FALSE(a.equal(finite(x), integer(1)));
  EXPECT_FALSE(a.equal(finite(x), finite(y)));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_ne, x, x), integer(0)));
}

TEST_P(Laws, FunctionsOfSumsDoNotDependOnTheirOrder) {
  // Adding the case distinction last, or the number last, gives the same sum in two internal representations.
  const Element c = a.select(compare(ScalarFn::compare_lt, x, y), x, z, f32);
  const Element d = a.select(compare(ScalarFn::compare_eq, id, integer(3), i32), y, z, f32);
  const Element one = of(ScalarFn::add, of(ScalarFn::add, c, d), x);
  const Element other = of(ScalarFn::add, of(ScalarFn::add, x, c), d);
  ASSERT_TRUE(a.equal(one, other));
  EXPECT_TRUE(a.equal(of(ScalarFn::multiply, one, one), of(ScalarFn::multiply, other, other)));
  EXPECT_TRUE(a.equal(of(ScalarFn::tanh, one), of(ScalarFn::tanh, other)));
  EXPECT_FALSE(a.equal(of(ScalarFn::multiply, one, one), one));
}

TEST_P(Laws, UnknownFunctionsOfNoNumberAreNoNumbers) {
  const Element members[] = {x, Element::special(Special::plus_infinity)};
  const Element t = a.opaque("a function", f32, members);
  EXPECT_TRUE(a.contains_special(t));
  EXPECT_FALSE(a.equal(of(ScalarFn::subtract, t, t), number(0)));
  EXPECT_FALSE(a.equal(of(ScalarFn::multiply, t, number(0)), number(0)));
  EXPECT_FALSE(a.equal(of(ScalarFn::subtract, of(ScalarFn::add, y, t), t), y));
  EXPECT_TRUE(a.equal(of(ScalarFn::add, y, t), of(ScalarFn::add, t, y)));
  EXPECT_TRUE(a.equal(of(ScalarFn::maximum, t, t), t));
}

TEST_P(Laws, ComparisonsOfNestedQuotientsEnd) {
  // The cases of one variable stand below those of the other and above them, so joining them doubled with each level.
  const ElementType i8 = ElementType::i8;
  const Element wide = a.input(4, 0, ElementType::ui32);
  const Element q = a.apply(ScalarFn::convert, ElementType::ui32, i8, {wide});
  const auto above = [&](Element of) {
    return compare(ScalarFn::compare_gt, q, Laws::of(ScalarFn::divide, of, integer(8), i8), i8);
  };
  (void)above(q);
  (void)above(of(ScalarFn::remainder, q, integer(-128), i8));
}

TEST_P(Laws, KnownNumbersAreReducedToTheGivenFormat) {
  const auto reduced = [&](double v, int exponent, int mantissa) {
    return a.apply(ScalarFn::reduce_precision, f32, f32, {number(v), integer(exponent), integer(mantissa)});
  };
  EXPECT_EQ(reduced(1.5, 8, 7), number(1.5));
  EXPECT_EQ(reduced(1.00390625, 8, 7), number(1));
  EXPECT_EQ(reduced(100000, 5, 10), Element::special(Special::plus_infinity));
  EXPECT_FALSE(a.equal(of(ScalarFn::add, reduced(1.5, 8, 7), x), of(ScalarFn::add, reduced(1.5, 8, 7), y)));
}

TEST_P(Laws, ConstantsAreRoundedAsTheProgramRoundsThem) {
  const Element third = of(ScalarFn::divide, number(1), number(768));
  EXPECT_EQ(third, number(static_cast<double>(1.0F / 768.0F)));
  EXPECT_EQ(of(ScalarFn::multiply, number(1e30), number(1e30)), Element::special(Special::plus_infinity));
  EXPECT_EQ(of(ScalarFn::add, number(60000), number(60000), ElementType::f16),
            Element::special(Special::plus_infinity));
  // That a sum of constants is greater than one of them does not hold for floats.
  const Element sum = of(ScalarFn::add, number(1), number(1e-10));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_gt, sum, number(1)), integer(1)));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_gt, of(ScalarFn::add, x, number(1)), x), integer(1)));
}

TEST_P(Laws, ConversionsOfIntegersAreExactWhereTheTypeHoldsThem) {
  const auto converted = [&](Element e, ElementType from, ElementType to) {
    return a.apply(ScalarFn::convert, from, to, {e});
  };
  const Element narrow = a.input(3, 0, ElementType::i8);
  const Element sum = of(ScalarFn::add, converted(narrow, ElementType::i8, i32), integer(1), i32);
  for (const ElementType type : {ElementType::f8E5M2, ElementType::f8E4M3FN}) {
    const Element wide = converted(converted(narrow, ElementType::i8, type), type, f32);
    EXPECT_FALSE(a.equal(wide, converted(narrow, ElementType::i8, f32)));
  }
  for (const ElementType type : {ElementType::f16, f32})
    EXPECT_TRUE(a.equal(converted(sum, i32, type),
                        of(ScalarFn::add, converted(narrow, ElementType::i8, type), number(1), type)));
}

TEST_P(Laws, ArithmeticShiftsOfUnsignedIntegersTakeTheHighestBitForASign) {
  const Element u = a.input(4, 0, ElementType::ui8);
  const auto shifted = [&](ScalarFn fn, Element e) { return of(fn, e, integer(3), ElementType::ui8); };
  EXPECT_FALSE(a.equal(shifted(ScalarFn::shift_right_arithmetic, u), shifted(ScalarFn::shift_right_logical, u)));
  const Element half = of(ScalarFn::minimum, u, integer(127), ElementType::ui8);
  EXPECT_TRUE(a.equal(shifted(ScalarFn::shift_right_arithmetic, half), shifted(ScalarFn::shift_right_logical, half)));
}

TEST_P(Laws, SelectionsOfTheGreaterAreMaxima) {
  const auto max = [&](Element p, Element q) { return of(ScalarFn::maximum, p, q); };
  const auto min = [&](Element p, Element q) { return of(ScalarFn::minimum, p, q); };
  const auto plus = [&](Element p, Element q) { return of(ScalarFn::add, p, q); };
  const auto minus = [&](Element p, Element q) { return of(ScalarFn::subtract, p, q); };
  const auto times = [&](Element p, Element q) { return of(ScalarFn::multiply, p, q); };
  for (const ScalarFn fn : {ScalarFn::compare_gt, ScalarFn::compare_ge}) {
    const Element p = compare(fn, x, y);
    EXPECT_TRUE(a.equal(a.select(p, x, y, f32), max(x, y)));
    EXPECT_TRUE(a.equal(a.select(p, y, x, f32), min(x, y)));
    EXPECT_FALSE(a.equal(a.select(p, x, z, f32), max(x, y)));
    EXPECT_FALSE(a.equal(a.select(p, z, y, f32), max(x, y)));
    // The precision of a comparison decides a jump, but no continuous function.
    const Element rough = a.apply(fn, ElementType::bf16, ElementType::i1, {x, y});
    EXPECT_TRUE(a.equal(a.select(rough, x, y, f32), max(x, y)));
    EXPECT_FALSE(a.equal(a.select(rough, z, y, f32), a.select(p, z, y, f32)));
  }
  EXPECT_FALSE(a.equal(a.select(compare(ScalarFn::compare_eq, x, y), number(7), max(x, y), f32), max(x, y)));
  EXPECT_TRUE(a.equal(a.select(compare(ScalarFn::compare_eq, x, number(0)), number(0), x, f32), x));
  EXPECT_FALSE(a.equal(a.select(compare(ScalarFn::compare_eq, x, number(0)), number(1), x, f32), x));
  EXPECT_TRUE(a.equal(plus(max(x, y), min(x, y)), plus(x, y)));
  EXPECT_TRUE(a.equal(max(plus(x, z), plus(z, y)), plus(z, max(x, y))));
  EXPECT_TRUE(a.equal(max(times(number(2), x), times(y, number(2))), times(number(2), max(x, y))));
  EXPECT_TRUE(a.equal(max(times(number(-2), x), times(y, number(-2))), times(number(-2), min(x, y))));
  EXPECT_FALSE(a.equal(max(times(number(-2), x), times(y, number(-2))), times(number(-2), max(x, y))));
  EXPECT_TRUE(a.equal(of(ScalarFn::abs, minus(x, y)), minus(max(x, y), min(x, y))));
  EXPECT_FALSE(a.equal(of(ScalarFn::abs, minus(x, y)), minus(x, y)));
}

TEST_P(Laws, ThresholdsOfOneNumberAreInOrder) {
  const auto max = [&](Element p, Element q) { return of(ScalarFn::maximum, p, q); };
  const auto min = [&](Element p, Element q) { return of(ScalarFn::minimum, p, q); };
  const auto clamped = [&](Element e, double low, double high) { return min(max(e, number(low)), number(high)); };
  const auto above = [&](Element e, double limit) { return compare(ScalarFn::compare_gt, e, number(limit)); };
  const auto below = [&](Element e, double limit) { return compare(ScalarFn::compare_lt, e, number(limit)); };
  for (const Element e : {x, y, z, of(ScalarFn::negate, x), of(ScalarFn::add, x, y)}) {
    const Element wanted = clamped(e, -1, 6);
    EXPECT_TRUE(a.equal(max(min(e, number(6)), number(-1)), wanted));
    EXPECT_TRUE(a.equal(a.select(above(e, 6), number(6), a.select(below(e, -1), number(-1), e, f32), f32), wanted));
    EXPECT_TRUE(a.equal(a.select(below(e, -1), number(-1), a.select(above(e, 6), number(6), e, f32), f32), wanted));
    EXPECT_FALSE(a.equal(a.select(above(e, 5), number(6), a.select(below(e, -1), number(-1), e, f32), f32), wanted));
    EXPECT_FALSE(a.equal(max(min(e, number(-1)), number(6)), wanted));
    EXPECT_FALSE(a.equal(clamped(e, -1, 5), wanted));
    EXPECT_FALSE(a.equal(clamped(e, -2, 6), wanted));
  }
  // Nothing follows for another number, nor from x > 0 for x > 1.
  const Element one = number(1);
  const Element zero = number(0);
  EXPECT_EQ(a.select(above(x, 1), a.select(above(x, 0), y, z, f32), zero, f32), a.select(above(x, 1), y, zero, f32));
  EXPECT_FALSE(
      a.equal(a.select(above(x, 0), a.select(above(x, 1), y, z, f32), one, f32), a.select(above(x, 0), y, one, f32)));
  EXPECT_FALSE(
      a.equal(a.select(above(x, 1), a.select(above(y, 0), y, z, f32), zero, f32), a.select(above(x, 1), y, zero, f32)));
}

TEST_P(Laws, ThresholdsInTwoPrecisionsAreNotInOrder) {
  // The sum may be rounded to 1 in bf16 where it exceeds 1.001 in f32.
  const auto bf16 = ElementType::bf16;
  const Element in_bf16 = compare(ScalarFn::compare_gt, of(ScalarFn::add, x, y, bf16), number(1), bf16);
  const Element above = compare(ScalarFn::compare_gt, of(ScalarFn::add, x, y), number(1.001));
  const Element less = compare(ScalarFn::compare_gt, of(ScalarFn::add, x, y), number(1));
  EXPECT_TRUE(a.equal(a.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {less, above}), above));
  EXPECT_FALSE(a.equal(a.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {in_bf16, above}), above));
}

TEST_P(Laws, ManyCasesOfWhatIsNoNumberAreNotANumber) {
  for (const Special s : {Special::minus_infinity, Special::nan}) {
    Element sum = number(0);
    const auto add_one = [&](std::int64_t k) {
      const Element mask = a.input(2, k, ElementType::i1);
      sum = of(ScalarFn::add, sum, a.select(mask, a.input(3, k, f32), Element::special(s), f32));
    };
    for (std::int64_t k = 0; k < 4; ++k) add_one(k);
    EXPECT_FALSE(a.equal(of(ScalarFn::subtract, sum, sum), number(0)));
    const auto add_more = [&] {
      for (std::int64_t k = 4; k < 10; ++k) add_one(k);
    };
    if (s == Special::nan) {  // then it is known where
      EXPECT_NO_THROW(add_more());
      EXPECT_FALSE(a.equal(of(ScalarFn::subtract, sum, sum), number(0)));
    } else {
      EXPECT_THROW(add_more(), Unknown);
    }
    // A row of a large table.
    const Element row =
        *a.by_index(id, 70, [&](std::int64_t i) { return i == 33 ? Element::special(s) : number(0.5 * i); });
    const Element difference = of(ScalarFn::subtract, row, row);
    EXPECT_FALSE(a.equal(difference, number(0))) << a.str(difference);
  }
}

TEST_P(Laws, NumbersThatAreNaNUnderConditionsObeyLawsOfNumbers) {
  const Element nan = Element::special(Special::nan);
  std::vector<Element> masks;
  std::vector<Element> all;  // ten numbers, each of which may be NaN
  for (std::int64_t k = 0; k < 10; ++k) {
    masks.push_back(a.input(2, k, ElementType::i1));
    all.push_back(a.select(masks.back(), a.input(3, k, f32), nan, f32));
  }
  const auto folded = [&](ScalarFn fn, std::vector<Element> list) {
    Element out = list[0];
    for (std::size_t k = 1; k < list.size(); ++k) out = of(fn, out, list[k]);
    return out;
  };
  const std::vector<Element> turned(all.rbegin(), all.rend());
  for (const ScalarFn fn : {ScalarFn::add, ScalarFn::multiply, ScalarFn::maximum})
    EXPECT_TRUE(a.equal(folded(fn, all), folded(fn, turned))) << name_of(fn);
  EXPECT_TRUE(a.equal(a.extremum(ScalarFn::maximum, all, f32), folded(ScalarFn::maximum, turned)));
  const Element sum = folded(ScalarFn::add, all);
  const Element product = of(ScalarFn::multiply, sum, x);
  std::vector<Element> products;
  for (const Element e : all) products.push_back(of(ScalarFn::multiply, x, e));
  EXPECT_TRUE(a.equal(product, folded(ScalarFn::add, products)));
  EXPECT_TRUE(a.equal(of(ScalarFn::subtract, of(ScalarFn::add, sum, x), x), sum));
  EXPECT_TRUE(a.equal(of(ScalarFn::add, of(ScalarFn::multiply, sum, number(0)), sum), sum));
  // A number that is NaN is not cancelled, and neither is where it is.
  const Element zero = of(ScalarFn::multiply, sum, number(0));
  EXPECT_FALSE(a.equal(zero, number(0)));
  EXPECT_TRUE(a.equal(zero, of(ScalarFn::subtract, sum, sum)));
  EXPECT_FALSE(a.equal(of(ScalarFn::divide, sum, sum), number(1)));
  EXPECT_FALSE(a.equal(zero, of(ScalarFn::multiply, all[0], number(0))));
  std::vector<Element> others = all;
  others[3] = a.select(masks[4], a.input(3, 3, f32), nan, f32);
  EXPECT_FALSE(a.equal(folded(ScalarFn::add, others), sum));
  others[3] = a.input(3, 3, f32);
  EXPECT_FALSE(a.equal(folded(ScalarFn::add, others), sum));
  // Functions of it that are numbers, too: NaN^0 is 1, and no comparison with NaN holds.
  EXPECT_FALSE(a.equal(of(ScalarFn::power, sum, number(0)), of(ScalarFn::add, zero, number(1))));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_eq, sum, sum), integer(1)));
  EXPECT_FALSE(a.equal(compare(ScalarFn::compare_ge, of(ScalarFn::multiply, sum, sum), number(0)), integer(1)));
  // Selections of more cases than are followed.
  const Element by_mask = a.select(masks[0], sum, x, f32);
  EXPECT_FALSE(a.equal(of(ScalarFn::subtract, by_mask, by_mask), number(0)));
  EXPECT_TRUE(a.equal(a.select(masks[0], by_mask, number(0), f32), a.select(masks[0], sum, number(0), f32)));
  Element odd = masks[0];  // a condition of six masks
  for (std::size_t k = 1; k < 6; ++k)
    odd = a.apply(ScalarFn::logical_xor, ElementType::i1, ElementType::i1, {odd, masks[k]});
  const Element even = a.apply(ScalarFn::logical_not, ElementType::i1, ElementType::i1, {odd});
  const Element either = a.select(odd, all[6], all[7], f32);
  EXPECT_TRUE(a.equal(either, a.select(even, all[7], all[6], f32)));
  EXPECT_FALSE(a.equal(either, a.select(odd, all[6], a.input(3, 7, f32), f32)));
  EXPECT_FALSE(a.equal(either, a.select(odd, a.input(3, 6, f32), all[7], f32)));
  EXPECT_FALSE(a.equal(of(ScalarFn::subtract, either, either), number(0)));
  // An infinity is not a number: it would not cancel where the sum is one.
  const Element infinite = of(ScalarFn::add, sum, Element::special(Special::plus_infinity));
  EXPECT_FALSE(a.equal(infinite, of(ScalarFn::add, infinite, sum)));
  EXPECT_FALSE(a.equal(a.extremum(ScalarFn::maximum, {sum, Element::special(Special::plus_infinity)}, f32),
                       Element::special(Special::plus_infinity)));
}

TEST_P(Laws, IntegersConsistOfQuotientsAndRemainders) {
  const ElementType u32 = ElementType::ui32;
  const Element n = a.input(2, 0, u32);
  const Element m = a.input(2, 1, u32);
  const auto on = [&](ScalarFn fn, Element p, std::int64_t c, ElementType type) { return of(fn, p, integer(c), type); };
  const Element rest = on(ScalarFn::remainder, n, 8, u32);
  EXPECT_TRUE(a.equal(on(ScalarFn::logical_and, n, 7, u32), rest));
  EXPECT_FALSE(a.equal(on(ScalarFn::logical_and, n, 6, u32), rest));
  EXPECT_TRUE(a.equal(on(ScalarFn::shift_right_logical, n, 3, u32), on(ScalarFn::divide, n, 8, u32)));
  EXPECT_FALSE(a.equal(on(ScalarFn::shift_right_logical, n, 3, u32), on(ScalarFn::divide, n, 4, u32)));
  EXPECT_TRUE(a.equal(on(ScalarFn::shift_left, n, 3, u32), on(ScalarFn::multiply, n, 8, u32)));
  EXPECT_TRUE(a.equal(on(ScalarFn::shift_left, n, 32, u32), integer(0)));
  const Element back = on(ScalarFn::multiply, on(ScalarFn::divide, n, 7, u32), 7, u32);
  EXPECT_TRUE(a.equal(of(ScalarFn::subtract, n, back, u32), on(ScalarFn::remainder, n, 7, u32)));
  EXPECT_FALSE(a.equal(back, n));
  EXPECT_TRUE(a.equal(on(ScalarFn::divide, n, 1, u32), n));
  EXPECT_TRUE(a.equal(on(ScalarFn::shift_right_logical, n, 0, u32), n));
  EXPECT_TRUE(a.equal(on(ScalarFn::remainder, n, 1, u32), integer(0)));
  const Element towards_zero = on(ScalarFn::multiply, on(ScalarFn::divide, id, 1000, i32), 1000, i32);
  EXPECT_TRUE(a.equal(of(ScalarFn::subtract, id, towards_zero, i32), on(ScalarFn::remainder, id, 1000, i32)));
  const Element high = on(ScalarFn::logical_and, n, 0xfffffff8, u32);
  EXPECT_TRUE(a.equal(of(ScalarFn::add, high, rest, u32), n));
  EXPECT_TRUE(a.equal(of(ScalarFn::logical_or, high, rest, u32), n));
  EXPECT_TRUE(a.equal(of(ScalarFn::logical_xor, rest, high, u32), n));
  EXPECT_FALSE(a.equal(of(ScalarFn::logical_or, high, on(ScalarFn::remainder, n, 9, u32), u32),
                       of(ScalarFn::add, high, on(ScalarFn::remainder, n, 9, u32), u32)));
  EXPECT_FALSE(a.equal(of(ScalarFn::logical_or, n, m, u32), of(ScalarFn::add, n, m, u32)));
  EXPECT_TRUE(a.equal(of(ScalarFn::logical_not, id, i32), of(ScalarFn::subtract, integer(-1), id, i32)));
  // Negative integers: quotients are rounded towards zero, shifts and masks down.
  EXPECT_FALSE(a.equal(on(ScalarFn::logical_and, id, 7, i32), on(ScalarFn::remainder, id, 8, i32)));
  EXPECT_FALSE(a.equal(on(ScalarFn::shift_right_arithmetic, id, 3, i32), on(ScalarFn::divide, id, 8, i32)));
  EXPECT_FALSE(
      a.equal(on(ScalarFn::shift_right_logical, id, 3, i32), on(ScalarFn::shift_right_arithmetic, id, 3, i32)));
  const Element down = on(ScalarFn::multiply, on(ScalarFn::shift_right_arithmetic, id, 3, i32), 8, i32);
  EXPECT_TRUE(a.equal(of(ScalarFn::add, down, on(ScalarFn::logical_and, id, 7, i32), i32), id));
  // A sum that may wrap has no quotient in common with the wider sum.
  const Element sum =
      of(ScalarFn::add, a.input(3, 0, ElementType::ui8), a.input(3, 1, ElementType::ui8), ElementType::ui8);
  EXPECT_FALSE(
      a.equal(on(ScalarFn::divide, sum, 2, ElementType::ui8), on(ScalarFn::divide, sum, 2, ElementType::ui32)));
}

TEST_P(Laws, FunctionsOfExponentials) {
  a.track_sums(true);
  const auto plus = [&](Element p, Element q) { return of(ScalarFn::add, p, q); };
  const auto times = [&](Element p, Element q) { return of(ScalarFn::multiply, p, q); };
  const Element minus_x = of(ScalarFn::negate, x);
  const auto softplus = [&](Element e) { return of(ScalarFn::log_plus_one, of(ScalarFn::exponential, e)); };
  EXPECT_TRUE(a.equal(times(y, softplus(x)), plus(times(y, x), times(y, softplus(minus_x)))));
  EXPECT_FALSE(a.equal(times(y, softplus(x)), times(y, softplus(minus_x))));
  const Element relu = of(ScalarFn::maximum, x, number(0));
  const Element of_size = softplus(of(ScalarFn::negate, of(ScalarFn::abs, x)));
  EXPECT_TRUE(a.equal(plus(plus(relu, y), of_size), plus(softplus(x), y)));
  EXPECT_FALSE(a.equal(plus(plus(of(ScalarFn::maximum, y, number(0)), x), of_size), plus(softplus(x), y)));
  // Of an exponent that is the maximum of x and y, x alone does not decide.
  const Element greater = of(ScalarFn::maximum, x, y);
  const auto even_part = [&](Element e) { return plus(softplus(e), times(number(-0.5), e)); };
  EXPECT_TRUE(a.equal(even_part(x), even_part(minus_x)));
  EXPECT_FALSE(a.equal(even_part(greater), even_part(x)));
  EXPECT_FALSE(a.equal(even_part(greater), even_part(y)));
  const Element t = of(ScalarFn::tanh, times(x, number(0.5)));
  if (!GetParam()) {  // polynomials have no quotients
    EXPECT_TRUE(a.equal(times(number(0.5), plus(t, number(1))), of(ScalarFn::logistic, x)));
  }
  EXPECT_FALSE(a.equal(times(number(0.5), plus(of(ScalarFn::tanh, x), number(1))), of(ScalarFn::logistic, x)));
  EXPECT_TRUE(a.equal(of(ScalarFn::tanh, minus_x), of(ScalarFn::negate, of(ScalarFn::tanh, x))));
  EXPECT_TRUE(a.equal(plus(of(ScalarFn::erfc, x), of(ScalarFn::erf, x)), number(1)));
  EXPECT_TRUE(a.equal(plus(of(ScalarFn::erfc, x), of(ScalarFn::erfc, minus_x)), number(2)));
  EXPECT_FALSE(a.equal(of(ScalarFn::erfc, x), of(ScalarFn::erf, x)));
}

TEST_P(Laws, SortsDependOnSetsOfValues) {
  using List = std::vector<Element>;
  const Element u = a.input(0, 3, f32);
  const List sorted = a.top_values({x, y, z, u}, 4);
  EXPECT_EQ(a.top_values({u, z, x, y}, 4), sorted);
  EXPECT_EQ(a.top_values({sorted[2], sorted[0], sorted[3], sorted[1]}, 4), sorted);
  EXPECT_NE(a.top_values({x, y, z, z}, 4), sorted);
  EXPECT_TRUE(a.equal(sorted[0], of(ScalarFn::maximum, of(ScalarFn::maximum, x, y), of(ScalarFn::maximum, z, u))));
  EXPECT_TRUE(a.equal(sorted[3], of(ScalarFn::minimum, of(ScalarFn::minimum, x, y), of(ScalarFn::minimum, z, u))));
  EXPECT_EQ(a.top_values({x, y, z, u}, 2), (List{sorted[0], sorted[1]}));
  const auto negated = [&](Element e) { return a.canonical(of(ScalarFn::negate, e)); };
  List turned = a.top_values({negated(x), negated(y), negated(z), negated(u)}, 4);
  std::reverse(turned.begin(), turned.end());
  for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(a.equal(negated(turned[k]), sorted[k])) << k;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_FALSE(a.equal(sorted[k], sorted[k + 1])) << k;
  // Sorted parts, also if a value occurs in both, or only some ranks of one do.
  const List first = a.top_values({x, y}, 2);
  EXPECT_EQ(a.top_values({first[0], z, first[1], u}, 4), sorted);
  EXPECT_EQ(a.top_values({first[0], first[1], first[0], u}, 4), a.top_values({x, y, first[0], u}, 4));
  EXPECT_NE(a.top_values({first[0], z, u}, 3), a.top_values({x, y, z, u}, 3));
  EXPECT_EQ(a.top_values({first[0], z, u}, 1), a.top_values({x, y, z, u}, 1));
  // What the places select.
  const List places = a.top_places({x, y, z, u}, 4, f32, i32);
  const List values = {x, y, z, u};
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const auto value = a.by_index(places[rank], 4, [&](std::int64_t k) { return values[static_cast<std::size_t>(k)]; });
    ASSERT_TRUE(value);
    EXPECT_TRUE(a.equal(*value, sorted[rank])) << rank;
    const auto other =
        a.by_index(places[rank], 4, [&](std::int64_t k) { return values[static_cast<std::size_t>(3 - k)]; });
    EXPECT_FALSE(a.equal(*other, sorted[rank])) << rank;
  }
  EXPECT_EQ(a.carried({x, y, z, u}, values, 4, false, f32), sorted);
}

TEST_P(Laws, TransformsAreLinearSums) {
  const ElementType c64 = ElementType::c64;
  const auto transform = [&](const std::string& name, const std::vector<Element>& data, std::vector<std::int64_t> from,
                             std::vector<std::int64_t> to) {
    const ElementType in = name == "RFFT" ? f32 : c64;
    return call_library(
        {"fft " + name, 0, name == "IRFFT" ? f32 : c64, std::move(to), {in}, {std::move(from)}, {data}, 0}, a);
  };
  std::vector<Element> real;
  std::vector<Element> complex;
  for (std::int64_t k = 0; k < 6; ++k) {
    real.push_back(a.input(4, k, f32));
    complex.push_back(a.apply(ScalarFn::complex, f32, c64, {real.back(), number(0)}));
  }
  const auto whole = transform("FFT", complex, {6}, {6});
  const auto half = transform("RFFT", real, {6}, {4});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(a.equal(whole[k], half[k])) << k;
  EXPECT_FALSE(a.equal(whole[1], whole[5]));
  EXPECT_FALSE(a.equal(whole[1], transform("IFFT", complex, {6}, {6})[1]));
  // Of the sum of all elements, only the first coefficient consists.
  Element sum = number(0);
  for (const Element e : real) sum = of(ScalarFn::add, sum, e);
  EXPECT_TRUE(a.equal(a.apply(ScalarFn::real, c64, f32, {whole[0]}), sum));
  // Over two dimensions: rows and columns in any order.
  const auto both = transform("FFT", complex, {2, 3}, {2, 3});
  std::vector<Element> rows;
  for (std::size_t r = 0; r < 2; ++r) {
    const auto row = transform("FFT", {complex[3 * r], complex[3 * r + 1], complex[3 * r + 2]}, {3}, {3});
    rows.insert(rows.end(), row.begin(), row.end());
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const auto column = transform("FFT", {rows[c], rows[3 + c]}, {2}, {2});
    for (std::size_t r = 0; r < 2; ++r) EXPECT_TRUE(a.equal(column[r], both[3 * r + c])) << r << c;
  }
  const auto given = transform("IRFFT", half, {4}, {6});
  const auto back = transform("IFFT", whole, {6}, {6});
  for (std::size_t k = 0; k < 6; ++k) EXPECT_TRUE(a.equal(given[k], a.apply(ScalarFn::real, c64, f32, {back[k]}))) << k;
}

TEST(Bits, AreEqualOnlyOfTheSameOperations) {
  for (const bool exact : {false, true}) {
    Algebra a(Seed{7, 0}, exact, Arithmetic::bits);
    const Element x = a.input(0, 0, f32);
    const Element y = a.input(0, 1, f32);
    const Element z = a.input(0, 2, f32);
    const auto add = [&](Element p, Element q) { return a.add(p, q, f32); };
    EXPECT_TRUE(a.equal(add(x, y), add(y, x)));
    EXPECT_FALSE(a.equal(add(add(x, y), z), add(x, add(y, z))));
    EXPECT_FALSE(a.equal(add(x, Element::number(0)), x));
    EXPECT_FALSE(a.equal(a.multiply(x, Element::number(1), f32), a.multiply(x, Element::number(2), f32)));
    EXPECT_TRUE(a.equal(a.extremum(ScalarFn::maximum, {x, y, z}, f32), a.extremum(ScalarFn::maximum, {z, x, y}, f32)));
    const Element c = a.apply(ScalarFn::compare_lt, f32, ElementType::i1, {x, y});
    EXPECT_TRUE(a.equal(a.select(c, x, x, f32), x));
    EXPECT_FALSE(a.equal(a.select(c, x, y, f32), a.extremum(ScalarFn::minimum, {x, y}, f32)));
    // 0.1 + 0.2 as f32 computes it.
    EXPECT_EQ(add(Element::number(static_cast<double>(0.1F)), Element::number(static_cast<double>(0.2F))),
              Element::number(static_cast<double>(0.1F + 0.2F)));
  }
}

INSTANTIATE_TEST_SUITE_P(Evaluation, Laws, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Exact" : "Random"; });

TEST(Field, HasInversesAndRoots) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Field f = Field::of({seed, 0});
    const Residue r = f.from_int(123456789);
    EXPECT_EQ(f.multiply(r, f.inverse(r)), f.one());
    EXPECT_EQ(f.add(f.from_int(5), f.from_int(-5)), Residue{});
    EXPECT_EQ(f.multiply(f.from_int(-3), f.from_int(7)), f.from_int(-21));
    const Residue g = f.subgroup_element(r);
    EXPECT_NE(g, f.one());
    const Residue half = f.subgroup_power(g, 1, 2);
    EXPECT_EQ(f.multiply(half, half), g);
    EXPECT_EQ(f.multiply(f.subgroup_power(g, -3, 1), f.power(g, 3)), f.one());
  }
}

TEST(Field, EachSeedHasItsOwnPrime) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> primes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Wide p = Field::of({seed, 7}).prime();
    EXPECT_TRUE(p >> 122 != 0 && p >> 124 == 0);
    primes.emplace(static_cast<std::uint64_t>(p >> 64), static_cast<std::uint64_t>(p));
  }
  EXPECT_EQ(primes.size(), 20U);
}

TEST(Field, TheSeedDependsOnBothPrograms) {
  const auto program = [](const char* constant) {
    return value_or_throw(read_module(fmt::format("func.func @main() -> tensor<f32> {{\n  %0 = stablehlo.constant "
                                                  "dense<{}> : tensor<f32>\n  return %0 : tensor<f32>\n}}\n",
                                                  constant),
                                      "test.mlir"));
  };
  const Module one = program("1.0");
  const Module two = program("2.0");
  EXPECT_EQ(seed_of(one, two), seed_of(one, two));
  EXPECT_NE(seed_of(one, one), seed_of(one, two));
  EXPECT_NE(seed_of(one, one), seed_of(two, one));
}

}  // namespace
}  // namespace partir::validate
