// The check of distributed types must go red: programs with one step altered are refused, with the step named.
#include "verify/check_types.h"

#include <algorithm>

#include "ir/op_decl.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

PartitionCase two_layers() {
  return PartitionCase(
      R"(
func.func @main(%x: tensor<8x4xf32>, %v: tensor<4x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x6xf32>
  %s = stablehlo.slice %1 [0:8, 0:6] : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.tanh %2 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
})",
      "a=2,b=2",
      R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}}, {"name": "B", "axis": "b", "inputs": {"arg1": 1}})");
}

std::size_t find_op(const SpmdProgram& p, const std::string& name) {
  for (std::size_t i = 0; i < p.function.body.ops.size(); ++i) {
    if (p.function.body.ops[i].name() == name) return i;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(CheckTypes, AcceptsWhatLoweringMakes) {
  const PartitionCase c = two_layers();
  EXPECT_EQ(check_types(c.spmd, *c.state), std::nullopt);
}

TEST(CheckTypes, RefusesAMissingAllReduce) {
  PartitionCase c = two_layers();
  auto& ops = c.spmd.function.body.ops;
  const std::size_t at = find_op(c.spmd, "spmd.all_reduce");
  const ValueId partial = ops[at].operands[0];
  const ValueId whole = ops[at].results[0];
  for (Op& op : ops) std::replace(op.operands.begin(), op.operands.end(), whole, partial);
  ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(at));
  c.spmd.origin.erase(c.spmd.origin.begin() + static_cast<std::ptrdiff_t>(at));
  const auto wrong = check_types(c.spmd, *c.state);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_NE(wrong->find("stablehlo.tanh"), std::string::npos) << *wrong;
  EXPECT_NE(wrong->find("no entry (#sum)"), std::string::npos) << *wrong;
}

TEST(CheckTypes, RefusesAnAllReduceOverAnotherAxisOrByAnotherMonoid) {
  PartitionCase c = two_layers();
  Op& op = c.spmd.function.body.ops[find_op(c.spmd, "spmd.all_reduce")];
  const AttributeList before = op.attributes;
  set(op.attributes, "axes", {ArrayAttr{{{StringAttr{"a"}}}}});
  EXPECT_TRUE(check_types(c.spmd, *c.state).has_value());
  op.attributes = before;
  set(op.attributes, "monoid", {StringAttr{"max"}});
  EXPECT_TRUE(check_types(c.spmd, *c.state).has_value());
}

TEST(CheckTypes, RefusesATypeThatIsNotTheValues) {
  PartitionCase c = two_layers();
  const ValueId dot = c.spmd.function.body.ops[find_op(c.spmd, "stablehlo.dot_general")].results[0];
  c.spmd.types[dot.index()].dims = {{Axis(1)}, {Axis(0)}};
  EXPECT_TRUE(check_types(c.spmd, *c.state).has_value());
}

TEST(CheckTypes, RefusesLocalAttributesOfTheGlobalProgram) {
  PartitionCase c = two_layers();
  Op& op = c.spmd.function.body.ops[find_op(c.spmd, "stablehlo.slice")];
  set(op.attributes, "limit_indices", {IntsAttr{{4, 6}}});
  const auto wrong = check_types(c.spmd, *c.state);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_NE(wrong->find("attributes"), std::string::npos) << *wrong;
}

TEST(CheckTypes, RefusesAnotherOperandOfTheSameType) {
  PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<8xf32>
  return %0 : tensor<8xf32>
})",
                  "a=2", R"({"name": "A", "axis": "a", "inputs": {"*": 0}})");
  std::swap(c.spmd.function.body.ops[0].operands[0], c.spmd.function.body.ops[0].operands[1]);
  const auto wrong = check_types(c.spmd, *c.state);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_NE(wrong->find("stands for another value"), std::string::npos) << *wrong;
}

}  // namespace
}  // namespace partir
