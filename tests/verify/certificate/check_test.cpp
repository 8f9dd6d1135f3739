// The checker of certificates proves what lowering produces, and refuses the module or the certificate with one step
// altered, naming that step.
#include "verify/certificate/check.h"

#include <algorithm>

#include "ir/text/print.h"
#include "lowering/emit.h"
#include "tests/partition_case.h"
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_check_test {
namespace {

using namespace testing;

/// Two layers under data parallelism, then model parallelism, then with parameters sharded over the data axis.
constexpr const char* kProgram = R"(
func.func @main(%x: tensor<8x4xf32>, %v: tensor<4x6xf32>, %w: tensor<6x4xf32>) -> (tensor<8x4xf32>, tensor<f32>) {
  %0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x6xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x6xf32>
  %s = stablehlo.slice %1 [0:8, 0:6] : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %a = stablehlo.add %s, %i : tensor<8x6xf32>
  %2 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.tanh %2 : tensor<8x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  return %3, %r : tensor<8x4xf32>, tensor<f32>
})";
constexpr const char* kTactics = R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}},
  {"name": "B", "axis": "b", "inputs": {"arg1": 1}}, {"name": "Z", "axis": "a", "inputs": {"arg1": 0, "arg2": 1}})";

class Certificates : public ::testing::Test {
 protected:
  Certificates() : case_(kProgram, "a=2,b=2", kTactics) {
    const Module emitted = stablehlo_module(case_.spmd, case_.module);
    certificate_ = certificate_of(case_.spmd, emitted, *case_.state, **case_.module.main());
    text_ = print_module(emitted);
  }

  CertificateReport check() const {
    return check_certificate(case_.module, value_or_throw(read_module(text_, "spmd.mlir")), certificate_);
  }
  /// Replaces the first occurrence of a text in the module.
  void replace(const std::string& what, const std::string& by) {
    const auto at = text_.find(what);
    ASSERT_NE(at, std::string::npos) << what << " is not in\n" << text_;
    text_.replace(at, what.size(), by);
  }
  void expect_refused(const std::string& step, const std::string& reason) const {
    const auto report = check();
    EXPECT_EQ(report.verdict, Verdict::refuted) << text_;
    EXPECT_NE(report.step.find(step), std::string::npos) << report.step << ": " << report.reason;
    EXPECT_NE(report.reason.find(reason), std::string::npos) << report.step << ": " << report.reason;
  }
  CertificateStep& step_with(const std::string& type_or_entry) {
    for (CertificateStep& s : certificate_.steps) {
      for (const auto& t : s.types) {
        if (t == type_or_entry) return s;
      }
      for (const auto& a : s.along) {
        if (a.axis + " " + a.entry.str() == type_or_entry) return s;
      }
    }
    ADD_FAILURE() << type_or_entry << " is in no step of " << to_json(certificate_);
    return certificate_.steps[0];
  }

  PartitionCase case_;
  Certificate certificate_;
  std::string text_;
};

TEST_F(Certificates, ProveWhatLoweringMakes) {
  const auto report = check();
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason << "\n" << text_;
  EXPECT_EQ(report.local, 9U);
  EXPECT_GT(report.proofs, 5U);
  EXPECT_EQ(report.laws.at("all-reduce"), 2U) << text_;
  EXPECT_GE(report.laws.at("all-gather"), 1U) << text_;
  EXPECT_GE(report.laws.at("device-slice"), 1U) << text_;
}

/// A certificate that is written and read back proves the same.
TEST_F(Certificates, SurviveBeingWritten) {
  const auto again = value_or_throw(read_certificate(to_json(certificate_), "c.json"));
  EXPECT_EQ(to_json(again), to_json(certificate_));
  certificate_ = again;
  EXPECT_EQ(check().verdict, Verdict::proved);
}

TEST_F(Certificates, RefuseAMissingAllReduce) {
  // The operand of the all_reduce is used in place of its result, and the operation itself is removed.
  Module m = value_or_throw(read_module(text_, "spmd.mlir"));
  auto& ops = m.functions[0].body.ops;
  const auto at = std::find_if(ops.begin(), ops.end(), [](const Op& o) { return o.name() == "stablehlo.all_reduce"; });
  ASSERT_NE(at, ops.end());
  const ValueId partial = at->operands[0];
  const ValueId whole = at->results[0];
  ops.erase(at);
  for (Op& op : ops) std::replace(op.operands.begin(), op.operands.end(), whole, partial);
  text_ = print_module(m);
  expect_refused("step ", "");
}

/// The all_reduce is still there, but later operations read its operand instead of its result.
TEST_F(Certificates, RefuseAnUnreducedValueWhereAWholeOneIsWanted) {
  Module m = value_or_throw(read_module(text_, "spmd.mlir"));
  auto& ops = m.functions[0].body.ops;
  const auto at = std::find_if(ops.begin(), ops.end(), [](const Op& o) { return o.name() == "stablehlo.all_reduce"; });
  ASSERT_NE(at, ops.end());
  for (auto op = at + 1; op != ops.end(); ++op)
    std::replace(op->operands.begin(), op->operands.end(), at->results[0], at->operands[0]);
  text_ = print_module(m);
  expect_refused("stablehlo.tanh", "partial{b:sum}");
}

TEST_F(Certificates, RefuseOtherReplicaGroups) {
  replace("[[0, 1], [2, 3]]", "[[0, 2], [1, 3]]");
  expect_refused("stablehlo.all_reduce", "replica groups");
}

TEST_F(Certificates, RefuseGatheringInAnotherOrder) {
  replace("[[0, 2], [1, 3]]", "[[2, 0], [1, 3]]");
  expect_refused("stablehlo.all_gather", "replica groups");
}

TEST_F(Certificates, RefuseAnotherOffset) {
  // The device id is divided by another stride, which gives another axis' coordinate.
  replace("stablehlo.constant dense<2> : tensor<ui32>", "stablehlo.constant dense<1> : tensor<ui32>");
  expect_refused("stablehlo.dynamic_slice", "slices dimension 0 at");
}

TEST_F(Certificates, RefuseAnotherComputation) {
  replace("stablehlo.tanh", "stablehlo.sine");
  expect_refused("stablehlo.sine", "not the operation that its source is: stablehlo.tanh");
}

TEST_F(Certificates, RefuseAnotherShardingOfAResult) {
  replace("[{a}, {}]", "[{}, {}]");
  expect_refused("", "");
}

TEST_F(Certificates, RefuseAnEntryThatDoesNotHold) {
  CertificateStep& s = step_with("b (#tile<1>, #tile<0>) -> (#sum)");
  for (auto& a : s.along) {
    if (a.axis == "b") a.entry.results[0] = Action::partial(Monoid::max);
  }
  const auto report = check();
  EXPECT_NE(report.verdict, Verdict::proved);
  EXPECT_NE(report.reason, "");
}

TEST_F(Certificates, RefuseATypeThatTheCollectiveDoesNotGive) {
  step_with("[{}, {b}]").types[0] = "[{b}, {}]";
  EXPECT_EQ(check().verdict, Verdict::refuted);
}

// A module that was built in memory has not been verified by the parser.
TEST_F(Certificates, RefuseAReshapeToAnotherNumberOfElements) {
  PartitionCase reshaped(R"(func.func @main(%x: tensor<8x4xf32>) -> tensor<32xf32> {
  %0 = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  %1 = stablehlo.tanh %0 : tensor<32xf32>
  return %1 : tensor<32xf32>
})",
                         "a=2", R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}})");
  Module emitted = stablehlo_module(reshaped.spmd, reshaped.module);
  const Certificate certificate = certificate_of(reshaped.spmd, emitted, *reshaped.state, **reshaped.module.main());
  ASSERT_EQ(check_certificate(reshaped.module, emitted, certificate).verdict, Verdict::proved);
  Function& f = emitted.functions.at(0);
  const auto& ops = f.body.ops;
  const auto reshape =
      std::find_if(ops.begin(), ops.end(), [](const Op& op) { return op.name() == "stablehlo.reshape"; });
  ASSERT_NE(reshape, ops.end());
  f.types[reshape->results[0].index()]->dims = {17};
  const auto report = check_certificate(reshaped.module, emitted, certificate);
  EXPECT_EQ(report.verdict, Verdict::refuted);
  EXPECT_NE(report.reason.find("as many elements"), std::string::npos) << report.reason;
}

TEST_F(Certificates, RefuseStepsThatAreNotThere) {
  certificate_.steps.push_back(certificate_.steps.back());
  certificate_.steps.back().op = {1000};
  expect_refused("", "1 steps of the certificate are about operations that are not there");
}

TEST_F(Certificates, RefuseAStepTwice) {
  certificate_.steps.push_back(certificate_.steps.back());
  expect_refused("module", "two steps for operation");
}

TEST_F(Certificates, RefuseAnotherMesh) {
  certificate_.mesh = "a=4,b=1";
  expect_refused("module", "mesh");
}

TEST(CertificateText, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) {
    const auto read = read_certificate(text, "c.json");
    EXPECT_FALSE(read.has_value()) << text;
    return read ? "" : read.error().found + " / " + read.error().wanted;
  };
  const auto with = [](const std::string& steps) {
    return R"({"format": "partir certificate 1", "mesh": "a=2", "steps": [)" + steps + "]}";
  };
  EXPECT_NE(error("{").find("JSON"), std::string::npos);
  EXPECT_NE(error("{}").find("partir certificate 1"), std::string::npos);
  EXPECT_NE(error(with("7")).find("a step"), std::string::npos);
  EXPECT_NE(error(with(R"({"op": "1.2"})")).find("12.0.3"), std::string::npos);
  EXPECT_NE(error(with(R"({"op": "1", "of": 3})")).find("the key \"of\""), std::string::npos);
  EXPECT_NE(
      error(with(R"({"op": "1", "along": [{"axis": "a", "operands": ["#tile"], "results": []}]})")).find("#tile<0>"),
      std::string::npos);
  EXPECT_NE(error(with(R"({"op": "1", "types": [3]})")).find("layout"), std::string::npos);
}

TEST(CertificateText, EveryTruncationIsAnErrorWithoutACrash) {
  const std::string text =
      R"({"format": "partir certificate 1", "mesh": "a=2", "steps": [{"op": "0", "source": "1.0.2", )"
      R"("along": [{"axis": "a", "operands": ["any"], "results": ["#tile<0>"]}], "types": ["[{a}]"]}]})";
  ASSERT_TRUE(read_certificate(text, "c.json").has_value());
  for (std::size_t k = 0; k < text.size(); ++k)
    EXPECT_FALSE(read_certificate(text.substr(0, k), "c.json").has_value()) << k;
}

constexpr const char* kLoop = R"(
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %r:2 = stablehlo.while(%v = %x, %k = %n) : tensor<4xf32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.tanh %v : tensor<4xf32>
    %j = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<4xf32>, tensor<i32>
  }
  return %r#0 : tensor<4xf32>
})";
const std::string kTiled = is_part("[{a}]");
const std::string kWhole = is_part("[]");
const std::string kLocalLoop = "func.func @main(%x: tensor<2xf32> " + kTiled + ", %n: tensor<i32> " + kWhole +
                               ") -> (tensor<2xf32> " + kTiled + R"() {
  %r:2 = stablehlo.while(%v = %x, %k = %n) : tensor<2xf32>, tensor<i32>
   cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w = stablehlo.tanh %v : tensor<2xf32>
    %j = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<2xf32>, tensor<i32>
  }
  return %r#0 : tensor<2xf32>
})";
const std::string kInside = R"({"op": "0.0.0", "source": "0.0.0"}, {"op": "0.0.1", "source": "0.0.1"},
  {"op": "0.1.0", "source": "0.1.0"}, {"op": "0.1.2", "source": "0.1.2"})";
const std::string kTanh =
    R"({"op": "0.1.1", "source": "0.1.1", "along": [{"axis": "a", "operands": ["#tile<0>"], "results": ["#tile<0>"]}]})";

/// A loop-carried value needs one layout for its initial value, its body's argument, what the body yields, and its
/// result.
TEST(CertificatesOfLoops, AreProvedWhenWhatEntersRepeatsAndLeavesHasOneType) {
  const auto report =
      checked(kLoop, kLocalLoop, R"({"op": "0", "source": "0", "types": ["[{a}]", "[]"]}, )" + kInside + ", " + kTanh);
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason;
}

TEST(CertificatesOfLoops, AreRefusedWhenATypeIsNotWhatEnters) {
  const auto report =
      checked(kLoop, kLocalLoop, R"({"op": "0", "source": "0", "types": ["[{}]", "[]"]}, )" + kInside + ", " + kTanh);
  EXPECT_EQ(report.verdict, Verdict::refuted);
  EXPECT_NE(report.reason.find("enters as"), std::string::npos) << report.reason;
}

TEST(CertificatesOfLoops, AreRefusedWithoutTheirStepsInside) {
  const auto report = checked(kLoop, kLocalLoop, R"({"op": "0", "source": "0", "types": ["[{a}]", "[]"]}, )" + kTanh);
  EXPECT_EQ(report.verdict, Verdict::refuted);
}

/// A step may only refer to a source operation in the corresponding block.
TEST(CertificatesOfLoops, AreRefusedWhenABodyOperationStandsForOneOfTheCondition) {
  std::string inside = kInside;
  inside.replace(inside.find(R"("source": "0.1.0")"), 17, R"("source": "0.0.0")");
  const auto report =
      checked(kLoop, kLocalLoop, R"({"op": "0", "source": "0", "types": ["[{a}]", "[]"]}, )" + inside + ", " + kTanh);
  EXPECT_EQ(report.verdict, Verdict::refuted);
  EXPECT_NE(report.reason.find("another block"), std::string::npos) << report.reason;
}

/// Control flow on replicated values may be an exact copy of the source's, without steps for its regions.
TEST(CertificatesOfControlFlow, MayBeCarriedWhole) {
  std::string whole = kLoop;
  whole.replace(whole.find("%x: tensor<4xf32>"), 17,
                "%x: tensor<4xf32> " + std::string(kTiled).replace(kTiled.find("{a}"), 3, "{}"));
  whole.replace(whole.find("%n: tensor<i32>"), 15, "%n: tensor<i32> " + kWhole);
  whole.replace(whole.find("-> tensor<4xf32>"), 16,
                "-> (tensor<4xf32> " + std::string(kTiled).replace(kTiled.find("{a}"), 3, "{}") + ")");
  const auto report = checked(kLoop, whole, R"({"op": "0", "source": "0"})");
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason;
  whole.replace(whole.find("stablehlo.tanh"), 14, "stablehlo.sine");
  const auto other = checked(kLoop, whole, R"({"op": "0", "source": "0"})");
  EXPECT_EQ(other.verdict, Verdict::refuted);
  EXPECT_NE(other.reason.find("region"), std::string::npos) << other.reason;
}

/// A function that a custom_call names computes the same in both modules.
TEST(CertificatesOfNames, AreOfFunctionsThatAgree) {
  const PartitionCase c(R"(
func.func private @by(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func public @main(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.custom_call @best(%x) {called_computations = [@by], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=2} need_replication={j, k}>} : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
})",
                        "a=2", R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}})");
  const Module emitted = stablehlo_module(c.spmd, c.module);
  const Certificate certificate = certificate_of(c.spmd, emitted, *c.state, **c.module.main());
  std::string text = print_module(emitted);
  const auto checked = [&] {
    return check_certificate(c.module, value_or_throw(read_module(text, "spmd.mlir")), certificate);
  };
  EXPECT_EQ(checked().verdict, Verdict::proved) << checked().reason;
  text.replace(text.find("compare GT"), 10, "compare LT");
  EXPECT_EQ(checked().verdict, Verdict::refuted);
  EXPECT_NE(checked().reason.find("@by is another function"), std::string::npos) << checked().reason;
}

}  // namespace
}  // namespace partir::certificate_check_test
