// Placement of buffers in one allocation (simulate/allocation.h): which buffers share bytes, and how large the
// allocation becomes.
#include "simulate/allocation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace partir {
namespace {

constexpr double kUnit = kBufferAlignment;

TEST(Allocation, SharesBytesBetweenBuffersThatDoNotMeet) {
  EXPECT_EQ(allocated_bytes({}), 0);
  EXPECT_EQ(allocated_bytes({{4 * kUnit, 0, 1}, {4 * kUnit, 2, 3}, {6 * kUnit, 1, 2}}), 10 * kUnit);
  EXPECT_EQ(allocated_bytes({{4 * kUnit, 0, 1}, {4 * kUnit, 1, 2}}), 8 * kUnit);
}

TEST(Allocation, RoundsEachBufferUp) {
  EXPECT_EQ(allocated_bytes({{1, 0, 0}, {kUnit + 1, 0, 0}}), 3 * kUnit);
  EXPECT_EQ(allocated_bytes({{0, 0, 0}}), 0);
}

TEST(Allocation, MayNeedMoreThanIsLiveAtOnce) {
  // The buffers of 4 and 3 start at 0, and the 2 that overlaps both in time is placed after the 4. The other 2 does not
  // fit between 3 and 4.
  EXPECT_EQ(allocated_bytes({{4 * kUnit, 0, 1}, {3 * kUnit, 2, 3}, {2 * kUnit, 0, 3}, {2 * kUnit, 2, 3}}), 8 * kUnit);
}

TEST(Allocation, FillsGapsBelowWhatLivesOn) {
  // When the 9 has ended, the 5 takes its place below the 6 and leaves a gap of 4, which the 2 fills.
  EXPECT_EQ(allocated_bytes({{9 * kUnit, 0, 1}, {6 * kUnit, 0, 9}, {5 * kUnit, 2, 9}, {2 * kUnit, 3, 9}}), 15 * kUnit);
}

TEST(Allocation, IsNoLessThanWhatIsLiveAndNoMoreThanAll) {
  std::mt19937 random(20261);  // a failure prints its buffers
  for (int round = 0; round < 500; ++round) {
    std::vector<LiveRange> buffers;
    const std::size_t n = random() % 40;
    std::vector<double> live(20, 0);
    double all = 0;
    std::string text;
    for (std::size_t k = 0; k < n; ++k) {
      const auto from = static_cast<std::uint32_t>(random() % 20);
      const auto to = static_cast<std::uint32_t>(from + random() % (20 - from));
      const double bytes = kUnit * static_cast<double>(random() % 9);
      buffers.push_back({bytes, from, to});
      text += fmt::format("{}: [{}, {}] ", bytes, from, to);
      all += bytes;
      for (std::uint32_t t = from; t <= to; ++t) live[t] += bytes;
    }
    const double got = allocated_bytes(buffers);
    EXPECT_GE(got, *std::max_element(live.begin(), live.end())) << text;
    EXPECT_LE(got, all) << text;
  }
}

}  // namespace
}  // namespace partir
