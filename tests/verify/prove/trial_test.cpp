// Which differences the trials of claims proved over the reals attribute to rounding, and which refute the claim.
#include <gtest/gtest.h>

#include "verify/prove/prove.h"
#include "verify/prove/rewrite.h"

namespace partir::prove {
namespace {

/// Returns whether trials refute a rewrite of %x and %y (f32) that is taken for proved over the reals.
bool is_attacked(const std::string& source, const std::string& target) {
  const std::string text =
      "rewrite @r axes A (%x: tensor<Nxf32>, %y: tensor<Nxf32>) -> (tensor<Nxf32>) {\n  source {\n" + source +
      "  }\n  target {\n" + target + "  }\n}\n";
  const Claim claim = value_or_throw(read_claims(text, "test.tmr")).front();
  Tried tried;
  return refute_rewrite(claim, {60}, tried, nullptr, Unbounded::holds).has_value();
}

const char* const kCancelled = R"(    %1 = stablehlo.add %y, %x : tensor<Nxf32>
    %2 = stablehlo.subtract %1, %x : tensor<Nxf32>
)";

TEST(Trials, ADivisorThatCancelsIsRounding) {
  const std::string zero = "    %0 = stablehlo.constant dense<0.0> : tensor<Nxf32>\n";
  EXPECT_FALSE(is_attacked(
      zero + "    %1 = stablehlo.divide %0, %y : tensor<Nxf32>\n    return %1 : tensor<Nxf32>\n",
      zero + kCancelled + "    %3 = stablehlo.divide %0, %2 : tensor<Nxf32>\n    return %3 : tensor<Nxf32>\n"));
}

TEST(Trials, AValueOutsideOfADomainIsNot) {
  const std::string square = "    %0 = stablehlo.multiply %y, %y : tensor<Nxf32>\n";
  const auto root = [](const char* of) {
    return std::string("    %9 = stablehlo.sqrt %") + of + " : tensor<Nxf32>\n    return %9 : tensor<Nxf32>\n";
  };
  EXPECT_TRUE(is_attacked(square + root("0"), "    %0 = stablehlo.negate %y : tensor<Nxf32>\n" + root("0")));
  // The argument of the square root is rounded, but far outside the domain.
  EXPECT_TRUE(is_attacked(square + root("0"),
                          kCancelled + std::string("    %3 = stablehlo.negate %2 : tensor<Nxf32>\n") + root("3")));
}

TEST(Trials, ADivisorThatIsZeroIsNot) {
  EXPECT_TRUE(is_attacked(
      "    return %x : tensor<Nxf32>\n",
      "    %0 = stablehlo.constant dense<0.0> : tensor<Nxf32>\n    %1 = stablehlo.divide %x, %0 : tensor<Nxf32>\n"
      "    return %1 : tensor<Nxf32>\n"));
}

}  // namespace
}  // namespace partir::prove
