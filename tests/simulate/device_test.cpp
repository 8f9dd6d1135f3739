// Device files: all shipped ones are read, and mistakes in a file are reported with their place.
#include "simulate/device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace partir {
namespace {

TEST(Devices, AllThatAreNamedRead) {
  const std::vector<std::string> wanted = {"a100",   "b200",    "h100",    "h200",   "tpu_v3",
                                           "tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e"};
  EXPECT_EQ(device_names(), wanted);
  for (const std::string& name : wanted) {
    const auto device = find_device(name);
    ASSERT_TRUE(device.has_value()) << device.error().text();
    EXPECT_EQ(device->name, name);
    EXPECT_GT(device->matrix_rate("bf16", Precision::normal)->peak, device->vector_rate(ElementType::f32)->peak)
        << name;
    EXPECT_GE(device->matrix_rate("f32", Precision::normal)->peak, device->matrix_rate("f32", Precision::highest)->peak)
        << name;
  }
}

TEST(Devices, EfficiencyFollowsSize) {
  const Curve c({{1e3, 0.1}, {1e6, 0.7}, {1e9, 0.9}});
  EXPECT_DOUBLE_EQ(c.at(1), 0.1);
  EXPECT_DOUBLE_EQ(c.at(1e6), 0.7);
  EXPECT_NEAR(c.at(1e3 * std::sqrt(1e3)), 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(c.at(1e12), 0.9);
  EXPECT_DOUBLE_EQ(Curve().at(5), 1);
}

TEST(Devices, AWrongFileNamesPlaceAndKey) {
  const std::string text = value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/devices/a100.json"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    const auto at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  ASSERT_TRUE(read_device(text, "my.json").has_value());
  for (const auto& [from, to, found] :
       std::vector<std::array<std::string, 3>>{{"\"switch\"", "\"star\"", "links.nvlink.shape: star"},
                                               {"\"launch\": 2e-6", "\"launch\": 0", "launch: 0"},
                                               {"\"launch\": 2e-6", "\"lunch\": 2e-6", "launch: no such key"},
                                               {"[1e5, 0.3]", "[1e5, 1.3]", "memory.efficiency"},
                                               {"\"title\"", "\"titel\"", "titel: an unknown key"},
                                               {"\"memory.bytes\"", "\"memory.sizes\"", "no source of memory.bytes"}}) {
    const auto device = read_device(changed(from, to), "my.json");
    ASSERT_FALSE(device.has_value()) << to;
    EXPECT_NE(device.error().found.find(found), std::string::npos) << device.error().text();
    EXPECT_EQ(device.error().file, "my.json");
  }
  EXPECT_FALSE(read_device("[1]", "my.json").has_value());
  EXPECT_FALSE(read_device("{", "my.json").has_value());
  EXPECT_FALSE(find_device("a1000").has_value());
}

}  // namespace
}  // namespace partir
