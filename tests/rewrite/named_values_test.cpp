// Named intermediate values as targets of tactics: how they are found, and what a tactic that names one does to the
// program.
#include "rewrite/named_values.h"

#include <fmt/format.h>

#include "ir/text/print.h"
#include "lowering/emit.h"
#include "lowering/emit_sdy.h"
#include "tests/partition_case.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir {
namespace {

const char* kMlp = R"(
func.func @main(%x: tensor<8x4xf32>, %w1: tensor<4x6xf32>, %w2: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32> loc(#loc1)
  %1 = stablehlo.tanh %0 : tensor<8x6xf32> loc(#loc4)
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}]> : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
#loc1 = loc("jit(f)/layer/up/dot_general"(#loc2))
#loc2 = loc(callsite(#loc3 at #loc3))
#loc3 = loc("f"("model.py":7:24 to :36))
#loc4 = loc("jit(f)/jit(g)/layer/up/tanh"(#loc1))
)";

/// Names come from JAX's scopes, from constraints by their number, and else from the source line.
TEST(NamedValues, AreCalledByScopeConstraintOrLine) {
  const Module m = value_or_throw(read_module(kMlp, "test.mlir"));
  std::vector<std::string> names;
  for (const NamedValue& v : named_values(m.functions[0])) names.push_back(v.name);
  EXPECT_EQ(names, (std::vector<std::string>{"layer/up/dot_general", "layer/up/tanh", "line/5", "constraint/0"}));
  EXPECT_EQ(m.functions[0].body.ops[0].location->source, "model.py:7:24");
}

/// Without locations a name comes from the symbol of the identity, where MLIR numbers the second function of a name; a
/// number without such a function belongs to the name.
TEST(NamedValues, OfEqualFunctionsShareTheName) {
  const auto identity = [](const std::string& name) {
    return "func.func private @partir_named_" + name +
           "(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}\n";
  };
  const Module m = value_or_throw(read_module(R"(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @partir_named_h(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @partir_named_h_4(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @partir_named_layer_4(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
)" + identity("h") + identity("h_4") + identity("layer_4"),
                                              "test.mlir"));
  std::vector<std::string> names;
  for (const NamedValue& v : named_values(**value_or_throw(inline_calls(m)).main())) names.push_back(v.name);
  EXPECT_EQ(names, (std::vector<std::string>{"h", "h", "layer_4"}));
}

/// Expects the partition to be proved and to give the source's values.
void expect_sound(const PartitionCase& c) {
  const Module emitted = stablehlo_module(c.spmd, c.module);
  const Module written = value_or_throw(read_module(print_module(emitted), "written"));
  const auto report =
      check_certificate(c.module, written, certificate_of(c.spmd, emitted, *c.state, **c.module.main()));
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason;
  const Judgement j = check_values(c.module, written);
  EXPECT_EQ(j.verdict, Verdict::passed) << j.reason;
}

/// The tile of an intermediate value propagates to its operands and to its uses.
TEST(NamedValues, ATileGoesBackAndForth) {
  const PartitionCase c(kMlp, "a=2", R"({"name": "T", "axis": "a", "values": {"layer/up/tanh": 1}})");
  EXPECT_EQ(c.argument(1), "[{}, {a}]");
  EXPECT_EQ(c.argument(2), "[{a}, {}]");
  EXPECT_EQ(c.counts(), "1 all_reduce");
  EXPECT_TRUE(c.conflicts.empty());
  expect_sound(c);
}

/// The request to tile a pending sum turns its all_reduce into a reduce_scatter.
TEST(NamedValues, WhatIsPartialThereIsReduceScattered) {
  const PartitionCase c(kMlp, "a=2", R"({"name": "MP", "axis": "a", "inputs": {"arg1": 1}, "values": {"line/5": 0}})");
  EXPECT_EQ(c.counts(), "1 reduce_scatter");
  EXPECT_EQ(c.result(), "[{a}, {}]");
  expect_sound(c);
}

/// A value that propagation tiled along another dimension is exchanged where the request names it.
TEST(NamedValues, WhatIsTiledOtherwiseIsExchangedThere) {
  const PartitionCase c(kMlp, "a=2",
                        R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}, "values": {"layer/**/tanh": 1}})");
  EXPECT_EQ(c.counts(), "1 all_reduce, 1 all_to_all") << "exchanged, then summed behind the second product";
  expect_sound(c);
}

/// A request for replication stops the tile at the named value, whichever tactic comes first.
TEST(NamedValues, ReplicatedIsGatheredThere) {
  const PartitionCase c(
      kMlp, "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}, "values": {"constraint/0": "replicated"}})");
  EXPECT_EQ(c.counts(), "1 all_gather");
  EXPECT_EQ(c.result(), "[{}, {}]");
  expect_sound(c);
  const PartitionCase later(
      kMlp, "a=2",
      R"({"name": "A", "axis": "a", "values": {"constraint/0": "replicated"}}, {"name": "B", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(later.result(), "[{}, {}]") << "a later tactic does not undo it";
}

/// JAX writes constraints for GSPMD as custom calls to @Sharding. A call to any other target may do anything.
TEST(NamedValues, ACallThatConstrainsIsAConstraint) {
  const auto program = [](const char* target) {
    return std::string(R"(
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @)") +
           target +
           R"((%0) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.tanh %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
})";
  };
  const PartitionCase c(program("Sharding"), "a=2", R"({"name": "T", "axis": "a", "values": {"constraint/0": 0}})");
  EXPECT_EQ(c.counts(), "none");
  EXPECT_EQ(c.result(), "[{a}, {}]");
  expect_sound(c);
  // The text for Shardy has no custom call, and its constraints are those of our mesh only.
  const std::string sdy = print_module(sdy_module(c.spmd, c.module, *c.state, c.conflict_data));
  EXPECT_EQ(sdy.find("custom_call"), std::string::npos) << sdy;
  EXPECT_NE(sdy.find("sharding_constraint\"(%0) <{sharding = #sdy.sharding<@mesh, [{\"a\"}, {}]>}>"), std::string::npos)
      << sdy;
  const PartitionCase other(program("Other"), "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(other.counts(), "1 all_gather");
}

const char* kLoop = R"(
func.func @main(%x: tensor<8x4xf32>, %w1: tensor<4x6xf32>, %w2: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %out:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<8x4xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %0 = stablehlo.dot_general %h, %w1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.tanh %0 : tensor<8x6xf32> loc("scan/layer/tanh")
    %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    stablehlo.return %next, %2 : tensor<i32>, tensor<8x4xf32>
  }
  return %out#1 : tensor<8x4xf32>
}
)";

TEST(NamedValues, AreFoundInLoops) {
  const PartitionCase c(kLoop, "a=2", R"({"name": "MP", "axis": "a", "values": {"scan/layer/tanh": 1}})");
  EXPECT_EQ(c.argument(1), "[{}, {a}]");
  EXPECT_EQ(c.argument(2), "[{a}, {}]");
  EXPECT_EQ(c.counts(), "1 all_reduce") << "in the body";
  expect_sound(c);
  const PartitionCase rows(kLoop, "a=2", R"({"name": "BP", "axis": "a", "values": {"line/14": 0}})");
  EXPECT_EQ(rows.argument(0), "[{a}, {}]") << "from the body to what the loop starts with";
  EXPECT_EQ(rows.result(), "[{a}, {}]");
  EXPECT_EQ(rows.counts(), "none");
  expect_sound(rows);
  const PartitionCase whole(
      kLoop, "a=2", R"({"name": "MP", "axis": "a", "inputs": {"arg1": 1}, "values": {"scan/**": "replicated"}})");
  EXPECT_EQ(whole.counts(), "1 all_gather") << "of what the request cuts off";
  expect_sound(whole);
}

TEST(NamedValues, AreNoOperationsOfWhatIsWritten) {
  const PartitionCase c(kMlp, "a=2", R"({"name": "T", "axis": "a", "values": {"layer/up/tanh": 1, "**": "unknown"}})");
  const std::string text = print_module(stablehlo_module(c.spmd, c.module));
  EXPECT_EQ(text.find("sharding_constraint"), std::string::npos) << text;
}

TEST(NamedValues, PatternsWithoutAMatchAreRefusedWithWhatIsNear) {
  const Module m = value_or_throw(read_module(kMlp, "test.mlir"));
  const Function& f = m.functions[0];
  const auto refused = [&](const char* values) {
    const auto s = value_or_throw(
        read_schedule(fmt::format(R"({{"tactics": [{{"name": "T", "axis": "a", "values": {}}}]}})", values), "s.json"));
    const auto r = resolve(s, *Mesh::parse("a=2"), value_or_throw(names_of(f, std::nullopt, "")), f);
    return r ? "accepted" : r.error().found + "; " + r.error().wanted;
  };
  EXPECT_EQ(refused(R"({"layer/up/tan": 0})"), "the pattern 'layer/up/tan' matches no value; 'layer/up/tanh'");
  EXPECT_NE(refused(R"({"layer/up/tanh": 2})").find("dimension 2 of value 'layer/up/tanh'"), std::string::npos);
}

}  // namespace
}  // namespace partir
