// Device files made from measurements: calibration recovers the figures of the ideal machine that the measurements come
// from.
#include "simulate/calibrate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulate/network.h"

namespace partir {
namespace {

/// Returns measurements of a machine with 1e12 FLOP/s, 1e11 bytes/s of memory and a switch of 1e10 bytes/s, which it
/// reaches at every size.
std::string ideal() {
  std::string out = "kind,type,rows,columns,depth,bytes,devices,seconds\n";
  for (const double n : {256.0, 1024.0, 4096.0})
    out += fmt::format("matmul,f32,{0},{0},{0},,,{1}\n", n, 2 * n * n * n / 1e12);
  for (const double bytes : {1e3, 1e6, 1e9}) out += fmt::format("copy,,,,,{},,{}\n", bytes, 1e-6 + bytes / 1e11);
  for (const double bytes : {8.0, 1e6, 1e9})
    out += fmt::format("all_gather,,,,,{},8,{}\n", bytes, 1e-5 + bytes * 7 / 8 / 1e10);
  return out;
}

TEST(Calibrate, FindsPeaksBandwidthsAndLaunches) {
  const auto measured = value_or_throw(read_measurements(ideal(), "measured.csv"));
  EXPECT_EQ(measured.size(), 9U);
  const Device base = value_or_throw(find_device("a100"));
  const std::string json = value_or_throw(calibrated(measured, base, "mine", "measured.csv"));
  const Device d = value_or_throw(read_device(json, "mine.json"));
  EXPECT_EQ(d.name, "mine");
  EXPECT_NEAR(d.matrix_rate("f32", Precision::normal)->peak, 1e12, 1e9);
  EXPECT_FALSE(d.matrix_rate("bf16", Precision::normal).has_value()) << "was not measured";
  EXPECT_NEAR(d.memory_bandwidth, 1e11, 1e9);
  EXPECT_NEAR(d.launch, 1e-6, 2e-8);
  ASSERT_EQ(d.links.size(), 1U);
  const Segment eight{d.links.data(), 8, {}, 1};
  for (const double bytes : {1e6, 1e8, 1e9}) {
    const double wanted = 1e-5 + bytes * 7 / 8 / 1e10;
    EXPECT_NEAR(collective_seconds(CollectiveKind::all_gather, bytes, {eight}), wanted, 0.03 * wanted) << bytes;
  }
}

TEST(Calibrate, TakesSpecialFunctionsAndLaunchesFromTheirRows) {
  const std::string more = ideal() + "vector,f32,,,,,,1e-6\n";
  EXPECT_FALSE(read_measurements(more, "measured.csv").has_value()) << "no operations";
  std::string text = "kind,type,rows,columns,depth,bytes,operations,devices,seconds\nmatmul,f32,8,8,8,,,,1e-6\n";
  text += "copy,,,,,1000,,,1e-7\nvector,f32,,,,,8000,,1e-6\nspecial,f32,,,,,400,,1e-6\nlaunch,,,,,,,,3e-6\n";
  const auto measured = value_or_throw(read_measurements(text, "measured.csv"));
  const Device d = value_or_throw(read_device(
      value_or_throw(calibrated(measured, value_or_throw(find_device("a100")), "mine", "m.csv")), "mine.json"));
  EXPECT_DOUBLE_EQ(d.special, 20);
  EXPECT_DOUBLE_EQ(d.launch, 3e-6);
}

TEST(Calibrate, EveryFigureSaysThatItWasMeasured) {
  const auto measured = value_or_throw(read_measurements(ideal(), "measured.csv"));
  const std::string json =
      value_or_throw(calibrated(measured, value_or_throw(find_device("h100")), "mine", "measured.csv"));
  EXPECT_NE(json.find("\"matrix.peak\": \"measured: measured.csv"), std::string::npos) << json;
}

TEST(Calibrate, SaysWhatIsWrongWhere) {
  const auto found = [](const std::string& text) {
    const auto r = read_measurements(text, "m.csv");
    return r ? std::string("nothing") : fmt::format("{}: {}", r.error().place.line, r.error().found);
  };
  EXPECT_EQ(found("kind,seconds\nwarp,1\n"), "2: kind 'warp'");
  EXPECT_EQ(found("kind,bytes,seconds\ncopy,8,fast\n"), "2: seconds 'fast'");
  EXPECT_EQ(found("kind,bytes,seconds\ncopy,8,1\ncopy,-8,1\n"), "3: bytes '-8'");
  EXPECT_EQ(found("bytes,seconds\n"), "1: bytes,seconds");
  EXPECT_EQ(found("kind,type,rows,columns,depth,seconds\nmatmul,,1,1,1,1\n"), "2: no type");
  EXPECT_EQ(found("kind,type,rows,columns,depth,seconds\nmatmul,float32,1,1,1,1\n"), "2: type 'float32'");
  const auto few = value_or_throw(read_measurements("kind,bytes,seconds\ncopy,8,1\n", "m.csv"));
  EXPECT_FALSE(calibrated(few, value_or_throw(find_device("a100")), "mine", "m.csv").has_value());
}

TEST(Calibrate, ScalingMakesADeviceFasterOrSlower) {
  const Device a100 = value_or_throw(find_device("a100"));
  const Device slow = scaled(a100, 0.5);
  EXPECT_DOUBLE_EQ(slow.matrix_efficiency.at(1e13), 0.5 * a100.matrix_efficiency.at(1e13));
  EXPECT_DOUBLE_EQ(scaled(a100, 2).memory_bandwidth, 2 * a100.memory_bandwidth);
}

}  // namespace
}  // namespace partir
