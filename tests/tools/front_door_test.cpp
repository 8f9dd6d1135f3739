// What newcomers get wrong in their first hour: mistyped words, swapped or overwritten files and lost parallelism are
// reported, together with what would be right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/tools/shell.h"

namespace partir {
namespace {

namespace fs = std::filesystem;

using testing::Said;
using testing::shell;

class FrontDoor : public testing::InFolder {
 protected:
  static std::string examples() { return std::string(PARTIR_SOURCE_DIR) + "/examples"; }
  /// Returns the command "partition matmul_chain …", complete except for what a test adds.
  static std::string partition() {
    return fmt::format(
        "{} partition {}/matmul_chain.mlir --mesh batch=4,model=2 --schedule {}/schedules/matmul_chain_bp_mp.json",
        PARTIR_PROGRAM, examples(), examples());
  }
  void expect(const std::string& command, int status, const std::vector<std::string>& said) const {
    const Said got = shell(command);
    EXPECT_EQ(got.status, status) << command << "\n" << got.text;
    for (const std::string& s : said)
      EXPECT_NE(got.text.find(s), std::string::npos) << command << "\nwanted '" << s << "' in: " << got.text;
    EXPECT_EQ(got.text.find("defect of ours"), std::string::npos) << got.text;
  }
  void expect_partir(const std::string& arguments, int status, const std::vector<std::string>& said) const {
    expect(fmt::format("{} {}", PARTIR_PROGRAM, arguments), status, said);
  }
};

TEST_F(FrontDoor, AFullDiskIsAnErrorWhereverTheOutputGoes) {
  for (const char* to :
       {"-o /dev/full", "--json /dev/full", "--certificate /dev/full", "-o - >/dev/full", ">/dev/full"})
    expect(fmt::format("{} {}", partition(), to), 2, {});
  for (const char* what : {"--help", "--version"})
    expect(fmt::format("{} {} >/dev/full", PARTIR_PROGRAM, what), 2, {"takes all that is printed"});
  expect(fmt::format("test $({} --json /dev/full 2>&1 >/dev/null | wc -l) = 1", partition()), 0, {});  // reported once
}

TEST_F(FrontDoor, AnOutputThatIsAnInputIsRefusedAndTheInputStays) {
  const std::string program = file("m.mlir", value_or_throw(read_file(examples() + "/matmul_chain.mlir")));
  const std::string before = value_or_throw(read_file(program));
  const std::string schedule = file("s.json", R"({"tactics": []})");
  fs::create_symlink(program, path("link.mlir"));
  for (const std::string& out : {program, path("link.mlir"), folder_.string() + "/./m.mlir", schedule}) {
    expect_partir(fmt::format("partition {} --mesh a=2 --schedule {} -o {}", program, schedule, out), 2,
                  {"an input of this command"});
  }
  expect_partir(fmt::format("search {0} --mesh a=2 --device a100 --evaluations 1 -o {0}", program), 2,
                {"an input of this command"});
  EXPECT_EQ(value_or_throw(read_file(program)), before);
  const std::string measured = file("measured.csv", "kind,seconds\n");
  expect_partir(fmt::format("simulate --device a100 --calibrate {0} -o {0}", measured), 2,
                {"an input of this command"});
  EXPECT_EQ(text_of(measured), "kind,seconds\n");
}

TEST_F(FrontDoor, StandardOutputHoldsOneThing) {
  expect(partition() + " -o - --json -", 2, {"both on standard output"});
  expect_partir(fmt::format("search {}/matmul_chain.mlir --mesh a=2 --device a100 -o - --json -", examples()), 2,
                {"both on standard output"});
  expect(partition() + " -o - 2>/dev/null | head -c 6", 0, {"module"});
  expect(partition() + fmt::format(" -o {0} --certificate {0}", path("same")), 2, {"what -o writes"});
  expect(partition() + fmt::format(" -o /dev/stdout --json /dev/stdout >{}", path("both")), 2, {"what -o writes"});
  expect(partition() + " -o /dev/null --json /dev/null", 0, {});
}

TEST_F(FrontDoor, ADashReadsStandardInput) {
  expect(fmt::format("{} names - < {}/matmul_chain.mlir", PARTIR_PROGRAM, examples()), 0, {"tensor<256x8xf32>"});
}

TEST_F(FrontDoor, MisspeltWordsGetWhatIsNear) {
  expect_partir("partiton", 2, {"'partition'"});
  expect_partir("registry redcue", 2, {"'reduce'"});
  expect(partition() + " --calibrate m.csv", 2,
         {"the option --calibrate of partition; wanted it with `partir simulate`"});
  expect_partir("simulate x.mlir --devise a100", 2, {"'--device'"});
  expect(partition() + " --emit spdm", 2, {"--emit: spdm; wanted 'spmd'"});
  expect_partir("--verion", 2, {"'--version'"});
  expect(partition() + " --expect all_reduse=1", 2, {"'all_reduce'"});
  expect(partition() + " --expect all_reduce=x", 2, {"wanted --expect all_reduce=418"});
  expect_partir("search x.mlir --device a100 --seconds -1", 2, {"--seconds: -1; wanted a number above 0"});
  expect(partition() + " --device a100 --link batch=nvlnk", 2, {"'nvlink'"});
  expect(partition() + " --after PB", 2, {"BP, MP"});
  expect(partition() + " --device a10", 2, {"a100"});
}

TEST_F(FrontDoor, PartitionAnswersTheSameWhatIfsAsSimulate) {
  const std::string step = fmt::format("{}/transformer_train.mlir", examples());
  const std::string schedule = fmt::format("{}/schedules/transformer_bp_mp.json", examples());
  const std::string what_if = "--device a100 --remat full --offload optimizer_state";
  expect_partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} {} -o {} --json {}", step, schedule,
                            what_if, path("local.mlir"), path("partition.json")),
                0, {"recomputation full: "});
  expect_partir(fmt::format("simulate {} --names {}/transformer_train.json {} --json {}", path("local.mlir"),
                            examples(), what_if, path("simulate.json")),
                0, {"recomputation full: "});
  const auto read = [&](const char* name) { return nlohmann::json::parse(value_or_throw(read_file(path(name)))); };
  const nlohmann::json ours = read("partition.json")["tactics"].back()["simulation"];
  const nlohmann::json theirs = read("simulate.json")["programs"][0];
  for (const char* figure : {"/seconds", "/flops", "/memory/peak", "/memory/offloaded"}) {
    const nlohmann::json::json_pointer at(figure);
    ASSERT_TRUE(theirs.contains(at)) << figure;
    EXPECT_EQ(ours.at(at).dump(), theirs.at(at).dump()) << figure;
  }
  // What --remat writes is a partition of the source, too.
  const std::string again =
      fmt::format("simulate {} --names {}/transformer_train.json --device a100 --remat full -o {}", path("local.mlir"),
                  examples(), path("again.mlir"));
  expect_partir(again, 0, {});
  expect_partir(fmt::format("validate {} {}", step, path("again.mlir")), 0, {"proved"});
  expect(partition() + " --remat full", 2, {"--remat without --device"});
  expect(partition() + " --offload activations", 2, {"--offload without --device"});
}

TEST_F(FrontDoor, AProgramWithAMeshNeedsNoOther) {
  const std::string program = file("p.mlir",
                                   "sdy.mesh @m = <[\"x\"=4, \"y\"=2]>\nfunc.func public @main(%x: tensor<8x8xf32> "
                                   "{sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {?}]>}) -> tensor<8x8xf32> {\n  %0 = "
                                   "stablehlo.tanh %x : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}\n");
  const std::string schedule = file("s.json", R"({"tactics": [{"name": "T", "axis": "y", "inputs": {"arg0": 1}}]})");
  expect_partir(fmt::format("partition {} --schedule {}", program, schedule), 0, {"x=4,y=2 (8 devices)", "proved"});
  const std::string without =
      file("w.mlir", "func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}\n");
  expect_partir(fmt::format("partition {} --schedule {}", without, schedule), 2, {"no mesh"});
}

TEST_F(FrontDoor, OtherFormatsAreToldApart) {
  const auto refused = [&](const std::string& content, const std::string& what) {
    expect_partir("names " + file("p", content), 2, {what});
  };
  refused("HloModule jit_f", "HLO text");
  refused("ML\xefR\x01", "MLIR bytecode");
  refused("\x1f\x8b\x08", "gzip");
  refused("\x28\xb5\x2f\xfd", "zstd");
  refused(R"({"tactics": []})", "swapped");
  refused("{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }", "a jaxpr");
}

TEST_F(FrontDoor, DynamicShapesAreCalledSo) {
  const std::string p =
      file("p.mlir", "func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {\n  return %x : tensor<?x8xf32>\n}\n");
  const std::string s = file("s.json", R"({"tactics": []})");
  const std::vector<std::string> said = {"dynamic shapes", "tensor<?x8xf32>"};
  expect_partir("names " + p, 3, said);
  expect_partir(fmt::format("run {} --seed 1", p), 3, said);
  expect_partir(fmt::format("partition {} --mesh a=2 --schedule {}", p, s), 3, said);
  // A lookup whose indices hold their own position along a dimension of unknown size.
  const std::string lookup = file(
      "lookup.mlir",
      "func.func @main(%x: tensor<?x8xf32>, %y: tensor<?x1xi32>) -> tensor<?xf32> {\n"
      "  %i = stablehlo.iota dim = 0 : tensor<?x1xi32>\n"
      "  %p = stablehlo.concatenate %i, %y, dim = 1 : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>\n"
      "  %0 = \"stablehlo.gather\"(%x, %p) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], "
      "start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : "
      "(tensor<?x8xf32>, tensor<?x2xi32>) -> tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n");
  expect_partir(fmt::format("partition {} --mesh a=2 --schedule {}", lookup, s), 3, said);
}

TEST_F(FrontDoor, JsonThatIsNotSaysItsPlaceOnce) {
  const auto refused = [&](const std::string& schedule, const std::vector<std::string>& said) {
    expect_partir(
        fmt::format("partition {}/matmul_chain.mlir --mesh a=2 --schedule {}", examples(), file("s.json", schedule)), 2,
        said);
  };
  refused("{\n  // BP first\n  \"tactics\": []}", {"s.json:2:3", "a comment"});
  refused("{\"tactics\": [],\n}", {"s.json:1:15", "a trailing comma"});
  refused("{\"tactics\":\n [1e999]}", {"s.json:2:3", "the number 1e999"});
  refused("{'tactics': []}", {"s.json:1:2", "double quotes"});
  refused("", {"s.json:1:1", "an empty file"});
  expect_partir(fmt::format("partition {}/matmul_chain.mlir --mesh a=2 --schedule {}", examples(),
                            file("bom.json", "\xef\xbb\xbf{\"tactics\": []}")),
                0, {"proved"});
}

TEST_F(FrontDoor, ANamesFileOfAnotherShapeIsRefused) {
  for (const char* text : {R"({"arguments": ["x"]})", "[]", R"({"args": {"x": 0}})", R"({"args": [{"name": "x"}]})"})
    expect_partir(fmt::format("names {}/matmul_chain.mlir --names {}", examples(), file("n.json", text)), 2,
                  {"n.json"});
}

TEST_F(FrontDoor, ErrorsInFilesHaveTheirPlace) {
  const std::string program = examples() + "/matmul_chain.mlir";
  const auto names = [&](const std::string& text, const std::string& said) {
    expect_partir(fmt::format("names {} --names {}", program, file("n.json", text)), 2, {"n.json:" + said});
  };
  names("{\"args\": [{\"name\": \"x\"},\n {\"nam\": \"w1\"}, {\"name\": \"w2\"}]}",
        "2:3: error [names]: the key \"nam\"; wanted 'name'");
  names("{\"args\":\n {\"x\": 1}}", "1:2: error [names]: \"args\": {\"x\":1}; wanted a list of names");
  names("{\"args\": [],\n \"reslts\": []}", "2:2: error [names]: the key \"reslts\"; wanted 'results'");

  const std::string module = path("module.mlir");
  const std::string certificate = path("c.json");
  expect(fmt::format("{} -o {} --certificate {}", partition(), module, certificate), 0, {});
  const auto altered = [&](const std::string& from, const std::string& to, const std::string& said) {
    std::string text = text_of(certificate);
    text.replace(text.find(from), from.size(), to);
    expect_partir(fmt::format("check {} {} --certificate {}", program, module, file("d.json", text)), 2,
                  {"d.json:" + said});
  };
  altered("\"op\"", "\"x\"", "3:3: error [certificate]");
  altered("\"#tile<0>\"", "\"#tle<0>\"", "3:");

  const auto sharded = [&](const std::string& mesh, const std::string& first, const std::string& said) {
    const std::string text = fmt::format(
        "{{\"mesh\": {},\n \"arguments\": [{}, \"[{{}}, {{}}]\", \"[{{}}, {{}}]\"],\n "
        "\"results\": [\"[{{}}, {{}}]\"]}}",
        mesh, first);
    expect_partir(fmt::format("validate {0} {0} --shardings {1}", program, file("s.json", text)), 2,
                  {"s.json:" + said});
  };
  sharded("5", "\"[{}, {}]\"", "1:2: error [shardings]: 5; wanted a mesh");
  sharded("\"a=1\"", "\"[{b}, {}]\"", "2:16: error [shardings]: '[{b}, {}]'");
  sharded("\"a=1\"", "7", "2:16: error [shardings]: 7; wanted a sharding");

  std::string device = value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/devices/a100.json"));
  device.replace(device.find("\"memory\": {"), 11, "\"memory\": 5, \"mem\": {");
  expect(partition() + " --device " + file("a.json", device), 2,
         {"error [device]: memory: no object; wanted an object"});
}

TEST_F(FrontDoor, AnAxisOfOneDeviceNeedsNoCollectives) {
  expect_partir(
      fmt::format("partition {0}/matmul_chain.mlir --mesh batch=1,model=2 --schedule "
                  "{0}/schedules/matmul_chain_bp_mp_z3.json --expect all_reduce=1 --expect all_gather=0 -o {1}",
                  examples(), path("one.mlir")),
      0, {"proved"});
  EXPECT_EQ(text_of(path("one.mlir")).find("[[0], [1]]"), std::string::npos) << text_of(path("one.mlir"));
}

TEST_F(FrontDoor, APatternOnATextWithoutNamesSaysHowToGetThem) {
  const std::string p =
      file("p.mlir", "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}\n");
  expect_partir(fmt::format("partition {} --mesh a=2 --schedule {}", p,
                            file("s.json", R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"params/**": 0}}]})")),
                2, {"as_text(debug_info=True)"});
}

TEST_F(FrontDoor, WhatIsCarriedWholeIsUnknownWithTheReason) {
  const std::string p = file("p.mlir", R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
})");
  const std::string s = file("s.json", R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 0}}]})");
  expect_partir(fmt::format("partition {} --mesh a=2 --schedule {} -o {}", p, s, path("o.mlir")), 3,
                {"unknown", "my_kernel"});
  EXPECT_TRUE(fs::exists(path("o.mlir")));
}

/// A product after a reshape of `rows` rows into `outer` batches.
std::string reshaped_product(int rows, int outer) {
  return fmt::format(R"(
func.func @main(%x: tensor<{0}x32xf32>, %w: tensor<32x32xf32>) -> tensor<{1}x{2}x32xf32> {{
  %0 = stablehlo.reshape %x : (tensor<{0}x32xf32>) -> tensor<{1}x{2}x32xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<{1}x{2}x32xf32>, tensor<32x32xf32>) -> tensor<{1}x{2}x32xf32>
  return %1 : tensor<{1}x{2}x32xf32>
}})",
                     rows, outer, rows / outer);
}

TEST_F(FrontDoor, LostParallelismNamesTheOperationThatBlockedIt) {
  const std::string s = file("s.json", R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"arg0": 0}}]})");
  expect_partir(fmt::format("partition {} --mesh batch=8 --schedule {}", file("p.mlir", reshaped_product(24, 3)), s), 0,
                {"LOST PARALLELISM along batch", "100 %", "stablehlo.reshape", R"(tile the result: "values")"});
}

/// 8 devices divide neither 4 nor 16 / 4, but parts of the axis do; what a part divides is not lost.
TEST_F(FrontDoor, AnAxisIsUsedInPartsWhereAReshapeBlocksIt) {
  const std::string s = file("s.json", R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"arg0": 0}}]})");
  const std::string p = file("p.mlir", reshaped_product(64, 4));
  const std::string json = path("r.json");
  expect_partir(fmt::format("partition {} --mesh batch=8 --schedule {} --json {}", p, s, json), 0,
                {"batch_0 is the part 4 of batch", "batch_1 is the part 2 of batch", "(12.5 %)", "check: proved"});
  const auto report = nlohmann::json::parse(text_of(json));
  ASSERT_EQ(report["axis_parts"].size(), 2U);
  EXPECT_EQ(report["axis_parts"][1], nlohmann::json::parse(R"({"name": "batch_1", "axis": "batch", "size": 2})"));
  EXPECT_EQ(report["lost_parallelism"].size(), 0U);
  // What the user says of the axis counts for its parts.
  const std::string by_axis = fmt::format("partition {} --mesh batch=8 --schedule {} ", p, s);
  expect_partir(by_axis + "--forbid all_gather:batch", 0, {"(12.5 %)"});
  expect_partir(by_axis + "--forbid all_gather:row", 2, {"axis 'row'"});
  expect_partir(by_axis + "--device a100 --link batch=network", 0, {"batch_0 on network 4, batch_1 on network 2"});
  // The same by parts that the schedule names, which are not reported.
  const std::string parts =
      file("parts.json", R"({"tactics": [{"name": "A", "axis": "batch:(1)4", "inputs": {"arg0": 0}},
    {"name": "B", "axis": "batch:(4)2", "inputs": {"arg0": 0}}]})");
  expect_partir(fmt::format("partition {} --mesh batch=8 --schedule {} --json {}", p, parts, json), 0, {"(12.5 %)"});
  EXPECT_EQ(nlohmann::json::parse(text_of(json))["axis_parts"].size(), 0U);
}

/// As often as needed: 16 elements in 2 x 2 x 4 on 8 devices, by the program's own annotation.
TEST_F(FrontDoor, AnAnnotatedAxisIsUsedInPartsToo) {
  const std::string p = file("p.mlir", R"(
sdy.mesh @mesh = <["m"=8]>
func.func @main(%x: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}]>}) -> tensor<2x2x4xf32> {
  %0 = stablehlo.reshape %x : (tensor<16xf32>) -> tensor<2x2x4xf32>
  %1 = stablehlo.tanh %0 : tensor<2x2x4xf32>
  return %1 : tensor<2x2x4xf32>
})");
  expect_partir("partition " + p, 0, {"m_2 is the part 2 of m", "(12.5 %)", "check: proved"});
}

/// The program's annotations are a tactic of their own, before those that the search finds.
TEST_F(FrontDoor, ASearchKeepsTheProgramsAnnotations) {
  const std::string p = file("p.mlir", R"(
sdy.mesh @mesh = <["m"=8]>
func.func @main(%x: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {}]>}) -> tensor<4096x4096xf32> {
  %1 = stablehlo.tanh %x : tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
})");
  expect_partir(fmt::format("search {} --mesh m=8 --device a100 --evaluations 5", p), 0,
                {"annotations ", "check: proved"});
}

/// A stencil's slices are padded when tactics are settled, also for the cost of a plan: the cost of the given schedule is
/// the one that `partition` reports for it.
TEST_F(FrontDoor, ASearchCostsStencilsAsTheyArePartitioned) {
  const std::string p = file("p.mlir", R"(
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.slice %x [2:8192, 0:1024] : (tensor<8192x1024xf32>) -> tensor<8190x1024xf32>
  %b = stablehlo.slice %x [0:8190, 0:1024] : (tensor<8192x1024xf32>) -> tensor<8190x1024xf32>
  %d = stablehlo.subtract %a, %b : tensor<8190x1024xf32>
  %r = stablehlo.pad %d, %z, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<8190x1024xf32>, tensor<f32>) -> tensor<8192x1024xf32>
  return %r : tensor<8192x1024xf32>
})");
  const std::string s = file("s.json", R"({"tactics": [{"name": "ROWS", "axis": "m", "inputs": {"arg0": 0}}]})");
  const std::string found = path("found.json");
  const std::string simulated = path("simulated.json");
  expect_partir(fmt::format("search {} --mesh m=4 --device a100 --evaluations 1 --schedule {} --json {}", p, s, found),
                0, {});
  expect_partir(fmt::format("partition {} --mesh m=4 --schedule {} --device a100 --json {}", p, s, simulated), 0,
                {"check: proved"});
  const auto report = nlohmann::json::parse(text_of(found));
  const auto tactics = nlohmann::json::parse(text_of(simulated))["tactics"];
  EXPECT_DOUBLE_EQ(report["history"][0][1].get<double>(),
                   tactics[0]["simulation"]["seconds"]["overlapped"].get<double>());
}

TEST_F(FrontDoor, LostParallelismNamesTheWorkThatNoTileReaches) {
  // The iota is taken by offsets along the axis, but what is not divided is the product of the weights.
  const std::string p = file("p.mlir", R"(
func.func @main(%x: tensor<64x8xf32>, %w: tensor<64x64xf32>, %v: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<64x8xf32>
  %1 = stablehlo.add %x, %0 : tensor<64x8xf32>
  %2 = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<64x8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  %5 = stablehlo.add %1, %4 : tensor<64x8xf32>
  return %5 : tensor<64x8xf32>
})");
  std::string text = text_of(p);
  text.insert(text.find("  %0 ="), "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n");
  const std::string s = file("s.json", R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"arg0": 0}}]})");
  expect_partir(fmt::format("partition {} --mesh batch=8 --schedule {}", file("q.mlir", text), s), 0,
                {"LOST PARALLELISM along batch", "most of it in line 6: stablehlo.dot_general", "% of the work"});
}

TEST_F(FrontDoor, ResultsThatAreRoundingAloneAgreeWithThemselves) {
  const std::string p = file("p.mlir", R"(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0e6> : tensor<8xf32>
  %0 = stablehlo.add %x, %c : tensor<8xf32>
  %1 = stablehlo.subtract %0, %c : tensor<8xf32>
  %2 = stablehlo.subtract %1, %x : tensor<8xf32>
  return %2 : tensor<8xf32>
})");
  const std::string values = path("v.npz");
  expect_partir(fmt::format("run {} --seed 1 --outputs {}", p, values), 0, {});
  expect_partir(fmt::format("run {} --seed 1 --expect {}", p, values), 0, {"1 results held to their error bounds"});
}

TEST_F(FrontDoor, LostParallelismBlamesTheSizeWhereAllIsTiled) {
  const std::string p = file("p.mlir", R"(
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
})");
  const std::string s =
      file("s.json", R"({"tactics": [{"name": "BP", "axis": "batch", "inputs": {"arg0": 0}, "uneven": true}]})");
  expect_partir(fmt::format("partition {} --mesh batch=4 --schedule {}", p, s), 0,
                {"its 4 devices each do 50 % of the work", "in sizes that 4 does not divide"});
}

TEST_F(FrontDoor, ShardingsAreATableSpecsAndTiles) {
  expect(partition() + " --shardings", 0,
         {"P('batch', None)", "P(None, 'model')", "tensor<64x8xf32>", "│ 0,2,4,6 │ 1,3,5,7 │", "├"});
  const std::string json = path("r.json");
  expect(partition() + " --json " + json, 0, {});
  const auto report = nlohmann::json::parse(value_or_throw(read_file(json)));
  EXPECT_EQ(report["shardings"]["arguments"][1]["sharding"], "[{}, {model}]");
  EXPECT_EQ(report["shardings"]["results"][0]["partition_spec"], "P('batch', None)");
}

TEST_F(FrontDoor, NoReportReplacesTheNamesBesideTheProgram) {
  const std::string program = file("m.mlir", value_or_throw(read_file(examples() + "/matmul_chain.mlir")));
  const std::string names = file("m.json", value_or_throw(read_file(examples() + "/matmul_chain.json")));
  const std::string before = value_or_throw(read_file(names));
  const std::string schedule = examples() + "/schedules/matmul_chain_bp_mp.json";
  expect_partir(fmt::format("partition {} --mesh batch=4,model=2 --schedule {} --json {}", program, schedule, names), 2,
                {"an input of this command"});
  expect_partir(fmt::format("names {} --json {}", program, names), 2, {"an input of this command"});
  EXPECT_EQ(value_or_throw(read_file(names)), before);
  // A report of another command beside the program is no names file, and may be written again.
  fs::remove(names);
  for (int k = 0; k < 2; ++k) expect_partir(fmt::format("run {} --seed 1 --json {}", program, names), 0, {});
  expect_partir(fmt::format("names {}", program), 0, {"neither"});
}

TEST_F(FrontDoor, DeepNestingIsAnError) {
  const auto deep = [](const std::string& before, char open, char close, const std::string& after) {
    return before + std::string(50000, open) + std::string(50000, close) + after;
  };
  const std::string lists = file("deep.json", deep(R"({"tactics": )", '[', ']', "}"));
  const std::string program = examples() + "/matmul_chain.mlir";
  for (const char* command : {"partition {} --mesh a=2 --schedule {}", "names {} --names {}", "simulate {} --device {}",
                              "simulate {} --device a100 --software {}", "check {0} {0} --certificate {1}",
                              "validate {0} {0} --shardings {1}"})
    expect_partir(fmt::format(fmt::runtime(command), program, lists), 2, {"nesting more than 100 deep"});
  std::string tuples = "!t0 = tensor<4xf32>\n";
  for (int k = 0; k < 60; ++k) tuples += fmt::format("!t{} = tuple<!t{}, !t{}>\n", k + 1, k, k);
  expect_partir("names " + file("wide.mlir", tuples + "func.func @main(%a: !t60) { return }"), 2,
                {"more than 10,000 types"});
  std::string nested = "tensor<f32>";
  for (int k = 0; k < 200; ++k) nested = "tuple<" + nested + ">";
  expect_partir("names " + file("nested.mlir", "func.func @main(%a: " + nested + ") { return }"), 2,
                {"nesting more than 100 deep"});
  // A long text in a message is cut.
  const Said said = shell(fmt::format(
      "{} partition {} --mesh a=2 --schedule {}", PARTIR_PROGRAM,
      file("long.mlir", deep("func.func @main(%a: tensor<4xf32> {mhlo.sharding = \"", '{', '}', "\"}) { return }")),
      file("none.json", R"({"tactics": []})")));
  EXPECT_EQ(said.status, 2);
  EXPECT_LT(said.text.size(), 3000U);
}

TEST_F(FrontDoor, CallbacksAreCarriedAndNotProved) {
  const auto program = [&](const char* effect, const char* results, const char* type) {
    return file("callback.mlir", fmt::format(R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {{
  %0 = stablehlo.negate %x : tensor<8x4xf32>
  {1}"stablehlo.custom_call"(%0) <{{call_target_name = "python", has_side_effect = {0}}}> {{
    sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>}} : (tensor<8x4xf32>) -> {2}
  return %0 : tensor<8x4xf32>
}}
sdy.mesh @one = <[], device_ids=[0]>
)",
                                             effect, results, type));
  };
  const std::string schedule = file("s.json", R"({"tactics": [{"name": "B", "axis": "a", "inputs": {"arg0": 0}}]})");
  const auto expect_of = [&](const std::string& text, int status, const std::vector<std::string>& said) {
    expect_partir(fmt::format("partition {} --mesh a=4 --schedule {}", text, schedule), status, said);
  };
  expect_of(program("true", "", "()"), 3, {"unknown", "has effects"});
  expect_of(program("true", "%1 = ", "tensor<8x4xf32>"), 3, {"unknown", "has effects"});
  // On one device: where it runs, not how its result is tiled.
  expect_of(program("false", "%1 = ", "tensor<8x4xf32>"), 3, {"unknown", "nothing is known of it"});
}

TEST_F(FrontDoor, AMeshInGenericFormIsDeclared) {
  const std::string program = file("generic.mlir", R"(
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["a"=4]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}],
    function_type = (tensor<8x4xf32>) -> tensor<8x4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<8x4xf32>):
    %0 = "stablehlo.negate"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    "func.return"(%0) : (tensor<8x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
)");
  expect_partir("partition " + program + " --shardings", 0, {"proved", "P('a', None)"});
}

TEST_F(FrontDoor, WrongKeysAndValuesHaveAPlace) {
  const std::string program = examples() + "/matmul_chain.mlir";
  const auto schedule = [&](const std::string& text) {
    return fmt::format("partition {} --mesh batch=4,model=2 --schedule {}", program, file("s.json", text));
  };
  expect_partir(schedule(R"({"tactics": ["BP"]})"), 2, {"s.json:1:14", "\"BP\"; wanted a tactic"});
  expect_partir(schedule(R"({"tactics": [], "mesh": {}})"), 2, {"s.json:1:17", "\"mesh\": {}; wanted text"});
  expect_partir(schedule(R"({"tactics": [], "meshes": "a=2"})"), 2, {"s.json:1:17", "the key \"meshes\""});
  expect_partir(schedule(R"({"$schema": "schedule.schema.json", "tactics": []})"), 0, {"proved"});
  const std::string a100 = value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/devices/a100.json"));
  const auto device = [&](const std::string& what, const std::string& by) {
    std::string text = a100;
    text.replace(text.find(what), what.size(), by);
    return fmt::format("simulate {} --device {}", program, file("d.json", text));
  };
  expect_partir(device("\"bf16\"", "\"bf17\""), 2, {"d.json:", "matrix.peak.bf17: no type"});
  expect_partir(device("\"title\"", "\"titel\""), 2, {"d.json:", "an unknown key; wanted 'title'"});
  const std::string names = file("n.json", R"({"args": [{"name": "a\u001b[31m"}, {"name": "b"}, {"name": "c"}]})");
  expect_partir(fmt::format("names {} --names {}", program, names), 2, {"control characters", "1:"});
}

TEST_F(FrontDoor, HelpAndOptionsSayWhatThereIs) {
  EXPECT_EQ(shell(fmt::format("{} help", PARTIR_PROGRAM)).text, shell(fmt::format("{} --help", PARTIR_PROGRAM)).text);
  expect_partir("help search", 0, {"Usage: partir search"});
  expect_partir("", 2, {"partition, check, validate", "search"});
  const std::string program = examples() + "/matmul_chain.mlir";
  expect_partir(fmt::format("run {} --seed -1", program), 2, {"--seed: -1; wanted a number from 0"});
  expect_partir(fmt::format("simulate {} --device tpu_v5p --topology 4by4", program), 2, {"partir: error", "4by4"});
}

TEST_F(FrontDoor, MustFitSaysWhy) {
  auto small = nlohmann::json::parse(value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/devices/a100.json")));
  small["memory"]["bytes"] = 1024;
  expect(partition() + fmt::format(" --device {} --must-fit", file("small.json", small.dump())), 1,
         {"--must-fit", "needs"});
}

TEST_F(FrontDoor, ColoursAreForTerminalsAndCanBeRefused) {
  if (shell("script --version").status != 0) GTEST_SKIP() << "skipped: no script(1) to make a terminal";
  const auto coloured = [&](const std::string& environment) {
    return shell(fmt::format("{} TERM=xterm script -qec '{}' /dev/null", environment, partition()))
               .text.find("\033[1m") != std::string::npos;
  };
  EXPECT_TRUE(coloured("env -u NO_COLOR"));
  EXPECT_FALSE(coloured("NO_COLOR=1"));
  EXPECT_EQ(shell(partition()).text.find('\033'), std::string::npos);
}

TEST_F(FrontDoor, CompletionAndManualKnowEveryCommand) {
  for (const char* shell_name : {"bash", "zsh", "fish"})
    expect_partir(fmt::format("completion {}", shell_name), 0, {"partition", "schedule", "simulate"});
  expect_partir("manual", 0, {".TH PARTIR 1", "\\-\\-schedule", "NO_COLOR", "KIND[:AXIS]"});
  expect(fmt::format(
             "bash -c 'source <({} completion bash); COMP_WORDS=(partir partition --emi); COMP_CWORD=2; _partir; echo "
             "$COMPREPLY'",
             PARTIR_PROGRAM),
         0, {"--emit"});
}

}  // namespace
}  // namespace partir
