// chlo.scan, which is no control flow here: it has results of other numbers and types than its operands.
#include <gtest/gtest.h>

#include <string>

#include "ir/text/read.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

const std::string kScan =
    "chlo.scan(%x) inits(%i) dimension=0 {\n"
    "  ^bb0(%a: tensor<8xf32>, %c: tensor<8xf32>):\n"
    "    %s = stablehlo.add %a, %c : tensor<8xf32>\n"
    "    %t = stablehlo.multiply %a, %c : tensor<8xf32>\n"
    "    stablehlo.return %s, %t, %s : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>\n"
    "  } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>)\n";
const std::string kResults = "tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>";

/// The validation of `device`, which has x tiled along dimension 1, against the scan of the whole.
Validation validated(const std::string& device) {
  const std::string whole = " {mhlo.frontend_attributes = {partir.sharding = \"[{}, {}]\"}}";
  const std::string line = " {mhlo.frontend_attributes = {partir.sharding = \"[{}]\"}}";
  const std::string source = "func.func @main(%x: tensor<4x8xf32>, %i: tensor<8xf32>) -> (" + kResults +
                             ") {\n  %r:3 = " + kScan + "  return %r#0, %r#1, %r#2 : " + kResults + "\n}";
  const std::string partitioned =
      "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=2\"}, mhlo.num_partitions = 2 : i32, "
      "mhlo.num_replicas = 1 : i32} {\nfunc.func @main(%own: tensor<4x4xf32> {mhlo.frontend_attributes = "
      "{partir.sharding = \"[{}, {a}]\"}}, %i: tensor<8xf32>" +
      line + ") -> (tensor<4x8xf32>" + whole + ", tensor<4x8xf32>" + whole + ", tensor<8xf32>" + line + ") {\n" +
      "  %x = \"stablehlo.all_gather\"(%own) <{all_gather_dim = 1 : i64, channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
      "use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>\n  %r:3 = " +
      device + "  return %r#0, %r#1, %r#2 : " + kResults + "\n}}";
  return value_or_throw(validate_partition(value_or_throw(read_module(source, "source.mlir")),
                                           value_or_throw(read_module(partitioned, "spmd.mlir")), {"a", "b", "c"},
                                           Options()));
}

TEST(Scans, OfGatheredValuesAreProved) { EXPECT_EQ(validated(kScan).verdict, Verdict::proved); }

TEST(Scans, ByAnotherComputationAreNotProved) {
  std::string other = kScan;
  other.replace(other.find("multiply"), 8, "subtract");
  EXPECT_NE(validated(other).verdict, Verdict::proved);
}

}  // namespace
}  // namespace partir::validate
