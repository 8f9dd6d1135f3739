// Redistribution on data: the steps of a conversion between two layouts, done on the devices' parts, give at each step
// exactly the parts of the layout that the step says.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lowering/redistribute.h"
#include "semantics/tensor.h"

namespace partir {
namespace {

/// Uniform in [low, high); RapidCheck's own ranges are narrow in its first cases.
template <class T>
T pick(T low, T high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

using Parts = std::vector<Tensor>;  ///< by device

/// Chunk k of n along a dimension.
Tensor chunk(const Tensor& x, Dim dim, std::int64_t n, std::int64_t k) {
  std::int64_t inner = 1;
  for (Dim d = dim + 1; d < x.type.rank(); ++d) inner *= x.type.dims[d];
  const std::int64_t size = x.type.dims[dim] / n;
  Tensor out{x.type, {}};
  out.type.dims[dim] = size;
  for (std::size_t p = 0; p < x.data.size(); ++p) {
    if (static_cast<std::int64_t>(p) / inner % x.type.dims[dim] / size == k) out.data.push_back(x.data[p]);
  }
  return out;
}

Tensor joined(const Parts& parts, Dim dim) {
  Tensor out{parts.front().type, {}};
  out.type.dims[dim] = 0;
  for (const Tensor& p : parts) out.type.dims[dim] += p.type.dims[dim];
  std::int64_t outer = 1;
  for (Dim d = 0; d < dim; ++d) outer *= out.type.dims[d];
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const Tensor& p : parts) {
      const auto run = static_cast<std::ptrdiff_t>(p.data.size()) / outer;
      out.data.insert(out.data.end(), p.data.begin() + o * run, p.data.begin() + (o + 1) * run);
    }
  }
  return out;
}

/// What each device has after the step, from what the devices of its group have before it.
Parts performed(const Conversion& step, const Parts& before, const Mesh& mesh) {
  Parts after(before.size());
  for (const auto& group : mesh.groups(step.axes)) {
    const auto n = static_cast<std::int64_t>(group.size());
    for (std::int64_t k = 0; k < n; ++k) {
      Tensor& mine = after[static_cast<std::size_t>(group[static_cast<std::size_t>(k)])];
      if (step.kind == Conversion::Kind::all_slice) {
        mine = chunk(before[static_cast<std::size_t>(group[static_cast<std::size_t>(k)])], step.to, n, k);
        continue;
      }
      Parts received;
      for (const std::int64_t peer : group) {
        const Tensor& sent = before[static_cast<std::size_t>(peer)];
        received.push_back(step.kind == Conversion::Kind::all_gather ? sent : chunk(sent, step.to, n, k));
      }
      mine = joined(received, step.from);
    }
  }
  return after;
}

struct Case {
  Mesh mesh;
  DistributedType source;
  DistributedType target;
  TensorType global;
  [[nodiscard]] std::string str() const {
    return fmt::format("mesh {}, {}, from {} to {}", mesh.str(), global.str(), source.str(mesh), target.str(mesh));
  }
};

std::string steps_text(const std::vector<Conversion>& steps, const Mesh& mesh) {
  constexpr const char* names[] = {"all_slice", "all_to_all", "all_gather"};
  std::string out;
  for (const Conversion& s : steps)
    out += fmt::format("\n  {} -> {}", names[static_cast<std::size_t>(s.kind)], s.after.str(mesh));
  return out;
}

/// Each axis along one of the dimensions or none, in a random order.
DistributedType some_type(const Mesh& mesh, std::size_t rank) {
  DistributedType out = DistributedType::whole(rank);
  std::vector<std::size_t> axes(mesh.rank());
  std::iota(axes.begin(), axes.end(), 0);
  for (std::size_t k = 1; k < axes.size(); ++k) std::swap(axes[k], axes[pick<std::size_t>(0, k + 1)]);
  for (const std::size_t a : axes) {
    const auto dim = pick<std::size_t>(0, rank + 1);
    if (dim < rank) out.dims[dim].push_back(Axis(a));
  }
  return out;
}

Case some_case() {
  const char* names[] = {"a", "b", "c", "d"};
  std::vector<Mesh::AxisInfo> axes;
  const auto count = pick<std::size_t>(1, 5);
  for (std::size_t k = 0; k < count; ++k) axes.push_back({names[k], *rc::gen::element<std::int64_t>(2, 2, 3, 1)});
  Case c;
  c.mesh = Mesh(std::move(axes));
  const auto rank = pick<std::size_t>(0, 4);
  c.source = some_type(c.mesh, rank);
  c.target = some_type(c.mesh, rank);
  // What divides both, and no more than that.
  std::vector<std::int64_t> dims(rank);
  for (Dim d = 0; d < rank; ++d) {
    const auto product = [&](const std::vector<Axis>& list) {
      std::int64_t out = 1;
      for (const Axis a : list) out *= c.mesh.size(a);
      return out;
    };
    dims[d] = std::lcm(product(c.source.dims[d]), product(c.target.dims[d]));
  }
  c.global = TensorType{ElementType::i32, dims, ""};
  return c;
}

/// Elements of a part.
std::int64_t size_of(const Case& c, const DistributedType& type) { return type.local(c.global, c.mesh).elements(); }

/// Enough cases that the rare ones come; RC_PARAMS of the caller comes first.
const bool kManyCases = ::setenv("RC_PARAMS", "max_success=2000", 0) == 0;

TEST(Redistribution, StepsGiveThePartsOfTheirLayoutsOnRandomTypesAndMeshes) {
  std::size_t cases = 0;
  std::size_t steps_taken = 0;
  std::size_t grown = 0;
  double largest = 1;
  std::string worst;
  const bool held = rc::check("every step moves the data it says", [&] {
    const Case c = some_case();
    Tensor global{c.global, std::vector<Scalar>(static_cast<std::size_t>(c.global.elements()))};
    for (std::size_t k = 0; k < global.data.size(); ++k) global.data[k].i = static_cast<std::int64_t>(k);
    const auto parts_of = [&](const DistributedType& type) {
      Parts out;
      for (std::int64_t d = 0; d < c.mesh.devices(); ++d)
        out.push_back(scatter_to(global, type, c.mesh, DeviceId(static_cast<std::size_t>(d)), native_domain()));
      return out;
    };
    const std::vector<Conversion> steps = redistribution(c.source, c.target);
    RC_LOG() << c.str() << steps_text(steps, c.mesh) << "\n";
    RC_ASSERT((steps.empty() ? c.source : steps.back().after) == c.target);
    Parts parts = parts_of(c.source);
    std::int64_t peak = 0;
    for (const Conversion& step : steps) {
      RC_ASSERT(!step.axes.empty());
      parts = performed(step, parts, c.mesh);
      const Parts wanted = parts_of(step.after);
      for (std::size_t d = 0; d < parts.size(); ++d) {
        RC_ASSERT(parts[d].type == wanted[d].type);
        for (std::size_t k = 0; k < wanted[d].data.size(); ++k) RC_ASSERT(parts[d].data[k].i == wanted[d].data[k].i);
      }
      peak = std::max(peak, size_of(c, step.after));
    }
    ++cases;
    steps_taken += steps.size();
    const double growth =
        static_cast<double>(peak) / static_cast<double>(std::max(size_of(c, c.source), size_of(c, c.target)));
    if (growth > 1) ++grown;
    if (growth > largest) {
      largest = growth;
      worst = c.str() + steps_text(steps, c.mesh);
    }
  });
  EXPECT_TRUE(held);
  // Axes that change places are gathered in between, and more than must be. Measured, so that a better planner shows.
  fmt::print("{} conversions, {} steps; in {} an intermediate is larger than source and target, at most {} times: {}\n",
             cases, steps_taken, grown, largest, worst);
}

/// Where each dimension gains or loses at most its minor axis, nothing grows beyond source and target. (With more axes
/// it may: a gather takes all that a dimension loses, also what another dimension needs.)
TEST(Redistribution, OfMinorAxesNeverGrowsBeyondSourceAndTarget) {
  std::size_t with_all_kinds = 0;
  const bool held = rc::check("no intermediate is larger than source or target", [&] {
    Case c = some_case();
    for (Dim d = 0; d < c.source.dims.size(); ++d) {
      auto& s = c.source.dims[d];
      auto& t = c.target.dims[d];
      std::size_t common = 0;
      while (common < s.size() && common < t.size() && s[common] == t[common]) ++common;
      const bool gains = *rc::gen::arbitrary<bool>();
      (gains ? s : t).resize(common);
      auto& other = gains ? t : s;
      other.resize(std::min(other.size(), common + 1));
    }
    const auto steps = redistribution(c.source, c.target);
    RC_LOG() << c.str() << steps_text(steps, c.mesh) << "\n";
    const std::int64_t limit = std::max(size_of(c, c.source), size_of(c, c.target));
    for (const Conversion& step : steps) RC_ASSERT(size_of(c, step.after) <= limit);
    if (steps.size() >= 3) ++with_all_kinds;
  });
  EXPECT_TRUE(held);
  EXPECT_GT(with_all_kinds, 0U);
}

/// Before a gather, no dimension could be sliced along a free axis, and no minor axis is one that another dimension
/// waits for.
TEST(Redistribution, GathersOnlyWhenNothingCanBeSlicedOrMoved) {
  const bool held = rc::check("slices, then all_to_alls, then gathers", [] {
    const Case c = some_case();
    const auto steps = redistribution(c.source, c.target);
    RC_LOG() << c.str() << steps_text(steps, c.mesh) << "\n";
    DistributedType now = c.source;
    for (const Conversion& step : steps) {
      for (Dim d = 0; step.kind == Conversion::Kind::all_gather && d < now.dims.size(); ++d) {
        const auto& have = now.dims[d];
        const auto& want = c.target.dims[d];
        if (have.size() >= want.size() || !std::equal(have.begin(), have.end(), want.begin())) continue;
        const auto holder = now.tiled_by(want[have.size()]);
        RC_ASSERT(holder.has_value());
        RC_ASSERT(*holder == d || now.dims[*holder].back() != want[have.size()]);
      }
      now = step.after;
    }
  });
  EXPECT_TRUE(held);
}

struct Example {
  const char* source;
  const char* target;
  std::vector<std::string> after;
};

TEST(Redistribution, IsPlannedAsExpectedByHand) {
  const Mesh mesh({{"a", 2}, {"b", 3}, {"c", 2}});
  const Example examples[] = {{"[{a}, {}]", "[{a}, {}]", {}},
                              {"[{}, {}]", "[{a, b}, {c}]", {"all_slice [{a, b}, {}]", "all_slice [{a, b}, {c}]"}},
                              {"[{a}, {}]", "[{}, {a}]", {"all_to_all [{}, {a}]"}},
                              {"[{a, b}, {}]", "[{a}, {}]", {"all_gather [{a}, {}]"}},
                              {"[{a, b}, {}]", "[{a}, {b}]", {"all_to_all [{a}, {b}]"}},
                              {"[{a}, {b}]", "[{a, c}, {}]", {"all_slice [{a, c}, {b}]", "all_gather [{a, c}, {}]"}},
                              {"[{a}, {}]", "[{b}, {a}]", {"all_to_all [{}, {a}]", "all_slice [{b}, {a}]"}}};
  constexpr const char* names[] = {"all_slice", "all_to_all", "all_gather"};
  for (const Example& e : examples) {
    const auto source = DistributedType::parse(e.source, mesh, 2).value();
    const auto target = DistributedType::parse(e.target, mesh, 2).value();
    std::vector<std::string> after;
    for (const Conversion& step : redistribution(source, target))
      after.push_back(fmt::format("{} {}", names[static_cast<std::size_t>(step.kind)], step.after.str(mesh)));
    EXPECT_EQ(after, e.after) << e.source << " to " << e.target;
  }
}

}  // namespace
}  // namespace partir
