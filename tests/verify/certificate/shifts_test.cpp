// Padding that shifts a value by complete chunks, and reversals, as a collective_permute: each premise of the law, and
// source-target pairs that move other chunks.
#include <algorithm>

#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_shifts_test {
namespace {

using namespace testing;

constexpr const char* kShift = R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [4, 0], high = [-4, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
})";

/// Returns a local program on the mesh a=2,b=2. With rows tiled along a and b, a chunk has two rows and the source
/// shifts by two chunks.
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
  // With b as the major axis, device 1 holds the third chunk.
  expect_proved(shifted(kShift, local("[[0, 1], [2, 3]]", "[{b, a}, {}]")));
  expect_proved(shifted(with(kShift, "low = [4, 0], high = [-4, 0]", "low = [-2, 0], high = [2, 0]"),
                        local("[[1, 0], [2, 1], [3, 2]]")));
  // Rows tiled by a alone and columns by b: each device receives from the one with the same columns.
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
  expect_refused(shifted(kShift, local("[[0, 1], [2, 3]]")), "is sent");  // right if b were the major axis
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

constexpr const char* kReversal = R"(
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
})";

CertificateReport reversed(const std::string& source, const std::string& body) {
  return shifted(source, body, R"({"op": "0", "source": "0"})");
}

const std::string kEnds = "[[0, 3], [1, 2], [2, 1], [3, 0]]";
const std::string kRow = "tensor<1x4xf32>";

TEST(CertificatesOfReversals, HoldByTheNumberOfAChunk) {
  const CertificateReport report = reversed(kReversal, local(kEnds, "[{a, b}, {}]", kRow));
  expect_proved(report);
  EXPECT_EQ(report.scope(), "all inputs; bit-exact");
  expect_proved(reversed(kReversal, local(kEnds, "[{b, a}, {}]", kRow)));
  // Two rows tiled along a; the columns tiled along b stay.
  std::string two_rows = kReversal;
  for (int k = 0; k < 4; ++k) two_rows = with(two_rows, "4x4", "2x4");
  expect_proved(reversed(two_rows, local("[[0, 2], [1, 3], [2, 0], [3, 1]]", "[{a}, {b}]", "tensor<1x2xf32>")));
}

TEST(CertificatesOfReversals, SendEachDeviceTheChunkThatIsWanted) {
  expect_refused(reversed(kReversal, local("[[0, 1], [1, 2], [2, 3], [3, 0]]", "[{a, b}, {}]", kRow)), "is sent chunk");
  expect_refused(reversed(kReversal, local("[[0, 0], [1, 1], [2, 2], [3, 3]]", "[{a, b}, {}]", kRow)), "is sent chunk");
  expect_refused(reversed(kReversal, local("[[0, 3], [1, 2], [2, 1]]", "[{a, b}, {}]", kRow)), "sent nothing");
}

TEST(CertificatesOfReversals, AreOfChunksOfOnePlaceAlongOneDimension) {
  expect_refused(reversed(kReversal, local("[[0, 2], [1, 3], [2, 0], [3, 1]]", "[{a}, {b}]", "tensor<2x2xf32>")),
                 "not by whole chunks");
  expect_refused(reversed(with(kReversal, "dims = [0]", "dims = [0, 1]"), local(kEnds, "[{a, b}, {}]", kRow)),
                 "other than one dimension");
}

}  // namespace
}  // namespace partir::certificate_shifts_test
