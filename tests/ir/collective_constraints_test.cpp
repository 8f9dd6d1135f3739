// The constraints of the collectives. Each row takes a well-formed operation and changes some of its fields so that one
// constraint is broken.
//
// The number of processes is not part of the program. Of the constraint that the groups cover all processes (all_reduce
// C2 and the like), only two parts can therefore be tested: an id that occurs twice (C1), and an id that is not less
// than the number of ids (C3).
#include "constraint_rows.h"

namespace partir::testing {
namespace {

const char* const kBody = R"( ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }))";
const char* const kWideBody = R"( ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %a : tensor<f64>
  }))";
const char* const kNarrowBody = R"( ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    stablehlo.return %a : tensor<f16>
  }))";
const char* const kGlobal = ", use_global_device_ids";
const char* const kChannel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
const char* const kMeshAxes =
    "#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]>";

std::string groups_of(const std::string& ids, const std::string& shape) {
  return "dense<" + ids + "> : tensor<" + shape + "xi64>";
}

std::string collective(const std::string& name) {
  return "func.func @main(%x: tensor<4x6xf32>, %y: tensor<6xf32>, %r: tensor<1xi32>, %h: tensor<1xf32>) {\n  $name$ = "
         "\"stablehlo." +
         name +
         "\"($operands$) <{$own$replica_groups = $groups$$channel$}>$body$ : ($types$) -> $out$\n"
         "  return\n}";
}

Fields fields(const std::string& own, const std::string& body, const std::string& out) {
  return {{"name", "%0"}, {"operands", "%x"}, {"types", "tensor<4x6xf32>"},
          {"own", own},   {"channel", ""},    {"groups", groups_of("[[0, 1]]", "1x2")},
          {"body", body}, {"out", out}};
}

TEST(Constraints, AllReduce) {
  const auto global = std::string(kGlobal);
  expect_verdicts(
      collective("all_reduce"), fields("", kBody, "tensor<4x6xf32>"),
      {
          {"", {}},
          {"", {{"groups", groups_of("[[0, 2, 1], [3, -1, -1]]", "2x3")}}},  // groups of different sizes
          {"", {{"groups", groups_of("", "0x0")}}},                          // no groups: one group of all processes
          {"", {{"groups", kMeshAxes}}},
          {"", {{"body", kWideBody}, {"out", "tensor<4x6xf64>"}}},
          {"", {{"channel", ", use_global_device_ids = false"}}},
          {"", {{"channel", global + kChannel}}},
          {"", {{"channel", global + ", channel_handle = #stablehlo.channel_handle<type=1, handle=3>"}}},
          {"all_reduce (arity)", {{"name", "%0:2"}, {"out", "(tensor<4x6xf32>, tensor<4x6xf32>)"}}},
          {"all_reduce (I2)", {{"groups", "dense<[0, 1]> : tensor<2xi64>"}}},
          {"all_reduce (I2)", {{"groups", "dense<[[0, 1]]> : tensor<1x2xi32>"}}},
          {"all_reduce (I2)", {{"groups", "\"all\""}}},
          {"all_reduce (I2)", {{"groups", "#stablehlo.other<>"}}},
          {"all_reduce (C1)", {{"groups", groups_of("[[0, 1, 1]]", "1x3")}}},
          {"all_reduce (C1)", {{"groups", groups_of("[[0], [0]]", "2x1")}}},
          {"all_reduce (C1)", {{"groups", groups_of("0", "1x500000000000000000")}}},
          {"all_reduce (C3)", {{"groups", groups_of("[[0, 2]]", "1x2")}}},
          {"all_reduce (C3)", {{"groups", groups_of("[[0, -2]]", "1x2")}}},
          {"all_reduce (C4)", {{"channel", global}}},
          {"all_reduce (C4)",
           {{"channel", global + ", channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>"}}},
          {"all_reduce (C4)", {{"channel", global + " = true, channel_handle = 1 : i64"}}},
          {"all_reduce (C5)", {{"body", ""}}},
          {"all_reduce (C5)", {{"body", " ({ ^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> })"}}},
          {"all_reduce (C5)", {{"body", kNarrowBody}}},
          {"all_reduce (C6)", {{"out", "tensor<6x4xf32>"}}},
          {"all_reduce (C7)", {{"out", "tensor<4x6xf64>"}}},
          {"all_reduce (C7)", {{"body", kWideBody}}},
      });
}

TEST(Constraints, ReduceScatter) {
  const std::string all = groups_of("", "1x0");
  expect_verdicts(
      collective("reduce_scatter"), fields("scatter_dimension = 1 : i64, ", kBody, "tensor<4x3xf32>"),
      {
          {"", {}},
          {"", {{"groups", all}}},
          {"", {{"groups", kMeshAxes}}},
          {"", {{"channel", kChannel}, {"groups", groups_of("0", "1x1")}}},  // one replica and its partitions
          {"", {{"body", kWideBody}, {"out", "tensor<4x3xf64>"}}},
          {"reduce_scatter (attributes)", {{"own", ""}}},
          {"reduce_scatter (arity)", {{"operands", "%x, %x"}, {"types", "tensor<4x6xf32>, tensor<4x6xf32>"}}},
          {"reduce_scatter (C1)", {{"groups", groups_of("[[0, 1, 2, 3]]", "1x4")}}},
          {"reduce_scatter (C2)", {{"own", "scatter_dimension = 2 : i64, "}}},
          {"reduce_scatter (C2)", {{"own", "scatter_dimension = -1 : i64, "}}},
          {"reduce_scatter (I3)", {{"groups", "dense<0> : tensor<i64>"}}},
          {"reduce_scatter (C3)", {{"groups", groups_of("[[1, 1]]", "1x2")}}},
          {"reduce_scatter (C5)", {{"groups", groups_of("[[1, 2]]", "1x2")}}},
          {"reduce_scatter (C5)", {{"groups", groups_of("[[0, -1]]", "1x2")}}},
          {"reduce_scatter (C6)", {{"channel", kGlobal}}},
          {"reduce_scatter (C7)", {{"body", ""}}},
          {"reduce_scatter (C7)", {{"body", kNarrowBody}}},
          {"reduce_scatter (C8)", {{"out", "tensor<2x6xf32>"}}},
          {"reduce_scatter (C8)", {{"out", "tensor<4x2xf32>"}}},
          {"reduce_scatter (C8)", {{"groups", all}, {"out", "tensor<4x5xf32>"}}},
          {"reduce_scatter (C8)", {{"groups", all}, {"out", "tensor<4x3x1xf32>"}}},
          {"reduce_scatter (C8)", {{"channel", kChannel}, {"out", "tensor<4x6xf32>"}}},
          {"reduce_scatter (C9)", {{"out", "tensor<4x3xf64>"}}},
      });
}

TEST(Constraints, AllGather) {
  expect_verdicts(collective("all_gather"), fields("all_gather_dim = 0 : i64, ", "", "tensor<8x6xf32>"),
                  {
                      {"", {}},
                      {"", {{"groups", groups_of("", "0x0")}, {"out", "tensor<12x6xf32>"}}},
                      {"", {{"groups", kMeshAxes}}},
                      {"", {{"channel", kChannel}, {"out", "tensor<16x6xf32>"}}},  // implies two partitions
                      {"all_gather (attributes)", {{"own", ""}}},
                      {"all_gather (arity)", {{"operands", ""}, {"types", ""}}},
                      {"all_gather (C1)", {{"own", "all_gather_dim = 2 : i64, "}}},
                      {"all_gather (C1)", {{"own", "all_gather_dim = -1 : i64, "}}},
                      {"all_gather (C1)",
                       {{"own", "all_gather_dim = 1 : i64, "},
                        {"name", "%0:2"},
                        {"operands", "%x, %y"},
                        {"types", "tensor<4x6xf32>, tensor<6xf32>"},
                        {"out", "(tensor<4x12xf32>, tensor<12xf32>)"}}},
                      {"all_gather (I3)", {{"groups", "[[0, 1]]"}}},
                      {"all_gather (C2)", {{"groups", groups_of("[[0, 0]]", "1x2")}}},
                      {"all_gather (C4)", {{"groups", groups_of("[[0, 3]]", "1x2")}}},
                      {"all_gather (C4)", {{"groups", groups_of("[[0, -1]]", "1x2")}}},
                      {"all_gather (C5)", {{"channel", kGlobal}}},
                      {"all_gather (C6)", {{"out", "tensor<4x12xf32>"}}},
                      {"all_gather (C6)", {{"out", "tensor<8xf32>"}}},
                      {"all_gather (C6)", {{"out", "tensor<8x6xf64>"}}},
                      {"all_gather (C6)", {{"out", "tensor<12x6xf32>"}}},
                      {"all_gather (C6)", {{"groups", kMeshAxes}, {"out", "tensor<9x6xf32>"}}},
                      {"all_gather (C6)", {{"channel", kChannel}, {"out", "tensor<12x6xf32>"}}},
                  });
}

TEST(Constraints, AllToAll) {
  const auto own = [](const std::string& concat, const std::string& count, const std::string& split) {
    return "concat_dimension = " + concat + " : i64, split_count = " + count + " : i64, split_dimension = " + split +
           " : i64, ";
  };
  expect_verdicts(collective("all_to_all"), fields(own("1", "2", "0"), "", "tensor<2x12xf32>"),
                  {
                      {"", {}},
                      {"", {{"own", own("0", "2", "0")}, {"out", "tensor<4x6xf32>"}}},
                      {"", {{"groups", kMeshAxes}}},
                      {"all_to_all (attributes)", {{"own", ""}}},
                      {"all_to_all (arity)", {{"name", "%0:2"}, {"out", "(tensor<2x12xf32>, tensor<2x12xf32>)"}}},
                      {"all_to_all (C1)", {{"own", own("1", "2", "2")}}},
                      {"all_to_all (C1)", {{"own", own("1", "2", "-1")}}},
                      {"all_to_all (C2)", {{"own", own("1", "3", "0")}}},
                      {"all_to_all (C3)", {{"own", own("2", "2", "0")}}},
                      {"all_to_all (C3)", {{"own", own("-1", "2", "0")}}},
                      {"all_to_all (C4)", {{"own", own("1", "0", "0")}}},
                      {"all_to_all (C4)", {{"own", own("1", "-2", "0")}}},
                      {"all_to_all (I5)", {{"groups", "unit"}}},
                      {"all_to_all (C5)", {{"groups", groups_of("[[1, 1]]", "1x2")}}},
                      {"all_to_all (C7)", {{"groups", groups_of("[[1, 2]]", "1x2")}}},
                      {"all_to_all (C8)", {{"groups", groups_of("[[0], [1]]", "2x1")}}},
                      {"all_to_all (C8)", {{"groups", groups_of("", "0x0")}}},
                      {"all_to_all (C9)", {{"out", "tensor<4x6xf32>"}}},
                      {"all_to_all (C9)", {{"out", "tensor<2x12xf64>"}}},
                      {"all_to_all (C9)", {{"own", own("0", "2", "0")}, {"out", "tensor<2x12xf32>"}}},
                  });
}

TEST(Constraints, CollectivePermute) {
  const std::string form = R"(func.func @main(%x: tensor<4xf32>) {
  %0 = "stablehlo.collective_permute"($operands$) <{source_target_pairs = $pairs$}> : ($types$) -> $out$
  return
})";
  const auto pairs = [](const std::string& ids, const std::string& shape) { return groups_of(ids, shape); };
  expect_verdicts(
      form,
      {{"operands", "%x"},
       {"types", "tensor<4xf32>"},
       {"pairs", pairs("[[0, 1], [1, 2], [7, 0]]", "3x2")},
       {"out", "tensor<4xf32>"}},
      {
          {"", {}},
          {"", {{"pairs", pairs("", "0x2")}}},
          {"", {{"pairs", pairs("5", "1x2")}}},
          {"collective_permute (arity)", {{"operands", "%x, %x"}, {"types", "tensor<4xf32>, tensor<4xf32>"}}},
          {"collective_permute (I2)", {{"pairs", "unit"}}},
          {"collective_permute (I2)", {{"pairs", "dense<[0, 1]> : tensor<2xi64>"}}},
          {"collective_permute (I2)", {{"pairs", "dense<[[0, 1]]> : tensor<1x2xi32>"}}},
          {"collective_permute (C1)", {{"pairs", pairs("[[0, 1, 2]]", "1x3")}}},
          {"collective_permute (C1)", {{"pairs", pairs("", "0x3")}}},
          {"collective_permute (C2)", {{"pairs", pairs("[[0, 1], [0, 2]]", "2x2")}}},
          {"collective_permute (C2)", {{"pairs", pairs("0", "200000000000000000x2")}}},
          {"collective_permute (C3)", {{"pairs", pairs("[[0, 1], [2, 1]]", "2x2")}}},
          {"collective_permute (C4)", {{"pairs", pairs("[[0, 1], [-1, 2]]", "2x2")}}},
          {"collective_permute (C4)", {{"pairs", pairs("[[0, -1]]", "1x2")}}},
          {"collective_permute (C5)", {{"out", "tensor<5xf32>"}}},
          {"collective_permute (C5)", {{"out", "tensor<4xf64>"}}},
      });
}

TEST(Constraints, CollectiveBroadcast) {
  const Fields rooted = {
      {"own", "has_dynamic_root, "}, {"operands", "%x, %r"}, {"types", "tensor<4x6xf32>, tensor<1xi32>"}};
  const auto with = [&](Fields more) {
    more.insert(more.begin(), rooted.begin(), rooted.end());
    return more;
  };
  expect_verdicts(
      collective("collective_broadcast"), fields("", "", "tensor<4x6xf32>"),
      {
          {"", {}},
          {"", {{"groups", groups_of("[[2, 1]]", "1x2")}}},  // some processes are in no group
          {"", {{"groups", kMeshAxes}}},
          {"", {{"own", "has_dynamic_root = false, "}}},
          {"", rooted},
          {"collective_broadcast (I2)", {{"groups", "dense<[0, 1]> : tensor<2xi64>"}}},
          {"collective_broadcast (C1)", {{"groups", groups_of("[[1, 1]]", "1x2")}}},
          {"collective_broadcast (C2)", {{"groups", groups_of("[[1, -2]]", "1x2")}}},
          {"collective_broadcast (C3)", {{"operands", ""}, {"types", ""}}},
          {"collective_broadcast (C3)", {{"out", "tensor<6x4xf32>"}}},
          {"collective_broadcast (C4)", {{"own", "has_dynamic_root, "}, {"operands", ""}, {"types", ""}}},
          {"collective_broadcast (C4)", {{"own", "has_dynamic_root = true, "}}},
          {"collective_broadcast (C4)", with({{"operands", "%x, %h"}, {"types", "tensor<4x6xf32>, tensor<1xf32>"}})},
          {"collective_broadcast (C4)", with({{"out", "tensor<4x6xf64>"}})},
          {"collective_broadcast (C5)", {{"name", "%0:2"}, {"out", "(tensor<4x6xf32>, tensor<4x6xf32>)"}}},
          {"collective_broadcast (C5)", with({{"name", "%0:2"}, {"out", "(tensor<4x6xf32>, tensor<1xi32>)"}})},
      });
}

TEST(Constraints, CollectiveReduce) {
  const Fields rooted = {
      {"own", "has_dynamic_root, "}, {"operands", "%x, %r"}, {"types", "tensor<4x6xf32>, tensor<1xi32>"}};
  const auto with = [&](Fields more) {
    more.insert(more.begin(), rooted.begin(), rooted.end());
    return more;
  };
  expect_verdicts(
      collective("collective_reduce"), fields("", kBody, "tensor<4x6xf32>"),
      {
          {"", {}},
          {"", {{"groups", groups_of("[[2, 1]]", "1x2")}}},  // some processes are in no group
          {"", {{"groups", kMeshAxes}}},
          {"", {{"body", kWideBody}, {"out", "tensor<4x6xf64>"}}},
          {"", rooted},
          {"collective_reduce (I2)", {{"groups", "dense<[0, 1]> : tensor<2xi64>"}}},
          {"collective_reduce (C1)", {{"groups", groups_of("[[1, 1]]", "1x2")}}},
          {"collective_reduce (C2)", {{"groups", groups_of("[[1, -2]]", "1x2")}}},
          {"collective_reduce (C3)", {{"operands", ""}, {"types", ""}}},
          {"collective_reduce (C3)", {{"out", "tensor<6x4xf32>"}}},
          {"collective_reduce (C3)", {{"name", "%0:2"}, {"out", "(tensor<4x6xf32>, tensor<4x6xf32>)"}}},
          {"collective_reduce (C3)", {{"own", "has_dynamic_root, "}}},
          {"collective_reduce (C3)", with({{"operands", "%x, %h"}, {"types", "tensor<4x6xf32>, tensor<1xf32>"}})},
          {"collective_reduce (C3)", with({{"operands", "%x, %y"}, {"types", "tensor<4x6xf32>, tensor<6xf32>"}})},
          {"collective_reduce (C4)", {{"body", ""}}},
          {"collective_reduce (C4)", {{"body", kNarrowBody}}},
          {"collective_reduce (C4)", {{"body", kWideBody}}},
          {"collective_reduce (C4)", {{"out", "tensor<4x6xf64>"}}},
      });
}

TEST(Constraints, DeviceIdsAndMeshCollectives) {
  const std::string form = "func.func @main(%x: tensor<4x6xf32>) {\n  %0 = $op$\n  return\n}";
  expect_verdicts(
      form, {{"op", "stablehlo.partition_id : tensor<ui32>"}},
      {
          {"", {}},
          {"partition_id (type)", {{"op", "stablehlo.partition_id : tensor<i32>"}}},
          {"replica_id (type)", {{"op", "stablehlo.replica_id : tensor<1xui32>"}}},
          {"", {{"op", "spmd.all_reduce %x {axes = [\"a\", \"b\"], monoid = \"sum\"} : tensor<4x6xf32>"}}},
          {"all_reduce (axes)", {{"op", "spmd.all_reduce %x {monoid = \"sum\"} : tensor<4x6xf32>"}}},
          {"all_reduce (axes)", {{"op", "spmd.all_reduce %x {axes = [], monoid = \"sum\"} : tensor<4x6xf32>"}}},
          {"all_reduce (axes)", {{"op", "spmd.all_reduce %x {axes = [1], monoid = \"sum\"} : tensor<4x6xf32>"}}},
          {"all_reduce (monoid)", {{"op", "spmd.all_reduce %x {axes = [\"a\"], monoid = \"mean\"} : tensor<4x6xf32>"}}},
          {"all_reduce (monoid)", {{"op", "spmd.all_reduce %x {axes = [\"a\"]} : tensor<4x6xf32>"}}},
          {"all_gather (arity)", {{"op", "spmd.all_gather {axes = [\"a\"], dim = 0 : i64} : tensor<4x6xf32>"}}},
          {"all_gather (dim)", {{"op", "spmd.all_gather %x {axes = [\"a\"], dim = 2 : i64} : tensor<4x6xf32>"}}},
          {"all_slice (dim)", {{"op", "spmd.all_slice %x {axes = [\"a\"]} : tensor<4x6xf32>"}}},
          {"reduce_scatter (dim)",
           {{"op", "spmd.reduce_scatter %x {axes = [\"a\"], dim = -1 : i64} : tensor<4x6xf32>"}}},
          {"all_to_all (from)", {{"op", "spmd.all_to_all %x {axes = [\"a\"], to = 0 : i64} : tensor<4x6xf32>"}}},
          {"all_to_all (to)",
           {{"op", "spmd.all_to_all %x {axes = [\"a\"], from = 0 : i64, to = 2 : i64} : tensor<4x6xf32>"}}},
          {"",
           {{"op",
             "spmd.collective_permute %x {axes = [\"a\"], source_target_pairs = dense<[[0, 1], [1, 0]]> : "
             "tensor<2x2xi64>} : tensor<4x6xf32>"}}},
          {"collective_permute (pairs)", {{"op", "spmd.collective_permute %x {axes = [\"a\"]} : tensor<4x6xf32>"}}},
          {"collective_permute (C2)",
           {{"op",
             "spmd.collective_permute %x {axes = [\"a\"], source_target_pairs = dense<[[0, 1], [0, 2]]> : "
             "tensor<2x2xi64>} : tensor<4x6xf32>"}}},
          {"all_gather (groups)",
           {{"op", "spmd.all_gather %x {axes = [\"a\"], dim = 0 : i64, replica_groups = 1 : i64} : tensor<4x6xf32>"}}},
          {"all_slice (stride)",
           {{"op", "spmd.all_slice %x {axes = [\"a\"], dim = 0 : i64, stride = 2 : i64} : tensor<4x6xf32>"}}},
      });
}

}  // namespace
}  // namespace partir::testing
