// Law reduce-behind: a sum that a loop accumulates is carried as a pending sum where that gives the same value, and is
// reduced once after the loop.
#include "ir/zeros.h"
#include "tests/lowering/loops.h"

namespace partir {
namespace {

using testing::executed;
using testing::expect_right;
using testing::loop;
using testing::text;

const char* const kRows = R"({"name": "BP", "axis": "a", "inputs": {"arg0": 0, "arg1": 0}})";
const std::string kArguments = "%x: tensor<8x4xf32>, %y: tensor<8x6xf32>, %v: tensor<4x6xf32>, %n: tensor<4x6xf32>";
const std::string kZeros = "  %z = stablehlo.constant dense<0.0> : tensor<4x6xf32>";
const std::string kSum = "tensor<4x6xf32>";
/// The gradient %g is a sum over rows, of which each device has its own.
const std::string kGradient =
    "    %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> "
    "tensor<4x6xf32>\n";
const std::string kAdd = "    %b = stablehlo.add %a, %g : tensor<4x6xf32>\n";

/// Returns a loop of five iterations that carries one value.
std::string sums(const std::string& body, const std::string& start = "%z", const std::string& yields = "%b") {
  return loop(kArguments, kZeros, "%a = " + start, kSum, body, yields, "%r#1", kSum);
}

std::string replaced(std::string program, const std::string& what, const std::string& by) {
  EXPECT_NE(program.find(what), std::string::npos) << what << " is not in\n" << program;
  for (auto at = program.find(what); at != std::string::npos; at = program.find(what, at + by.size()))
    program.replace(at, what.size(), by);
  return program;
}

/// Returns the executed collectives of a partition, which must be proved.
std::string executed(const std::string& program, const std::string& mesh = "a=2", const std::string& tactics = kRows) {
  const PartitionCase c(program, mesh, tactics);
  expect_right(c);
  return executed(c);
}

TEST(Accumulation, IsReducedOnceBehindTheLoop) {
  const PartitionCase c(sums(kGradient + kAdd), "a=2", kRows);
  EXPECT_EQ(executed(c), "1 all_reduce") << text(c);
  EXPECT_LT(text(c).find("stablehlo.while"), text(c).find("spmd.all_reduce")) << text(c);
  EXPECT_EQ(c.result(), "[{}, {}]");
  expect_right(c);
}

TEST(Accumulation, IsOfAllNumbersThatAreAdded) {
  const std::string program = sums(kGradient + kAdd);
  for (const std::string type : {"i32", "ui8", "f64", "bf16"})
    EXPECT_EQ(executed(replaced(replaced(program, "xf32", "x" + type), "dense<0.0>",
                                type == "i32" || type == "ui8" ? "dense<0>" : "dense<0.0>")),
              "1 all_reduce")
        << type;
  EXPECT_EQ(executed(replaced(replaced(program, "xf32", "xcomplex<f32>"), "dense<0.0>", "dense<(0.0, 0.0)>")),
            "1 all_reduce");
}

TEST(Accumulation, IsRightHoweverOftenTheLoopRuns) {
  for (const std::string trips : {"0", "1", "2"}) {
    const std::string limited =
        replaced(sums(kGradient + kAdd), "dense<5> : tensor<i32>", "dense<" + trips + "> : tensor<i32>");
    EXPECT_EQ(executed(limited), "1 all_reduce") << trips;
  }
}

TEST(Accumulation, MayBeginWithAPendingSum) {
  const std::string first = replaced(kGradient, "%g", "%z");
  EXPECT_EQ(executed(loop(kArguments, first, "%a = %z", kSum, kGradient + kAdd, "%b", "%r#1", kSum)), "1 all_reduce");
  // The pending sum has another use, which needs it reduced.
  EXPECT_EQ(executed(loop(kArguments, first, "%a = %z", kSum, kGradient + kAdd, "%b", "%r#1, %z", kSum + ", " + kSum)),
            "6 all_reduce");
}

TEST(Accumulation, MayBeScaledInEveryIteration) {
  const std::string momentum = "    %h = stablehlo.multiply %a, %v : tensor<4x6xf32>\n" + kGradient +
                               "    %b = stablehlo.add %h, %g : tensor<4x6xf32>\n";
  EXPECT_EQ(executed(sums(momentum)), "1 all_reduce");
}

TEST(Accumulation, IsOfSeveralValuesAtOnce) {
  const std::string program =
      loop(kArguments, kZeros + "\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>",
           "%a = %z, %l = %zero, %k = %z", kSum + ", tensor<f32>, " + kSum,
           kGradient + kAdd +
               "    %m = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
               "(tensor<8x4xf32>, tensor<f32>) -> tensor<f32>\n"
               "    %loss = stablehlo.add %m, %l : tensor<f32>\n"
               "    %t = stablehlo.tanh %k : tensor<4x6xf32>\n"
               "    %u = stablehlo.add %t, %v : tensor<4x6xf32>\n",
           "%b, %loss, %u", "%r#1, %r#2, %r#3", kSum + ", tensor<f32>, " + kSum);
  EXPECT_EQ(executed(program), "2 all_reduce");
}

TEST(Accumulation, GoesByEachAxisOfTheMesh) {
  const std::string program = sums(kGradient + kAdd);
  EXPECT_EQ(executed(program, "a=2,b=2",
                     std::string(kRows) + ", " + R"({"name": "BP2", "axis": "b", "inputs": {"arg0": 0, "arg1": 0}})"),
            "1 all_reduce");
  const PartitionCase c(program, "a=2,b=2",
                        std::string(kRows) + R"(, {"name": "MP", "axis": "b", "inputs": {"arg0": 1}})");
  EXPECT_EQ(executed(c), "1 all_reduce") << text(c);
  EXPECT_EQ(c.result(), "[{b}, {}]");
  expect_right(c);
}

TEST(Accumulation, GoesThroughLoopsInLoops) {
  const std::string inner = R"(
    %q:2 = stablehlo.while(%k = %start, %t = %FROM) : tensor<i32>, tensor<4x6xf32>
    cond {
      %l = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
      %u = stablehlo.add %t, %g : tensor<4x6xf32>
      %m = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %m, %u : tensor<i32>, tensor<4x6xf32>
    }
)";
  EXPECT_EQ(executed(sums(replaced(inner, "%FROM", "%a"), "%z", "%q#1")), "1 all_reduce");
  EXPECT_EQ(executed(sums(replaced(inner, "%FROM", "%z") + "    %b = stablehlo.add %a, %q#1 : tensor<4x6xf32>\n")),
            "1 all_reduce");
  // The outer loop does not accumulate: the sum is reduced after the inner loop, once per outer iteration.
  EXPECT_EQ(executed(sums(replaced(inner, "%FROM", "%z") + "    %w = stablehlo.tanh %a : tensor<4x6xf32>\n"
                                                           "    %b = stablehlo.add %w, %q#1 : tensor<4x6xf32>\n")),
            "5 all_reduce");
  // The inner loop's accumulator does not start at zero.
  EXPECT_EQ(executed(sums(replaced(inner, "%FROM", "%v") + "    %b = stablehlo.add %a, %q#1 : tensor<4x6xf32>\n")),
            "15 all_reduce");
}

TEST(Accumulation, IsScatteredBehindTheLoopWhereEachDeviceKeepsAPart) {
  const PartitionCase c(sums(kGradient + kAdd), "a=2",
                        std::string(kRows) + R"(, {"name": "K", "axis": "a", "values": {"line/5/1": "replicated"}},
                                                {"name": "Z2", "axis": "a", "results": {"result0": 0}})");
  EXPECT_EQ(executed(c), "1 reduce_scatter") << text(c);
  expect_right(c);
}

TEST(Accumulation, OfPartsStaysOfParts) {
  // A device's chunk of the sum is smaller than the pending sum of the complete value.
  const PartitionCase c(sums(kGradient + kAdd), "a=2",
                        std::string(kRows) + R"(, {"name": "Z3", "axis": "a", "results": {"result0": 0}})");
  EXPECT_EQ(executed(c), "5 reduce_scatter") << text(c);
  expect_right(c);
}

TEST(Accumulation, InWiderNumbersThanTheAddendsIsReducedBehindTheLoopToo) {
  const std::string narrow =
      "    %x16 = stablehlo.convert %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>\n"
      "    %y16 = stablehlo.convert %y : (tensor<8x6xf32>) -> tensor<8x6xbf16>\n"
      "    %g16 = stablehlo.dot_general %x16, %y16, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, "
      "tensor<8x6xbf16>) -> tensor<4x6xbf16>\n"
      "    %g = stablehlo.convert %g16 : (tensor<4x6xbf16>) -> tensor<4x6xf32>\n";
  const PartitionCase c(sums(narrow + kAdd), "a=2", kRows);
  EXPECT_EQ(executed(c), "1 all_reduce") << text(c);
  expect_right(c);
  // With one iteration only, reducing the narrower addend moves fewer bytes.
  const PartitionCase once(replaced(sums(narrow + kAdd), "dense<5> : tensor<i32>", "dense<1> : tensor<i32>"), "a=2",
                           kRows);
  EXPECT_NE(text(once).find("sharding = \"[{}, {}]\"} : tensor<4x6xbf16>"), std::string::npos) << text(once);
}

/// Bodies and initial values for which the sum of the devices' sums is another value, or for which a pending sum would
/// cost more.
TEST(Accumulation, StaysReducedInTheLoopWhere) {
  const auto stays = [](const std::string& why, const std::string& program,
                        const std::string& wanted = "5 all_reduce") { EXPECT_EQ(executed(program), wanted) << why; };
  stays("it begins with anything", sums(kGradient + kAdd, "%v"));
  stays("it begins with ones", replaced(sums(kGradient + kAdd), "dense<0.0>", "dense<1.0>"));
  stays("it begins with -0.0", replaced(sums(kGradient + kAdd), "dense<0.0>", "dense<-0.0>"));
  stays("it begins with zeros and a one",
        replaced(sums(kGradient + kAdd), "  %z = stablehlo.constant dense<0.0> : tensor<4x6xf32>",
                 "  %p = stablehlo.constant dense<[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]> : tensor<6xf32>\n"
                 "  %z = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>"));
  stays("what is added is whole", sums("    %b = stablehlo.add %a, %v : tensor<4x6xf32>\n"), "none");
  stays("nothing is added", sums("    %b = stablehlo.multiply %a, %v : tensor<4x6xf32>\n"), "none");
  stays("it is multiplied", sums(kGradient + "    %b = stablehlo.multiply %a, %g : tensor<4x6xf32>\n"));
  stays("the larger is kept", sums(kGradient + "    %b = stablehlo.maximum %a, %g : tensor<4x6xf32>\n"));
  stays("it is no sum at the end", sums(kGradient + "    %c = stablehlo.add %a, %g : tensor<4x6xf32>\n"
                                                    "    %b = stablehlo.tanh %c : tensor<4x6xf32>\n"));
  stays("what is whole is added behind", sums(kGradient + "    %c = stablehlo.add %a, %g : tensor<4x6xf32>\n"
                                                          "    %b = stablehlo.add %c, %v : tensor<4x6xf32>\n"));
  const auto two = [](const std::string& body, const std::string& yields) {
    return loop(kArguments, kZeros, "%a = %z, %o = %v", kSum + ", " + kSum, body, yields, "%r#1, %r#2",
                kSum + ", " + kSum);
  };
  stays("the body reads it", two(kGradient + kAdd + "    %p = stablehlo.tanh %a : tensor<4x6xf32>\n", "%b, %p"));
  stays("the body reads the sum", two(kGradient + kAdd + "    %p = stablehlo.tanh %b : tensor<4x6xf32>\n", "%b, %p"));
  stays("the body reads what is added",
        two(kGradient + kAdd + "    %p = stablehlo.tanh %g : tensor<4x6xf32>\n", "%b, %p"));
  stays("it is yielded in another place", two(kGradient + kAdd, "%o, %b"));
  stays("a branch reads it", sums(kGradient + R"(
    %flag = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %b = "stablehlo.if"(%flag) ({
      %p = stablehlo.add %a, %g : tensor<4x6xf32>
      stablehlo.return %p : tensor<4x6xf32>
    }, {
      stablehlo.return %a : tensor<4x6xf32>
    }) : (tensor<i1>) -> tensor<4x6xf32>
)"));
  const std::string row =
      "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %s = stablehlo.slice %y [0:8, 0:1] : (tensor<8x6xf32>) -> tensor<8x1xf32>\n"
      "    %g = stablehlo.dot_general %s, %y, contracting_dims = [0] x [0] : (tensor<8x1xf32>, "
      "tensor<8x6xf32>) -> tensor<1x6xf32>\n";
  stays("each iteration writes a row", sums(row + "    %b = stablehlo.dynamic_update_slice %a, %g, %zero, %zero : "
                                                  "(tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> "
                                                  "tensor<4x6xf32>\n"));
  stays("what is added is small",
        sums("    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "    %m = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
             "(tensor<8x4xf32>, tensor<f32>) -> tensor<f32>\n"
             "    %g = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<f32>) -> tensor<4x6xf32>\n" +
             kAdd));
}

TEST(Accumulation, OfWhatComesFromOutsideIsOfWhatWasReducedThere) {
  const PartitionCase c(loop(kArguments, kZeros + "\n" + kGradient, "%a = %z", kSum,
                             "    %h = stablehlo.multiply %g, %v : tensor<4x6xf32>\n"
                             "    %b = stablehlo.add %a, %h : tensor<4x6xf32>\n",
                             "%b", "%r#1", kSum),
                        "a=2", kRows);
  EXPECT_EQ(executed(c), "1 all_reduce") << text(c);
  EXPECT_LT(text(c).find("spmd.all_reduce"), text(c).find("stablehlo.while")) << text(c);
  expect_right(c);
}

TEST(Accumulation, StaysReducedWhereTheConditionReadsIt) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xi32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%a = %z) : tensor<i32>
  cond {
    %most = stablehlo.constant dense<300> : tensor<i32>
    %p = stablehlo.compare LT, %a, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %y = stablehlo.multiply %x, %x : tensor<8xi32>
    %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %b = stablehlo.add %a, %s : tensor<i32>
    stablehlo.return %b : tensor<i32>
  }
  return %0 : tensor<i32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "1 all_reduce") << "for the condition and for the result\n" << text(c);
  expect_right(c);
}

TEST(Zeros, AreOfAllBitsAndOfTheNumber) {
  const auto scalar = [](ElementType type, const char* number) {
    return std::make_shared<const Literal>(Literal{{type, {}}, true, *scalar_bytes(type, number)});
  };
  for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::f64}) {
    EXPECT_TRUE(is_zeros(scalar(type, "0.0")));
    EXPECT_FALSE(is_zeros(scalar(type, "-0.0")));
    EXPECT_FALSE(is_zeros(scalar(type, "1.0")));
  }
  EXPECT_TRUE(is_zeros(scalar(ElementType::i32, "0")));
  EXPECT_FALSE(is_zeros(scalar(ElementType::i32, "256")));
  EXPECT_TRUE(is_zeros(scalar(ElementType::i1, "false")));
  const auto without_zero = std::make_shared<const Literal>(Literal{{ElementType::f8E8M0FNU, {}}, true, {0}});
  EXPECT_FALSE(is_zeros(without_zero)) << "its smallest number has no bits";
  EXPECT_FALSE(is_zeros(nullptr));
}

}  // namespace
}  // namespace partir
