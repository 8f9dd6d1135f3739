// Gathers and scatters on batching dimensions in a certificate: each that it lists is proved with the computation of
// its indices, and one whose indices do not hold their own position is refused.
#include "ir/batching.h"

#include <gtest/gtest.h>

#include <string>

#include "driver/partition.h"
#include "ir/text/read.h"
#include "tests/verify/certificate/by_hand.h"
#include "verify/certificate/batching.h"

namespace partir::testing {
namespace {

const char* kLoss = R"(func.func @main(%x: tensor<8x16xf32>, %y: tensor<8x1xi32>) -> (tensor<8xf32>, tensor<8x16xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %p = stablehlo.concatenate %i, %y, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %0 = "stablehlo.gather"(%x, %p) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %1 = "stablehlo.scatter"(%c, %p, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<8xf32>, tensor<8x16xf32>
})";

Partition tiled_by_rows(const std::string& program) {
  PartitionInput input;
  input.text = program;
  input.file = "loss.mlir";
  input.mesh = "a=4";
  input.schedule = R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 0, "arg1": 0}}]})";
  return value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
}

TEST(BatchingCertificates, ALossByLabelsAndItsGradientStayOnTheirDevices) {
  const Partition p = tiled_by_rows(kLoss);
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
  EXPECT_EQ(p.collectives.str(), "none");
  ASSERT_EQ(p.certificate.batching.size(), 2U);
  const auto again = value_or_throw(read_certificate(to_json(p.certificate), "c"));
  EXPECT_EQ(again.batching, p.certificate.batching);
}

/// The premises of the rewriting, removed one by one from the source that the certificate is checked against.
TEST(BatchingCertificates, AreRefusedForAnotherSource) {
  const Partition p = tiled_by_rows(kLoss);
  const Module written = value_or_throw(read_module(p.stablehlo, "spmd.mlir"));
  const auto check = [&](const std::string& what, const std::string& by, Certificate certificate) {
    const Module source = value_or_throw(read_module(with(kLoss, what, by), "source.mlir"));
    return check_certificate(source, written, certificate).verdict;
  };
  EXPECT_EQ(check("iota dim = 0 : tensor<8x1xi32>", "iota dim = 0 : tensor<8x1xi32>", p.certificate), Verdict::proved);
  EXPECT_NE(check("iota dim = 0", "iota dim = 1", p.certificate), Verdict::proved);
  EXPECT_NE(check("concatenate %i, %y", "concatenate %y, %i", p.certificate), Verdict::proved);
  EXPECT_NE(check("concatenate %i, %y", "concatenate %y, %y", p.certificate), Verdict::proved);
  Certificate other = p.certificate;
  other.batching[0] = {0};  // the iota
  EXPECT_NE(check("dim = 0", "dim = 0", other), Verdict::proved);
  other.batching = {p.certificate.batching[0], p.certificate.batching[0]};
  EXPECT_NE(check("dim = 0", "dim = 0", other), Verdict::proved);
  other.batching.clear();
  EXPECT_NE(check("dim = 0", "dim = 0", other), Verdict::proved);
}

/// The proof does not believe the analysis: the rewriting of one program is not that of another.
TEST(BatchingCertificates, TheProofReadsTheIndicesThemselves) {
  const Module right = value_or_throw(read_module(kLoss, "source.mlir"));
  const Module wrong = value_or_throw(
      read_module(with(kLoss, "%p = stablehlo.concatenate %i, %y",
                       "%j = stablehlo.add %i, %y : tensor<8x1xi32>\n  %p = stablehlo.concatenate %j, %y"),
                  "source.mlir"));
  const Mesh mesh = value_or_throw(Mesh::parse("a=4"));
  LocalPrograms programs(mesh, {});
  const Function& f = **right.main();
  const std::set<ValueId> operations = batchable(f);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_TRUE(batchable(**wrong.main()).empty());
  const Function batched = with_batching(f, operations);
  EXPECT_EQ(check_batching(f, batched, operations, programs).unproved, "");
}

}  // namespace
}  // namespace partir::testing
