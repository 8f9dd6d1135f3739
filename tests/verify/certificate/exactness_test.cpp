// Which equality a proof states for floats, bit-exact or over the reals, and that nothing reads the bits of a value
// that is proved over the reals only.
#include "driver/partition.h"
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_exactness_test {
namespace {

using namespace testing;

const std::string kTiled = is_part("[{a}]");
const std::string kScalar = is_part("[]");

/// Returns a program that sums x and applies the line `then` to the sum, giving %r: the source, or (`local`) the
/// program of two devices that hold x tiled.
std::string sums(const std::string& then, const std::string& result, bool local) {
  const std::string x = local ? "tensor<2xf32>" : "tensor<4xf32>";
  std::string out = "func.func @main(%x: " + x + (local ? kTiled : "") + ") -> (" + result + (local ? kScalar : "") +
                    ") {\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                    "  %p = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (" +
                    x + ", tensor<f32>) -> tensor<f32>\n";
  if (local) {
    out +=
        R"(  %s = "stablehlo.all_reduce"(%p) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
)";
  }
  std::string use = then;
  for (auto at = use.find("%s"); at != std::string::npos; at = use.find("%s", at + 2))
    if (!local) use.replace(at, 2, "%p");
  return out + use + "  return %r : " + result + "\n}";
}
CertificateReport of_sums(const std::string& then, const std::string& result, int operations) {
  std::string steps =
      R"({"op": "0", "source": "0"}, {"op": "1", "source": "1", "along": [{"axis": "a", "operands": ["#tile<0>", "any"], "results": ["#sum"]}]}, {"op": "2", "types": ["[]"]})";
  for (int k = 0; k < operations; ++k)
    steps += R"(, {"op": ")" + std::to_string(3 + k) + R"(", "source": ")" + std::to_string(2 + k) + "\"}";
  return checked(sums(then, result, false), sums(then, result, true), steps);
}

/// Without reassociation the proof is bit-exact.
TEST(Exactness, IsOfBitsWhereValuesOnlyMove) {
  const auto report = checked(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.tanh %x : tensor<4xf32>\n  return %0 : "
      "tensor<4xf32>\n}",
      "func.func @main(%x: tensor<2xf32>" + kTiled + ") -> (tensor<2xf32>" + kTiled +
          ") {\n  %0 = stablehlo.tanh %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
      R"({"op": "0", "source": "0", "along": [{"axis": "a", "operands": ["#tile<0>"], "results": ["#tile<0>"]}]})");
  expect_proved(report);
  EXPECT_EQ(report.scope(), "all inputs; bit-exact");
}

/// Every value that depends on a reassociated sum is proved over the reals only.
TEST(Exactness, IsOverTheRealsBehindASum) {
  const auto report = of_sums("  %r = stablehlo.tanh %s : tensor<f32>\n", "tensor<f32>", 1);
  expect_proved(report);
  EXPECT_EQ(report.scope(), "all inputs; over the reals, reassociated");
  expect_proved(of_sums("  %r = stablehlo.is_finite %s : (tensor<f32>) -> tensor<i1>\n", "tensor<i1>", 1));
  expect_proved(of_sums("  %r = stablehlo.convert %s : (tensor<f32>) -> tensor<bf16>\n", "tensor<bf16>", 1));
}

TEST(Exactness, LeavesBitsOfReassociatedValuesUnproved) {
  const std::string bits = "  %b = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<ui32>\n";
  const std::string one = "  %o = stablehlo.constant dense<1> : tensor<ui32>\n";
  const std::string back = "  %r = stablehlo.bitcast_convert %k : (tensor<ui32>) -> tensor<f32>\n";
  expect_unknown(of_sums("  %r = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<ui32>\n", "tensor<ui32>", 1),
                 "bits of a reassociated value");
  expect_unknown(of_sums(bits + one + "  %r = stablehlo.and %b, %o : tensor<ui32>\n", "tensor<ui32>", 3),
                 "bits of a reassociated value");
  expect_unknown(of_sums(bits + one + "  %k = stablehlo.xor %b, %o : tensor<ui32>\n" + back, "tensor<f32>", 4),
                 "bits of a reassociated value");
  expect_unknown(of_sums(bits + "  %r = stablehlo.convert %b : (tensor<ui32>) -> tensor<f32>\n", "tensor<f32>", 2),
                 "bits of a reassociated value");
  expect_unknown(of_sums("  %r = stablehlo.compare LT, %s, %s, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>\n",
                         "tensor<i1>", 1),
                 "bits of a reassociated value");
  expect_unknown(of_sums("  %r = chlo.next_after %s, %s : tensor<f32>, tensor<f32> -> tensor<f32>\n", "tensor<f32>", 1),
                 "bits of a reassociated value");
  // Bits may be moved and converted back to a float.
  expect_proved(of_sums(bits + "  %m = stablehlo.reshape %b : (tensor<ui32>) -> tensor<1xui32>\n" +
                            "  %k = stablehlo.reshape %m : (tensor<1xui32>) -> tensor<ui32>\n" + back,
                        "tensor<f32>", 4));
}

/// A position given by a value's bits, or a sum of several values' bits, depends on more than the real numbers.
TEST(Exactness, LeavesWhatReadsOrAddsBitsOfReassociatedValuesUnproved) {
  const std::string bits = "  %b = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<ui32>\n";
  const std::string table = "  %t = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n";
  expect_unknown(of_sums(bits + table +
                             "  %e = stablehlo.dynamic_slice %t, %b, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> "
                             "tensor<1xf32>\n  %r = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>\n",
                         "tensor<f32>", 4),
                 "stablehlo.dynamic_slice looks at the bits");
  expect_unknown(of_sums(bits + "  %o = stablehlo.constant dense<0> : tensor<ui32>\n"
                                "  %w = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<ui32>) -> tensor<2xui32>\n"
                                "  %k = stablehlo.reduce(%w init: %o) applies stablehlo.add across dimensions = [0] : "
                                "(tensor<2xui32>, tensor<ui32>) -> tensor<ui32>\n"
                                "  %r = stablehlo.bitcast_convert %k : (tensor<ui32>) -> tensor<f32>\n",
                         "tensor<f32>", 5),
                 "stablehlo.reduce looks at the bits");
}

TEST(Exactness, NamesWhatJumpsAtRoundedSums) {
  const auto scope_of = [](const std::string& then, const std::string& result, int steps) {
    const auto report = of_sums(then, result, steps);
    expect_proved(report);
    return report.scope();
  };
  EXPECT_EQ(scope_of("  %r = stablehlo.floor %s : tensor<f32>\n", "tensor<f32>", 1),
            "all inputs; jumps of stablehlo.floor; over the reals, reassociated");
  EXPECT_EQ(scope_of("  %r = stablehlo.convert %s : (tensor<f32>) -> tensor<i32>\n", "tensor<i32>", 1),
            "all inputs; jumps of stablehlo.convert; over the reals, reassociated");
  EXPECT_EQ(scope_of("  %c = stablehlo.compare GT, %s, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                     "  %k = stablehlo.sign %s : tensor<f32>\n"
                     "  %r = stablehlo.select %c, %k, %s : tensor<i1>, tensor<f32>\n",
                     "tensor<f32>", 3),
            "all inputs; jumps of stablehlo.compare, stablehlo.sign; over the reals, reassociated");
  // Widening is continuous, and positions are not floats.
  EXPECT_EQ(scope_of("  %r = stablehlo.convert %s : (tensor<f32>) -> tensor<f64>\n", "tensor<f64>", 1),
            "all inputs; over the reals, reassociated");
}

TEST(Exactness, LeavesSignsOfReassociatedZerosUnproved) {
  expect_unknown(of_sums("  %r = stablehlo.atan2 %s, %s : tensor<f32>\n", "tensor<f32>", 1), "signs of zeros");
  const std::string complex = "  %c = stablehlo.complex %s, %s : tensor<complex<f32>>\n";
  for (const char* fn : {"sqrt", "log", "rsqrt", "log_plus_one"}) {
    expect_unknown(
        of_sums(complex + "  %r = stablehlo." + fn + " %c : tensor<complex<f32>>\n", "tensor<complex<f32>>", 2),
        "signs of zeros");
  }
  expect_unknown(of_sums(complex + "  %r = stablehlo.power %c, %c : tensor<complex<f32>>\n", "tensor<complex<f32>>", 2),
                 "signs of zeros");
  expect_proved(
      of_sums(complex + "  %r = stablehlo.exponential %c : tensor<complex<f32>>\n", "tensor<complex<f32>>", 2));
}

/// A slice decomposed by the shard offset sums bits over devices. The values that the loop carries are floats all the
/// same, so that the product after it can be proved over the reals.
TEST(Exactness, OfBitsInALoopIsNotOfFloatsBehindIt) {
  PartitionInput input;
  input.text = R"(func.func @main(%y: tensor<4x8xf32>, %k: tensor<8x8xf32>) -> tensor<4x4xf32> {
  %v = stablehlo.dot_general %y, %k, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %c = %v) : tensor<i32>, tensor<4x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.slice %c [0:4, 2:3] : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %b = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
    %d = stablehlo.add %c, %b : tensor<4x8xf32>
    stablehlo.return %j, %d : tensor<i32>, tensor<4x8xf32>
  }
  %t = stablehlo.dot_general %r#1, %r#1, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
})";
  input.file = "loop.mlir";
  input.mesh = "a=2,b=2";
  input.schedule = R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 1}},
    {"name": "B", "axis": "b", "inputs": {"arg1": 1}}]})";
  const auto p = partition(input, Emit::stablehlo, [] { return 0.0; });
  ASSERT_TRUE(p) << p.error().text();
  ASSERT_FALSE(p->by_offsets.empty());
  EXPECT_EQ(p->judgement.verdict, Verdict::proved) << p->judgement.reason;
  EXPECT_EQ(p->judgement.scope, "all inputs; over the reals, reassociated");
}

/// Partitions a loop of three iterations over x and what follows it. x is tiled, so that sums of it are reassociated.
/// The loop carries a counter, %b: tensor<ui32> and %f: tensor<f32>; `then` computes their next values, %n and %g, from
/// the sum %s.
Partition of_loop(const std::string& then) {
  PartitionInput input;
  input.text = R"(func.func @main(%x: tensor<4xf32>, %q: tensor<ui32>) -> (tensor<f32>, tensor<ui32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:3 = stablehlo.while(%i = %z, %b = %q, %f = %zero) : tensor<i32>, tensor<ui32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
)" + then + R"(    stablehlo.return %j, %n, %g : tensor<i32>, tensor<ui32>, tensor<f32>
  }
  return %r#2, %r#1 : tensor<f32>, tensor<ui32>
})";
  input.file = "loop.mlir";
  input.mesh = "a=2";
  input.schedule = R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 0}}]})";
  return value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
}

/// Bits that the loop carries are integers in the next iteration, where any integer operation may read them.
TEST(Exactness, LeavesLoopsThatCarryBitsUnproved) {
  const auto p = of_loop(R"(    %n = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<ui32>
    %g = stablehlo.convert %b : (tensor<ui32>) -> tensor<f32>
)");
  EXPECT_NE(p.judgement.verdict, Verdict::proved);
  EXPECT_NE(p.judgement.reason.find("carries the bits"), std::string::npos) << p.judgement.reason;
}

/// A loop-carried integer does not hold bits merely because the body computes bits as well.
TEST(Exactness, OfIntegersBesideBitsInALoopIsNotOfBits) {
  const auto p = of_loop(R"(    %k = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<ui32>
    %g = stablehlo.bitcast_convert %k : (tensor<ui32>) -> tensor<f32>
    %n = stablehlo.add %b, %q : tensor<ui32>
)");
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
}

}  // namespace
}  // namespace partir::certificate_exactness_test
