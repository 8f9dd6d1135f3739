// Which elements of a value a device holds (semantics/held_part.h), including padding and devices that hold nothing.
#include "semantics/held_part.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

/// Returns for each position in the device's part the position in the complete value, or -1 if it has none.
std::vector<std::int64_t> held(const std::string& layout, std::vector<std::int64_t> dims, std::size_t device) {
  const Mesh mesh({{"x", 2}, {"y", 2}});
  std::vector<std::int64_t> out;
  for_each_held(value_or_throw(Layout::parse(layout, mesh, dims.size())), TensorType{ElementType::f32, dims},
                DeviceId(device), mesh, [&](std::size_t position, std::int64_t whole) {
                  EXPECT_EQ(position, out.size());
                  out.push_back(whole);
                });
  return out;
}

using Positions = std::vector<std::int64_t>;

TEST(HeldParts, AreRowMajorInTheWhole) {
  EXPECT_EQ(held("[{x}, {y}]", {4, 6}, 0), (Positions{0, 1, 2, 6, 7, 8}));
  EXPECT_EQ(held("[{x}, {y}]", {4, 6}, 3), (Positions{15, 16, 17, 21, 22, 23}));
  EXPECT_EQ(held("[{}, {}]", {2, 2}, 1), (Positions{0, 1, 2, 3}));
}

TEST(HeldParts, StandNowhereInThePadding) {
  EXPECT_EQ(held("[{x}]", {3}, 2), (Positions{2, -1}));
  EXPECT_EQ(held("[{x}, {}]", {3, 2}, 2), (Positions{4, 5, -1, -1}));
  EXPECT_EQ(held("[{x}, {y}]", {3, 3}, 3), (Positions{8, -1, -1, -1}));
}

TEST(HeldParts, StandNowhereOnOtherDevicesThanTheOne) {
  EXPECT_EQ(held("[{}] on 3", {2}, 3), (Positions{0, 1}));
  EXPECT_EQ(held("[{}] on 3", {2}, 0), (Positions{-1, -1}));
}

}  // namespace
}  // namespace partir
