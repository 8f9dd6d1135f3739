// The command line's contract with scripts: exit status, messages with their place, and output files that are written
// completely or not at all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/tools/shell.h"

namespace partir {
namespace {

namespace fs = std::filesystem;

using testing::partir;
using testing::Said;

class CommandLine : public testing::InFolder {
 protected:
  /// Expects `partition` of the running example with this schedule and mesh to fail with status 2, to mention these
  /// texts, and to write nothing.
  void expect_refused(const std::string& arguments, const std::vector<std::string>& named) const {
    const std::string out = path("out.mlir");
    const std::string json = path("error.json");
    const Said o = partir(fmt::format("partition {} -o {} --json {}", arguments, out, json));
    EXPECT_EQ(o.status, 2) << o.text;
    for (const std::string& s : named)
      EXPECT_NE(o.text.find(s), std::string::npos) << "wanted '" << s << "' in: " << o.text;
    EXPECT_FALSE(fs::exists(out)) << "an output file in spite of the error";
    const auto error = nlohmann::json::parse(text_of(json));
    for (const char* key : {"file", "line", "column", "found", "wanted"})
      EXPECT_TRUE(error["error"].contains(key)) << key;
    EXPECT_FALSE(error["error"]["found"].get<std::string>().empty());
    EXPECT_FALSE(error["error"]["wanted"].get<std::string>().empty());
  }
  void expect_schedule_refused(const std::string& schedule, const std::vector<std::string>& named,
                               const std::string& mesh = "batch=4,model=2") const {
    const std::string s = file("schedule.json", schedule);
    expect_refused(fmt::format("{} --mesh {} --schedule {}", example("matmul_chain.mlir"), mesh, s), named);
  }
  void expect_program_refused(const std::string& program, const std::vector<std::string>& named) const {
    const std::string p = file("program.mlir", program);
    expect_refused(fmt::format("{} --mesh batch=2 --schedule {}", p, file("schedule.json", R"({"tactics": []})")),
                   named);
  }
};

TEST_F(CommandLine, CountsWhatLoopsExecuteAndSaysWhichItCannotCount) {
  const auto program = [&](const std::string& limit) {
    return file("loop.mlir", fmt::format(R"(
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<f32> {{
  %i = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%k = %i, %a = %x, %s = %z, %m = %n) : tensor<i32>, tensor<8xf32>, tensor<f32>, tensor<i32> cond {{
    %c = stablehlo.constant dense<7> : tensor<i32>
    %p = stablehlo.compare LT, %k, {} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %t = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %next, %a, %t, %m : tensor<i32>, tensor<8xf32>, tensor<f32>, tensor<i32>
  }}
  return %0#2 : tensor<f32>
}})",
                                         limit));
  };
  const std::string s = file("s.json", R"({"tactics": [{"name": "T", "axis": "a", "inputs": {"arg0": 0}}]})");
  const std::string json = path("loop.json");
  const auto report = [&](const std::string& limit) {
    const Said o = partir(fmt::format("partition {} --mesh a=2 --schedule {} --json {}", program(limit), s, json));
    EXPECT_EQ(o.status, 0) << o.text;
    auto out = nlohmann::json::parse(text_of(json));
    out["text"] = o.text;
    return out;
  };
  const auto counted = report("%c");
  EXPECT_EQ(counted["collectives"]["all_reduce"], 1);
  EXPECT_EQ(counted["executed"]["all_reduce"], 7);
  EXPECT_TRUE(counted["uncounted_loops"].empty());
  EXPECT_EQ(counted["check"]["verdict"], "proved");
  const auto unknown = report("%m");
  EXPECT_EQ(unknown["executed"]["all_reduce"], 1);
  EXPECT_EQ(unknown["uncounted_loops"], nlohmann::json::parse("[5]"));
  EXPECT_NE(unknown["text"].get<std::string>().find("the loop in line 5 runs an unknown number of times"),
            std::string::npos);
}

TEST_F(CommandLine, PartitionsTheRunningExampleAndWritesTheContractsJson) {
  const std::string out = path("out.mlir");
  const std::string json = path("report.json");
  const Said o =
      partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} -o {} --json {}",
                         example("matmul_chain.mlir"), example("schedules/matmul_chain_bp_mp_z3.json"), out, json));
  EXPECT_EQ(o.status, 0) << o.text;
  const auto report = nlohmann::json::parse(text_of(json));
  EXPECT_EQ(report["program"], "matmul_chain");
  EXPECT_EQ(report["mesh"], nlohmann::json::parse(R"([["batch", 4], ["model", 2]])"));
  EXPECT_EQ(report["devices"], 8);
  EXPECT_EQ(report["operations"], 2);
  EXPECT_EQ(report["tactics"].size(), 3U);
  EXPECT_EQ(report["tactics"][2]["collectives"]["all_gather"], 2);
  EXPECT_EQ(report["collectives"], report["executed"]);
  EXPECT_EQ(report["flops_sequential"], 2 * 256 * 8 * 16 * 2);
  EXPECT_EQ(report["flops_per_device"], 2 * 256 * 8 * 16 * 2 / 8);
  EXPECT_EQ(report["check"]["verdict"], "proved");
  EXPECT_EQ(report["check"]["scope"], "all inputs; over the reals, reassociated");
  EXPECT_EQ(report["check"]["over_the_reals"].size(), 1U);
  for (const char* key : {"parse", "propagate", "lower", "optimize", "print", "total"})
    EXPECT_TRUE(report["seconds"].contains(key)) << key;
  EXPECT_NE(text_of(out).find("partir.mesh = \"batch=4,model=2\""), std::string::npos);
  EXPECT_NE(text_of(out).find("mhlo.num_partitions = 8"), std::string::npos);

  const Said run = partir(fmt::format("run {} --seed 3", out));
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_NE(run.text.find("8 devices"), std::string::npos) << run.text;
}

TEST_F(CommandLine, CertificatesAreWrittenAndVerified) {
  const std::string source = example("matmul_chain.mlir");
  const std::string out = path("out.mlir");
  const std::string certificate = path("certificate.json");
  EXPECT_EQ(partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} -o {} --certificate {}", source,
                               example("schedules/matmul_chain_bp_mp_z3.json"), out, certificate))
                .status,
            0);
  const Said proved =
      partir(fmt::format("check {} {} --certificate {} --json {}", source, out, certificate, path("check.json")));
  EXPECT_EQ(proved.status, 0) << proved.text;
  EXPECT_NE(proved.text.find("proved (all inputs): 2 local operations by 4 proved entries"), std::string::npos)
      << proved.text;
  EXPECT_EQ(nlohmann::json::parse(text_of(path("check.json")))["laws"],
            nlohmann::json::parse(R"({"all-gather": 2, "all-reduce": 1})"));

  std::string altered = text_of(out);
  altered.replace(altered.find("[[0, 1], [2, 3], [4, 5], [6, 7]]"), 15, "[[0, 2], [1, 3]");
  const std::string wrong = file("wrong.mlir", altered);
  EXPECT_EQ(partir(fmt::format("check {} {} --certificate {}", source, wrong, certificate)).status, 1);

  std::string steps = text_of(certificate);
  steps.replace(steps.find("\"#sum\""), 6, "\"#max\"");
  const Said refused = partir(fmt::format("check {} {} --certificate {}", source, out, file("wrong.json", steps)));
  EXPECT_NE(refused.status, 0) << refused.text;
  EXPECT_NE(refused.text.find("step "), std::string::npos) << refused.text;

  EXPECT_EQ(partir(fmt::format("check {} {} --certificate {}", source, out, file("bad.json", "{"))).status, 2);
  EXPECT_EQ(partir(fmt::format("check {} {} --certificate {}", source, out, path("none.json"))).status, 2);
}

TEST_F(CommandLine, AProgramAndItsPartitionGiveTheSameOutputsFromOneSeed) {
  const std::string local = path("local.mlir");
  ASSERT_EQ(partir(fmt::format("partition {} --mesh batch=2,model=2 --schedule {} -o {}",
                               example("transformer_train.mlir"), example("schedules/transformer_bp_mp.json"), local))
                .status,
            0);
  const std::string wanted = path("wanted.npz");
  ASSERT_EQ(partir(fmt::format("run {} --seed 5 --outputs {} --domain f64", example("transformer_train.mlir"), wanted))
                .status,
            0);
  const Said same = partir(fmt::format("run {} --seed 5 --expect {} --domain f64", local, wanted));
  EXPECT_EQ(same.status, 0) << same.text;
  const Said other = partir(fmt::format("run {} --seed 6 --expect {} --domain f64", local, wanted));
  EXPECT_EQ(other.status, 1) << other.text;
}

TEST_F(CommandLine, CoreIsWrittenAndRunsSequentially) {
  const std::string core = path("core.mlir");
  ASSERT_EQ(partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --emit core -o {}",
                               example("matmul_chain.mlir"), example("schedules/matmul_chain_bp_mp.json"), core))
                .status,
            0);
  const std::string wanted = path("wanted.npz");
  ASSERT_EQ(partir(fmt::format("run {} --seed 1 --outputs {}", example("matmul_chain.mlir"), wanted)).status, 0);
  const Said o = partir(fmt::format("run {} --seed 1 --expect {}", core, wanted));
  EXPECT_EQ(o.status, 0) << o.text;
}

TEST_F(CommandLine, WhatIsPartitionedAlreadyIsRefused) {
  for (const char* form : {"stablehlo", "core", "spmd"}) {
    const std::string out = path(fmt::format("{}.mlir", form));
    ASSERT_EQ(partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --emit {} -o {}",
                                 example("matmul_chain.mlir"), example("schedules/matmul_chain_bp_mp.json"), form, out))
                  .status,
              0);
    const std::string again = file("again.json", R"({"tactics": [{"name": "T", "axis": "x", "inputs": {"*": 0}}]})");
    const Said o = partir(fmt::format("partition {} --mesh x=2 --schedule {}", out, again));
    EXPECT_EQ(o.status, 3) << form << o.text;
    EXPECT_NE(o.text.find("partitioned already"), std::string::npos) << form << o.text;
  }
}

TEST_F(CommandLine, AfterStopsBehindATactic) {
  const std::string json = path("report.json");
  const Said o =
      partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --after BP --json {}",
                         example("matmul_chain.mlir"), example("schedules/matmul_chain_bp_mp_z3.json"), json));
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(nlohmann::json::parse(text_of(json))["tactics"].size(), 1U);
  EXPECT_EQ(partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --after Z9",
                               example("matmul_chain.mlir"), example("schedules/matmul_chain_bp_mp_z3.json")))
                .status,
            2);
}

TEST_F(CommandLine, CountsCanBeAsserted) {
  const std::string command =
      fmt::format("partition {} --mesh batch=4,model=2 --schedule {} ", example("matmul_chain.mlir"),
                  example("schedules/matmul_chain_bp_mp_z3.json"));
  EXPECT_EQ(
      partir(command + "--expect all_reduce=1 --expect all_gather=2 --forbid all_to_all --forbid all_gather:model")
          .status,
      0);
  const Said count = partir(command + "--expect all_reduce=2");
  EXPECT_EQ(count.status, 1);
  EXPECT_NE(count.text.find("asserted all_reduce=2: there are 1"), std::string::npos) << count.text;
  const Said axis = partir(command + "--forbid all_gather:batch");
  EXPECT_EQ(axis.status, 1);
  EXPECT_NE(axis.text.find("asserted all_gather:batch: there are 2"), std::string::npos) << axis.text;
  EXPECT_EQ(partir(command + "--expect all_reduce").status, 2);
}

TEST_F(CommandLine, WhatIsAssertedWronglyIsNotWrittenAndTheReportIs) {
  const std::string command =
      fmt::format("partition {} --mesh batch=4,model=2 --schedule {} -o {} --json {} ", example("matmul_chain.mlir"),
                  example("schedules/matmul_chain_bp_mp_z3.json"), path("out.mlir"), path("report.json"));
  EXPECT_EQ(partir(command + "--forbid all_gather").status, 1);
  EXPECT_FALSE(fs::exists(path("out.mlir")));
  EXPECT_EQ(nlohmann::json::parse(text_of(path("report.json")))["collectives"]["all_gather"], 2);
}

TEST_F(CommandLine, AssertionsOnNamesThatAreNotThereAreRefusedWithWhatIsNear) {
  const std::string command = fmt::format("{} --mesh batch=4,model=2 --schedule {} ", example("matmul_chain.mlir"),
                                          example("schedules/matmul_chain_bp_mp_z3.json"));
  expect_refused(command + "--forbid all_gathr", {"'all_gather'"});
  expect_refused(command + "--expect all_reduse=1", {"'all_reduce'"});
  expect_refused(command + "--forbid all_gather:bach", {"axis 'bach'", "'batch'"});
  expect_refused(command + "--after Z2", {"'Z2'", "'Z3'"});
}

TEST_F(CommandLine, ExplainsValuesAndCollectives) {
  const std::string schedule = example("schedules/matmul_chain_bp_mp_z3.json");
  const std::string command =
      fmt::format("partition {} --mesh batch=4,model=2 --schedule {} ", example("matmul_chain.mlir"), schedule);
  const auto explained = [&](const std::string& what, const std::vector<std::string>& named) {
    const Said o = partir(command + "--explain '" + what + "'");
    EXPECT_EQ(o.status, 0) << o.text;
    for (const std::string& s : named)
      EXPECT_NE(o.text.find(s), std::string::npos) << "wanted '" << s << "' in: " << o.text;
  };
  explained("w1", {"w1, argument 1: tensor<8x16xf32>, comes in as [{batch}, {model}], tensor<2x8xf32>",
                   "along model: dimension 1, asked for by MP (" + schedule, "along batch: dimension 0",
                   "all_gather over batch to [{}, {model}]"});
  explained("w2", {"w2, argument 2: tensor<16x8xf32>, comes in as [{model}, {batch}]",
                   "along model: dimension 0, as all its uses slice it so, in MP"});
  explained("all_reduce:1", {"all_reduce 1 of 1 over model: [{batch}, {}] partial{model:sum} -> [{batch}, {}]",
                             "of line 4: stablehlo.dot_general", "along model by MP", "(#tile<1>, #tile<0>) -> (#sum)",
                             "for the return"});
  explained("all_gather", {"all_gather 1 of 2 over batch", "of argument w1", "all_gather 2 of 2"});
  explained("line/3",
            {"line/3: tensor<256x16xf32>, computed as [{batch}, {model}]", "by line 3: stablehlo.dot_general"});
  expect_refused(command.substr(10) + "--explain w3", {"nothing is called 'w3'", "'w1'", "'w2'"});
  expect_refused(command.substr(10) + "--explain all_reduce:2", {"all_reduce:1"});
  const std::string json = path("report.json");
  EXPECT_EQ(partir(command + "--explain all_gather --json " + json).status, 0);
  EXPECT_EQ(nlohmann::json::parse(text_of(json))["explanations"]["all_gather"].size(), 2U);
  EXPECT_EQ(partir(command + "--forbid gathers").status, 2);
}

TEST_F(CommandLine, NoCheckIsSkippedAndSaid) {
  const Said o = partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --no-check",
                                    example("matmul_chain.mlir"), example("schedules/matmul_chain_bp.json")));
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.text.find("check: skipped"), std::string::npos) << o.text;
}

// --- Schedules that are wrong ----------------------------------------------------------------------------------------

TEST_F(CommandLine, RefusesAnUnknownAxis) {
  expect_schedule_refused(R"({"tactics": [{"name": "BP", "axis": "batsch", "inputs": {"x": 0}}]})",
                          {"schedule.json:1:", "batsch", "batch=4,model=2"});
}
TEST_F(CommandLine, RefusesAPatternWithoutAMatch) {
  expect_schedule_refused("{\"tactics\": [\n  {\"name\": \"BP\", \"axis\": \"batch\",\n   \"inputs\": {\"y/**\": 0}}]}",
                          {"schedule.json:3:15", "'y/**' matches no argument", "'x'"});
}
TEST_F(CommandLine, RefusesAShadowedPattern) {
  expect_schedule_refused(R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"w*": 0, "w1": 1}}]})",
                          {"'w1' is wholly shadowed"});
}
TEST_F(CommandLine, RefusesADimensionOutOfRange) {
  expect_schedule_refused(R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"x": 2}}]})",
                          {"dimension 2 of argument 'x'", "tensor<256x8xf32>"});
}
TEST_F(CommandLine, RefusesANegativeDimension) {
  expect_schedule_refused(R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"x": -1}}]})",
                          {"dimension -1", "from 0"});
}
TEST_F(CommandLine, RefusesADimensionThatTheAxisDoesNotDivide) {
  expect_schedule_refused(R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"x": 1}}]})",
                          {"dimension 1 of 'x'", "of local size 8", "axis batch of 3"}, "batch=3");
}
TEST_F(CommandLine, RefusesOneAxisAskedForTwice) {
  expect_schedule_refused(
      R"({"tactics": [{"name": "A", "axis": "batch", "inputs": {"x": 0}}, {"name": "B", "axis": "batch", "inputs": {"x": 1}}]})",
      {"axis batch asked for twice on argument 'x'", "by A and B"});
}
TEST_F(CommandLine, RefusesAKeyTwice) {
  expect_schedule_refused(R"({"tactics": [{"name": "A", "axis": "batch", "inputs": {"x": 0, "x": 1}}]})",
                          {"the key \"x\" twice"});
}
TEST_F(CommandLine, RefusesBrokenJsonWithItsPlace) {
  expect_schedule_refused("{\"tactics\": [\n  {\"name\" \"A\"}]}", {"schedule.json:2:"});
}
TEST_F(CommandLine, RefusesUnknownKeysAndActions) {
  expect_schedule_refused(R"({"tactics": [{"name": "A", "axis": "batch", "input": {"x": 0}}]})",
                          {"\"input\"", "inputs"});
  expect_schedule_refused(R"({"tactics": [{"name": "A", "axis": "batch", "inputs": {"x": "whole"}}]})",
                          {"\"whole\"", "replicated"});
  expect_schedule_refused(R"([])", {"tactics"});
}
TEST_F(CommandLine, RefusesMeshesThatAreNone) {
  const std::string s = example("schedules/matmul_chain_bp.json");
  for (const char* mesh : {"batch=0", "batch", "batch=-2", "batch=2,batch=2", "batch=x", "=2", "batch=2000000", "''"}) {
    expect_refused(fmt::format("{} --mesh {} --schedule {}", example("matmul_chain.mlir"), mesh, s), {"error"});
  }
}
TEST_F(CommandLine, RefusesTheNamesFileOfAnotherProgram) {
  expect_refused(fmt::format("{} --mesh batch=4,model=2 --schedule {} --names {}", example("matmul_chain.mlir"),
                             example("schedules/matmul_chain_bp.json"), example("transformer_train.json")),
                 {"transformer_train.json", "another program"});
  const std::string names =
      file("names.json", R"({"args": [{"name": "x", "shape": [8, 8]}, {"name": "w1"}, {"name": "w2"}]})");
  expect_refused(fmt::format("{} --mesh batch=4 --schedule {} --names {}", example("matmul_chain.mlir"),
                             example("schedules/matmul_chain_bp.json"), names),
                 {"'x' of shape [8,8]", "tensor<256x8xf32>"});
}

// --- Programs that are wrong -----------------------------------------------------------------------------------------

TEST_F(CommandLine, RefusesTruncatedAndGarbledText) {
  const std::string whole = text_of(example("matmul_chain.mlir"));
  expect_program_refused(whole.substr(0, 300), {"program.mlir:", "error"});
  expect_program_refused("\x01\x02 garbage", {"program.mlir:1:"});
  expect_program_refused("", {"program.mlir:1:1"});
}
TEST_F(CommandLine, RefusesTypesThatDoNotFit) {
  expect_program_refused(
      "func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %a, %b : "
      "tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
      {"program.mlir:2:", "operand 1 written as tensor<2xf32>", "tensor<3xf32>"});
  expect_program_refused(
      "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x2xf32> {\n  %0 = stablehlo.dot_general %a, %a, "
      "contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>\n  return %0 : "
      "tensor<2x2xf32>\n}",
      {"program.mlir:2:", "dot_general (C10)"});
}
TEST_F(CommandLine, RefusesOperationsThatNoSpecificationHas) {
  expect_program_refused(
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.ad %a, %a : tensor<2xf32>\n  return %0 "
      ": tensor<2xf32>\n}",
      {"program.mlir:2:8", "'stablehlo.ad'"});
}

// --- Paths -----------------------------------------------------------------------------------------------------------

TEST_F(CommandLine, RefusesPathsThatCannotBeReadOrWritten) {
  const std::string ok = fmt::format("--mesh batch=4,model=2 --schedule {}", example("schedules/matmul_chain_bp.json"));
  EXPECT_EQ(partir(fmt::format("partition {} {}", path("nowhere.mlir"), ok)).status, 2);
  EXPECT_EQ(partir(fmt::format("partition {} {}", folder_.string(), ok)).status, 2);
  EXPECT_EQ(partir(fmt::format("partition {} --mesh batch=4 --schedule {}", example("matmul_chain.mlir"),
                               path("nowhere.json")))
                .status,
            2);
  const Said directory =
      partir(fmt::format("partition {} {} -o {}", example("matmul_chain.mlir"), ok, folder_.string()));
  EXPECT_EQ(directory.status, 2);
  EXPECT_NE(directory.text.find("an existing directory"), std::string::npos) << directory.text;
  EXPECT_EQ(
      partir(fmt::format("partition {} {} -o {}", example("matmul_chain.mlir"), ok, path("no/such/folder/out.mlir")))
          .status,
      2);
}

TEST_F(CommandLine, RunRefusesWhatItCannotDo) {
  EXPECT_EQ(partir("run " + example("matmul_chain.mlir")).status, 2) << "arguments without inputs";
  EXPECT_EQ(
      partir(fmt::format("run {} --inputs {}", example("matmul_chain.mlir"), example("matmul_chain.mlir"))).status, 2)
      << "no .npz";
  const std::string opaque = file(
      "einsum.mlir",
      "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  %0 = \"stablehlo.einsum\"(%a, %a) {einsum_config = "
      "\"ij,jk->ik\"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}");
  EXPECT_EQ(partir("run --seed 1 " + opaque).status, 3) << "known, no meaning here";
  const Said o =
      partir(fmt::format("partition {} --mesh batch=2 --schedule {}", opaque,
                         file("s.json", R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"arg0": 0}}]})")));
  EXPECT_EQ(o.status, 0) << "carried as opaque: " << o.text;
  EXPECT_NE(o.text.find("its meaning is not declared here"), std::string::npos) << o.text;
}

// --- Test programs ---------------------------------------------------------------------------------------------------

TEST_F(CommandLine, ATestFileRunsEachOfItsModulesAndSaysHowManyChecksHeld) {
  const std::string program = file("two.mlir", R"(func.func @first() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @second() {
  %x = stablehlo.constant dense<3> : tensor<i32>
  check.expect_eq %x, %x : tensor<i32>
  return
}
// -----
func.func @third() {
  %x = stablehlo.constant dense<0.5> : tensor<f32>
  check.expect_almost_eq_const %x, dense<0.5> : tensor<f32>
  return
}
)");
  const std::string json = path("report.json");
  const Said o = partir(fmt::format("run {} --json {}", program, json));
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(o.text, "3 of 3 checks held\n");
  const auto report = nlohmann::json::parse(text_of(json));
  EXPECT_EQ(report["program"], program);
  EXPECT_EQ(report["held"], 3);
  EXPECT_TRUE(report["failed"].empty());
  EXPECT_TRUE(report["errors"].empty());
}

TEST_F(CommandLine, AFailedCheckNamesItsPlaceInTheFileAndTheElement) {
  const std::string program = file("wrong.mlir", R"(func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
// -----
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.5, 3.0]> : tensor<3xf32>
  check.expect_eq_const %x, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}
)");
  const std::string json = path("report.json");
  const Said o = partir(fmt::format("run {} --json {}", program, json));
  EXPECT_EQ(o.status, 1) << o.text;
  EXPECT_NE(o.text.find("wrong.mlir:9:3: expect_eq_const: element 1 is 2.5, wanted 2\n"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("1 of 2 checks held"), std::string::npos) << o.text;
  const auto report = nlohmann::json::parse(text_of(json));
  EXPECT_EQ(report["held"], 1);
  ASSERT_EQ(report["failed"].size(), 1U);
  EXPECT_EQ(report["failed"][0]["line"], 9);
  EXPECT_EQ(report["failed"][0]["column"], 3);
}

TEST_F(CommandLine, ATestFileThatDoesNotReadSaysWhereInTheWholeFile) {
  const std::string program = file("broken.mlir", R"(func.func @main() {
  return
}
// -----

func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.add %x, %z : tensor<i32>
  return
}
)");
  const Said o = partir("run " + program);
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("broken.mlir:8:26: error"), std::string::npos) << o.text;
}

TEST_F(CommandLine, ATestThatCannotRunIsNoFailedCheck) {
  const std::string unsupported = file("einsum.mlir", R"(func.func @main() {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  check.expect_eq %x, %x : tensor<2x2xf32>
  %y = "stablehlo.einsum"(%x, %x) {einsum_config = "ij,jk->ik"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
)");
  const std::string json = path("report.json");
  const Said o = partir(fmt::format("run {} --json {}", unsupported, json));
  EXPECT_EQ(o.status, 3) << o.text;
  EXPECT_NE(o.text.find("einsum.mlir:4:"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("1 of 1 checks held"), std::string::npos) << o.text;
  const auto report = nlohmann::json::parse(text_of(json));
  ASSERT_EQ(report["errors"].size(), 1U);
  EXPECT_EQ(report["errors"][0]["line"], 4);

  const std::string types = file("types.mlir", R"(func.func @main() {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  check.expect_eq_const %x, dense<1.0> : tensor<1000000000000xf32>
  return
}
)");
  const Said other = partir("run " + types);
  EXPECT_EQ(other.status, 2) << other.text;
  EXPECT_NE(other.text.find("types.mlir:3:"), std::string::npos) << other.text;
}

TEST_F(CommandLine, NoChecksIsSaid) {
  const Said o = partir("run " + file("none.mlir", "func.func @main() {\n  return\n}\n// -----\n\n"));
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(o.text, "0 of 0 checks held\n");
}

TEST_F(CommandLine, MainAloneRunsElseThePublicFunctionsWithoutArguments) {
  const std::string fails = R"( {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<2> : tensor<i32>
  return
}
)";
  const std::string holds = R"( {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<1> : tensor<i32>
  return
}
)";
  const Said main = partir("run " + file("main.mlir", "func.func @other()" + fails + "func.func @main()" + holds));
  EXPECT_EQ(main.status, 0) << main.text;
  EXPECT_EQ(main.text, "1 of 1 checks held\n");
  const Said each = partir("run " + file("each.mlir", "func.func @a()" + holds + "func.func private @b()" + fails +
                                                          "func.func @c(%unused: tensor<i32>)" + fails +
                                                          "func.func public @d()" + holds));
  EXPECT_EQ(each.status, 0) << each.text;
  EXPECT_EQ(each.text, "2 of 2 checks held\n");
  const Said arguments = partir("run " + file("arguments.mlir", "func.func @main(%a: tensor<i32>)" + holds));
  EXPECT_EQ(arguments.status, 2) << arguments.text;
  EXPECT_NE(arguments.text.find("a main with arguments"), std::string::npos) << arguments.text;
}

TEST_F(CommandLine, TestsRunInTheDomainThatIsAskedFor) {
  const std::string program = file("sum.mlir", R"(func.func @main() {
  %big = stablehlo.constant dense<16777216.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %sum = stablehlo.add %big, %one : tensor<f32>
  check.expect_eq_const %sum, dense<16777216.0> : tensor<f32>
  return
}
)");
  EXPECT_EQ(partir("run " + program).status, 0) << "16777217 is no f32";
  const Said wide = partir("run --domain f64 " + program);
  EXPECT_EQ(wide.status, 1) << wide.text;
  EXPECT_NE(wide.text.find("element 0 is 16777217, wanted 16777216"), std::string::npos) << wide.text;
}

TEST_F(CommandLine, DevicesThatWaitForOneAnotherAreReported) {
  const std::string program = file("deadlock.mlir", R"(func.func @main() {
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "interpreter.run_parallel"(%t, %t) {programs = [[@first], [@second]]} : (!stablehlo.token, !stablehlo.token) -> (tensor<i32>, tensor<i32>)
  check.expect_eq %r#0, %r#1 : tensor<i32>
  return
}
func.func @first(%t: !stablehlo.token) -> tensor<i32> {
  %a:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %b = "stablehlo.send"(%a#0, %a#1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %a#0 : tensor<i32>
}
func.func @second(%t: !stablehlo.token) -> tensor<i32> {
  %a:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %b = "stablehlo.send"(%a#0, %a#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %a#0 : tensor<i32>
}
)");
  const Said o = partir("run " + program);
  EXPECT_EQ(o.status, 1) << o.text;
  EXPECT_NE(o.text.find("[deadlock]"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("device 0 waits at stablehlo.recv in line 8"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("device 1 waits at stablehlo.recv in line 13"), std::string::npos) << o.text;
}

TEST_F(CommandLine, CallsThatAreNotRunHereAreNamed) {
  const std::string program = file("call.mlir", R"(func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}
)");
  const Said o = partir("run --seed 1 " + program);
  EXPECT_EQ(o.status, 3) << o.text;
  EXPECT_NE(o.text.find("call.mlir:2:10: error [unsupported]: custom_call @lapack_spotrf_ffi"), std::string::npos)
      << o.text;
}

TEST_F(CommandLine, ProgramsThatRunThemselvesAreRefused) {
  const Said o = partir("run " + file("recursion.mlir", R"(func.func @main() {
  "interpreter.run_parallel"() {programs = [[@main]]} : () -> ()
  return
}
)"));
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("recursion.mlir:2:"), std::string::npos) << o.text;
}

TEST_F(CommandLine, ProveGivesVerdictsAndCounterexamples) {
  const Said o = partir("prove " + example("claims.tmr"));
  EXPECT_EQ(o.status, 1) << "one claim is refuted, and nothing was expected: " << o.text;
  EXPECT_NE(o.text.find("@dot_contract: proved, all sizes, all axis sizes"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("n = 2, A = 2, B = 2"), std::string::npos) << o.text;
  const auto claim = [&](const std::string& expect, const std::string& result) {
    return partir("prove " +
                  file("claim.tmr", expect + "entry @c tiles M (%x: tensor<Mxf32> #tile<0>) -> (tensor<Mxf32> " +
                                        result + ") {\n  return %x : tensor<Mxf32>\n}\n"));
  };
  EXPECT_EQ(claim("", "#tile<0>").status, 0);
  EXPECT_EQ(claim("// EXPECT: refuted\n", "any").status, 0);
  EXPECT_EQ(claim("// EXPECT: proved\n", "any").status, 1);
  EXPECT_EQ(claim("", "#mean").status, 2);
  const std::string rewrite =
      "rewrite @r axes A (%x: tensor<MxNxf32>) -> (tensor<MxNxf32>) {\n"
      "  source { return %x : tensor<MxNxf32> }\n"
      "  target {\n    %0 = spmd.all_reduce %x {axes = [\"A\"], monoid = \"max\"} : tensor<MxNxf32>\n"
      "    return %0 : tensor<MxNxf32>\n  }\n}\n";
  const Said refuted = partir("prove " + file("rewrite.tmr", rewrite));
  EXPECT_EQ(refuted.status, 1) << refuted.text;
  EXPECT_NE(refuted.text.find("device 1 has tensor<1x1xf32>"), std::string::npos) << refuted.text;
  EXPECT_EQ(
      partir("prove " + file("half.tmr", "rewrite @r axes A (%x: tensor<Mxf32>) -> (tensor<Mxf32>) { source { } }\n"))
          .status,
      2);
  const Said broken = partir("prove " + file("broken.tmr", "\nentry @c tiles M (%x: tensor<Mxf32> #tile<0>"));
  EXPECT_EQ(broken.status, 2);
  EXPECT_NE(broken.text.find("broken.tmr:2:"), std::string::npos) << broken.text;
}

TEST_F(CommandLine, ProveRefusesCollectivesOverAxesThatARewriteDoesNotName) {
  const Said o = partir("prove " + file("axes.tmr", R"(
rewrite @gather axes A (%x: tensor<MxNxf32>) -> (tensor<MxNxf32>) {
  source {
    return %x : tensor<MxNxf32>
  }
  target {
    %0 = spmd.all_gather %x {axes = ["B"], dim = 0 : i64} : (tensor<MxNxf32>) -> tensor<MxNxf32>
    return %0 : tensor<MxNxf32>
  }
}
)"));
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("axes.tmr:2:"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("axis 'B'"), std::string::npos) << o.text;
}

TEST_F(CommandLine, RegistryProvesAndDerives) {
  const Said o = partir("registry reverse --derive");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("stablehlo.reverse [0]\n  (#sum) -> (#sum)  proved"), std::string::npos) << o.text;
  EXPECT_EQ(o.text.find("proved, not declared\n"), std::string::npos)
      << "what is declared is all that holds: " << o.text;
  EXPECT_EQ(partir("registry no_such_operation").status, 2);
}

TEST_F(CommandLine, SimulateComparesRanksAndWritesJson) {
  const std::string module = path("matmul.mlir");
  const std::string other = path("other.mlir");
  const std::string schedule = example("schedules/matmul_chain_bp_mp_z3.json");
  const std::string program = example("matmul_chain.mlir");
  ASSERT_EQ(
      partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} -o {}", program, schedule, module)).status,
      0);
  ASSERT_EQ(partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --after BP -o {}", program, schedule,
                               other))
                .status,
            0);
  const Said o = partir(fmt::format("simulate {} {} --device h100 --link batch=network --json {} --report {}", module,
                                    other, path("s.json"), path("r.html")));
  EXPECT_EQ(o.status, 0) << o.text;
  const auto json = nlohmann::json::parse(text_of(path("s.json")));
  ASSERT_EQ(json["programs"].size(), 2U);
  EXPECT_EQ(json["ranking"], nlohmann::json({"other", "matmul"})) << "no communication beats some, on so small arrays";
  EXPECT_EQ(json["programs"][0]["mesh"][0]["link"], "network 4");
  EXPECT_EQ(json["programs"][0]["flops"]["device"], 16384);
  EXPECT_GT(fs::file_size(path("r.html")), 100000U) << "charts included";
  EXPECT_EQ(partir(fmt::format("simulate {} --device h100 --trace {}", module, path("t.json"))).status, 0);
  EXPECT_TRUE(nlohmann::json::parse(text_of(path("t.json"))).contains("traceEvents"));

  const std::string tiny = file("tiny.json", [&] {
    std::string text = text_of(std::string(PARTIR_SOURCE_DIR) + "/devices/a100.json");
    const std::string bytes = "\"bytes\": 8e10";
    return text.replace(text.find(bytes), bytes.size(), "\"bytes\": 10");
  }());
  EXPECT_EQ(partir(fmt::format("simulate {} --device {}", module, tiny)).status, 0);
  EXPECT_EQ(partir(fmt::format("simulate {} --device {} --must-fit", module, tiny)).status, 1);
  for (const char* wrong :
       {"--device k80", "--device h100 --link batch", "--device h100 --link pipe=network",
        "--device h100 --mesh batch=0", "--device tpu_v4 --topology 3x3x3", "--device tpu_v4 --topology 4y4"}) {
    const Said refused = partir(fmt::format("simulate {} {} --json {}", module, wrong, path("error.json")));
    EXPECT_EQ(refused.status, 2) << wrong << refused.text;
    EXPECT_TRUE(nlohmann::json::parse(text_of(path("error.json"))).contains("error")) << wrong;
  }
  EXPECT_EQ(partir(fmt::format("simulate {} --device h100", path("nowhere.mlir"))).status, 2);
}

TEST_F(CommandLine, PartitionSimulatesEachTactic) {
  const std::string program = example("matmul_chain.mlir");
  const std::string schedule = example("schedules/matmul_chain_bp_mp_z3.json");
  const Said o =
      partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --device tpu_v5e --json {} --report {}",
                         program, schedule, path("p.json"), path("r.html")));
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("the program that was checked"), std::string::npos) << o.text;
  const auto json = nlohmann::json::parse(text_of(path("p.json")));
  for (const auto& tactic : json["tactics"]) EXPECT_GT(tactic["simulation"]["seconds"]["overlapped"], 0) << tactic;
  const Said unchecked = partir(
      fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --device tpu_v5e --no-check", program, schedule));
  EXPECT_NE(unchecked.text.find("types alone were checked"), std::string::npos) << unchecked.text;
  expect_refused(fmt::format("{} --mesh batch=4,model=2 --schedule {} --device nowhere.json", program, schedule),
                 {"tpu_v5p"});
  expect_refused(fmt::format("{} --mesh batch=4,model=2 --schedule {} --trace {}", program, schedule, path("t.json")),
                 {"--device"});
}

TEST_F(CommandLine, SearchMustFitIfThatIsAsked) {
  const std::string search = fmt::format("search {} --mesh batch=4,model=2 --device a100 --evaluations 40 --memory ",
                                         example("matmul_chain.mlir"));
  EXPECT_EQ(partir(search + "0.001MB").status, 0);
  const Said none = partir(search + "0.001MB --must-fit");
  EXPECT_EQ(none.status, 1) << none.text;
  EXPECT_NE(none.text.find("of 1 kB"), std::string::npos) << none.text;
  EXPECT_EQ(partir(search + "1GB --must-fit").status, 0);
}

TEST_F(CommandLine, UsageErrorsAreTwoAndHelpIsZero) {
  EXPECT_EQ(partir("").status, 2);
  EXPECT_EQ(partir("partition").status, 2);
  EXPECT_EQ(partir("frobnicate").status, 2);
  EXPECT_EQ(partir("--help").status, 0);
  EXPECT_EQ(partir("partition --help").status, 0);
  EXPECT_EQ(partir("simulate").status, 2);
  EXPECT_EQ(partir("search").status, 2);
}

TEST_F(CommandLine, RulesAreJudgedFactorByFactor) {
  const auto module_with = [&](const std::string& rule) {
    return file("rules.mlir",
                "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n  %0 = stablehlo.reverse %x, dims = [1] "
                "{sdy.sharding_rule = " +
                    rule + "} : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>\n}\n");
  };
  const std::string json = path("rules.json");
  const Said wrong = partir(
      fmt::format("rules {} --json {}", module_with("#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>"), json));
  EXPECT_EQ(wrong.status, 1) << wrong.text;
  EXPECT_NE(wrong.text.find("stablehlo.reverse ([i, j])->([i, j]) j: refuted, this case, 1 operation"),
            std::string::npos)
      << wrong.text;
  const auto report = nlohmann::json::parse(text_of(json));
  EXPECT_EQ(report["totals"]["proved"]["factors"], 1);
  EXPECT_EQ(report["factors"][1]["counterexample"]["n"], 2);
  // The claim of the refuted factor is text that `prove` accepts.
  const std::string claim = file("rule.tmr", report["factors"][1]["claim"].get<std::string>());
  EXPECT_EQ(partir("prove " + claim).status, 1);

  EXPECT_EQ(
      partir("rules " + module_with("#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={j}>")).status, 0);
  const Said bad = partir(
      fmt::format("rules {} --json {}", module_with("#sdy.op_sharding_rule<([i, j])->([i, a]) {i=8, j=4}>"), json));
  EXPECT_EQ(bad.status, 2) << bad.text;
  const auto error = nlohmann::json::parse(text_of(json))["error"];
  EXPECT_EQ(error["line"], 2);
  EXPECT_EQ(error["column"], 99);
  EXPECT_EQ(error["found"], "'a'");
  EXPECT_EQ(error["wanted"], "factors, i to z, then z_1, …");
  EXPECT_EQ(partir("rules " + example("matmul_chain.mlir")).status, 0) << "no rules, nothing to refute";
}

TEST_F(CommandLine, RulesOfCustomCallsAreAssumptions) {
  const auto program = [&](const std::string& name, const std::string& config, std::int64_t rows) {
    return file(name,
                fmt::format("func.func @main(%arg0: tensor<{0}x4xf32>) -> tensor<{0}x4xf32> {{\n"
                            "  %0 = stablehlo.custom_call @f(%arg0) {{backend_config = \"{1}\", sdy.sharding_rule = "
                            "#sdy.op_sharding_rule<([i, j])->([i, j]) {{i={0}, j=4}} need_replication={{j}}, "
                            "custom>}} : (tensor<{0}x4xf32>) -> tensor<{0}x4xf32>\n"
                            "  return %0 : tensor<{0}x4xf32>\n}}\n",
                            rows, config));
  };
  const std::string source = program("call.mlir", "a", 8);
  const std::string schedule = file("rows.json", R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 0}}]})");
  const std::string spmd = path("call_spmd.mlir");
  const Said made = partir(fmt::format("partition {} --mesh a=2 --schedule {} -o {}", source, schedule, spmd));
  EXPECT_EQ(made.status, 0) << made.text;
  EXPECT_NE(made.text.find("proved (all inputs"), std::string::npos) << made.text;
  EXPECT_NE(made.text.find("the sharding rule of @f is assumed"), std::string::npos) << made.text;
  const Said valid = partir(fmt::format("validate {} {}", source, spmd));
  EXPECT_EQ(valid.status, 0) << valid.text;
  EXPECT_NE(valid.text.find("the sharding rule of @f is assumed"), std::string::npos) << valid.text;
  const std::string shardings =
      file("rows_and_columns.json", R"({"mesh": "a=2", "arguments": ["[{a}, {}]"], "results": ["[{a}, {}]"]})");
  const std::string local = program("local.mlir", "a", 4);
  EXPECT_EQ(partir(fmt::format("validate {} {} --shardings {}", source, local, shardings)).status, 0);
  const std::string other = program("other.mlir", "b", 4);
  EXPECT_EQ(partir(fmt::format("validate {} {} --shardings {}", source, other, shardings)).status, 3);
  const Said rules = partir("rules " + source);
  EXPECT_EQ(rules.status, 3) << rules.text;
  EXPECT_NE(rules.text.find("nothing is known of @f but this rule"), std::string::npos) << rules.text;
}

}  // namespace
}  // namespace partir
