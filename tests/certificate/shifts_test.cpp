// A padding that moves a value by whole chunks is a collective_permute: each premise, and pairs that are others.
#include <algorithm>

#include "tests/certificate/by_hand.h"

namespace partir::certificate_shifts_test {
namespace {

using namespace testing;

constexpr const char* kShift = R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [4, 0], high = [-4, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
})";

/// On a=2,b=2: rows along a and b, so that a chunk has two rows and the shift is by two chunks.
std::string local(const std::string& pairs, const std::string& layout = "[{a, b}, {}]",
                  const std::string& type = "tensor<2x4xf32>") {
  const std::string part = type + is_part(layout);
  return "func.func @main(%x: " + part + ") -> (" + part + ") {\n  %0 = \"stablehlo.collective_permute\"(%x) " +
         "<{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<" + pairs +
         "> : tensor<" + std::to_string(std::count(pairs.begin(), pairs.end(), '[') - 1) + "x2xi64>}> : (" + type +
         ") -> " + type + "\n  return %0 : " + type + "\n}";
}

const std::string kStep = R"({"op": "0", "source": "1"})";
const std::string kPairs = "[[0, 2], [1, 3]]";

CertificateReport shifted(const std::string& source, const std::string& body, const std::string& steps = kStep) {
  return checked_on("a=2,b=2", 4, source, body, steps);
}

TEST(CertificatesOfShifts, HoldByTheNumberOfAChunk) {
  const CertificateReport report = shifted(kShift, local(kPairs));
  expect_proved(report);
  EXPECT_EQ(report.laws.at("shift"), 1U);
  EXPECT_EQ(report.scope(), "all inputs; bit-exact");
  // b major: device 1 has the third chunk.
  expect_proved(shifted(kShift, local("[[0, 1], [2, 3]]", "[{b, a}, {}]")));
  expect_proved(shifted(with(kShift, "low = [4, 0], high = [-4, 0]", "low = [-2, 0], high = [2, 0]"),
                        local("[[1, 0], [2, 1], [3, 2]]")));
  // Tiled by a alone, and columns by b: from the device of the same columns.
  expect_proved(shifted(kShift, local(kPairs, "[{a}, {b}]", "tensor<4x2xf32>")));
}

TEST(CertificatesOfShifts, SendEachDeviceTheChunkThatIsWanted) {
  expect_refused(shifted(kShift, local("[[2, 0], [3, 1]]")), "is sent");
  expect_refused(shifted(kShift, local("[[0, 1], [1, 2], [2, 3]]")), "is sent");
  expect_refused(shifted(kShift, local("[[0, 2], [1, 7]]")), "devices below 4");
  expect_refused(shifted(kShift, local("[[0, 2]]")), "device 3 is sent nothing");
  expect_refused(shifted(kShift, local("[[0, 2], [1, 3], [2, 0]]")), "sent what is zero");
  expect_refused(shifted(kShift, local("[[0, 3], [1, 2]]")), "is sent chunk");
  expect_refused(shifted(kShift, local("[[0, 3], [1, 2]]", "[{a}, {b}]", "tensor<4x2xf32>")), "is sent chunk");
  expect_refused(shifted(kShift, local("[[0, 1], [2, 3]]")), "is sent");  // as if b were major
}

TEST(CertificatesOfShifts, AreOfWholeChunksAndLetZerosIn) {
  expect_refused(shifted(with(kShift, "low = [4, 0], high = [-4, 0]", "low = [3, 0], high = [-3, 0]"), local(kPairs)),
                 "not by whole chunks");
  expect_refused(shifted(with(kShift, "dense<0.0>", "dense<1.0>"), local(kPairs)), "not known to be zero");
  expect_refused(shifted(with(kShift, "dense<0.0>", "dense<-0.0>"), local(kPairs)), "not known to be zero");
  expect_refused(shifted(with(kShift, "low = [4, 0], high = [-4, 0]", "low = [4, 1], high = [-4, -1]"), local(kPairs)),
                 "no shift along one dimension");
  expect_refused(shifted(with(kShift, "low = [4, 0], high = [-4, 0]", "low = [0, 0], high = [0, 0]"), local(kPairs)),
                 "along no dimension");
  expect_refused(
      shifted(
          kShift, local(kPairs),
          R"({"op": "0", "source": "1", "along": [{"axis": "a", "operands": ["#tile<0>", "any"], "results": ["#tile<0>"]}]})"),
      "with entries");
}

}  // namespace
}  // namespace partir::certificate_shifts_test
