// The time of collectives on links: closed forms, published measurements, and how the axes of a mesh are laid out on a
// device's links.
#include "simulate/network.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

Link link(Link::Shape shape, double bandwidth = 1e9, double latency = 0) {
  Link out;
  out.name = "link";
  out.shape = shape;
  out.bandwidth = bandwidth;
  out.latency = latency;
  return out;
}

Segment ring(const Link& l, std::int64_t n, bool closed = true) {
  return {&l, static_cast<double>(n), {{n, closed}}, 1};
}

constexpr auto kGather = CollectiveKind::all_gather;
constexpr auto kReduce = CollectiveKind::all_reduce;
constexpr auto kScatter = CollectiveKind::reduce_scatter;
constexpr auto kAllToAll = CollectiveKind::all_to_all;

TEST(CollectiveSeconds, FollowTheClosedFormsOfRingAndLine) {
  const Link l = link(Link::Shape::ring);
  EXPECT_DOUBLE_EQ(collective_seconds(kGather, 8e9, {ring(l, 8)}), 8.0 * 7 / 8 / 2);
  EXPECT_DOUBLE_EQ(collective_seconds(kScatter, 8e9, {ring(l, 8)}), 8.0 * 7 / 8 / 2);
  EXPECT_DOUBLE_EQ(collective_seconds(kReduce, 8e9, {ring(l, 8)}), 2 * 8.0 * 7 / 8 / 2);
  EXPECT_DOUBLE_EQ(collective_seconds(kAllToAll, 8e9, {ring(l, 8)}), 8.0 * 8 / 8);
  EXPECT_DOUBLE_EQ(collective_seconds(kGather, 8e9, {ring(l, 8, false)}), 8.0 * 7 / 8);
  EXPECT_DOUBLE_EQ(collective_seconds(kAllToAll, 8e9, {ring(l, 8, false)}), 8.0 * 8 / 4);
}

TEST(CollectiveSeconds, UseAllDimensionsOfATorus) {
  const Link l = link(Link::Shape::torus);
  const Segment torus{&l, 16, {{4, true}, {4, true}}};
  EXPECT_DOUBLE_EQ(collective_seconds(kGather, 16e9, {torus}), 16.0 * 15 / 16 / 4);
  EXPECT_DOUBLE_EQ(collective_seconds(kAllToAll, 16e9, {torus}), 16.0 * 4 / 8);
  const Segment half{&l, 16, {{4, true}, {4, false}}};
  EXPECT_DOUBLE_EQ(collective_seconds(kGather, 16e9, {half}), 16.0 * 15 / 16 / 3);
}

TEST(CollectiveSeconds, OfASwitchAreThoseOfNcclsBusBandwidth) {
  // NCCL tests, doc/PERFORMANCE.md: bus bandwidth = algorithm bandwidth x 2(n-1)/n for all_reduce, (n-1)/n for the
  // others.
  const Link l = link(Link::Shape::switch_fabric, 2.3e11);
  const Segment eight{&l, 8, {}};
  EXPECT_NEAR(1e9 / collective_seconds(kReduce, 1e9, {eight}) * 2 * 7 / 8, 2.3e11, 1e3);
  EXPECT_NEAR(1e9 / collective_seconds(kGather, 1e9, {eight}) * 7 / 8, 2.3e11, 1e3);
  EXPECT_NEAR(1e9 / collective_seconds(kAllToAll, 1e9, {eight}) * 7 / 8, 2.3e11, 1e3);
}

TEST(CollectiveSeconds, OfSeveralLinksAreHierarchical) {
  const Link inner = link(Link::Shape::switch_fabric, 1e10);
  const Link outer = link(Link::Shape::network, 1e9);
  const std::vector<Segment> both = {{&inner, 8, {}}, {&outer, 4, {}}};
  // All bytes are sent within a node, and an eighth of them between nodes.
  EXPECT_DOUBLE_EQ(collective_seconds(kReduce, 8e9, both), 2 * (0.8 * 7 / 8 + 1.0 * 3 / 4));
}

TEST(CollectiveSeconds, GrowByHopsAndLaunch) {
  Link l = link(Link::Shape::ring, 1e9, 1e-6);
  l.launch = 5e-6;
  EXPECT_NEAR(collective_seconds(kGather, 0, {ring(l, 8)}), 4e-6 + 5e-6, 1e-12);
  EXPECT_NEAR(collective_seconds(kGather, 0, {ring(l, 8, false)}), 7e-6 + 5e-6, 1e-12);
}

// "How To Scale Your Model", chapter Sharded matrices, pop quiz on TPU v5e 8x4: gathering bf16[2048, 8192] over an axis
// of 4, which does not close to a ring, takes about 560 us at the links' peak; 680 us were measured.
TEST(CollectiveSeconds, MeetThePublishedGatherOnTpuV5e) {
  const Device v5e = value_or_throw(find_device("tpu_v5e"));
  Link peak = *v5e.link("ici");
  peak.efficiency = Curve();
  peak.launch = 0;
  const double bytes = 2.0 * 2048 * 8192;
  EXPECT_NEAR(collective_seconds(kGather, bytes, {{&peak, 4, {{4, false}}}}), 560e-6, 10e-6);
  const Mesh mesh = value_or_throw(Mesh::parse("X=8,Y=4"));
  const Network network = value_or_throw(Network::of(v5e, mesh, {{}, {8, 4}}));
  const double seconds = collective_seconds(kGather, bytes, network.segments(std::vector<Axis>{Axis(1)}));
  EXPECT_GT(seconds, 560e-6);
  EXPECT_LT(seconds, 680e-6);
}

// NCCL's all_reduce on eight A100 with NVSwitch reaches a bus bandwidth of about 230 GB/s for large arrays (NCCL
// tests).
TEST(CollectiveSeconds, MeetTheBusBandwidthOfA100) {
  const Device a100 = value_or_throw(find_device("a100"));
  const double bus = 4e9 / collective_seconds(kReduce, 4e9, {{a100.link("nvlink"), 8, {}}}) * 2 * 7 / 8;
  EXPECT_GT(bus, 215e9);
  EXPECT_LT(bus, 245e9);
}

std::string described(const char* device, const char* mesh, const NetworkOptions& options = {}) {
  const Device d = value_or_throw(find_device(device));
  const Mesh m = value_or_throw(Mesh::parse(mesh));
  const Network n = value_or_throw(Network::of(d, m, options));
  std::string out;
  for (std::size_t i = 0; i < m.rank(); ++i) out += (i != 0 ? "; " : "") + n.describe(Axis(i));
  return out;
}

TEST(Network, PutsInnerAxesOnInnerLinks) {
  EXPECT_EQ(described("a100", "batch=4,model=2"), "nvlink 4; nvlink 2");
  EXPECT_EQ(described("a100", "batch=4,model=8"), "network 4; nvlink 8");
  EXPECT_EQ(described("a100", "batch=32"), "nvlink 8 + network 4");
  EXPECT_EQ(described("a100", "batch=4,model=4"), "nvlink 2 + network 2; nvlink 4");
  EXPECT_EQ(described("a100", "batch=4,model=2", {{{"batch", "network"}}, {}}), "network 4; nvlink 2");
}

TEST(Network, TakesWholeDimensionsOfATorusWhereItCan) {
  EXPECT_EQ(described("tpu_v5p", "data=16,model=4"), "ici 4x4; ici 4");
  EXPECT_EQ(described("tpu_v5p", "data=16,model=8"), "ici 4x4; ici 8");
  EXPECT_EQ(described("tpu_v5e", "data=256"), "ici 16x16");
  EXPECT_EQ(described("tpu_v5e", "data=4,model=4"), "ici 4 (line); ici 4 (line)");
  EXPECT_EQ(described("tpu_v5p", "data=32,model=2"), "ici 2x4x4; ici 2 (line)");
  EXPECT_EQ(described("tpu_v5p", "data=16,model=4", {{}, {2, 2, 16}}), "ici 16; ici 2 (line)x2 (line)");
  EXPECT_EQ(described("tpu_v5e", "data=512"), "ici 16x16 + network 2");
}

TEST(Network, RefusesWhatDoesNotFit) {
  const Device d = value_or_throw(find_device("tpu_v4"));
  const Mesh m = value_or_throw(Mesh::parse("data=16,model=4"));
  EXPECT_FALSE(Network::of(d, m, {{{"expert", "ici"}}, {}}).has_value());
  EXPECT_FALSE(Network::of(d, m, {{{"model", "nvlink"}}, {}}).has_value());
  EXPECT_FALSE(Network::of(d, m, {{}, {4, 4}}).has_value());
}

// --- NCCL -----------------------------------------------------------------------------------------------------------

Link nccl_link(Link::Shape shape, double bandwidth) {
  Link out = link(shape, bandwidth);
  out.nccl = true;
  return out;
}

TEST(Nccl, RingsRunOverAllAdaptersOfANode) {
  const Link inner = nccl_link(Link::Shape::switch_fabric, 4.5e11);
  const Link outer = nccl_link(Link::Shape::network, 5e10);
  const Segment node{&inner, 8, {}, 1};
  const Segment nodes{&outer, 4, {}, 2};
  const double bytes = 3.2e10;  // large, so that latencies do not matter
  EXPECT_NEAR(collective_seconds(kGather, bytes, {node, nodes}), bytes * 31 / 32 / 4e11, 1e-3);
  EXPECT_NEAR(collective_seconds(kReduce, bytes, {node, nodes}), 2 * bytes * 31 / 32 / 4e11, 2e-3);
  EXPECT_NEAR(collective_seconds(kGather, bytes, {nodes}), bytes * 3 / 4 / 5e10, 1e-3) << "one device a node";
}

TEST(Nccl, SmallCollectivesPayForTheStepsOfTheRingOrOfTheTree) {
  const Link outer = nccl_link(Link::Shape::network, 5e10);
  const auto reduce = [&](double nodes) { return collective_seconds(kReduce, 8, {{&outer, nodes, {}, 1}}); };
  // For 64 nodes, a ring with the LL protocol takes 6.6 + 126 x 5 us, and a tree takes 6.8 + 2 x 6 x 5 us.
  EXPECT_NEAR(reduce(64), (6.8 + 2 * 6 * 5.0) * 1e-6, 1e-8);
  EXPECT_NEAR(collective_seconds(kGather, 8, {{&outer, 64, {}, 1}}), (6.6 + 63 * 5.0) * 1e-6, 1e-8) << "n - 1 steps";
}

// --- Sizes and shares -----------------------------------------------------------------------------------------------

double gather_over(const char* device, std::int64_t n) {
  const Device d = value_or_throw(find_device(device));
  const Mesh m = value_or_throw(Mesh::parse("a=" + std::to_string(n)));
  const Network network = value_or_throw(Network::of(d, m, {}));
  return collective_seconds(kGather, 1e9, network.segments(Axis(0)));
}

TEST(Network, MoreDevicesAreNotSlowerByARoundingOfShapes) {
  for (const char* device : {"a100", "h100", "tpu_v4", "tpu_v5e", "tpu_v5p"}) {
    // On the same number of nodes the time may grow with the steps and with (n - 1) / n, but must not depend on the
    // divisors of n.
    for (const auto& [from, to] : {std::pair(9, 16), std::pair(33, 40), std::pair(57, 64)}) {
      for (std::int64_t n = from; n < to; ++n)
        EXPECT_LE(gather_over(device, n + 1), 1.05 * gather_over(device, n)) << device << ' ' << n;
    }
  }
  EXPECT_NEAR(gather_over("a100", 11) / gather_over("a100", 12), 1, 0.1);
}

TEST(Network, StridedAxesShareTheLinksBetween) {
  // Every second device on a line of 8: the two groups share each link.
  const Link l = link(Link::Shape::torus);
  const Segment strided{&l, 4, {{4, false, 2}}, 1};
  EXPECT_DOUBLE_EQ(collective_seconds(kGather, 8e9, {strided}), 2 * 8.0 * 3 / 4);
}

TEST(Network, AxesOnOneAdapterKeepTheSameLinkBusyAndDimensionsOfATorusDoNot) {
  const auto resources = [](const char* device, const char* mesh, std::size_t axis) {
    const Device d = value_or_throw(find_device(device));
    const Network n = value_or_throw(Network::of(d, value_or_throw(Mesh::parse(mesh)), {}));
    std::uint64_t out = 0;
    for (const Segment& s : n.segments(Axis(axis))) out |= s.resources;
    return out;
  };
  EXPECT_EQ(resources("a100", "a=4,b=4,c=8", 0), resources("a100", "a=4,b=4,c=8", 1));
  EXPECT_EQ(resources("a100", "a=4,b=4,c=8", 0) & resources("a100", "a=4,b=4,c=8", 2), 0U);
  EXPECT_EQ(resources("tpu_v4", "a=4,b=4,c=4", 0) & resources("tpu_v4", "a=4,b=4,c=4", 1), 0U);
}

}  // namespace
}  // namespace partir
