// Law zeros-pending: a loop may carry a sum that starts at zero as a pending sum of what the devices add. Each premise
// of the law is shown by a case that is refused without it.
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_sums_test {
namespace {

using namespace testing;

const std::string kSource = R"(
func.func @main(%x: tensor<4xf32>, %s: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%v = %z, %k = %n) : tensor<f32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %o = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.reduce(%x init: %o) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %w = stablehlo.add %v, %t : tensor<f32>
    %j = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<f32>, tensor<i32>
  }
  return %r#0 : tensor<f32>
})";

std::string all_reduce(const std::string& out, const std::string& x) {
  return "  %" + out + " = \"stablehlo.all_reduce\"(%" + x + R"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %both = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
)";
}

/// Returns the device-local program: the source with x tiled, and the loop-carried sum reduced after the loop.
std::string local_of(const std::string& source) {
  std::string out = with(source, "(%x: tensor<4xf32>, %s: tensor<f32>, %n: tensor<i32>) -> tensor<f32>",
                         "(%x: tensor<2xf32>" + is_part("[{a}]") + ", %s: tensor<f32>" + is_part("[]") +
                             ", %n: tensor<i32>" + is_part("[]") + ") -> (tensor<f32>" + is_part("[]") + ")");
  out = with(out, "(tensor<4xf32>, tensor<f32>)", "(tensor<2xf32>, tensor<f32>)");
  return with(out, "  return %r#0", all_reduce("whole", "r#0") + "  return %whole");
}

std::string step(const std::string& place, const std::string& operands = "", const std::string& results = "") {
  return R"({"op": ")" + place + R"(", "source": ")" + place + "\"" +
         (operands.empty()
              ? ""
              : R"(, "along": [{"axis": "a", "operands": [)" + operands + R"(], "results": [)" + results + "]}]") +
         "}";
}
std::string loop_of(const std::string& type) {
  return R"({"op": "1", "source": "1", "types": [")" + type + R"(", "[]"]})";
}
const std::string kTypes = loop_of("[] partial{a:sum}");
const std::string kSum = step("1.1.3", R"("#sum", "#sum")", R"("#sum")");
const std::string kSteps = step("0") + ", " + kTypes + ", " + step("1.0.0") + ", " + step("1.0.1") + ", " +
                           step("1.1.0") + ", " + step("1.1.1") + ", " +
                           step("1.1.2", R"("#tile<0>", "any")", R"("#sum")") + ", " + kSum + ", " + step("1.1.4") +
                           R"(, {"op": "2", "types": ["[]"]})";

/// Checks the source and its local program with the same change made to both.
CertificateReport changed(const std::string& what, const std::string& by, const std::string& steps = kSteps) {
  const std::string source = with(kSource, what, by);
  return checked(source, local_of(source), steps);
}

TEST(CertificatesOfSums, HoldWhereDevicesAddUpTheirOwn) {
  const CertificateReport report = checked(kSource, local_of(kSource), kSteps);
  expect_proved(report);
  EXPECT_EQ(report.laws.at("zeros-pending"), 1U);
  EXPECT_EQ(report.over_reals, std::vector<bool>{true}) << "in another order than the source";
}

TEST(CertificatesOfSums, BeginAsZeros) {
  for (const std::string start : {"1.0", "-0.0", "1.0e-45", "0x7FC00000"})
    expect_refused(changed("dense<0.0> : tensor<f32>\n  %r", "dense<" + start + "> : tensor<f32>\n  %r"),
                   "operand 0 enters as");
  expect_refused(changed("%v = %z", "%v = %s"), "operand 0 enters as");
}

TEST(CertificatesOfSums, AreSums) {
  const std::string source = with(with(kSource, "applies stablehlo.add", "applies stablehlo.maximum"),
                                  "stablehlo.add %v", "stablehlo.maximum %v");
  const std::string local = with(local_of(source), "%both = stablehlo.add", "%both = stablehlo.maximum");
  std::string steps = kSteps;
  for (auto at = steps.find("sum"); at != std::string::npos; at = steps.find("sum")) steps.replace(at, 3, "max");
  expect_refused(checked(source, local, steps), "operand 0 enters as");
}

TEST(CertificatesOfSums, AreReadByNothingThatNeedsThemReduced) {
  // Read by the body in addition to the addition.
  expect_refused(changed("%t = stablehlo.reduce(%x init: %o)", "%t = stablehlo.reduce(%x init: %v)"),
                 "its entries take it as");
  // Read by the computation of the addend.
  expect_refused(changed("stablehlo.add %v, %t", "stablehlo.multiply %v, %t",
                         with(kSteps, kSum, step("1.1.3", R"("#sum", "any")", R"("#sum")"))),
                 "its entries take it as");
  // Read by the condition.
  const std::string read = R"(%c = stablehlo.constant dense<9.0> : tensor<f32>
    %p = stablehlo.compare GT, %c, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>)";
  expect_refused(changed(R"(%c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>)",
                         read),
                 "its entries take it as");
}

TEST(CertificatesOfSums, AreYieldedAsTheyAreCarried) {
  const std::string inside = with(local_of(kSource), "    %j =", all_reduce("now", "w") + "    %j =");
  const std::string reduced =
      with(kSteps, step("1.1.4"), R"({"op": "1.1.4", "types": ["[]"]}, {"op": "1.1.5", "source": "1.1.4"})");
  expect_refused(checked(kSource, with(inside, "return %w, %j", "return %now, %j"), reduced), "yields value 0 as []");
  // If the devices carry the sum reduced, they must not yield a sum that is still pending.
  expect_refused(checked(kSource, local_of(kSource), with(kSteps, kTypes, loop_of("[]"))), "its entries take it as");
}

/// A sum without a loop: %s + 0.0, where 0.0 stands for the sum's beginning.
TEST(CertificatesOfSums, BeginAsZerosWithoutALoop) {
  const auto begins_as = [](const std::string& start, const std::string& along) {
    const std::string source = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<)" +
                               start + R"(> : tensor<f32>
  %o = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%x init: %o) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %w = stablehlo.add %z, %t : tensor<f32>
  return %w : tensor<f32>
})";
    std::string local = with(source, "(%x: tensor<4xf32>) -> tensor<f32>",
                             "(%x: tensor<2xf32>" + is_part("[{a}]") + ") -> (tensor<f32>" + is_part("[]") + ")");
    local = with(local, "(tensor<4xf32>, tensor<f32>)", "(tensor<2xf32>, tensor<f32>)");
    local = with(local, "  return %w", all_reduce("whole", "w") + "  return %whole");
    return checked(source, local,
                   step("0") + ", " + step("1") + ", " + step("2", R"("#tile<0>", "any")", R"("#sum")") + ", " +
                       step("3", along, R"("#sum")") + R"(, {"op": "4", "types": ["[]"]})");
  };
  const std::string sums = R"("#sum", "#sum")";
  const CertificateReport report = begins_as("0.0", sums);
  expect_proved(report);
  EXPECT_EQ(report.laws.at("zeros-pending"), 1U);
  for (const std::string start : {"1.0", "-0.0", "1.0e-45", "0x7FC00000"})
    expect_refused(begins_as(start, sums), "its entries take it as");
}

TEST(CertificatesOfSums, AreReducedBehindTheLoop) {
  const std::string local = with(local_of(kSource), "return %whole", "return %r#0");
  expect_refused(checked(kSource, local, kSteps), "result 0 is [] partial{a:sum}, not []");
}

}  // namespace
}  // namespace partir::certificate_sums_test
