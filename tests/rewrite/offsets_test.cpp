// Slices, updates and lookups along a tiled dimension, decomposed using the shard offset: what each device computes,
// which collectives remain, and that the checker refuses altered certificates.
#include "rewrite/offsets.h"

#include "tests/partitioned.h"
#include "verify/certificate/check.h"

namespace partir {
namespace {

using testing::Partitioned, testing::partitioned, testing::tile;

// A cache to which a loop writes one position at a time and which it reads completely.
const char* kDecode = R"(
func.func @main(%cache: tensor<8x4xf32>, %x: tensor<1x4xf32>) -> (tensor<8x4xf32>, tensor<1x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %c = %cache, %y = %x) : tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.dynamic_update_slice %c, %y, %i, %z : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %s = stablehlo.dot_general %y, %d, contracting_dims = [1] x [1] : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<1x8xf32>
    %w = stablehlo.dot_general %s, %d, contracting_dims = [1] x [0] : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
    stablehlo.return %next, %d, %w : tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>
  }
  return %0#1, %0#2 : tensor<8x4xf32>, tensor<1x4xf32>
})";

/// The device that holds the position writes it; the cache is not gathered.
TEST(ByOffsets, ACacheIsWrittenWhereItStands) {
  const Partitioned p = partitioned(kDecode, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_reduce");
  EXPECT_TRUE(p.partition.tactics[0].conflicts.empty());
  ASSERT_EQ(p.partition.certificate.by_offsets.size(), 1U);
  EXPECT_EQ(path_text(p.partition.certificate.by_offsets[0].source), "1.1.3");
}

const char* kLookup = R"(
func.func @main(%table: tensor<12x4xf32>, %ids: tensor<6xi32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<12x4xf32>, tensor<6xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})";

TEST(ByOffsets, SeveralAxesMakeMoreBlocks) {
  const Partitioned p = partitioned(kLookup, "a=2,b=3", tile("a", R"("arg0": 0)") + "," + tile("b", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_reduce");
  ASSERT_EQ(p.partition.certificate.by_offsets.size(), 1U);
  EXPECT_EQ(p.partition.certificate.by_offsets[0].how.devices, 6);
}

TEST(ByOffsets, WhatIsTiledOtherwiseAlreadyIsGathered) {  // ZeRO-3
  const Partitioned p = partitioned(kLookup, "a=2", tile("a", R"("arg0": 0, "arg1": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather");
  EXPECT_TRUE(p.partition.certificate.by_offsets.empty());
}

/// The lookups are tiled along b by an entry, and the table is decomposed along a.
TEST(ByOffsets, BesideAnotherAxis) {
  const Partitioned p = partitioned(kLookup, "a=2,b=3", tile("b", R"("arg1": 0)") + "," + tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_reduce");
  EXPECT_EQ(p.partition.certificate.by_offsets.size(), 1U);
}

/// A slice larger than a device's chunk saves nothing by decomposition.
TEST(ByOffsets, ASliceOfMoreThanAPartIsGathered) {
  const auto program = [](std::int64_t taken) {
    return fmt::format(
        "func.func @main(%x: tensor<8x4xf32>) -> tensor<{0}x4xf32> {{\n"
        "  %0 = stablehlo.slice %x [1:{1}, 0:4] : (tensor<8x4xf32>) -> tensor<{0}x4xf32>\n"
        "  return %0 : tensor<{0}x4xf32>\n}}\n",
        taken, taken + 1);
  };
  EXPECT_EQ(partitioned(program(3), "a=4", tile("a", R"("arg0": 0)")).partition.collectives.str(), "1 all_gather");
  EXPECT_EQ(partitioned(program(2), "a=4", tile("a", R"("arg0": 0)")).partition.collectives.str(), "1 all_reduce");
}

// An embedding, its loss and their gradient, as JAX writes them.
const char* kEmbedding = R"(
func.func @main(%table: tensor<8x4xf32>, %ids: tensor<2x3xi32>, %labels: tensor<2x3x1xi32>) -> (tensor<2x3x1xf32>, tensor<8x4xf32>) {
  %column = stablehlo.reshape %ids : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %e = "stablehlo.gather"(%table, %column) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
  %logits = stablehlo.dot_general %e, %table, contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<8x4xf32>) -> tensor<2x3x8xf32>
  %l = stablehlo.reshape %labels : (tensor<2x3x1xi32>) -> tensor<2x3x1x1xi32>
  %p = "stablehlo.gather"(%logits, %l) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x8xf32>, tensor<2x3x1x1xi32>) -> tensor<2x3x1xf32>
  %g = stablehlo.tanh %e : tensor<2x3x4xf32>
  %d = "stablehlo.scatter"(%table, %column, %g) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x3x1xi32>, tensor<2x3x4xf32>) -> tensor<8x4xf32>
  return %p, %d : tensor<2x3x1xf32>, tensor<8x4xf32>
})";

/// A lookup, a loss and a gradient over a tiled vocabulary: all three are decomposed, and only sums are reduced.
TEST(ByOffsets, AVocabularyIsTiled) {
  const Partitioned p = partitioned(kEmbedding, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "2 all_reduce");
  EXPECT_EQ(p.partition.certificate.by_offsets.size(), 3U);
}

/// The gradient of a lookup starts from zeros, which nothing tiles; the update of the tiled table reads it in chunks.
const char* kGradient = R"(
func.func @main(%table: tensor<8x4xf32>, %ids: tensor<6x1xi32>, %g: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %d = "stablehlo.scatter"(%z, %ids, %g) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %r = stablehlo.subtract %table, %d : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})";

TEST(ByOffsets, UpdatesOfAConstantAreMadeWhereTheyAreRead) {
  const Partitioned p = partitioned(kGradient, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "none");
  EXPECT_EQ(p.partition.certificate.by_offsets.size(), 1U);
  EXPECT_EQ(p.partition.stablehlo.find("tensor<8x4xf32>, tensor<6x1xi32>"), std::string::npos) << p.partition.stablehlo;
}

/// Returns the checker's report after `change` has altered the certificate.
CertificateReport checked_with(const Partitioned& p, const std::function<void(Certificate&)>& change) {
  Certificate c = value_or_throw(read_certificate(to_json(p.partition.certificate), "c.json"));
  change(c);
  return check_certificate(p.source, p.written, c);
}

// Positions (iota) that are compared with a tiled operand, so that they are tiled as well.
const char* kPositions = R"(
func.func @main(%x: tensor<2x12xf32>, %n: tensor<2x12xi32>) -> tensor<2x12xf32> {
  %i = stablehlo.iota dim = 0 : tensor<12xi32>
  %b = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<12xi32>) -> tensor<2x12xi32>
  %m = stablehlo.compare LT, %b, %n : (tensor<2x12xi32>, tensor<2x12xi32>) -> tensor<2x12xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<2x12xf32>
  %0 = stablehlo.select %m, %x, %zero : tensor<2x12xi1>, tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
})";

/// Returns the number of elements in the largest iota that a device computes.
std::int64_t largest_iota(const Module& m) {
  const Function& f = m.functions.at(0);
  std::int64_t out = 0;
  for_each_op(f.body, [&](const Op& op) {
    if (op.name() == "stablehlo.iota") out = std::max(out, f.type(op.results[0])->elements());
  });
  return out;
}

/// Each device computes the iota of its own chunk, also if several axes tile the dimension.
TEST(ByOffsets, ADeviceHasItsPositionsAlone) {
  const Partitioned p = partitioned(kPositions, "a=3", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.partition.collectives.str(), "none");
  EXPECT_EQ(p.partition.by_offsets, (std::vector<std::string>{"line 3: stablehlo.iota, result #tile<0>"}));
  EXPECT_EQ(largest_iota(p.written), 4);
  const Partitioned two =
      partitioned(kPositions, "a=2,b=2", tile("a", R"("arg0": 1)") + "," + tile("b", R"("arg0": 1)"));
  ASSERT_EQ(two.partition.certificate.by_offsets.size(), 1U);
  EXPECT_EQ(two.partition.certificate.by_offsets[0].how.devices, 4);
  EXPECT_EQ(largest_iota(two.written), 4);
}

/// The iota is decomposed only if all of its uses are tiled in the same way.
TEST(ByOffsets, PositionsThatUsesTakeUnlikeStayWhole) {
  const std::string program = R"(
func.func @main(%x: tensor<12xi32>, %y: tensor<12xi32>) -> (tensor<12xi32>, tensor<12xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<12xi32>
  %0 = stablehlo.add %x, %i : tensor<12xi32>
  %1 = stablehlo.add %y, %i : tensor<12xi32>
  return %0, %1 : tensor<12xi32>, tensor<12xi32>
})";
  EXPECT_TRUE(partitioned(program, "a=3", tile("a", R"("arg0": 0)")).partition.by_offsets.empty());
  EXPECT_TRUE(partitioned(program, "a=3", tile("a", R"("arg1": 0)")).partition.by_offsets.empty());
  EXPECT_EQ(partitioned(program, "a=3", tile("a", R"("arg0": 0, "arg1": 0)")).partition.by_offsets.size(), 1U);
}

/// Along a dimension other than its own, an iota is tiled by an entry and needs no offset.
TEST(ByOffsets, PositionsAlongAnotherDimensionHaveAnEntry) {
  const std::string program = R"(
func.func @main(%x: tensor<12x6xi32>) -> tensor<12x6xi32> {
  %i = stablehlo.iota dim = 0 : tensor<12x6xi32>
  %0 = stablehlo.add %x, %i : tensor<12x6xi32>
  return %0 : tensor<12x6xi32>
})";
  EXPECT_TRUE(partitioned(program, "a=3", tile("a", R"("arg0": 1)")).partition.by_offsets.empty());
  EXPECT_EQ(partitioned(program, "a=3", tile("a", R"("arg0": 0)")).partition.by_offsets.size(), 1U);
}

TEST(ByOffsets, AnAlteredCertificateOfPositionsIsRefused) {
  const Partitioned p = partitioned(kPositions, "a=3", tile("a", R"("arg0": 1)"));
  const auto refused = [&](const char* what, const std::function<void(Certificate&)>& change) {
    EXPECT_EQ(checked_with(p, change).verdict, Verdict::refuted) << what;
  };
  refused("left out", [](Certificate& c) { c.by_offsets.clear(); });
  refused("another number of devices", [](Certificate& c) { c.by_offsets[0].how.devices = 6; });
  refused("a dimension that is not there", [](Certificate& c) { c.by_offsets[0].how.dim = 1; });
  refused("an operand that is not there", [](Certificate& c) { c.by_offsets[0].how.operand = 1; });
}

TEST(ByOffsets, AnAlteredCertificateIsRefused) {
  const Partitioned p = partitioned(kEmbedding, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(checked_with(p, [](Certificate&) {}).verdict, Verdict::proved);
  const auto refused = [&](const char* what, const std::function<void(Certificate&)>& change) {
    const CertificateReport report = checked_with(p, change);
    EXPECT_EQ(report.verdict, Verdict::refuted) << what << ": " << report.step << ": " << report.reason;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    refused("left out", [&](Certificate& c) { c.by_offsets.erase(c.by_offsets.begin() + static_cast<int>(k)); });
    refused("another number of devices", [&](Certificate& c) { c.by_offsets[k].how.devices = 2; });
    refused("no devices", [&](Certificate& c) { c.by_offsets[k].how.devices = 0; });
    refused("chunks that are not whole", [&](Certificate& c) { c.by_offsets[k].how.devices = 3; });
    refused("another dimension", [&](Certificate& c) { c.by_offsets[k].how.dim ^= 1; });
    refused("a dimension that is not there", [&](Certificate& c) { c.by_offsets[k].how.dim = 7; });
    refused("another operand", [&](Certificate& c) { c.by_offsets[k].how.operand = 1; });
    refused("an operand that is not there", [&](Certificate& c) { c.by_offsets[k].how.operand = 9; });
    refused("another operation", [&](Certificate& c) { c.by_offsets[k].source = {0}; });
    refused("an operation that is not there", [&](Certificate& c) { c.by_offsets[k].source = {77}; });
    refused("twice", [&](Certificate& c) { c.by_offsets.push_back(c.by_offsets[k]); });
  }
}

TEST(ByOffsets, TheProofsAreReplayedAndPutToZ3) {
  const Partitioned p = partitioned(kEmbedding, "a=4", tile("a", R"("arg0": 0)"));
  prove::SecondAnswerer z3;
  const CertificateReport report = check_certificate(p.source, p.written, p.partition.certificate, {&z3, true});
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason;
  const std::string said = report.tally.text();
  EXPECT_NE(said.find("steps replayed (0 at which"), std::string::npos) << said;
  EXPECT_EQ(said.find("Z3 confirms 0 "), std::string::npos) << said;
  EXPECT_NE(said.find("obligations of the proofs"), std::string::npos) << said;
}

TEST(ByOffsets, ACertificateThatDoesNotReadIsAnError) {
  const auto error = [](const std::string& list) {
    const auto c = read_certificate(
        R"({"format": "partir certificate 1", "mesh": "a=2", "by_offsets": )" + list + R"(, "steps": []})", "c.json");
    return c ? "read" : c.error().text();
  };
  EXPECT_EQ(error(R"([{"source": "3", "operand": 0, "dim": 1, "devices": 2}])"), "read");
  for (const char* wrong :
       {"3", "[3]", "[{}]", R"([{"source": 3, "operand": 0, "dim": 1, "devices": 2}])",
        R"([{"source": "3", "operand": -1, "dim": 1, "devices": 2}])", R"([{"source": "3", "operand": 0, "dim": 1}])",
        R"([{"source": "3.1", "operand": 0, "dim": 1, "devices": 2}])"})
    EXPECT_NE(error(wrong).find("error [certificate]"), std::string::npos) << wrong << ": " << error(wrong);
}

}  // namespace
}  // namespace partir
