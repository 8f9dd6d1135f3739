// The cross-check of complete claims at their smallest sizes must confirm true claims and no false ones. It is run here
// on claims that the prover refutes, as if one of the prover's laws had lost a premise and proved them.
#include "verify/prove/small_instances.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace partir::prove {
namespace {

std::vector<Claim> claims_of(const std::string& file) {
  std::ifstream in(std::string(PARTIR_SOURCE_DIR) + "/tests/claims/" + file + ".tmr");
  std::ostringstream text;
  text << in.rdbuf();
  auto claims = read_claims(text.str(), file);
  EXPECT_TRUE(claims.has_value());
  return claims ? *claims : std::vector<Claim>();
}

Claim claim(const std::string& text) { return read_claims(text, "claim.tmr").value().front(); }

TEST(SmallInstances, ConfirmAMatrixProduct) {
  const auto got = small_instances(claim(R"(
entry @dot tiles K (%x: tensor<MxKxf32> #tile<1>, %y: tensor<KxNxf32> #tile<0>) -> (tensor<MxNxf32> #sum) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<MxKxf32>, tensor<KxNxf32>) -> tensor<MxNxf32>
  return %0 : tensor<MxNxf32>
})"));
  EXPECT_EQ(got.equal, 2U) << got.why_open << got.disagreement;
}

TEST(SmallInstances, RefuteAComparisonThatWrapsAtOneValueOf2To32) {
  const auto got = small_instances(claim(R"(
rewrite @next axes A (%x: tensor<Nxi32>) -> (tensor<Nxi1>) {
  source {
    %t = stablehlo.constant dense<true> : tensor<Nxi1>
    return %t : tensor<Nxi1>
  }
  target {
    %o = stablehlo.constant dense<1> : tensor<Nxi32>
    %0 = stablehlo.add %x, %o : tensor<Nxi32>
    %1 = stablehlo.compare GT, %0, %x : (tensor<Nxi32>, tensor<Nxi32>) -> tensor<Nxi1>
    return %1 : tensor<Nxi1>
  }
})"));
  EXPECT_NE(got.disagreement.find("2.14748e+09"), std::string::npos) << got.disagreement;
}

TEST(SmallInstances, RefuteADivisionThatTheSourceDoesNotMake) {
  const auto got = small_instances(claim(R"(
rewrite @back axes A (%x: tensor<Nxf32>, %y: tensor<Nxf32>) -> (tensor<Nxf32>) {
  source {
    return %x : tensor<Nxf32>
  }
  target {
    %0 = stablehlo.divide %x, %y : tensor<Nxf32>
    %1 = stablehlo.multiply %0, %y : tensor<Nxf32>
    return %1 : tensor<Nxf32>
  }
})"));
  EXPECT_EQ(got.equal, 0U);
  EXPECT_NE(got.disagreement, "");
}

TEST(SmallInstances, ConfirmNoFalseClaim) {
  std::size_t refuted = 0;
  std::size_t open = 0;
  for (const std::string file : {"traps", "premises", "infinities"}) {
    for (const Claim& c : claims_of(file)) {
      if (c.expected != "refuted") continue;
      const SmallInstances got = small_instances(c);
      refuted += got.disagreement.empty() ? 0 : 1;
      open += got.disagreement.empty() ? 1 : 0;
      EXPECT_FALSE(got.disagreement.empty() && got.open == 0) << file << ": @" << c.name << " is confirmed";
    }
  }
  EXPECT_GT(refuted, open);
  std::cout << refuted << " refuted by Z3, " << open << " open\n";
}

}  // namespace
}  // namespace partir::prove
