// Mesh axes as digits of device ids (ir/sharding/digits.h), and the mesh that refines several meshes over the same
// devices.
#include "ir/sharding/digits.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

TEST(DeviceDigits, AreFoundInListsOfIds) {
  EXPECT_EQ(digits_of({0, 1, 2, 3}), (DeviceDigits{{1, 4}}));
  EXPECT_EQ(digits_of({0, 4, 1, 5}), (DeviceDigits{{1, 2}, {4, 2}}));
  EXPECT_EQ(digits_of({0, 4, 1, 5, 2, 6, 3, 7}), (DeviceDigits{{1, 4}, {4, 2}}));
  EXPECT_EQ(digits_of({0}), DeviceDigits{});
}

TEST(DeviceDigits, AreNotInListsOfAnotherOrder) {
  EXPECT_FALSE(digits_of({3, 2, 1, 0}));
  EXPECT_FALSE(digits_of({0, 3, 1, 2}));
  EXPECT_FALSE(digits_of({0, 0, 0, 0}));
  EXPECT_FALSE(digits_of(std::vector<std::int64_t>{}));
}

TEST(DeviceDigits, AreTakenMajorFirst) {
  DeviceDigits digits = {{4, 6}, {1, 4}};
  EXPECT_EQ(take_major(digits, 2), (DeviceDigits{{12, 2}}));
  EXPECT_EQ(digits, (DeviceDigits{{4, 3}, {1, 4}}));
  EXPECT_EQ(take_major(digits, 6), (DeviceDigits{{4, 3}, {2, 2}}));
  EXPECT_EQ(take_major(digits, 2), (DeviceDigits{{1, 2}}));
  EXPECT_EQ(take_major(digits, 1), DeviceDigits{});
  EXPECT_FALSE(take_major(digits, 2));
  DeviceDigits three = {{1, 3}};
  EXPECT_FALSE(take_major(three, 2));
}

TEST(DeviceDigits, OfAMeshFollowItsDeviceIds) {
  const NamedMesh plain = {"m", Mesh({{"x", 2}, {"y", 4}}), {}};
  EXPECT_EQ(value_or_throw(digits_of(plain, {"y"})), (DeviceDigits{{1, 4}}));
  EXPECT_EQ(value_or_throw(digits_of(plain, {"y", 2, 2})), (DeviceDigits{{1, 2}}));
  const NamedMesh transposed = {"m", Mesh({{"x", 2}, {"y", 4}}), {0, 2, 4, 6, 1, 3, 5, 7}};
  EXPECT_EQ(value_or_throw(digits_of(transposed, {"x"})), (DeviceDigits{{1, 2}}));
  EXPECT_EQ(value_or_throw(digits_of(transposed, {"y", 1, 2})), (DeviceDigits{{4, 2}}));
}

TEST(DeviceDigits, OfAMeshInAnotherOrderAreUnsupported) {
  const auto reversed = digits_of(NamedMesh{"m", Mesh({{"x", 4}}), {3, 2, 1, 0}}, {"x"});
  ASSERT_FALSE(reversed);
  EXPECT_EQ(reversed.error().code, "unsupported");
  EXPECT_EQ(digits_of(NamedMesh{"m", Mesh({{"x", 4}}), {}}, {"z"}).error().code, "sharding");
  EXPECT_EQ(digits_of(NamedMesh{"m", Mesh({{"x", 4}}), {}}, {"x", 3, 2}).error().code, "sharding");
}

TEST(DeviceDigits, OfOneOrderSeenFromAnother) {
  EXPECT_EQ(seen_from({}, {3, 2, 1, 0}), (std::vector<std::int64_t>{3, 2, 1, 0}));
  EXPECT_EQ(seen_from({1, 2, 3, 0}, {3, 2, 1, 0}), (std::vector<std::int64_t>{2, 1, 0, 3}));
  EXPECT_EQ(seen_from({3, 1, 2, 0}, {3, 1, 2, 0}), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(DigitMesh, NamesPartsOfAxes) {
  DigitMesh mesh(8);
  mesh.name("x", {4, 2});
  mesh.name("y", {1, 4});
  mesh.need({1, 2});
  ASSERT_TRUE(mesh.finish());
  EXPECT_EQ(mesh.mesh().str(), "x=2,y_0=2,y_1=2");
  EXPECT_EQ(mesh.axes_of({{1, 4}, {4, 2}}), (std::vector<Axis>{Axis(1), Axis(2), Axis(0)}));
}

TEST(DigitMesh, RefinesMeshesWithOtherAxes) {
  DigitMesh mesh(8);
  mesh.name("rows", {2, 4});
  mesh.name("columns", {1, 2});
  mesh.name("major", {4, 2});
  mesh.name("minor", {1, 4});
  ASSERT_TRUE(mesh.finish());
  EXPECT_EQ(mesh.mesh().str(), "rows_0=2,rows_1=2,columns=2");
}

TEST(DigitMesh, HasNamesThatMeshesPrint) {
  DigitMesh mesh(4);
  mesh.name("data-parallel", {2, 2});
  ASSERT_TRUE(mesh.finish());
  EXPECT_EQ(mesh.mesh().str(), "data_parallel=2,axis_1=2");
}

TEST(DigitMesh, OfCutsThatCrossIsUnsupported) {
  DigitMesh mesh(6);
  mesh.need({3, 2});
  mesh.need({2, 3});
  EXPECT_EQ(mesh.finish().error().code, "unsupported");
}

TEST(DigitMesh, OfOneDeviceHasAnAxis) {
  DigitMesh mesh(1);
  ASSERT_TRUE(mesh.finish());
  EXPECT_EQ(mesh.mesh().str(), "devices=1");
}

}  // namespace
}  // namespace partir
