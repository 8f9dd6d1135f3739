// The text of PartIR:Core: loops over a mesh axis and slices by their index are read and printed, and ill-formed ones
// are refused with their place.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ir/core.h"
#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::op_at;
using testing::read_text;
using testing::refusal;
using testing::round_trip;

const char* const kLoop = R"(  %0 = loop "B" [#tile<0>] (%r: range<4>) {
    %1 = slice 0 %x[%r] : tensor<8x4xf32> -> tensor<2x4xf32>
    %2 = stablehlo.sine %1 : tensor<2x4xf32>
    yield %2 : tensor<2x4xf32>
  } : tensor<8x4xf32>)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = main_of("%x: tensor<8x4xf32>", kLoop);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CoreText, LoopPrintsAsWritten) {
  const std::string printed = round_trip(main_of("%x: tensor<8x4xf32>", kLoop));
  const std::string want = R"(    %0 = loop "B" [#tile<0>] (%1: range<4>) {
      %2 = slice 0 %arg0[%1] : tensor<8x4xf32> -> tensor<2x4xf32>
      %3 = stablehlo.sine %2 : tensor<2x4xf32>
      yield %3 : tensor<2x4xf32>
    } : tensor<8x4xf32>)";
  EXPECT_NE(printed.find(want), std::string::npos) << printed;
}

TEST(CoreText, ActionsAreReadByTheHelpers) {
  const Module module =
      read_text(main_of("%x: tensor<8x4xf32>", R"(  %0:3 = loop "model" [#tile<1>, #sum, #any] (%r: range<2>) {
    %1 = slice 1 %x[%r] : tensor<8x4xf32> -> tensor<8x2xf32>
    yield %1, %x, %1 : tensor<8x2xf32>, tensor<8x4xf32>, tensor<8x2xf32>
  } : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x2xf32>))"));
  const Op& loop = op_at(module, 0);
  EXPECT_EQ(loop_actions(loop.attributes),
            (std::vector<Action>{Action::tile(1), Action::partial(Monoid::sum), Action::any()}));
  EXPECT_EQ(module.functions[0].type(loop.regions[0].arguments[0]), Type(IndexRange{2}));
  EXPECT_EQ(captured(loop), module.functions[0].arguments());
}

TEST(CoreText, NestedLoops) {
  round_trip(main_of("%x: tensor<8x4xf32>, %y: tensor<4x6xf32>", R"(
  %0 = loop "B" [#tile<0>] (%r: range<4>) {
    %1 = slice 0 %x[%r] : tensor<8x4xf32> -> tensor<2x4xf32>
    %2 = loop "M" [#sum] (%s: range<2>) {
      %3 = slice 1 %1[%s] : tensor<2x4xf32> -> tensor<2x2xf32>
      %4 = slice 0 %y[%s] : tensor<4x6xf32> -> tensor<2x6xf32>
      %5 = stablehlo.dot_general %3, %4, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
      yield %5 : tensor<2x6xf32>
    } : tensor<2x6xf32>
    yield %2 : tensor<2x6xf32>
  } : tensor<8x6xf32>)"));
}

TEST(CoreText, EveryMonoidHasAName) {
  for (const char* name : {"#sum", "#prod", "#max", "#min", "#and", "#or", "#any"}) {
    round_trip(
        main_of("%x: tensor<4xi32>", std::string("  %0 = loop \"B\" [") + name +
                                         "] (%r: range<4>) {\n    yield %x : tensor<4xi32>\n  } : tensor<4xi32>"));
  }
}

TEST(CoreText, IllFormedProgramsAreRefusedWithTheirPlace) {
  struct Row {
    const char* from;
    const char* to;
    std::uint32_t line;
    const char* code;
  };
  for (const Row& row : std::vector<Row>{
           {"slice 0 %x", "slice 2 %x", 3, "core"},
           {"slice 0 %x", "slice -1 %x", 3, "core"},
           {"slice 0 %x[%r] : tensor<8x4xf32> -> tensor<2x4xf32>",
            "slice 0 %x[%r] : tensor<8x4xf32> -> tensor<4x4xf32>", 3, "core"},
           {"slice 0 %x[%r] : tensor<8x4xf32> -> tensor<2x4xf32>",
            "slice 0 %x[%r] : tensor<8x4xf32> -> tensor<2x4xf16>", 3, "core"},
           {"slice 0 %x[%r] : tensor<8x4xf32>", "slice 0 %x[%r] : tensor<4x8xf32>", 3, "types"},
           {"%x[%r]", "%x[%x]", 3, "core"},
           {"range<4>", "range<3>", 3, "core"},
           {"range<4>", "range<0>", 2, "core"},
           {"range<4>", "range<x>", 2, "core"},
           {"range<4>", "tensor<4xi32>", 2, "core"},
           {"[#tile<0>]", "[#tile<0>, #sum]", 2, "core"},
           {"[#tile<0>]", "[]", 2, "parse"},
           {"[#tile<0>]", "[#tile<2>]", 2, "core"},
           {"[#tile<0>]", "[#tile<-1>]", 2, "core"},
           {"[#tile<0>]", "[#tile<1>]", 2, "core"},
           {"[#tile<0>]", "[#mean]", 2, "core"},
           {"[#tile<0>]", "[#sum]", 2, "core"},
           {"yield %2 : tensor<2x4xf32>", "yield %2, %2 : tensor<2x4xf32>, tensor<2x4xf32>", 2, "core"},
           {"yield %2 : tensor<2x4xf32>", "yield %2 : tensor<2x4xf16>", 5, "types"},
           {"yield %2 : tensor<2x4xf32>", "stablehlo.return %2 : tensor<2x4xf32>", 2, "core"},
           {"yield %2 : tensor<2x4xf32>", "", 6, "parse"},
           {"} : tensor<8x4xf32>", "} : tensor<2x4xf32>", 2, "core"},
           {"} : tensor<8x4xf32>", "} : (tensor<8x4xf32>, tensor<8x4xf32>)", 2, "parse"},
           {"loop \"B\"", "loop B", 2, "parse"},
       }) {
    const std::string text = changed(row.from, row.to);
    const Diagnostic d = refusal(text);
    EXPECT_EQ(d.code, row.code) << text << d.text();
    EXPECT_EQ(d.place.line, row.line) << text << d.text();
    EXPECT_GE(d.place.column, 1U) << text << d.text();
  }
}

TEST(CoreText, HasNoGenericForm) {
  const Diagnostic d = refusal(main_of("", R"(  "partir.loop"() : () -> ())"));
  EXPECT_EQ(d.code, "core");
  EXPECT_EQ(d.place.line, 2U);
}

TEST(CoreText, SizesThatOverflowAreRefused) {
  EXPECT_EQ(refusal(main_of("%x: tensor<4611686018427387xf32>",
                            R"(  %0 = loop "B" [#tile<0>] (%r: range<9223372036854775807>) {
    yield %x : tensor<4611686018427387xf32>
  } : tensor<8xf32>)"))
                .code,
            "core");
}

}  // namespace
}  // namespace partir
