// Symbolic size expressions, conditions on sizes, and program text that contains them.
#include "verify/prove/size_expr.h"

#include <gtest/gtest.h>

#include "verify/prove/sized_text.h"

namespace partir::prove {
namespace {

std::optional<std::int64_t> value(const std::string& text, const Sizes& sizes = {{"M", 7}, {"N", 3}}) {
  const auto e = SizeExpr::parse(text);
  return e ? e->at(sizes) : std::nullopt;
}

TEST(SizeExpr, FollowsArithmetic) {
  EXPECT_EQ(value("2*M+1"), 15);
  EXPECT_EQ(value("2 * (M - N) / 3"), 2);
  EXPECT_EQ(value("M - N - 1"), 3);
  EXPECT_EQ(value("-M / 2"), -4) << "rounded down";
  EXPECT_EQ(value("-M % 4"), 1);
  EXPECT_EQ(value("M % N * N"), 3);
}

TEST(SizeExpr, HasNoValueWhereThereIsNone) {
  for (const char* text : {"M / 0", "M % (N - 3)", "M / -2", "9223372036854775807", "999999999999999999 * 99",
                           "999999999999999999 + 999999999999999999 * 9", "K"}) {
    EXPECT_EQ(value(text), std::nullopt) << text;
  }
  for (const char* text : {"", "M +", "(M", "M)", "2M", "M N", "+", "M ** 2"})
    EXPECT_FALSE(SizeExpr::parse(text).has_value()) << text;
  EXPECT_FALSE(SizeExpr::parse(std::string(100000, '(')).has_value());
  EXPECT_FALSE(SizeExpr::parse(std::string(100000, '-') + "1").has_value());
}

TEST(SizeExpr, PolynomialsAreTold) {
  const std::map<std::string, SizeExpr::Known> known = {{"E", {std::nullopt, 4}}, {"F", {10, 1}}};
  const auto is = [&](const char* text) { return SizeExpr::parse(text)->is_polynomial(known); };
  for (const char* text :
       {"2*M+1", "M*N - N*M", "E/2", "(E + 3)/4", "E % 4", "(E+1) % 2", "F/3", "M*M*M*N*N*N", "-(M - E/4)"})
    EXPECT_TRUE(is(text)) << text;
  for (const char* text : {"M/2", "E/8", "E % 8", "M % 1000", "E*M/8", "M/N", "F/M", "M/0", "M*M*M*N*N*N*M",
                           "(M+1)/2*2", "999999999999999999*99*M"})
    EXPECT_FALSE(is(text)) << text;
}

TEST(SizeExpr, PrefixEndsWhereOperatorsHaveNoRightSide) {
  const std::vector<std::string> symbols = {"M"};
  const auto prefix = [&](const std::string& text) {
    std::size_t at = 0;
    (void)SizeExpr::parse_prefix(text, at, symbols);
    return text.substr(0, at);
  };
  EXPECT_EQ(prefix("M * 2, 3"), "M * 2");
  EXPECT_EQ(prefix("M -> tensor"), "M");
  EXPECT_EQ(prefix("M %x"), "M");
  EXPECT_EQ(prefix("(M + 1) * x"), "(M + 1)");
  EXPECT_EQ(prefix("K * M"), "");
}

TEST(Condition, SaysWhatItFixes) {
  const auto c = [](const char* text) { return *Condition::parse(text); };
  EXPECT_EQ(*c("M == N").equal_symbol("N"), "M");
  EXPECT_EQ(c("M == M").equal_symbol("M"), nullptr);
  EXPECT_EQ(c("M != N").equal_symbol("N"), nullptr);
  EXPECT_EQ(c("M == 8").equal_number("M"), 8);
  EXPECT_EQ(c("M + 0 == 8").equal_number("M"), std::nullopt);
  EXPECT_EQ(c("M % 2 == 0").divisor("M"), 2);
  EXPECT_EQ(c("M % 2 == 1").divisor("M"), std::nullopt);
  EXPECT_EQ(c("M % 2 >= 0").divisor("M"), std::nullopt);
  EXPECT_TRUE(c("M >= 2*N").holds({{"M", 6}, {"N", 3}}));
  EXPECT_FALSE(c("M > 2*N").holds({{"M", 6}, {"N", 3}}));
  EXPECT_FALSE(c("M / 0 == M / 0").holds({{"M", 6}}));
  EXPECT_FALSE(Condition::parse("M + N").has_value());
}

TEST(SizedText, PutsNumbersInTypesAndAttributes) {
  std::vector<std::string> symbols;
  const std::string text =
      "%M = stablehlo.iota low = [M - 1, 0], n = (M * 2) : tensor<Mx(N+1)xf32> -> tensor<f32>, @M #M";
  add_symbols_of_types(text, symbols);
  EXPECT_EQ(symbols, (std::vector<std::string>{"M", "N"}));
  EXPECT_EQ(SizedText(text, symbols).at({{"M", 4}, {"N", 2}}, {1, 1}),
            "%M = stablehlo.iota low = [3, 0], n = 8 : tensor<4x3xf32> -> tensor<f32>, @M #M");
  EXPECT_THROW((void)SizedText("tensor<M-2xf32>", {"M"}).at({{"M", 1}}, {1, 1}), UserError);
}

}  // namespace
}  // namespace partir::prove
