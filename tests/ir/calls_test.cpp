// Inlining of function calls (ir/inline_calls.h): a call is replaced by its callee's body in every form and at every
// depth, and recursion, unknown callees, mismatched types and call graphs that grow exponentially are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "round_trip.h"

namespace partir {
namespace {

using testing::read_text;

/// Returns the names of the operations of @main after inlining, in program order and including those in regions.
std::vector<std::string> inlined(const std::string& text) {
  const auto flat = inline_calls(read_text(text));
  if (!flat) {
    ADD_FAILURE() << flat.error().text() << "\n" << text;
    return {};
  }
  for (const Function& f : flat->functions) EXPECT_TRUE(verify_function(f)) << print_module(*flat);
  std::string difference;
  EXPECT_TRUE(same_program(*flat, read_text(print_module(*flat)), &difference)) << difference << print_module(*flat);
  std::vector<std::string> names;
  const auto walk = [&](const auto& self, const Block& block) -> void {
    for (const Op& op : block.ops) {
      names.push_back(op.name());
      for (const Block& region : op.regions) self(self, region);
    }
  };
  walk(walk, (*flat->main())->body);
  return names;
}

Diagnostic inline_refusal(const std::string& text) {
  const auto flat = inline_calls(read_text(text));
  if (!flat) return flat.error();
  ADD_FAILURE() << "inlines, but should not:\n" << text;
  return {};
}

TEST(Calls, BodyReplacesTheCall) {
  EXPECT_EQ(inlined(R"(
func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
})"),
            (std::vector<std::string>{"stablehlo.sine", "func.return"}));
}

TEST(Calls, NestedAndRepeatedCallsAndSeveralResults) {
  EXPECT_EQ(inlined(R"(
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.cosine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %0 : tensor<4xf32>, tensor<4xf32>
}
func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = call @f(%0#1) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %2 = stablehlo.add %1#0, %1#1 : tensor<4xf32>
  return %2 : tensor<4xf32>
})"),
            (std::vector<std::string>{"stablehlo.cosine", "stablehlo.cosine", "stablehlo.add", "func.return"}));
}

TEST(Calls, InsideRegionsInTheLongForm) {
  EXPECT_EQ(inlined(R"(
func.func public @main(%c: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%c) ({
    %1 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
})"),
            (std::vector<std::string>{"stablehlo.case", "stablehlo.sine", "stablehlo.return", "func.return"}));
}

TEST(Calls, OfAFunctionThatReturnsItsArgumentsLeaveNothing) {
  EXPECT_EQ(inlined(R"(
func.func public @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0:2 = call @swap(%x, %y) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32>
}
func.func private @swap(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  return %y, %x : tensor<f32>, tensor<f32>
})"),
            std::vector<std::string>{"func.return"});
}

TEST(Calls, PrivateFunctionsAreDropped) {
  const auto flat = inline_calls(
      read_text("func.func @main() { return }\nfunc.func private @f() { return }\nfunc.func @g() { return }"));
  ASSERT_TRUE(flat);
  ASSERT_EQ(flat->functions.size(), 2U);
  EXPECT_EQ(flat->functions[1].name, "g");
}

const char* const kF = "\nfunc.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }";

TEST(Calls, UnknownCallees) {
  const Diagnostic d = inline_refusal("func.func @main() {\n  call @g() : () -> ()\n  return\n}");
  EXPECT_EQ(d.code, "call");
  EXPECT_EQ(d.place.line, 2U);
  EXPECT_NE(d.found.find("@g"), std::string::npos) << d.text();
  EXPECT_EQ(inline_refusal("func.func @main() {\n  \"func.call\"() : () -> ()\n  return\n}").found, "no callee");
  EXPECT_EQ(inline_refusal("func.func @main() {\n  \"func.call\"() <{callee = 3 : i32}> : () -> ()\n  return\n}").found,
            "3 : i32");
}

TEST(Calls, Recursion) {
  EXPECT_NE(inline_refusal("func.func @main() {\n  call @main() : () -> ()\n  return\n}").found.find("calls itself"),
            std::string::npos);
  const Diagnostic d = inline_refusal(
      "func.func @main() { call @a() : () -> () return }\nfunc.func private @a() { call @b() : () -> () return }\n"
      "func.func private @b() { call @a() : () -> () return }");
  EXPECT_EQ(d.code, "call");
  EXPECT_EQ(d.place.line, 3U);
}

TEST(Calls, WrongTypesOrCounts) {
  for (const char* call :
       {"%0 = call @f(%y) : (tensor<i32>) -> tensor<f32>", "%0 = call @f(%x) : (tensor<f32>) -> tensor<i32>",
        "%0 = call @f(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>", "call @f(%x) : (tensor<f32>) -> ()"}) {
    const Diagnostic d = inline_refusal(std::string("func.func @main(%x: tensor<f32>, %y: tensor<i32>) {\n  ") + call +
                                        "\n  return\n}" + kF);
    EXPECT_EQ(d.code, "call") << call;
    EXPECT_EQ(d.place.line, 2U) << call;
  }
}

TEST(Calls, NoPublicFunction) { EXPECT_EQ(inline_refusal(kF).code, "module"); }

TEST(Calls, DoublingAtEachLevelIsStoppedInTime) {
  std::string text = "func.func @main() { call @f0() : () -> () return }\n";
  for (int i = 0; i < 100; ++i) {
    const std::string next = "call @f" + std::to_string(i + 1) + "() : () -> () ";
    text += "func.func private @f" + std::to_string(i) + "() { " + next + next + "return }\n";
  }
  text += "func.func private @f100() { return }";
  const Diagnostic d = inline_refusal(text);
  EXPECT_EQ(d.code, "call");
  EXPECT_NE(d.found.find("a million"), std::string::npos) << d.text();
}

TEST(Calls, LongChainsAreStoppedInTime) {
  std::string text = "func.func @main() { call @f0() : () -> () return }\n";
  for (int i = 0; i < 2000; ++i)
    text += "func.func private @f" + std::to_string(i) + "() { call @f" + std::to_string(i + 1) +
            "() : () -> () return }\n";
  text += "func.func private @f2000() { return }";
  EXPECT_NE(inline_refusal(text).found.find("nested"), std::string::npos);
}

}  // namespace
}  // namespace partir
