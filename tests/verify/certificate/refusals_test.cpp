// What the checker must refuse or leave unproved about operations, arguments, results, regions and control flow, each
// next to a similar case that holds.
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_refusals_test {
namespace {

using namespace testing;

/// Returns the step of an operation that corresponds to the source's operation at the same path.
std::string step(const std::string& place, const std::string& operands = "", const std::string& results = "",
                 const std::string& axis = "a") {
  const std::string along =
      R"({"axis": ")" + axis + R"(", "operands": [)" + operands + R"(], "results": [)" + results + "]}";
  return R"({"op": ")" + place + R"(", "source": ")" + place + "\"" +
         (results.empty() ? "" : R"(, "along": [)" + along + "]") + "}";
}
std::string conversion(const std::string& place, const std::string& type) {
  return R"({"op": ")" + place + R"(", "types": [")" + type + "\"]}";
}

const std::string kTiled = is_part("[{a}]");
const std::string kWhole = is_part("[{}]");
const std::string kScalar = is_part("[]");
const std::string kAdd = R"( ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }))";
std::string all_reduce(const std::string& out, const std::string& x) {
  return "  %" + out + " = \"stablehlo.all_reduce\"(%" + x +
         ") <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = "
         "1, type = 1>, use_global_device_ids}>" +
         kAdd + " : (tensor<f32>) -> tensor<f32>\n";
}

// Arguments and results.

constexpr const char* kDifference = R"(
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
})";
const std::string kLocalDifference = "func.func @main(%x: tensor<2xf32>" + kTiled + ", %y: tensor<2xf32>" + kTiled +
                                     ") -> (tensor<2xf32>" + kTiled + R"() {
  %0 = stablehlo.subtract %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
})";
const std::string kByTiles = step("0", R"("#tile<0>", "#tile<0>")", R"("#tile<0>")");

TEST(CertificatesOfFunctions, HoldForArgumentsAndResultsOfTheSource) {
  expect_proved(checked(kDifference, kLocalDifference, kByTiles));
  expect_refused(checked(kDifference, with(kLocalDifference, "return %0", "return %x"), kByTiles), "of another value");
  expect_refused(checked(kDifference, with(kLocalDifference, "subtract %x, %y", "subtract %y, %x"), kByTiles),
                 "another value than the source's");
  const std::string two = with(with(kLocalDifference, ") -> (", ") -> (tensor<2xf32>" + kTiled + ", "),
                               "return %0 : tensor<2xf32>", "return %0, %0 : tensor<2xf32>, tensor<2xf32>");
  expect_refused(checked(kDifference, two, kByTiles), "another number of results");
  expect_refused(
      checked(kDifference, with(kLocalDifference, ") -> (tensor<2xf32>" + kTiled, ") -> (tensor<2xf32>" + kWhole),
              kByTiles),
      "result 0 is");
  expect_refused(checked_on("a=2", 4, kDifference, kLocalDifference, kByTiles), "mesh's devices");
}

TEST(CertificatesOfFunctions, HoldForPartsOfTheirSize) {
  const std::string source = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}";
  const auto local = [](const std::string& type) {
    return "func.func @main(%x: " + type + kTiled + ") -> (" + type + kTiled + ") {\n  return %x : " + type + "\n}";
  };
  expect_proved(checked(source, local("tensor<2xf32>"), ""));
  expect_refused(checked(source, local("tensor<4xf32>"), ""), "where a part is tensor<2xf32>");
}

/// Every argument of the source needs one in the module, even if it is unused, and none may come in as a pending sum.
TEST(CertificatesOfFunctions, HoldForAllArgumentsWhole) {
  const std::string unused = with(kDifference, ") ->", ", %z: tensor<4xf32>) ->");
  const auto local = [](const std::string& part) {
    return with(kLocalDifference, ") -> (", ", %z: tensor<4xf32>" + is_part(part) + ") -> (");
  };
  expect_proved(checked(unused, local("[{}]"), kByTiles));
  expect_refused(checked(unused, kLocalDifference, kByTiles), "another number of arguments");
  expect_refused(checked(unused, local("[{}] partial{a:sum}"), kByTiles), "comes in partial");
  const std::string odd = with(kDifference, ") ->", ", %z: tensor<3xf32>) ->");
  expect_refused(checked(odd, with(kLocalDifference, ") -> (", ", %z: tensor<1xf32>" + kTiled + ") -> ("), kByTiles),
                 "no layout");
}

// Operations.

/// Each step's entries must be entries of the operation's registry, one for each axis.
TEST(CertificatesOfOperations, AreOfEntriesOfTheirOwn) {
  expect_refused(checked(kDifference, kLocalDifference, step("0", R"("#tile<0>")", R"("#tile<0>")")), "is no entry of");
  expect_refused(checked(kDifference, kLocalDifference, step("0", R"("#tile<1>", "#tile<0>")", R"("#tile<0>")")),
                 "is no entry of");
  const std::string twice =
      with(kByTiles, "]}]}", R"(]}, {"axis": "a", "operands": ["any", "any"], "results": ["any"]}]})");
  expect_refused(checked(kDifference, kLocalDifference, twice), "two entries along a");
}

/// An entry in the registry's form that the prover cannot prove for this operation leaves the step unproved.
TEST(CertificatesOfOperations, AreNotProvedByEntriesThatAreNot) {
  const std::string source = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.negate %s : tensor<f32>
  return %t : tensor<f32>
})";
  const std::string local = "func.func @main(%x: tensor<2xf32>" + kTiled + ") -> (tensor<f32>" + kScalar + R"() {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.negate %s : tensor<f32>
)" + all_reduce("r", "t") + "  return %r : tensor<f32>\n}";
  const std::string steps = step("0") + ", " + step("1", R"("#tile<0>", "any")", R"("#sum")") + ", " +
                            step("2", R"("#sum")", R"("#sum")") + ", " + conversion("3", "[]");
  expect_proved(checked(source, local, steps));
  expect_unknown(checked(with(source, "negate", "tanh"), with(local, "negate", "tanh"), steps), "is not proved");
  expect_unknown(checked(with(source, "dense<0.0>", "dense<1.0>"), with(local, "dense<0.0>", "dense<1.0>"), steps),
                 "is not proved");
}

/// A proof about one operation must not be reused for one with another initial value or another size.
TEST(CertificatesOfOperations, AreApartForConstantsAndSizesThatDiffer) {
  const std::string reduce =
      R"( applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
)";
  const std::string source = R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z))" +
                             reduce + "  %t = stablehlo.reduce(%x init: %o)" + reduce +
                             "  return %s, %t : tensor<f32>, tensor<f32>\n}";
  const std::string to_local = with(reduce, "tensor<4xf32>", "tensor<2xf32>");
  const std::string local = "func.func @main(%x: tensor<2xf32>" + kTiled + ") -> (tensor<f32>" + kScalar +
                            ", tensor<f32>" + kScalar + R"() {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z))" +
                            to_local + "  %t = stablehlo.reduce(%x init: %o)" + to_local + all_reduce("u", "s") +
                            all_reduce("v", "t") + "  return %u, %v : tensor<f32>, tensor<f32>\n}";
  const std::string sum = R"("#sum")";
  expect_unknown(
      checked(source, local,
              step("0") + ", " + step("1") + ", " + step("2", R"("#tile<0>", "any")", sum) + ", " +
                  step("3", R"("#tile<0>", "any")", sum) + ", " + conversion("4", "[]") + ", " + conversion("5", "[]")),
      "is not proved");
  const std::string wide = R"(
func.func @main(%x: tensor<f32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<8xf32>
  return %s, %t : tensor<4xf32>, tensor<8xf32>
})";
  expect_proved(checked(
      wide,
      "func.func @main(%x: tensor<f32>" + kScalar + ") -> (tensor<2xf32>" + kTiled + ", tensor<4xf32>" + kTiled + R"() {
  %s = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %t = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4xf32>
  return %s, %t : tensor<2xf32>, tensor<4xf32>
})",
      step("0", "\"any\"", R"("#tile<0>")") + ", " + step("1", "\"any\"", R"("#tile<0>")")));
}

/// A value can be pending over several axes only by one monoid.
TEST(CertificatesOfOperations, ArePartialByOneCombination) {
  const std::string source = R"(
func.func @main() -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
})";
  const auto local = [](const std::string& part) {
    return "func.func @main() -> (tensor<4xf32>" + is_part(part) +
           ") {\n  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}";
  };
  const std::string along =
      R"({"op": "0", "source": "0", "along": [{"axis": "a", "operands": [], "results": ["#max"]}, )"
      R"({"axis": "b", "operands": [], "results": ["#max"]}]})";
  expect_proved(checked_on("a=2,b=2", 4, source, local("[{}] partial{a:max, b:max}"), along));
  const std::string two =
      with(along, R"("b", "operands": [], "results": ["#max"])", R"("b", "operands": [], "results": ["#min"])");
  expect_refused(checked_on("a=2,b=2", 4, source, local("[{}] partial{a:max, b:min}"), two), "no layout");
}

TEST(CertificatesOfOperations, LeaveEffectsAndDevicesUnproved) {
  const std::string call = R"(  stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()
)";
  expect_refused(checked(kDifference, with(kLocalDifference, "  return", call + "  return"), kByTiles),
                 "stands in no step");
  const std::string whole = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})";
  const std::string carried = with(with(whole, "%x: tensor<4xf32>)", "%x: tensor<4xf32>" + kWhole + ")"),
                                   "-> tensor<4xf32> {", "-> (tensor<4xf32>" + kWhole + ") {");
  expect_unknown(checked(whole, carried, step("0")), "effects");
  const std::string place = R"(
func.func @main() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
})";
  expect_unknown(checked(place, with(place, "-> tensor<ui32>", "-> (tensor<ui32>" + kScalar + ")"), step("0")),
                 "depends on the device");
}

// Regions that are copied from the source without steps of their own.

const std::string kRegionBody = R"(
  %r:2 = stablehlo.while(%v = %x, %k = %n) : tensor<4xf32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i = stablehlo.iota dim = 0 : tensor<4xf32>
    %u = stablehlo.slice %y [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %f = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %g = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %h = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %w0 = stablehlo.add %f, %g : tensor<4xf32>
    %w = stablehlo.subtract %w0, %h : tensor<4xf32>
    %j = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<4xf32>, tensor<i32>
  }
  return %r#0 : tensor<4xf32>
})";
const std::string kRegion =
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {" +
    kRegionBody;
const std::string kCarried = "func.func @main(%x: tensor<4xf32>" + kWhole + ", %y: tensor<4xf32>" + kWhole +
                             ", %z: tensor<4xf32>" + kWhole + ", %n: tensor<i32>" + kScalar + ") -> (tensor<4xf32>" +
                             kWhole + ") {" + kRegionBody;

TEST(CertificatesOfRegions, AreOfTheSourcesRegions) {
  expect_proved(checked(kRegion, kCarried, step("0")));
  const auto differs = [](const std::string& what, const std::string& by) {
    expect_refused(checked(kRegion, with(kCarried, what, by), step("0")), "a region that is not the source's");
  };
  differs("compare GT", "compare GE");
  differs("dense<1> : tensor<i32>", "dense<2> : tensor<i32>");
  differs("subtract %k, %one", "subtract %one, %k");
  differs("add %f, %g", "multiply %f, %g");
  differs("applies stablehlo.add", "applies stablehlo.multiply");
  differs("slice %y", "slice %z");
  differs("return %w, %j", "return %v, %j");
  // The size of an iota is stated by its type only.
  const std::string smaller = with(with(kCarried, "iota dim = 0 : tensor<4xf32>", "iota dim = 0 : tensor<1xf32>"),
                                   "%i, dims = [0] : (tensor<4xf32>)", "%i, dims = [0] : (tensor<1xf32>)");
  expect_refused(checked(kRegion, smaller, step("0")), "a region that is not the source's");
}

TEST(CertificatesOfRegions, ReadWholeValues) {
  // The first element of a chunk is not the first element of the complete value.
  const std::string part = with(with(kCarried, "%y: tensor<4xf32>" + kWhole, "%y: tensor<2xf32>" + kTiled),
                                "slice %y [0:1] : (tensor<4xf32>)", "slice %y [0:1] : (tensor<2xf32>)");
  expect_refused(checked(kRegion, part, step("0")), "a region that is not the source's");
}

TEST(CertificatesOfRegions, ReadReducedValues) {
  const std::string source = R"(
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %r:2 = stablehlo.while(%v = %z, %k = %n) : tensor<f32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.add %v, %t : tensor<f32>
    %j = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<f32>, tensor<i32>
  }
  return %r#0 : tensor<f32>
})";
  std::string local =
      with(source, "%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32>",
           "%x: tensor<2xf32>" + kTiled + ", %n: tensor<i32>" + kScalar + ") -> (tensor<f32>" + kScalar + ")");
  local = with(local, "(tensor<4xf32>, tensor<f32>)", "(tensor<2xf32>, tensor<f32>)");
  const std::string reduced = step("0") + ", " + step("1", R"("#tile<0>", "any")", R"("#sum")");
  expect_refused(checked(source, local, reduced + ", " + step("2")), "a region that is not the source's");
  const std::string loop = R"({"op": "3", "source": "2"})";
  expect_proved(checked(source,
                        with(with(local, "  %r:2 =", all_reduce("whole", "t") + "  %r:2 ="), "%v, %t", "%v, %whole"),
                        reduced + ", " + conversion("2", "[]") + ", " + loop));
}

// Control flow whose bodies have steps of their own.

const std::string kSums = R"(
func.func @main(%x: tensor<4xf32>, %t: tensor<f32>) -> tensor<f32> {
  %r:2 = stablehlo.while(%v = %x, %u = %t) : tensor<4xf32>, tensor<f32>
   cond {
    %c = stablehlo.constant dense<3.0> : tensor<f32>
    %p = stablehlo.compare LT, %u, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %w = stablehlo.tanh %v : tensor<4xf32>
    %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %w, %s : tensor<4xf32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
})";
std::string local_sums() {
  std::string out = with(kSums, "%x: tensor<4xf32>", "%x: tensor<4xf32>" + kTiled);
  out = with(out, "%t: tensor<f32>) -> tensor<f32>", "%t: tensor<f32>" + kScalar + ") -> (tensor<f32>" + kScalar + ")");
  for (auto at = out.find("4xf32"); at != std::string::npos; at = out.find("4xf32")) out[at] = '2';
  return with(with(out, "    stablehlo.return %w, %s", "  " + all_reduce("a", "s") + "    stablehlo.return %w, %s"),
              "return %w, %s", "return %w, %a");
}
const std::string kSumsInside = R"({"op": "0", "source": "0", "types": ["[{a}]", "[]"]}, )" + step("0.0.0") + ", " +
                                step("0.0.1") + ", " + step("0.1.0") + ", " +
                                step("0.1.1", R"("#tile<0>")", R"("#tile<0>")") + ", " +
                                step("0.1.2", R"("#tile<0>", "any")", R"("#sum")");
const std::string kSumsSteps = kSumsInside + ", " + conversion("0.1.3", "[]");

TEST(CertificatesOfControlFlow, CarryWhatTheirTypesSay) {
  expect_proved(checked(kSums, local_sums(), kSumsSteps));
  expect_refused(checked(kSums, with(local_sums(), "return %w, %a", "return %w, %s"), kSumsSteps), "yields value 1 as");
  expect_refused(checked(kSums, with(local_sums(), "return %w, %a", "return %v, %a"), kSumsSteps),
                 "yields a part of another value");
}

TEST(CertificatesOfControlFlow, HaveTheSourcesAttributes) {
  const std::string source = with(kSums, "tensor<f32>\n   cond", "tensor<f32> attributes {k = 1 : i32}\n   cond");
  const std::string local = with(local_sums(), "tensor<f32>\n   cond", "tensor<f32> attributes {k = 1 : i32}\n   cond");
  expect_proved(checked(source, local, kSumsSteps));
  expect_refused(checked(source, local_sums(), kSumsSteps), "other attributes");
}

}  // namespace
}  // namespace partir::certificate_refusals_test
