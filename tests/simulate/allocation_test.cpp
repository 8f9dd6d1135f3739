// Placement of buffers in one allocation (simulate/allocation.h): which buffers share bytes, and how large the
// allocation becomes.
#include "simulate/allocation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

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

/// The same algorithm, which looks at every placed buffer.
double allocated_by_looking_at_all(std::vector<LiveRange> buffers) {
  std::stable_sort(buffers.begin(), buffers.end(), [](const LiveRange& a, const LiveRange& b) {
    return std::tuple(a.bytes, a.to - a.from) > std::tuple(b.bytes, b.to - b.from);
  });
  std::multimap<double, LiveRange> placed;  // by offset
  double all = 0;
  for (const LiveRange& b : buffers) {
    std::map<double, double> gaps;  // the first offset by size
    double top = 0;
    for (const auto& [offset, other] : placed) {
      if (other.to < b.from || other.from > b.to) continue;
      if (offset - top >= b.bytes) gaps.emplace(offset - top, top);
      top = std::max(top, offset + other.bytes);
    }
    if (b.bytes == 0) continue;
    const double at = gaps.empty() ? top : gaps.begin()->second;
    placed.emplace(at, b);
    all = std::max(all, at + b.bytes);
  }
  return all;
}

TEST(Allocation, OfManyBuffersIsWhatASearchOfAllGives) {
  std::mt19937 random(20262);
  for (int round = 0; round < 60; ++round) {
    std::vector<LiveRange> buffers;
    const std::uint32_t times = 2 + random() % 300;
    const std::uint32_t lifetime = 1 + random() % times;
    for (std::size_t n = random() % 800; n > 0; --n) {
      const std::uint32_t from = random() % times;
      // Nested live ranges as those of a forward and backward pass, or short ones.
      const std::uint32_t to = random() % 2 == 0 ? std::max(from, times - from) : from + random() % lifetime;
      buffers.push_back({kUnit * static_cast<double>(random() % 9), from, to});
    }
    EXPECT_EQ(allocated_bytes(buffers), allocated_by_looking_at_all(buffers)) << "round " << round;
  }
}

}  // namespace
}  // namespace partir
