// Resharding plans on data: each step of a conversion between two layouts is executed on the devices' chunks and must
// give exactly the chunks of the layout that the step states.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lowering/redistribute.h"
#include "semantics/tensor.h"
#include "tests/lowering/fewest_collectives.h"
#include "tests/lowering/random_types.h"
#include "tests/random_settings.h"

namespace partir {
namespace {

using Parts = std::vector<Tensor>;  ///< by device

/// Returns chunk k of n along a dimension.
Tensor chunk(const Tensor& x, Dim dim, std::int64_t n, std::int64_t k) {
  std::int64_t inner = 1;
  for (Dim d = dim + 1; d < x.type.rank(); ++d) inner *= x.type->dims[d];
  const std::int64_t size = x.type->dims[dim] / n;
  Tensor out{x.type, {}};
  out.type->dims[dim] = size;
  for (std::size_t p = 0; p < x.data.size(); ++p) {
    if (static_cast<std::int64_t>(p) / inner % x.type->dims[dim] / size == k) out.data.push_back(x.data[p]);
  }
  return out;
}

Tensor joined(const Parts& parts, Dim dim) {
  Tensor out{parts.front().type, {}};
  out.type->dims[dim] = 0;
  for (const Tensor& p : parts) out.type->dims[dim] += p.type->dims[dim];
  std::int64_t outer = 1;
  for (Dim d = 0; d < dim; ++d) outer *= out.type->dims[d];
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const Tensor& p : parts) {
      const auto run = static_cast<std::ptrdiff_t>(p.data.size()) / outer;
      out.data.insert(out.data.end(), p.data.begin() + o * run, p.data.begin() + (o + 1) * run);
    }
  }
  return out;
}

/// Returns each device's chunk after the step, computed from its group's chunks before it.
Parts performed(const Conversion& step, const Parts& before, const Mesh& mesh) {
  Parts after(before.size());
  if (step.kind == Conversion::Kind::permute) {
    for (const auto& [source, target] : step.pairs)
      after[static_cast<std::size_t>(target)] = before[static_cast<std::size_t>(source)];
    return after;
  }
  if (step.digit) {
    for (std::size_t d = 0; d < before.size(); ++d)
      after[d] = chunk(before[d], step.to, step.digit->size,
                       static_cast<std::int64_t>(d) / step.digit->stride % step.digit->size);
    return after;
  }
  for (const auto& group : step.groups.empty() ? mesh.groups(step.axes) : step.groups) {
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

const char* name_of(Conversion::Kind kind) {
  constexpr const char* names[] = {"all_slice", "all_to_all", "permute", "all_gather"};
  return names[static_cast<std::size_t>(kind)];
}

std::string steps_text(const std::vector<Conversion>& steps, const Mesh& mesh) {
  std::string out;
  for (const Conversion& s : steps) {
    out += fmt::format("\n  {} -> {}", name_of(s.kind), s.after.str(mesh));
  }
  return out;
}

/// Returns the number of elements in a chunk.
std::int64_t size_of(const Case& c, const Layout& type) { return type.local(c.global, c.mesh)->elements(); }
std::int64_t size_after(const Case& c, const Conversion& step) { return size_of(c, step.after); }

std::int64_t collectives(const std::vector<Conversion>& steps) {
  return std::count_if(steps.begin(), steps.end(), [](const Conversion& s) { return s.communicates(); });
}

/// The collectives of the naive plan: gather wherever the layouts differ, one prime factor of an axis at a time, then
/// slice.
std::int64_t naive_collectives(const Case& c) {
  std::int64_t out = 0;
  for (Dim d = 0; d < c.source.dims.size(); ++d) {
    const auto& s = c.source.dims[d];
    const auto& t = c.target.dims[d];
    const auto common =
        static_cast<std::size_t>(std::mismatch(s.begin(), s.end(), t.begin(), t.end()).first - s.begin());
    for (std::size_t k = common; k < s.size(); ++k) {
      if (s[k].size(c.mesh) == 1) ++out;
      for (std::int64_t size = s[k].size(c.mesh), p = 2; size > 1; ++p) {
        for (; size % p == 0; size /= p) ++out;
      }
    }
  }
  return out;
}

/// Runs enough random cases that rare ones occur; RC_PARAMS from the environment takes precedence.
const bool kManyCases = testing::draw_cases(2000);

/// Returns each device's chunk of a complete value under a layout.
Parts parts_of(const Tensor& global, const Layout& type, const Mesh& mesh) {
  Parts out;
  for (std::int64_t d = 0; d < mesh.devices(); ++d)
    out.push_back(scatter_to(global, type, mesh, DeviceId(static_cast<std::size_t>(d)), native_domain()));
  return out;
}

Tensor numbered(const TensorType& type) {
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements()))};
  for (std::size_t k = 0; k < out.data.size(); ++k) out.data[k].i = static_cast<std::int64_t>(k);
  return out;
}

bool same(const Parts& a, const Parts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) {
    return x.type == y.type && std::equal(x.data.begin(), x.data.end(), y.data.begin(), y.data.end(),
                                          [](const Scalar& p, const Scalar& q) { return p.i == q.i; });
  });
}

/// Law normal-form, tested on chunks of numbered elements.
TEST(Redistribution, StepsGiveThePartsOfTheirLayoutsWithinSourceAndTarget) {
  std::size_t cases = 0;
  std::size_t permuted = 0;
  std::size_t untyped = 0;
  std::size_t normal = 0;
  std::size_t exceptions = 0;
  std::size_t avoidable = 0;
  std::string exception;
  const bool held = rc::check("values, peak size, number of collectives", [&] {
    const Case c = some_case(true);
    const Tensor global = numbered(c.global);
    const std::vector<Conversion> steps = redistribution(c.source, c.target, c.mesh);
    RC_LOG() << c.str() << steps_text(steps, c.mesh) << "\n";
    RC_ASSERT((steps.empty() ? c.source : steps.back().after) == c.target);
    const std::int64_t limit = std::max(size_of(c, c.source), size_of(c, c.target));
    Parts parts = parts_of(global, c.source, c.mesh);
    bool gathering = false;
    bool gathers_last = true;
    std::size_t permutes = 0;
    for (const Conversion& step : steps) {
      RC_ASSERT(!step.axes.empty());
      RC_ASSERT(step.kind != Conversion::Kind::all_slice || step.groups.empty());  // slices by the device's own id
      parts = performed(step, parts, c.mesh);
      RC_ASSERT(same(parts, parts_of(global, step.after, c.mesh)));
      RC_ASSERT(size_after(c, step) <= limit);
      const bool gathers = step.kind == Conversion::Kind::all_gather;
      if (gathering && !gathers && step.communicates()) gathers_last = false;
      gathering = gathering || gathers;
      permutes += step.kind == Conversion::Kind::permute ? 1 : 0;
      untyped += step.after.is_by_axes() ? 0 : 1;
    }
    RC_ASSERT(permutes <= 1U);
    permuted += permutes;
    normal += gathers_last ? 1 : 0;
    ++cases;
    // A plan may need one collective more than gathering and slicing, either because no plan within the memory bound
    // has fewer or, hardly ever, although one has.
    if (collectives(steps) > naive_collectives(c)) {
      RC_ASSERT(collectives(steps) == naive_collectives(c) + 1);
      if (FewestCollectives(c).at_most(naive_collectives(c))) ++avoidable;
      ++exceptions;
      if (exception.empty()) exception = c.str() + steps_text(steps, c.mesh);
    }
  });
  EXPECT_TRUE(held);
  EXPECT_GT(permuted, 0U);
  EXPECT_GT(untyped, 0U);
  EXPECT_GE(normal * 100, cases * 90);
  EXPECT_LE(avoidable * 1000, cases);
  fmt::print(
      "{} conversions, {} with a permute, {} with gathers last; {} steps between layouts; {} with one "
      "collective more than gathering and slicing, of which {} need not: {}\n",
      cases, permuted, normal, untyped, exceptions, avoidable, exception);
}

/// The layout with device d in the place of device order[d].
Layout on_permuted_devices(Layout layout, const std::vector<std::size_t>& order, const Mesh& mesh) {
  for (auto& factors : layout.dims) {
    for (Factor& f : factors) {
      std::vector<std::int64_t> pieces;
      for (const std::size_t d : order) pieces.push_back(f.piece(DeviceId(d), mesh));
      f = Factor::listed(std::move(pieces), f.size(mesh));
    }
  }
  return layout;
}

/// Meshes of one program may list their devices in different orders.
TEST(Redistribution, LeadsFromOneOrderOfDevicesToAnother) {
  std::size_t listed = 0;
  EXPECT_TRUE(rc::check("values between orders of devices", [&] {
    Case c = some_case();
    std::vector<std::size_t> order(static_cast<std::size_t>(c.mesh.devices()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = 1; k < order.size(); ++k) std::swap(order[k], order[pick<std::size_t>(0, k + 1)]);
    Layout& permuted = pick(0, 2) == 0 ? c.source : c.target;
    permuted = on_permuted_devices(permuted, order, c.mesh);
    listed += permuted.is_by_axes() ? 0 : 1;
    const std::vector<Conversion> steps = redistribution(c.source, c.target, c.mesh);
    RC_LOG() << c.str() << steps_text(steps, c.mesh) << "\n";
    RC_ASSERT(!steps.empty() || c.source == c.target);
    const Tensor global = numbered(c.global);
    Parts parts = parts_of(global, c.source, c.mesh);
    for (const Conversion& step : steps) {
      parts = performed(step, parts, c.mesh);
      RC_ASSERT(same(parts, parts_of(global, step.after, c.mesh)));
    }
    RC_ASSERT(same(parts, parts_of(global, c.target, c.mesh)));
  }));
  EXPECT_GT(listed, 0U);
}

TEST(Redistribution, HasTheFewestCollectivesInNearlyAllCases) {
  std::int64_t cases = 0;
  std::int64_t fewest = 0;
  EXPECT_TRUE(rc::check("counts of collectives", [&] {
    const Case c = some_case(true);
    if (c.mesh.devices() > 48) return;
    for (std::size_t k = 0; k < c.mesh.rank(); ++k) {
      if (c.mesh.size(Axis(k)) == 1) return;  // a collective along it would be none
    }
    ++cases;
    fewest += FewestCollectives(c).at_most(collectives(redistribution(c.source, c.target, c.mesh)) - 1) ? 0 : 1;
  }));
  EXPECT_GT(cases, 0);
  EXPECT_GE(fewest * 100, cases * 99);
}

/// Checks the reference search itself on cases whose fewest collectives are known.
TEST(Redistribution, ThePlansThatAreSearchedAreTheNormalForms) {
  const Mesh mesh({{"a", 2}, {"b", 3}, {"c", 2}});
  const auto fewest = [&](const char* from, const char* to, std::vector<std::int64_t> dims) {
    const Case c{mesh, Layout::parse(from, mesh, dims.size()).value(), Layout::parse(to, mesh, dims.size()).value(),
                 TensorType{ElementType::i32, dims}};
    return FewestCollectives(c).at_most(4);
  };
  EXPECT_EQ(fewest("[{}]", "[{a, b}]", {6}), 0);
  EXPECT_EQ(fewest("[{a}]", "[{}]", {6}), 1);
  EXPECT_EQ(fewest("[{a}, {}]", "[{}, {a}]", {2, 2}), 1);
  EXPECT_EQ(fewest("[{a}, {c}]", "[{c}, {a}]", {2, 2}), 1);
  // From thirds to halves: two steps by way of the complete value if it fits, as it does here.
  EXPECT_EQ(fewest("[{b}]", "[{a}]", {6}), 2);
  EXPECT_EQ(fewest("[{b}, {}]", "[{a}, {}]", {6, 1}), 2);
  EXPECT_EQ(fewest("[{a}, {b}]", "[{b}, {a}]", {6, 6}), 3);
}

/// The example of arXiv 2112.01075. By gathering, a device holds 12 24 72 144 72 24 12 6 6 elements in turn; in the
/// normal form it never holds more than 6.
TEST(Redistribution, OfThePapersExampleStaysAtSixElements) {
  Case c;
  c.mesh = Mesh({{"x1", 2}, {"x2", 2}, {"y1", 3}, {"y2", 2}});
  c.source = Layout::parse("[{x1, x2}, {y1, y2}]", c.mesh, 2).value();
  c.target = Layout::parse("[{y1, y2}, {x1, x2}]", c.mesh, 2).value();
  c.global = TensorType{ElementType::i32, {12, 12}};
  const auto steps = redistribution(c.source, c.target, c.mesh);
  Parts parts = parts_of(numbered(c.global), c.source, c.mesh);
  std::vector<std::string> kinds;
  for (const Conversion& step : steps) {
    kinds.emplace_back(name_of(step.kind));
    parts = performed(step, parts, c.mesh);
    for (const Tensor& p : parts) EXPECT_EQ(p.type->elements(), 6);
  }
  EXPECT_TRUE(same(parts, parts_of(numbered(c.global), c.target, c.mesh)));
  EXPECT_EQ(kinds, (std::vector<std::string>{"all_to_all", "all_to_all", "permute"})) << steps_text(steps, c.mesh);
  EXPECT_EQ(naive_collectives(c), 4);
}

struct Example {
  const char* source;
  const char* target;
  std::vector<std::string> after;
};

void expect_planned(const Mesh& mesh, const std::vector<Example>& examples) {
  for (const Example& e : examples) {
    const auto source = Layout::parse(e.source, mesh, 2).value();
    const auto target = Layout::parse(e.target, mesh, 2).value();
    std::vector<std::string> after;
    for (const Conversion& s : redistribution(source, target, mesh)) {
      after.push_back(fmt::format("{} {}", name_of(s.kind), s.after.str(mesh)));
    }
    EXPECT_EQ(after, e.after) << e.source << " to " << e.target;
  }
}

TEST(Redistribution, IsPlannedAsExpectedByHand) {
  expect_planned(
      Mesh({{"a", 2}, {"b", 3}, {"c", 2}, {"d", 4}}),
      {{"[{a}, {}]", "[{a}, {}]", {}},
       {"[{}, {}]", "[{a, b}, {c}]", {"all_slice [{a, b}, {}]", "all_slice [{a, b}, {c}]"}},
       {"[{a}, {}]", "[{}, {a}]", {"all_to_all [{}, {a}]"}},
       {"[{a, b}, {}]", "[{}, {a, b}]", {"all_to_all [{}, {a, b}]"}},
       {"[{a, b}, {}]", "[{a}, {}]", {"all_gather [{a}, {}]"}},
       {"[{a, b}, {}]", "[{a}, {b}]", {"all_to_all [{a}, {b}]"}},
       {"[{a}, {b}]", "[{a, c}, {}]", {"all_slice [{a, c}, {b}]", "all_gather [{a, c}, {}]"}},
       {"[{a}, {}]", "[{b}, {a}]", {"all_to_all [{}, {a}]", "all_slice [{b}, {a}]"}},
       {"[{a}, {}]", "[{c}, {}]", {"permute [{c}, {}]"}},
       {"[{a}, {c}]", "[{c}, {a}]", {"permute [{c}, {a}]"}},
       {"[{d}, {}]", "[{a, c}, {}]", {"permute [{a, c}, {}]"}},
       {"[{a, c}, {}]", "[{c}, {}]", {"permute [{c, a}, {}]", "all_gather [{c}, {}]"}},
       {"[{d}, {a}]", "[{a}, {d}]", {"all_slice [{d}, {a, c}]", "permute [{a, c}, {d}]", "all_gather [{a}, {d}]"}},
       // The permute comes first, so that the exchange is along one axis.
       {"[{b, a}, {}]", "[{a}, {b}]", {"permute [{a, b}, {}]", "all_to_all [{a}, {b}]"}}});
}

TEST(Redistribution, IsPlannedAsExpectedWhereFewDevicesAreAlike) {
  // After the slice along a, no devices hold the same part, so the three parts of the second dimension are not sliced.
  const Mesh mesh({{"a", 4}, {"b", 3}, {"c", 2}});
  const auto steps =
      redistribution(Layout::parse("[{b}, {c}]", mesh, 2).value(), Layout::parse("[{a}, {b}]", mesh, 2).value(), mesh);
  std::vector<std::string> kinds;
  for (const Conversion& s : steps) kinds.emplace_back(name_of(s.kind));
  EXPECT_EQ(kinds, (std::vector<std::string>{"all_slice", "all_to_all", "permute", "all_gather"}));
}

TEST(Redistribution, IsPlannedAsExpectedWhereNoAxisIsFree) {
  // Half of d moves to another dimension, as a digit of d.
  expect_planned(Mesh({{"a", 2}, {"d", 4}}),
                 {{"[{d}, {a}]", "[{a}, {d}]", {"all_to_all [{d:(1)2}, {a, d:(2)2}]", "permute [{a}, {d}]"}}});
  // The gather comes first where the target has room for it; in the other order a permute would be needed as well.
  expect_planned(Mesh({{"a", 2}, {"b", 3}}),
                 {{"[{a, b}, {}]", "[{}, {a}]", {"all_gather [{a}, {}]", "all_to_all [{}, {a}]"}}});
}

/// A pending reduction stays pending: chunks move only between devices that hold the same summand.
TEST(Redistribution, KeepsSummandsApart) {
  const Mesh mesh({{"a", 2}, {"b", 2}, {"c", 2}});
  const auto source = Layout::parse("[{a}] partial{b:sum}", mesh, 1).value();
  const auto target = Layout::parse("[{c}] partial{b:sum}", mesh, 1).value();
  const auto steps = redistribution(source, target, mesh);
  ASSERT_EQ(steps.size(), 1U);
  for (const auto& [from, to] : steps[0].pairs)
    EXPECT_EQ(mesh.coordinate(DeviceId(static_cast<std::size_t>(from)), Axis(1)),
              mesh.coordinate(DeviceId(static_cast<std::size_t>(to)), Axis(1)));
}

/// Returns whether every step gives the chunks of the layout that it states.
bool is_right(const Case& c) {
  const Tensor global = numbered(c.global);
  Parts parts = parts_of(global, c.source, c.mesh);
  for (const Conversion& step : redistribution(c.source, c.target, c.mesh)) {
    parts = performed(step, parts, c.mesh);
    if (!same(parts, parts_of(global, step.after, c.mesh))) return false;
  }
  return same(parts, parts_of(global, c.target, c.mesh));
}

/// An axis that a sum is pending over may not be used to slice by, nor to route a wider layout over.
TEST(Redistribution, UsesNoAxisThatASumIsPendingOver) {
  const Mesh mesh({{"a", 2}, {"b", 2}, {"c", 2}, {"d", 4}});
  for (const auto& [from, to] : {std::pair("[{b}] partial{a:sum}", "[{d}] partial{a:sum}"),
                                 std::pair("[{b, c}] partial{a:sum}", "[{c}] partial{a:sum}")}) {
    const Case c{mesh, Layout::parse(from, mesh, 1).value(), Layout::parse(to, mesh, 1).value(),
                 TensorType{ElementType::i32, {8}}};
    EXPECT_TRUE(is_right(c)) << c.str();
  }
}

}  // namespace
}  // namespace partir
