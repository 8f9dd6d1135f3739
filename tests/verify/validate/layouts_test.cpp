// Shardings as partitioners write them (HLO, Shardy, mesh axes): which chunk each device holds.
#include "verify/validate/layouts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"

namespace partir::validate {
namespace {

using Chunks = std::vector<std::int64_t>;

Mesh devices(std::int64_t count) { return Mesh({{"d", count}}); }

std::string placed(const std::string& text, std::size_t rank, const Mesh& mesh) {
  return value_or_throw(mhlo_layout(text, rank, mesh, nullptr))->str(mesh);
}

TEST(HloShardings, ListDevicesTileByTile) {
  EXPECT_EQ(placed("{devices=[2,1,2]0,2,1,3 last_tile_dim_replicate}", 2, devices(4)), "[{d:(2)2}, {}]");
  EXPECT_EQ(placed("{devices=[2,1,2]0,3,1,2 last_tile_dim_replicate}", 2, devices(4)), "[{[0 1 1 0]}, {}]");
}

TEST(HloShardings, AreIotasReshapedAndTransposed) {
  const Mesh mesh({{"x", 4}, {"y", 2}});
  EXPECT_EQ(placed("{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}", 1, mesh), "[{y}]");
  EXPECT_EQ(placed("{devices=[2,4]<=[8] last_tile_dim_replicate}", 1, mesh), "[{x:(1)2}]");
  EXPECT_EQ(placed("{devices=[8]<=[8]}", 1, mesh), "[{x, y}]");
  EXPECT_EQ(placed("{devices=[8]<=[4,2]T(1,0)}", 1, mesh), "[{y, x}]");
  EXPECT_EQ(placed("{devices=[8]<=[8]}", 1, devices(8)), "[{d}]");
}

TEST(HloShardings, MayBeReplicatedMaximalOrManual) {
  EXPECT_EQ(placed("{replicated}", 2, devices(4)), "[{}, {}]");
  EXPECT_EQ(placed("{maximal device=2}", 1, devices(4)), "[{}] on 2");
  EXPECT_FALSE(value_or_throw(mhlo_layout("{manual}", 1, devices(4), nullptr)));
  EXPECT_FALSE(value_or_throw(mhlo_layout("{devices=[2,2]<=[4] last_tile_dims={manual}}", 1, devices(4), nullptr)));
  EXPECT_EQ(placed("{devices=[2,2]<=[4] last_tile_dims={replicated}}", 1, devices(4)), "[{d:(1)2}]");
}

TEST(HloShardings, WithAnotherNumberOfDevicesAreErrors) {
  EXPECT_FALSE(mhlo_layout("{devices=[2,2]<=[4]}", 2, devices(8), nullptr));
  EXPECT_FALSE(mhlo_layout("{devices=[2]0,0}", 1, devices(2), nullptr));
  EXPECT_FALSE(mhlo_layout("{devices=[2,2]<=[4]}", 1, devices(4), nullptr));
}

NamedMesh named(std::vector<Mesh::AxisInfo> axes, std::vector<std::int64_t> device_ids = {}) {
  return {"mesh", Mesh(std::move(axes)), std::move(device_ids)};
}

TEST(ShardyShardings, NameAxesAndTheirParts) {
  const Mesh on = devices(8);
  const auto p =
      value_or_throw(sdy_layout(R"(#sdy.sharding<@mesh, [{"x":(1)2}, {"y", ?}p1, {}], replicated={"x":(2)2}>)",
                                {named({{"x", 4}, {"y", 2}})}, 3, on));
  EXPECT_EQ(p.str(on), "[{d:(1)2}, {d:(4)2}, {}]");
  EXPECT_EQ(p.chunks(0, on), (Chunks{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(p.chunks(1, on), (Chunks{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(ShardyShardings, FollowTheMeshsDeviceIds) {
  const auto p =
      value_or_throw(sdy_layout(R"(#sdy.sharding<@mesh, [{"x"}]>)", {named({{"x", 2}}, {1, 0})}, 1, devices(2)));
  EXPECT_EQ(p.str(devices(2)), "[{[1 0]}]");
}

TEST(ShardyShardings, WithDeviceIdsThatAreNoneAreErrors) {
  for (const auto& ids : {Chunks{1, 1}, Chunks{0}, Chunks{0, 2}, Chunks{0, -1}}) {
    EXPECT_FALSE(sdy_layout(R"(#sdy.sharding<@mesh, [{"x"}]>)", {named({{"x", 2}}, ids)}, 1, devices(2)));
  }
}

TEST(ShardyShardings, OfAMeshThatIsNotThereAreErrors) {
  EXPECT_FALSE(sdy_layout(R"(#sdy.sharding<@other, [{"x"}]>)", {named({{"x", 2}})}, 1, devices(2)));
  EXPECT_FALSE(sdy_layout(R"(#sdy.sharding<@mesh, [{"z"}]>)", {named({{"x", 2}})}, 1, devices(2)));
}

Module with_groups(const std::string& groups) {
  return value_or_throw(read_module(R"(module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = )" +
                                        groups +
                                        R"(, use_global_device_ids}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %1 = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})",
                                    "groups.mlir"));
}

TEST(ReplicaGroups, AsMeshAxesAreWrittenOut) {
  const auto listed = [](const std::string& axes) {
    const Module m = value_or_throw(
        with_listed_groups(with_groups("#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [" + axes + "]>")));
    const Attribute* groups = find(m.functions[0].body.ops[0].attributes, "replica_groups");
    return groups->as<DenseAttr>()->literal->str();
  };
  EXPECT_EQ(listed(R"(#stablehlo.axis_ref<name = "x">)"), "dense<[[0, 4], [1, 5], [2, 6], [3, 7]]>");
  EXPECT_EQ(listed(R"(#stablehlo.axis_ref<name = "y">)"), "dense<[[0, 1, 2, 3], [4, 5, 6, 7]]>");
  EXPECT_EQ(listed(R"(#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>)"),
            "dense<[[0, 2], [1, 3], [4, 6], [5, 7]]>");
  EXPECT_EQ(listed(R"(#stablehlo.axis_ref<name = "y">, #stablehlo.axis_ref<name = "x">)"),
            "dense<[[0, 4, 1, 5, 2, 6, 3, 7]]>");
}

TEST(ReplicaGroups, OfAMeshThatIsNotThereAreErrors) {
  EXPECT_FALSE(with_listed_groups(
      with_groups(R"(#stablehlo.replica_group_mesh_axes<mesh = @other, axes = [#stablehlo.axis_ref<name = "x">]>)")));
}

TEST(Layouts, ThatAreNotStatedAreNamed) {
  const auto module = [](const std::string& sharding) {
    return value_or_throw(
        read_module("func.func @main(%x: tensor<4xf32> {mhlo.sharding = \"" + sharding +
                        "\"}, %y: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n",
                    "test.mlir"));
  };
  for (const std::string sharding : {"{manual}", "{unknown}"}) {
    const Layouts found = value_or_throw(layouts_of(module(sharding), module(sharding), std::nullopt, devices(2)));
    EXPECT_TRUE(found.arguments.at(0).is_replicated());
    EXPECT_EQ(found.taken_as_replicated, std::vector<std::string>{"argument 0 (" + sharding + ")"});
  }
  EXPECT_TRUE(value_or_throw(layouts_of(module("{replicated}"), module("{replicated}"), std::nullopt, devices(2)))
                  .taken_as_replicated.empty());
}

TEST(Layouts, OfAModuleForAnotherNumberOfDevicesAreErrors) {
  const auto module_for = [](const char* attributes) {
    return value_or_throw(
        read_module(fmt::format("module attributes {{mhlo.frontend_attributes = {{partir.mesh = "
                                "\"a=4\"}}{}}} {{ func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> "
                                "{{ return %x : tensor<4xf32> }} }}",
                                attributes),
                    "module"));
  };
  const auto source = module_for("");
  const auto layouts = [&](const char* attributes) {
    return layouts_of(source, module_for(attributes), std::nullopt, std::nullopt);
  };
  EXPECT_TRUE(layouts(""));  // no number is declared
  EXPECT_TRUE(layouts(", mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32"));
  for (const char* count : {"1", "2", "8", "0", "-4"})
    EXPECT_FALSE(layouts(fmt::format(", mhlo.num_partitions = {} : i32", count).c_str())) << count;
  EXPECT_FALSE(layouts(", mhlo.num_replicas = 0 : i32"));
}

TEST(Layouts, OfAFileMustFitBothPrograms) {
  const auto source = value_or_throw(
      read_module("module { func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> } }", "s"));
  const auto local = value_or_throw(
      read_module("module { func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> } }", "p"));
  EXPECT_TRUE(
      layouts_of(source, local, R"({"mesh": "x=4", "arguments": ["[{x}]"], "results": ["[{x}]"]})", std::nullopt));
  EXPECT_FALSE(
      layouts_of(source, local, R"({"mesh": "x=4", "arguments": ["[{}]"], "results": ["[{x}]"]})", std::nullopt));
  EXPECT_FALSE(layouts_of(source, local, R"({"mesh": "x=4", "arguments": ["[{x}]"]})", std::nullopt));
  EXPECT_FALSE(layouts_of(source, local, std::nullopt, std::nullopt));
}

}  // namespace
}  // namespace partir::validate
