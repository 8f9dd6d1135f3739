// Layouts (ir/layout.h): their text, which chunk each device holds, and their algebra (refinement, normal form, other
// device orders), on examples and on random layouts with all kinds of factors.
#include "ir/layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "tests/lowering/random_types.h"
#include "tests/random_settings.h"

namespace partir {
namespace {

const Mesh kMesh({{"x", 4}, {"y", 2}});

Layout read(const std::string& text, const Mesh& mesh = kMesh) { return value_or_throw(Layout::parse(text, mesh, 1)); }

std::string refused(const std::string& text, std::size_t rank = 1) {
  const auto layout = Layout::parse(text, kMesh, rank);
  return layout ? "accepted" : layout.error().found;
}

using Numbers = std::vector<std::int64_t>;

TEST(LayoutText, NamesAxesDigitsStretchesListsHalosReductionsAndDevices) {
  for (const char* text : {"[{x}]", "[{x:(1)2}]", "[{4, y}]", "[{[0 1 1 0 0 1 1 0]}]", "[{x halo 1 2}]", "[{halo 1 0}]",
                           "[{}] on 3", "[{y, x:(2)2}]", "[{x:(2)2, y, x:(1)2}]"}) {
    EXPECT_EQ(value_or_throw(Layout::parse(text, kMesh, 1)).str(kMesh), text);
  }
  EXPECT_EQ(value_or_throw(Layout::parse("[{}, {x}] partial{y:max}", kMesh, 2)).str(kMesh), "[{}, {x}] partial{y:max}");
  EXPECT_EQ(value_or_throw(Layout::parse("[{x:(1)4}]", kMesh, 1)), value_or_throw(Layout::parse("[{x}]", kMesh, 1)));
}

TEST(LayoutText, ThatIsNoneIsRefusedWithTheReason) {
  EXPECT_EQ(refused("[{z}]"), "'[{z}]' (an axis that the mesh lacks, or twice)");
  EXPECT_EQ(refused("[{x, x}]"), "'[{x, x}]' (an axis that the mesh lacks, or twice)");
  EXPECT_EQ(refused("[{x:(1)2, x}]"), "'[{x:(1)2, x}]' (an axis that the mesh lacks, or twice)");
  EXPECT_EQ(refused("[{x:(1)2}] partial{x:(1)2:sum}"),
            "'[{x:(1)2}] partial{x:(1)2:sum}' (an axis that the mesh lacks, or twice)");
  EXPECT_EQ(refused("[{x:(3)2}]"), "'[{x:(3)2}]' (a digit that 4 lacks)");
  EXPECT_EQ(refused("[{x:(0)2}]"), "'[{x:(0)2}]' (a digit that 4 lacks)");
  EXPECT_EQ(refused("[{[0 1]}]"), "'[{[0 1]}]' (a list of other than 8 devices)");
  EXPECT_EQ(refused("[{1}]"), "'[{1}]' (a local factor of less than 2)");
  EXPECT_EQ(refused("[{x}] on 8"), "'[{x}] on 8' (no number up to 7)");
  EXPECT_EQ(refused("[{x}]]"), "'[{x}]]' (text behind it)");
  EXPECT_EQ(refused("[{x}, {}]"), "'[{x}, {}]' (2 dimensions)");
  EXPECT_EQ(refused("[{}] partial{4:sum}"), "'[{}] partial{4:sum}' (a reduction over no axis)");
}

TEST(LayoutChunks, CountFactorsMajorToMinor) {
  EXPECT_EQ(read("[{x, y}]").chunks(0, kMesh), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(read("[{y, x}]").chunks(0, kMesh), (Numbers{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(read("[{x:(1)2}]").chunks(0, kMesh), (Numbers{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(read("[{x:(2)2}]").chunks(0, kMesh), (Numbers{0, 0, 1, 1, 0, 0, 1, 1}));
}

/// Returns the global positions of the elements in a device's part of a dimension of `size`, -1 for padding.
Numbers positions(const Layout& layout, std::size_t device, std::int64_t size, const Mesh& mesh = kMesh) {
  Numbers out;
  const Type part = layout.local(TensorType{ElementType::f32, {size}}, mesh);
  for (std::int64_t i = 0; i < part->dims[0]; ++i)
    out.push_back(layout.position(0, DeviceId(device), i, size, mesh).value_or(-1));
  return out;
}

TEST(LayoutChunks, PadTheLastOnes) {
  EXPECT_EQ(positions(read("[{x}]"), 0, 5), (Numbers{0, 1}));
  EXPECT_EQ(positions(read("[{x}]"), 4, 5), (Numbers{4, -1}));
  EXPECT_EQ(positions(read("[{x}]"), 6, 5), (Numbers{-1, -1}));  // the last device holds padding only
}

TEST(LayoutChunks, OfStretchesAreInterleaved) {
  EXPECT_EQ(positions(read("[{2, y}]"), 0, 8), (Numbers{0, 1, 4, 5}));
  EXPECT_EQ(positions(read("[{2, y}]"), 1, 8), (Numbers{2, 3, 6, 7}));
  EXPECT_EQ(positions(read("[{2, y, 2}]"), 1, 8), (Numbers{2, 3, 6, 7}));
  EXPECT_EQ(positions(read("[{2, y}]"), 1, 7), (Numbers{2, 3, 6, -1}));
}

TEST(LayoutChunks, HaveHaloesOfTheirNeighbours) {
  EXPECT_EQ(positions(read("[{x halo 1 2}]"), 2, 8), (Numbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(positions(read("[{x halo 1 2}]"), 0, 8), (Numbers{-1, 0, 1, 2, 3}));
}

TEST(LayoutChunks, OfOneDeviceAreNobodyElses) {
  EXPECT_EQ(positions(read("[{}] on 3"), 3, 2), (Numbers{0, 1}));
  EXPECT_EQ(positions(read("[{}] on 3"), 2, 2), (Numbers{-1, -1}));
}

TEST(LayoutFits, WantsEachPartHeld) {
  const Type type = TensorType{ElementType::f32, {8}};
  EXPECT_TRUE(read("[{[0 1 1 0 0 1 1 0]}]").fits(type, kMesh));
  EXPECT_FALSE(read("[{[0 2 2 0 0 2 2 0]}]").fits(type, kMesh));                   // no device holds chunk 1
  EXPECT_FALSE((Layout{{{Factor(Axis(0)), Factor(Axis(0))}}}).fits(type, kMesh));  // an axis that occurs twice
  EXPECT_FALSE((Layout{{{Factor(Axis(0)), Factor::digit(Axis(0), 1, 2, kMesh)}}}).fits(type, kMesh));
  EXPECT_FALSE((Layout{{{Axis(0)}, {}}}).fits(type, kMesh));  // of another rank
  EXPECT_FALSE(value_or_throw(Layout::parse("[{}] partial{x:sum, y:max}", kMesh, 1)).fits(type, kMesh));
}

TEST(LayoutAlgebra, RefinesByMinorFactors) {
  EXPECT_TRUE(read("[{x, y}]").refines(read("[{x}]")));
  EXPECT_FALSE(read("[{y, x}]").refines(read("[{x}]")));
  EXPECT_EQ(read("[{x}]").then(read("[{y}]"), kMesh).str(kMesh), "[{x, y}]");
  EXPECT_EQ(read("[{x:(1)2}]").then(read("[{x:(2)2}]"), kMesh).str(kMesh), "[{x}]");
  EXPECT_EQ(read("[{x}]").then(read("[{}] partial{y:sum}"), kMesh).str(kMesh), "[{x}] partial{y:sum}");
}

TEST(LayoutAlgebra, TakesMinorFactorsApart) {
  Layout layout = read("[{y, x}]");
  EXPECT_EQ(Layout{{layout.take_minor(0, 2, kMesh)}}.str(kMesh), "[{x:(2)2}]");
  EXPECT_EQ(layout.str(kMesh), "[{y, x:(1)2}]");
  const Mesh mesh({{"a", 4}, {"b", 3}});
  Layout across = read("[{a, b}]", mesh);
  EXPECT_EQ(Layout{{across.take_minor(0, 2, mesh)}}.chunks(0, mesh), (Numbers{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(across.chunks(0, mesh), (Numbers{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

TEST(LayoutAlgebra, FindsTheAxesOfAList) {
  EXPECT_EQ(read("[{[0 1 2 3 4 5 6 7]}]").normalised(kMesh).str(kMesh), "[{x, y}]");
  EXPECT_EQ(read("[{[0 2 0 2 1 3 1 3]}]").normalised(kMesh).str(kMesh), "[{y, x:(1)2}]");
  EXPECT_EQ(read("[{[7 6 5 4 3 2 1 0]}]").normalised(kMesh).str(kMesh), "[{[7 6 5 4 3 2 1 0]}]");
  // The chunks of each single axis, taken alone, look like those of a digit, but with different strides from [{x, y}].
  EXPECT_EQ(read("[{[0 1 3 2 4 5 7 6]}]").normalised(kMesh).str(kMesh), "[{[0 1 3 2 4 5 7 6]}]");
}

/// Runs enough random cases that rare ones occur; RC_PARAMS from the environment takes precedence.
const bool kManyCases = testing::draw_cases(1000);

// --- Random layouts -------------------------------------------------------------------------------------------------

Mesh some_mesh() {
  std::vector<Mesh::AxisInfo> axes;
  const char* names[] = {"a", "b", "c"};
  const int count = pick(1, 4);
  for (int k = 0; k < count; ++k) axes.push_back({names[k], *rc::gen::element<std::int64_t>(1, 2, 3, 4, 6, 8)});
  const Mesh by_id(std::move(axes));
  std::vector<std::int64_t> ids(static_cast<std::size_t>(by_id.devices()));
  std::iota(ids.begin(), ids.end(), 0);
  if (pick(0, 2) != 0) std::shuffle(ids.begin(), ids.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
  return value_or_throw(by_id.with_device_ids(ids));
}

/// Returns a layout that tiles random dimensions by digits of all axes, in random order; `stretches` adds local factors
/// between them.
Layout some_layout(const Mesh& mesh, std::size_t rank, bool stretches) {
  std::vector<Factor> factors;
  for (std::size_t k = 0; k < mesh.rank(); ++k) {
    std::int64_t before = 1;
    while (before < mesh.size(Axis(k))) {
      std::vector<std::int64_t> sizes;
      for (std::int64_t s = 2; s <= mesh.size(Axis(k)) / before; ++s) {
        if (mesh.size(Axis(k)) / before % s == 0) sizes.push_back(s);
      }
      const std::int64_t size = *rc::gen::elementOf(sizes);
      factors.push_back(Factor::digit(Axis(k), before, size, mesh));
      before *= size;
    }
  }
  Layout out = Layout::replicated(rank);
  while (!factors.empty()) {
    const auto which = pick<std::size_t>(0, factors.size());
    const auto dim = pick<std::size_t>(0, rank + 1);  // rank: this digit tiles no dimension
    if (dim < rank) {
      if (stretches && pick(0, 4) == 0) out.dims[dim].push_back(Factor::local(pick(2, 4)));
      out.append(dim, factors[which], mesh);
    }
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return out;
}

TEST(Layouts, AreWhatTheirTextSays) {
  ASSERT_TRUE(rc::check([] {
    const Mesh mesh = some_mesh();
    const Layout layout = some_layout(mesh, 2, true);
    RC_LOG() << mesh.str() << " " << layout.str(mesh) << "\n";
    RC_ASSERT(value_or_throw(Layout::parse(layout.str(mesh), mesh, 2)) == layout);
    RC_ASSERT(layout.fits(TensorType{ElementType::f32, {1, 1}}, mesh));
  }));
}

TEST(Layouts, HoldEachElementEquallyOftenWhateverTheSize) {
  ASSERT_TRUE(rc::check([] {
    const Mesh mesh = some_mesh();
    const Layout layout = some_layout(mesh, 1, true);
    const auto size = pick<std::int64_t>(1, 40);
    RC_LOG() << mesh.str() << " " << layout.str(mesh) << " of " << size << "\n";
    std::map<std::int64_t, std::int64_t> held;
    for (std::size_t d = 0; d < static_cast<std::size_t>(mesh.devices()); ++d) {
      for (const std::int64_t p : positions(layout, d, size, mesh)) ++held[p];
    }
    held.erase(-1);
    RC_ASSERT(static_cast<std::int64_t>(held.size()) == size);
    for (const auto& [position, times] : held) RC_ASSERT(times == mesh.devices() / layout.parts(0, mesh));
  }));
}

TEST(Layouts, AreFoundAgainFromTheirChunks) {
  ASSERT_TRUE(rc::check([] {
    const Mesh mesh = some_mesh();
    const Layout layout = some_layout(mesh, 2, false);
    const Layout found = Layout::of_chunks({layout.parts(0, mesh), layout.parts(1, mesh)},
                                           {layout.chunks(0, mesh), layout.chunks(1, mesh)}, mesh);
    RC_LOG() << mesh.str() << " " << layout.str(mesh) << " " << found.str(mesh) << "\n";
    RC_ASSERT(same_parts(layout, found, mesh));
    for (const auto& factors : found.dims) {
      for (const Factor& f : factors) RC_ASSERT(f.kind() != Factor::Kind::listed);
    }
  }));
}

TEST(Layouts, InAnOrderAndBackAreThemselves) {
  ASSERT_TRUE(rc::check([] {
    const Mesh mesh = some_mesh();
    const Layout layout = some_layout(mesh, 2, false);
    std::vector<std::int64_t> order(static_cast<std::size_t>(mesh.devices()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
    const Layout other = layout.in_order(order, mesh);
    RC_LOG() << mesh.str() << " " << layout.str(mesh) << " " << other.str(mesh) << "\n";
    for (std::size_t p = 0; p < order.size(); ++p) {
      for (Dim d = 0; d < 2; ++d)
        RC_ASSERT(other.chunk(d, DeviceId(static_cast<std::size_t>(order[p])), mesh) ==
                  layout.chunk(d, mesh.device_at(static_cast<std::int64_t>(p)), mesh));
    }
    RC_ASSERT(same_parts(other.in_order(order, mesh, true), layout, mesh));
  }));
}

TEST(MeshText, ListsDeviceIdsInAnOrderOfTheirOwn) {
  const Mesh mesh = value_or_throw(Mesh::parse("x=2,y=2,device_ids=[2,0,3,1]"));
  EXPECT_EQ(mesh.str(), "x=2,y=2,device_ids=[2,0,3,1]");
  EXPECT_EQ(mesh.coordinate(DeviceId(3), Axis(0)), 1);
  EXPECT_EQ(mesh.coordinate(DeviceId(3), Axis(1)), 0);
  EXPECT_EQ(mesh.groups({Axis(1)}), (std::vector<Numbers>{{2, 0}, {3, 1}}));
  EXPECT_EQ(value_or_throw(Mesh::parse("x=4,device_ids=[0,1,2,3]")), value_or_throw(Mesh::parse("x=4")));
  EXPECT_EQ(value_or_throw(Mesh::parse("x=2,device_ids=3")).devices(), 6);  // an axis of that name, not an order
  for (const char* text : {"x=4,device_ids=[0,1,2]", "x=4,device_ids=[0,1,2,2]", "x=4,device_ids=[0,1,2,4]",
                           "x=4,device_ids=[0,1,2,3],y=2", "device_ids=[0]", "x=4,device_ids=[0 1]"})
    EXPECT_FALSE(Mesh::parse(text)) << text;
}

TEST(Layouts, AreWhatIsLeftAndWhatIsTaken) {
  ASSERT_TRUE(rc::check([] {
    const Mesh mesh = some_mesh();
    const Layout whole = some_layout(mesh, 1, false);
    std::vector<std::int64_t> divisors;
    for (std::int64_t n = 1; n <= whole.parts(0, mesh); ++n) {
      if (whole.parts(0, mesh) % n == 0) divisors.push_back(n);
    }
    const std::int64_t n = *rc::gen::elementOf(divisors);
    Layout rest = whole;
    const Layout taken{{rest.take_minor(0, n, mesh)}};
    RC_LOG() << mesh.str() << " " << whole.str(mesh) << " by " << n << "\n";
    RC_ASSERT(taken.parts(0, mesh) == n);
    RC_ASSERT(same_parts(rest.then(taken, mesh), whole, mesh));
  }));
}

}  // namespace
}  // namespace partir
