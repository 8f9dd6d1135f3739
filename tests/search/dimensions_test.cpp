// Named Dimension Analysis (search/dimensions.h): which dimensions of a program share a name, and where names conflict.
#include "search/dimensions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "search/classes.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

struct Analysis {
  PartitionCase program;
  Dimensions dimensions;
  DimensionClasses classes;

  explicit Analysis(const std::string& text, const ClassOptions& options = {})
      : program(text, "a=2", ""), dimensions(*program.state), classes(*program.state, dimensions, options) {}

  /// Returns the argument dimensions of each group that has any: "0.0 1.0; 0.1".
  [[nodiscard]] std::string arguments() const {
    std::string out;
    for (const DimensionGroup& g : dimensions.groups()) {
      if (g.arguments.empty()) continue;
      out += out.empty() ? "" : ";";
      for (const auto& [argument, dim] : g.arguments) out += " " + std::to_string(argument) + "." + std::to_string(dim);
    }
    return out;
  }
};

TEST(Dimensions, OfAMatrixChainMeetWhereTheyAreContracted) {
  const Analysis a(
      R"(func.func @main(%x: tensor<256x8xf32>, %w1: tensor<8x16xf32>, %w2: tensor<16x8xf32>) -> tensor<256x8xf32> {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x8xf32>, tensor<8x16xf32>) -> tensor<256x16xf32>
    %1 = stablehlo.dot_general %0, %w2, contracting_dims = [1] x [0] : (tensor<256x16xf32>, tensor<16x8xf32>) -> tensor<256x8xf32>
    return %1 : tensor<256x8xf32>
  })");
  EXPECT_EQ(a.arguments(), " 0.0; 0.1 1.0; 1.1 2.0; 2.1") << "batch; features; hidden; outputs";
  EXPECT_TRUE(a.dimensions.conflicts().empty());
}

TEST(Dimensions, AProductWithItselfHasOneNameTwice) {
  const Analysis a(R"(func.func @main(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.tanh %0 : tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  })");
  ASSERT_EQ(a.dimensions.conflicts().size(), 2U) << "the product and its tanh";
  EXPECT_EQ(a.dimensions.sets().size(), 1U) << "and one choice for both";
  EXPECT_FALSE(a.dimensions.sets()[0].symmetric);
}

TEST(Dimensions, ATransposeWithinASetLeavesNothingToChoose) {
  const Analysis a(R"(func.func @main(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  })");
  ASSERT_EQ(a.dimensions.sets().size(), 1U);
  EXPECT_TRUE(a.dimensions.sets()[0].symmetric);
}

TEST(Dimensions, TheMajorFactorOfAReshapeKeepsItsName) {
  const Analysis a(R"(func.func @main(%x: tensor<4x6xf32>, %y: tensor<24xf32>) -> tensor<24xf32> {
    %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    %1 = stablehlo.add %0, %y : tensor<24xf32>
    return %1 : tensor<24xf32>
  })");
  EXPECT_EQ(a.arguments(), " 0.0 1.0; 0.1");
  EXPECT_EQ(a.dimensions.group(GroupId(0)).divisor, 4);
}

TEST(Dimensions, PartsOfADimensionHaveNamesOfTheirOwn) {
  const Analysis a(R"(func.func @main(%x: tensor<8x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.slice %x [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x4xf32>
    return %3 : tensor<4x4xf32>
  })");
  EXPECT_EQ(a.dimensions.group(*a.dimensions.group_of(ValueId(0), 0)).divisor, 8);
}

TEST(Dimensions, LoopCarriedValuesKeepTheirNames) {
  const Analysis a(R"(func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<8x4xf32>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
        stablehlo.return %next, %z : tensor<i32>, tensor<8x4xf32>
      }
    return %r#1 : tensor<8x4xf32>
  })");
  EXPECT_EQ(a.arguments(), " 0.0; 0.1 1.0 1.1") << "what a loop yields is what it takes";
  EXPECT_EQ(a.dimensions.conflicts().size(), 1U) << "so the weights have one name twice";
}

/// Returns a chain of equal layers: x -> tanh(x w).
std::string chain(int layers) {
  std::ostringstream out;
  out << "func.func @main(%x: tensor<32x8xf32>";
  for (int i = 0; i < layers; ++i) out << ", %w" << i << ": tensor<8x8xf32>";
  out << ") -> tensor<32x8xf32> {\n";
  std::string last = "%x";
  for (int i = 0; i < layers; ++i) {
    out << "  %d" << i << " = stablehlo.dot_general " << last << ", %w" << i
        << ", contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x8xf32>) -> tensor<32x8xf32>\n  %t" << i
        << " = stablehlo.tanh %d" << i << " : tensor<32x8xf32>\n";
    last = "%t" + std::to_string(i);
  }
  out << "  return " << last << " : tensor<32x8xf32>\n}";
  return out.str();
}

TEST(DimensionClasses, OfAChainOfEqualLayersAlternate) {
  const Analysis a(chain(40));
  EXPECT_EQ(a.classes.likeness(), Likeness::sizes);
  EXPECT_LE(a.classes.reaching_arguments(), 5U) << "the batch, both ends, and two kinds of hidden dimensions";
  const auto of = [&](std::size_t layer) {
    return a.classes.class_of(*a.dimensions.group_of(a.program.spmd.function.arguments()[layer + 1], 1));
  };
  EXPECT_EQ(of(10), of(12));
  EXPECT_NE(of(10), of(11)) << "groups beside each other are decided apart";
}

TEST(DimensionClasses, OfFewGroupsAreTheGroups) {
  const Analysis a(chain(4));
  EXPECT_EQ(a.classes.likeness(), Likeness::itself);
  EXPECT_EQ(a.classes.classes().size(), a.dimensions.groups().size());
}

TEST(DimensionClasses, OfATransformerTrainStepAreSomeTens) {
  const std::string file = PARTIR_SHARED "/corpus/t32_train.mlir";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no corpus";
  std::ifstream in(file);
  const Module module = value_or_throw(
      inline_calls(value_or_throw(read_module(std::string(std::istreambuf_iterator<char>(in), {}), file))));
  const Function live = without_dead_code(**module.main());
  const State state(live, Mesh());
  const Dimensions dimensions(state);
  const DimensionClasses classes(state, dimensions);
  EXPECT_LE(classes.reaching_arguments() + classes.resolutions().size(), 40U);
  EXPECT_EQ(dimensions.sets().size(), 1U) << "the mask that all layers share joins their choices";
  for (const DimensionClass& c : classes.classes())
    EXPECT_TRUE(c.groups.size() == 1 || c.groups.size() == 32) << c.groups.size() << " groups of 32 layers";
}

}  // namespace
}  // namespace partir
