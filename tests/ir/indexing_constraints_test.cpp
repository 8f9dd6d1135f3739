// The constraints of gather, scatter and the collectives, one broken at a time: a well-formed operation with one field
// exchanged.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ir/text/read.h"

namespace partir {
namespace {

/// The fields of an operation by name; a change exchanges one value.
using Fields = std::vector<std::pair<std::string, std::string>>;

Fields changed(Fields fields, const Fields& changes) {
  for (const auto& [name, value] : changes) {
    bool known = false;
    for (auto& field : fields) {
      if (field.first == name) {
        field.second = value;
        known = true;
      }
    }
    EXPECT_TRUE(known) << name;
  }
  return fields;
}

std::string filled(std::string text, const Fields& fields) {
  for (const auto& [name, value] : fields) {
    const std::string key = "$" + name + "$";
    for (auto at = text.find(key); at != std::string::npos; at = text.find(key)) text.replace(at, key.size(), value);
  }
  return text;
}

struct Change {
  const char* code;
  Fields changes;
};

void expect_verdicts(const std::string& form, const Fields& fields, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const std::string text = filled(form, changed(fields, change.changes));
    const auto read = read_module(text, "constraint.mlir");
    EXPECT_EQ(read ? "" : read.error().code, change.code) << text << (read ? "" : read.error().text());
    if (!read) {
      EXPECT_EQ(read.error().place.line, 2U) << text;
    }
  }
}

TEST(Constraints, Gather) {
  const std::string form = R"(func.func @main(%x: $x$, %s: $s$) {
  %0 = "stablehlo.gather"($operands$) <{dimension_numbers = #stablehlo.gather<offset_dims = $offset$, collapsed_slice_dims = $collapsed$, operand_batching_dims = $ob$, start_indices_batching_dims = $sb$, start_index_map = $map$, index_vector_dim = $vector$>, slice_sizes = array<i64: $sizes$>}> : ($types$) -> $out$
  return
})";
  const Fields good = {{"operands", "%x, %s"},
                       {"types", "$x$, $s$"},
                       {"x", "tensor<2x10x4xf32>"},
                       {"s", "tensor<2x3x1xi32>"},
                       {"offset", "[2]"},
                       {"collapsed", "[1]"},
                       {"ob", "[0]"},
                       {"sb", "[0]"},
                       {"map", "[1]"},
                       {"vector", "2"},
                       {"sizes", "1, 1, 4"},
                       {"out", "tensor<2x3x4xf32>"}};
  expect_verdicts(form, good,
                  {
                      {"", {}},
                      {"gather (arity)", {{"operands", "%x"}, {"types", "$x$"}}},
                      {"gather (I2)", {{"s", "tensor<2x3x1xf32>"}}},
                      {"gather (C1)", {{"offset", "[2, 3]"}}},
                      {"gather (C2)", {{"vector", "4"}}},
                      {"gather (C2)", {{"vector", "-1"}}},
                      {"gather (C3)", {{"map", "[1, 2]"}}},
                      {"gather (C4)", {{"offset", "[2, 2]"}, {"collapsed", "[]"}}},
                      {"gather (C4)", {{"offset", "[2, 1]"}, {"collapsed", "[]"}}},
                      {"gather (C5)", {{"offset", "[3]"}}},
                      {"gather (C6)", {{"collapsed", "[0]"}}},
                      {"gather (C7)", {{"offset", "[]"}, {"collapsed", "[2, 1]"}}},
                      {"gather (C8)", {{"collapsed", "[3]"}}},
                      {"gather (C9)", {{"sizes", "1, 2, 4"}}},
                      {"gather (C10)", {{"offset", "[]"}, {"ob", "[2, 0]"}}},
                      {"gather (C11)", {{"ob", "[-1]"}}},
                      {"gather (C12)", {{"sizes", "2, 1, 4"}}},
                      {"gather (C13)", {{"sb", "[0, 0]"}}},
                      {"gather (C14)", {{"sb", "[3]"}}},
                      {"gather (C15)", {{"sb", "[2]"}}},
                      {"gather (C16)", {{"sb", "[]"}}},
                      {"gather (C17)", {{"sb", "[1]"}}},
                      {"gather (C18)", {{"map", "[0]"}}},
                      {"gather (C19)", {{"map", "[3]"}}},
                      {"gather (C20)", {{"sizes", "1, 1"}}},
                      {"gather (C21)", {{"sizes", "1, 1, 5"}}},
                      {"gather (C21)", {{"sizes", "1, -1, 4"}}},
                      {"gather (C22)", {{"out", "tensor<2x3x5xf32>"}}},
                      {"gather (C22)", {{"out", "tensor<2x9x4xf32>"}}},
                      {"gather (C22)", {{"out", "tensor<2x3x4x1xf32>"}}},
                      {"gather (C23)", {{"out", "tensor<2x3x4xf64>"}}},
                  });
}

TEST(Constraints, Scatter) {
  const std::string form = R"(func.func @main(%x: $x$, %s: $s$, %u: $u$) {
  %0 = "stablehlo.scatter"($operands$) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = $window$, inserted_window_dims = $inserted$, input_batching_dims = $xb$, scatter_indices_batching_dims = $sb$, scatter_dims_to_operand_dims = $map$, index_vector_dim = $vector$>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : ($types$) -> $out$
  return
})";
  const Fields good = {{"operands", "%x, %s, %u"},
                       {"types", "$x$, $s$, $u$"},
                       {"x", "tensor<2x10x4xf32>"},
                       {"s", "tensor<2x3x1xi32>"},
                       {"u", "tensor<2x3x4xf32>"},
                       {"window", "[2]"},
                       {"inserted", "[1]"},
                       {"xb", "[0]"},
                       {"sb", "[0]"},
                       {"map", "[1]"},
                       {"vector", "2"},
                       {"out", "tensor<2x10x4xf32>"}};
  expect_verdicts(form, good,
                  {
                      {"", {}},
                      {"scatter (I2)", {{"s", "tensor<2x3x1xf32>"}}},
                      {"scatter (C2)", {{"inserted", "[]"}}},
                      {"scatter (C4)", {{"u", "tensor<2x5x4xf32>"}}},
                      {"scatter (C4)", {{"u", "tensor<2x3x5xf32>"}}},
                      {"scatter (C4)", {{"u", "tensor<2x3x4x1xf32>"}}},
                      {"scatter (C5)", {{"operands", "%x, %s"}, {"types", "$x$, $s$"}}},
                      {"scatter (C6)", {{"u", "tensor<2x3x4xf16>"}}},
                      {"scatter (C7)", {{"window", "[2, 1]"}, {"inserted", "[]"}}},
                      {"scatter (C7)", {{"window", "[2, 2]"}, {"inserted", "[]"}}},
                      {"scatter (C8)", {{"window", "[3]"}}},
                      {"scatter (C9)", {{"inserted", "[0]"}}},
                      {"scatter (C10)", {{"window", "[]"}, {"inserted", "[2, 1]"}}},
                      {"scatter (C11)", {{"inserted", "[3]"}}},
                      {"scatter (C12)", {{"window", "[]"}, {"xb", "[2, 0]"}}},
                      {"scatter (C13)", {{"xb", "[5]"}}},
                      {"scatter (C14)", {{"sb", "[0, 0]"}}},
                      {"scatter (C15)", {{"sb", "[3]"}}},
                      {"scatter (C16)", {{"sb", "[2]"}}},
                      {"scatter (C17)", {{"sb", "[]"}}},
                      {"scatter (C18)", {{"sb", "[1]"}}},
                      {"scatter (C19)", {{"map", "[1, 2]"}}},
                      {"scatter (C20)", {{"map", "[0]"}}},
                      {"scatter (C21)", {{"map", "[3]"}}},
                      {"scatter (C22)", {{"vector", "4"}}},
                      {"scatter (C24)", {{"out", "tensor<2x10x5xf32>"}}},
                      {"scatter (C25)", {{"out", "tensor<2x10x4xf64>"}}},
                  });
}

const char* const kBody = R"( ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }))";

std::string collective(const std::string& name) {
  return "func.func @main(%x: tensor<4x6xf32>) {\n  $name$ = \"stablehlo." + name +
         "\"(%x) <{$own$replica_groups = $groups$}>$body$ : (tensor<4x6xf32>) -> $out$\n  return\n}";
}

TEST(Constraints, AllReduceAndReduceScatter) {
  const std::string groups = "dense<[[0, 1]]> : tensor<1x2xi64>";
  expect_verdicts(
      collective("all_reduce"),
      {{"name", "%0"}, {"own", ""}, {"groups", groups}, {"body", kBody}, {"out", "tensor<4x6xf32>"}},
      {
          {"", {}},
          {"all_reduce (I2)", {{"groups", "dense<[0, 1]> : tensor<2xi64>"}}},
          {"all_reduce (I2)", {{"groups", "dense<[[0, 1]]> : tensor<1x2xi32>"}}},
          {"all_reduce (I2)", {{"groups", "\"all\""}}},
          {"all_reduce (C5)", {{"body", ""}}},
          {"all_reduce (C5)", {{"body", " ({ ^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> })"}}},
          {"all_reduce (C6)", {{"out", "tensor<6x4xf32>"}}},
          {"all_reduce (arity)", {{"out", "(tensor<4x6xf32>, tensor<4x6xf32>)"}, {"name", "%0:2"}}},
      });
  const Fields scatter = {{"name", "%0"},
                          {"own", "scatter_dimension = 1 : i64, "},
                          {"groups", groups},
                          {"body", kBody},
                          {"out", "tensor<4x3xf32>"}};
  expect_verdicts(collective("reduce_scatter"), scatter,
                  {
                      {"", {}},
                      {"reduce_scatter (attributes)", {{"own", ""}}},
                      {"reduce_scatter (C1)", {{"groups", "dense<0> : tensor<1x4xi64>"}}},
                      {"", {{"groups", "dense<> : tensor<1x0xi64>"}}},  // no groups: all devices
                      {"reduce_scatter (C8)", {{"groups", "dense<> : tensor<1x0xi64>"}, {"out", "tensor<4x5xf32>"}}},
                      {"reduce_scatter (C8)", {{"groups", "dense<> : tensor<1x0xi64>"}, {"out", "tensor<4x3x1xf32>"}}},
                      {"reduce_scatter (C2)", {{"own", "scatter_dimension = 2 : i64, "}}},
                      {"reduce_scatter (C2)", {{"own", "scatter_dimension = -1 : i64, "}}},
                      {"reduce_scatter (C7)", {{"body", ""}}},
                      {"reduce_scatter (C8)", {{"out", "tensor<2x6xf32>"}}},
                      {"reduce_scatter (C8)", {{"out", "tensor<4x3xf64>"}}},
                  });
}

TEST(Constraints, AllGatherAllToAllAndPermute) {
  const Fields gather = {{"name", "%0"},
                         {"own", "all_gather_dim = 0 : i64, "},
                         {"groups", "dense<[[0, 1]]> : tensor<1x2xi64>"},
                         {"body", ""},
                         {"out", "tensor<8x6xf32>"}};
  const std::string channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ";
  const std::string flattened = channel + "use_global_device_ids, ";
  const auto own_with = [](const std::string& more) { return "all_gather_dim = 0 : i64, " + more; };
  expect_verdicts(collective("all_gather"), gather,
                  {
                      {"", {}},
                      {"all_gather (attributes)", {{"own", ""}}},
                      {"all_gather (C1)", {{"own", "all_gather_dim = 2 : i64, "}}},
                      {"all_gather (C1)", {{"own", "all_gather_dim = -1 : i64, "}}},
                      {"all_gather (C6)", {{"out", "tensor<4x12xf32>"}}},
                      {"all_gather (C6)", {{"out", "tensor<8xf32>"}}},
                      {"all_gather (C6)", {{"out", "tensor<8x6xi32>"}}},
                      {"all_gather (C6)", {{"out", "tensor<16x6xf32>"}}},
                      {"", {{"own", own_with(channel)}, {"out", "tensor<16x6xf32>"}}},  // with two partitions each
                      {"all_gather (C6)", {{"own", own_with(channel)}, {"out", "tensor<12x6xf32>"}}},
                      {"all_gather (C6)", {{"own", own_with(flattened)}, {"out", "tensor<16x6xf32>"}}},
                      {"", {{"groups", "dense<> : tensor<0x0xi64>"}, {"out", "tensor<12x6xf32>"}}},
                      {"all_gather (C6)", {{"groups", "dense<0> : tensor<1x500000000000000000xi64>"}}},
                  });
  const auto own = [](const std::string& concat, const std::string& count, const std::string& split) {
    return "concat_dimension = " + concat + " : i64, split_count = " + count + " : i64, split_dimension = " + split +
           " : i64, ";
  };
  const Fields exchange = {{"name", "%0"},
                           {"own", own("1", "2", "0")},
                           {"groups", "dense<[[0, 1]]> : tensor<1x2xi64>"},
                           {"body", ""},
                           {"out", "tensor<2x12xf32>"}};
  expect_verdicts(collective("all_to_all"), exchange,
                  {
                      {"", {}},
                      {"all_to_all (attributes)", {{"own", ""}}},
                      {"all_to_all (C1)", {{"own", own("1", "2", "2")}}},
                      {"all_to_all (C2)", {{"own", own("1", "3", "0")}}},
                      {"all_to_all (C2)", {{"own", own("1", "0", "0")}}},
                      {"all_to_all (C3)", {{"own", own("2", "2", "0")}}},
                      {"all_to_all (C9)", {{"out", "tensor<4x6xf32>"}}},
                      {"all_to_all (C9)", {{"out", "tensor<2x12xi32>"}}},
                  });
  const Fields broadcast = {{"name", "%0"},
                            {"own", ""},
                            {"groups", "dense<[[0, 1]]> : tensor<1x2xi64>"},
                            {"body", ""},
                            {"out", "tensor<4x6xf32>"}};
  expect_verdicts(collective("collective_broadcast"), broadcast,
                  {{"", {}}, {"collective_broadcast (C3)", {{"out", "tensor<4x3xf32>"}}}});
  const std::string permute = R"(func.func @main(%x: tensor<4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = $pairs$}> : (tensor<4xf32>) -> $out$
  return
})";
  expect_verdicts(permute, {{"pairs", "dense<[[0, 1]]> : tensor<1x2xi64>"}, {"out", "tensor<4xf32>"}},
                  {
                      {"", {}},
                      {"collective_permute (C1)", {{"pairs", "dense<[[0, 1, 2]]> : tensor<1x3xi64>"}}},
                      {"collective_permute (C1)", {{"pairs", "unit"}}},
                      {"collective_permute (C5)", {{"out", "tensor<5xf32>"}}},
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
      });
}

}  // namespace
}  // namespace partir
