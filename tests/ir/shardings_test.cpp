// The text of Shardy's and GSPMD's shardings, and how the operations that carry them are read: as sharding constraints
// on global values.
#include <gtest/gtest.h>

#include "ir/op_decl.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/hlo.h"
#include "ir/sharding/shardy.h"
#include "ir/text/print.h"
#include "ir/text/read.h"

namespace partir {
namespace {

const std::vector<NamedMesh> kMeshes = {{"mesh", Mesh({{"x", 4}, {"y", 2}}), {}}};

TEST(ShardyShardingText, SaysAxesOpennessAndPriorities) {
  const auto s = value_or_throw(read_shardy_sharding(
      R"(#sdy.sharding<@mesh, [{"x":(1)2, "y"}, {?}p1, {"x":(2)2, ?}p2], replicated={"x":(2)2}, unreduced={"y"}>)",
      kMeshes));
  ASSERT_EQ(s.dims.size(), 3U);
  EXPECT_EQ(s.dims[0].axes.size(), 2U);
  EXPECT_EQ(s.dims[0].axes[0].size, 2);
  EXPECT_FALSE(s.dims[0].open);
  EXPECT_TRUE(s.dims[1].open);
  EXPECT_EQ(s.dims[1].priority, 1U);
  EXPECT_EQ(s.dims[2].priority, 2U);
  EXPECT_EQ(s.replicated.size(), 1U);
  EXPECT_EQ(s.unreduced.size(), 1U);
}

TEST(ShardyShardingText, StandsOncePerValue) {
  const auto all = value_or_throw(read_shardy_shardings(
      R"(#sdy.sharding_per_value<[<@mesh, [{"x"}]>, #sdy.sharding<mesh<["z"=2]>, [{"z"}, {?}]>]>)", kMeshes));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].dims[0].axes[0].axis, "x");
  EXPECT_EQ(all[1].mesh.mesh.devices(), 2);
}

TEST(ShardyShardingText, OfAnotherFormIsAnError) {
  for (const char* text :
       {"", "#sdy.sharding", "#sdy.sharding<", "#sdy.sharding<@mesh>", "#sdy.sharding<@mesh, [{\"x\"]>",
        "#sdy.sharding<@mesh, [{\"x\"}", "#sdy.sharding<@mesh, [{\"x\":(0)2}]>",
        "#sdy.sharding<@mesh, [{}], sharded={}>", "#sdy.sharding<@mesh, [{}p]>", "#sdy.sharding<@none, [{}]>"}) {
    EXPECT_FALSE(read_shardy_sharding(text, kMeshes)) << text;
    EXPECT_FALSE(read_shardy_shardings(text, kMeshes)) << text;
  }
}

TEST(HloShardingText, KeepsTilesDevicesAndSubgroups) {
  const auto s =
      value_or_throw(read_hlo_sharding("{devices=[2,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}"));
  EXPECT_EQ(s.devices, (std::vector<std::int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(s.rank(), 1U);
  EXPECT_EQ(s.subgroups[0], HloSharding::Subgroup::manual);
}

std::string flat(const std::string& body) {
  const std::string text = "func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n" + body + "\n}";
  return print_module(value_or_throw(inline_calls(value_or_throw(read_module(text, "test")))));
}

TEST(LayoutOperations, AreConstraintsOnGlobalValues) {
  for (const char* op :
       {R"(sdy.reshard %x <@mesh, [{"x"}, {}]>)", R"(sdy.all_gather [{"x"}, {}] %x out_sharding=<@mesh, [{"x"}, {}]>)",
        R"(sdy.all_slice [{"x"}, {}] %x out_sharding=<@mesh, [{"x"}, {}]>)",
        R"(sdy.all_to_all [{"x"}: 0->1, {"y"}: 1->0] %x out_sharding=<@mesh, [{"x"}, {}]>)",
        R"(sdy.collective_permute %x out_sharding=<@mesh, [{"x"}, {}]>)",
        R"(sdy.all_reduce {"x", "y"} %x out_sharding=<@mesh, [{"x"}, {}]>)",
        R"(sdy.reduce_scatter [{"x"}, {}] %x out_sharding=<@mesh, [{"x"}, {}]>)"}) {
    const std::string out = flat(std::string("  %0 = ") + op + " : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>");
    EXPECT_NE(out.find(R"("sdy.sharding_constraint"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}>)"),
              std::string::npos)
        << op << "\n"
        << out;
  }
}

TEST(LayoutOperations, OfGspmdKeepTheirSharding) {
  const std::string out = flat(
      R"(  %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>)");
  EXPECT_NE(out.find("mhlo.sharding = \"{devices=[2,1]<=[2]}\""), std::string::npos) << out;
  EXPECT_NE(out.find("unspecified_dims=[1]"), std::string::npos) << out;
}

TEST(LayoutOperations, BarriersGroupsAndConstants) {
  const std::string out = flat(R"(  %0 = sdy.propagation_barrier %x allowed_direction=FORWARD : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=3 : tensor<8x8xf32>
  %1 = sdy.constant dense<2.0> : tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>)");
  EXPECT_NE(out.find("allowed_direction = FORWARD"), std::string::npos) << out;
  EXPECT_NE(out.find("group_id = 3"), std::string::npos) << out;
  EXPECT_NE(out.find("stablehlo.constant dense<2.0"), std::string::npos) << out;
  EXPECT_EQ(out.find("sharding_group "), std::string::npos) << out;
}

TEST(LayoutOperations, ReadInTheirGenericForm) {
  const std::string out = flat(
      R"(  %0 = "sdy.all_gather"(%x) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>)");
  EXPECT_NE(out.find(R"(<{sharding = #sdy.sharding<@mesh, [{}, {}]>}>)"), std::string::npos) << out;
}

TEST(LayoutOperations, WithWrongTypesOrFormsAreErrors) {
  for (const char* op : {R"(sdy.reshard %x : tensor<8x8xf32>)", R"(sdy.all_gather %x : tensor<8x8xf32>)",
                         R"(sdy.propagation_barrier %x allowed_direction="no" : tensor<8x8xf32>)",
                         R"("sdy.reshard"(%x) : (tensor<8x8xf32>) -> tensor<4x8xf32>)"}) {
    const std::string text = std::string("func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  %0 = ") + op +
                             "\n  return %x : tensor<8x8xf32>\n}";
    EXPECT_FALSE(read_module(text, "test")) << op;
  }
}

TEST(Shardings, AreDroppedFromOperationsButNotFromWhatIsCarried) {
  Module m = value_or_throw(read_module(R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x {mhlo.sharding = "{replicated}", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4xf32>
  %1 = stablehlo.custom_call @callback(%0) {mhlo.sharding = "{maximal device=0}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
})",
                                        "test"));
  drop_shardings(m.functions[0].body);
  EXPECT_TRUE(m.functions[0].body.ops[0].attributes.empty());
  EXPECT_NE(find(m.functions[0].body.ops[1].attributes, "mhlo.sharding"), nullptr);
}

}  // namespace
}  // namespace partir
