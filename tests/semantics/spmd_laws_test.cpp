// The laws on which lowering relies, as properties on random tensors: of collectives on devices, and of PartIR:Core
// loops in their sequential reading.
#include <algorithm>
#include <numeric>

#include "tests/registry/claim.h"
#include "tests/semantics/spmd_programs.h"

namespace partir {
namespace {

using namespace testing;

// --- Laws of collectives ---------------------------------------------------------------------------------------------

/// n devices in a random order, and program lines that define a device's position in that order as %at (i32).
struct Group {
  std::int64_t n;
  std::vector<std::int64_t> order;
  std::string groups;
  std::string position;
};

Group some_group() {
  Group g;
  g.n = pick<std::int64_t>(1, 5);
  g.order.resize(static_cast<std::size_t>(g.n));
  std::iota(g.order.begin(), g.order.end(), 0);
  for (std::size_t k = 1; k < g.order.size(); ++k) std::swap(g.order[k], g.order[pick<std::size_t>(0, k + 1)]);
  g.groups = groups_text({g.order}) + kFlattened;
  std::vector<std::int64_t> position(g.order.size());
  for (std::size_t k = 0; k < g.order.size(); ++k)
    position[static_cast<std::size_t>(g.order[k])] = static_cast<std::int64_t>(k);
  g.position = fmt::format(
      "  %p = stablehlo.partition_id : tensor<ui32>\n  %table = stablehlo.constant dense<{}> : tensor<{}xi32>\n"
      "  %row = stablehlo.dynamic_slice %table, %p, sizes = [1] : (tensor<{}xi32>, tensor<ui32>) -> tensor<1xi32>\n"
      "  %at = stablehlo.reshape %row : (tensor<1xi32>) -> tensor<i32>\n  %zero = stablehlo.constant dense<0> : "
      "tensor<i32>\n",
      position, g.n, g.n);
  return g;
}

std::string type_text(const std::vector<std::int64_t>& dims) {
  return fmt::format("tensor<{}xf32>", fmt::join(dims, "x"));
}

/// Returns lines that slice the device's chunk of `from` along `dim` into `to`; `dims` are the sizes of `from`.
std::string chunk_lines(const std::string& from, const std::string& to, const std::vector<std::int64_t>& dims,
                        std::size_t dim, std::int64_t n) {
  std::vector<std::int64_t> part = dims;
  part[dim] /= n;
  std::string starts;
  std::string types;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    starts += d == dim ? ", %start" : ", %zero";
    types += ", tensor<i32>";
  }
  return fmt::format(
      "  %size = stablehlo.constant dense<{}> : tensor<i32>\n  %start = stablehlo.multiply %at, %size : tensor<i32>\n"
      "  {} = stablehlo.dynamic_slice {}{}, sizes = [{}] : ({}{}) -> {}\n",
      part[dim], to, from, starts, fmt::join(part, ", "), type_text(dims), types, type_text(part));
}

std::vector<std::int64_t> some_dims(std::int64_t n, std::size_t least_rank = 1) {
  std::vector<std::int64_t> dims;
  const auto rank = pick<std::size_t>(least_rank, 4);
  for (std::size_t d = 0; d < rank; ++d) dims.push_back(n * pick<std::int64_t>(1, 3));
  return dims;
}

/// Runs a program with two results in the modular domain and asserts that they are equal on each device. Operand 0 is
/// the same on all devices if `replicated`.
void assert_equal_results(const std::string& text, std::int64_t n, bool replicated) {
  const Module module = module_of(text);
  const Function& f = module.functions[0];
  const auto seed = pick<std::uint64_t>(0, 1 << 30);
  std::vector<std::vector<Tensor>> inputs;
  for (std::int64_t d = 0; d < n; ++d) {
    inputs.push_back({varied_tensor(f.tensor(f.arguments()[0]),
                                    replicated ? seed : seed + static_cast<std::uint64_t>(d), modular_domain())});
  }
  const auto out = run_spmd(f, inputs, {1, n}, modular_domain(), pick<std::uint64_t>(0, 4));
  RC_LOG() << text << "seed " << seed << "\n" << (out ? "" : out.error().text());
  RC_ASSERT(out.has_value());
  for (const auto& device : *out) {
    RC_ASSERT(device[0].type == device[1].type);
    RC_ASSERT(difference(device[0], device[1], modular_domain()).elements == 0);
  }
}

std::string two_results(const std::string& argument, const std::string& result, const std::string& lines,
                        const std::string& a, const std::string& b) {
  return fmt::format("func.func @main(%x: {0}) -> ({1}, {1}) {{\n{2}  return {3}, {4} : {1}, {1}\n}}\n", argument,
                     result, lines, a, b);
}

TEST(Laws, AllGatherOfSlicesIsTheIdentity) {
  EXPECT_TRUE(rc::check("all_gather(slice(x)) = x", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n);
    const auto dim = pick<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= g.n;
    const std::string gather =
        fmt::format("  %y = \"stablehlo.all_gather\"(%c) <{{all_gather_dim = {} : i64, {}}}> : ({}) -> {}\n", dim,
                    g.groups, type_text(part), type_text(dims));
    assert_equal_results(two_results(type_text(dims), type_text(dims),
                                     g.position + chunk_lines("%x", "%c", dims, dim, g.n) + gather, "%x", "%y"),
                         g.n, true);
  }));
}

TEST(Laws, ReduceScatterIsAllReduceThenSlice) {
  EXPECT_TRUE(rc::check("reduce_scatter(x) = slice(all_reduce(x))", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n);
    const auto dim = pick<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= g.n;
    const std::string fold =
        fold_of(*rc::gen::element("stablehlo.add", "stablehlo.maximum", "stablehlo.multiply"), "f32");
    const std::string lines = fmt::format(
        "  %s = \"stablehlo.reduce_scatter\"(%x) <{{{}, scatter_dimension = {} : i64}}> {} : ({}) -> {}\n"
        "  %a = \"stablehlo.all_reduce\"(%x) <{{{}}}> {} : ({}) -> {}\n",
        g.groups, dim, fold, type_text(dims), type_text(part), g.groups, fold, type_text(dims), type_text(dims));
    assert_equal_results(two_results(type_text(dims), type_text(part),
                                     g.position + lines + chunk_lines("%a", "%c", dims, dim, g.n), "%s", "%c"),
                         g.n, false);
  }));
}

TEST(Laws, AllToAllIsGatherThenSlice) {
  EXPECT_TRUE(rc::check("all_to_all(x) = slice(all_gather(x))", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n, 2);
    // The two dimensions differ: along the same one, chunks are interleaved, and no slice of the gathered value is
    // equal.
    const auto split = pick<std::size_t>(0, dims.size());
    const auto concat = (split + pick<std::size_t>(1, dims.size())) % dims.size();
    auto whole = dims;
    whole[concat] *= g.n;
    auto part = whole;
    part[split] /= g.n;
    // all_to_all has no use_global_device_ids. With a channel, its groups are of partitions, which here are the
    // devices.
    const std::string lines = fmt::format(
        "  %t = \"stablehlo.all_to_all\"(%x) <{{concat_dimension = {} : i64, {}{}, split_count = {} : i64, "
        "split_dimension = {} : i64}}> : ({}) -> {}\n"
        "  %w = \"stablehlo.all_gather\"(%x) <{{all_gather_dim = {} : i64, {}}}> : ({}) -> {}\n",
        concat, groups_text({g.order}), kChannel, g.n, split, type_text(dims), type_text(part), concat, g.groups,
        type_text(dims), type_text(whole));
    assert_equal_results(two_results(type_text(dims), type_text(part),
                                     g.position + lines + chunk_lines("%w", "%c", whole, split, g.n), "%t", "%c"),
                         g.n, false);
  }));
}

TEST(Laws, TwoPermutesCompose) {
  EXPECT_TRUE(rc::check("permute(permute(x, p), q) = permute(x, q after p)", [] {
    const auto n = pick<std::int64_t>(1, 6);
    const auto some_map = [&] {  // a partial, injective map
      std::vector<std::int64_t> to(static_cast<std::size_t>(n));
      std::iota(to.begin(), to.end(), 0);
      for (std::size_t k = 1; k < to.size(); ++k) std::swap(to[k], to[pick<std::size_t>(0, k + 1)]);
      for (std::int64_t& t : to) {
        if (pick(0, 4) == 0) t = -1;
      }
      return to;
    };
    const auto p = some_map();
    const auto q = some_map();
    std::vector<std::int64_t> both;
    for (const std::int64_t t : p) both.push_back(t < 0 ? -1 : q[static_cast<std::size_t>(t)]);
    const auto line = [&](const char* to, const char* from, const std::vector<std::int64_t>& map) {
      std::vector<std::vector<std::int64_t>> pairs;
      for (std::size_t s = 0; s < map.size(); ++s) {
        if (map[s] >= 0) pairs.push_back({static_cast<std::int64_t>(s), map[s]});
      }
      const std::string dense = pairs.empty() ? "dense<>" : fmt::format("dense<{}>", pairs);
      return fmt::format(
          "  {} = \"stablehlo.collective_permute\"({}) <{{source_target_pairs = {} : tensor<{}x2xi64>{}}}> : "
          "(tensor<3xf32>) -> tensor<3xf32>\n",
          to, from, dense, pairs.size(), kChannel);
    };
    assert_equal_results(two_results("tensor<3xf32>", "tensor<3xf32>",
                                     line("%a", "%x", p) + line("%b", "%a", q) + line("%c", "%x", both), "%b", "%c"),
                         n, false);
  }));
}

// --- PartIR:Core: the sequential reading of loops --------------------------------------------------------------------

/// Asserts that a Core program's two results are equal.
void assert_core_equal(const std::string& arguments, const std::string& result, const std::string& lines,
                       const std::string& a, const std::string& b) {
  const std::string text = fmt::format("func.func @main({0}) -> ({1}, {1}) {{\n{2}  return {3}, {4} : {1}, {1}\n}}\n",
                                       arguments, result, lines, a, b);
  const Module module = module_of(text);
  const Function& f = module.functions[0];
  const auto seed = pick<std::uint64_t>(0, 1 << 30);
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < f.arguments().size(); ++k)
    inputs.push_back(varied_tensor(f.tensor(f.arguments()[k]), seed + k, modular_domain()));
  const auto out = run_sequential(f, inputs, modular_domain());
  RC_LOG() << text << "seed " << seed << "\n" << (out ? "" : out.error().text());
  RC_ASSERT(out.has_value());
  RC_ASSERT(difference((*out)[0], (*out)[1], modular_domain()).elements == 0);
}

std::string slice_line(const std::string& to, const std::string& from, std::size_t dim, const std::string& index,
                       const std::vector<std::int64_t>& dims, std::int64_t n) {
  auto part = dims;
  part[dim] /= n;
  return fmt::format("  {} = slice {} {}[{}] : {} -> {}\n", to, dim, from, index, type_text(dims), type_text(part));
}

TEST(CoreLoops, OfSlicesGiveTheValueBack) {
  EXPECT_TRUE(rc::check("loop [#tile<d>] { slice d x[r] } = x", [] {
    const auto n = pick<std::int64_t>(1, 5);
    const auto dims = some_dims(n);
    const auto dim = pick<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= n;
    assert_core_equal(
        "%x: " + type_text(dims), type_text(dims),
        fmt::format("  %y = loop \"a\" [#tile<{}>] (%r: range<{}>) {{\n  {}    yield %s : {}\n  }} : {}\n", dim, n,
                    slice_line("%s", "%x", dim, "%r", dims, n), type_text(part), type_text(dims)),
        "%x", "%y");
  }));
}

TEST(CoreLoops, OverDifferentAxesCommute) {
  EXPECT_TRUE(rc::check("a loop over a of a loop over b is a loop over b of a loop over a", [] {
    const auto n = pick<std::int64_t>(1, 4);
    const auto m = pick<std::int64_t>(1, 4);
    const std::vector<std::int64_t> dims = {n * 2, m * pick<std::int64_t>(1, 3)};
    const auto nest = [&](const std::string& to, bool a_first) {
      const std::size_t outer = a_first ? 0 : 1;
      const std::size_t inner = 1 - outer;
      const std::int64_t sizes[] = {n, m};
      const char* axes[] = {"a", "b"};
      auto half = dims;
      half[outer] /= sizes[outer];
      auto quarter = half;
      quarter[inner] /= sizes[inner];
      return fmt::format(
          "  {0} = loop \"{1}\" [#tile<{2}>] (%r{0}_: range<{3}>) {{\n  {4}    %u = loop \"{5}\" [#tile<{6}>] (%q: "
          "range<{7}>) {{\n    {8}"
          "      %t = stablehlo.tanh %v : {9}\n      yield %t : {9}\n    }} : {10}\n    yield %u : {10}\n  }} : {11}\n",
          to, axes[outer], outer, sizes[outer], slice_line("%s", "%x", outer, "%r" + to + "_", dims, sizes[outer]),
          axes[inner], inner, sizes[inner], slice_line("%v", "%s", inner, "%q", half, sizes[inner]), type_text(quarter),
          type_text(half), type_text(dims));
    };
    std::string lines = nest("%y", true) + nest("%z", false);
    for (const char* name : {"%r%y_", "%r%z_"}) {  // unique index names, of letters only
      for (std::size_t at = 0; (at = lines.find(name, at)) != std::string::npos;)
        lines.replace(at, 5, std::string("%r") + name[3]);
    }
    assert_core_equal("%x: " + type_text(dims), type_text(dims), lines, "%y", "%z");
  }));
}

TEST(CoreLoops, OfASumOverTheContractedDimensionGiveTheProduct) {
  EXPECT_TRUE(rc::check("loop [#sum] { slice 1 x[r] * slice 0 y[r] } = x * y", [] {
    const auto n = pick<std::int64_t>(1, 5);
    const auto k = n * pick<std::int64_t>(1, 3);
    const std::string dot =
        "stablehlo.dot_general {}, {}, contracting_dims = [1] x [0] : (tensor<2x{}xf32>, tensor<{}x3xf32>) -> "
        "tensor<2x3xf32>\n";
    assert_core_equal(fmt::format("%x: tensor<2x{0}xf32>, %y: tensor<{0}x3xf32>", k), "tensor<2x3xf32>",
                      "  %a = " + fmt::format(fmt::runtime(dot), "%x", "%y", k, k) +
                          fmt::format("  %b = loop \"a\" [#sum] (%r: range<{}>) {{\n", n) +
                          slice_line("%s", "%x", 1, "%r", {2, k}, n) + slice_line("%t", "%y", 0, "%r", {k, 3}, n) +
                          "    %p = " + fmt::format(fmt::runtime(dot), "%s", "%t", k / n, k / n) +
                          "    yield %p : tensor<2x3xf32>\n  } : tensor<2x3xf32>\n",
                      "%a", "%b");
  }));
}

TEST(CoreLoops, CombineByTheMonoidOfTheirAction) {
  EXPECT_TRUE(rc::check("loop [#m] { reduce m of slice } = reduce m", [] {
    const auto n = pick<std::int64_t>(1, 5);
    const auto k = n * pick<std::int64_t>(1, 3);
    struct Fold {
      const char* action;
      const char* fn;
      const char* identity;
    };
    const Fold folds[] = {{"#sum", "add", "0.0"},
                          {"#max", "maximum", "0xFF800000"},
                          {"#min", "minimum", "0x7F800000"},
                          {"#prod", "multiply", "1.0"}};
    const Fold fold = folds[pick<std::size_t>(0, 4)];
    const auto reduce = [&](const char* to, const char* from, std::int64_t size) {
      return fmt::format(
          "  {} = stablehlo.reduce({} init: %c) applies stablehlo.{} across dimensions = [0] : (tensor<{}x2xf32>, "
          "tensor<f32>) -> tensor<2xf32>\n",
          to, from, fold.fn, size);
    };
    assert_core_equal(fmt::format("%x: tensor<{}x2xf32>", k), "tensor<2xf32>",
                      fmt::format("  %c = stablehlo.constant dense<{}> : tensor<f32>\n", fold.identity) +
                          reduce("%a", "%x", k) +
                          fmt::format("  %b = loop \"a\" [{}] (%r: range<{}>) {{\n", fold.action, n) +
                          slice_line("%s", "%x", 0, "%r", {k, 2}, n) + reduce("%p", "%s", k / n) +
                          "    yield %p : tensor<2xf32>\n  } : tensor<2xf32>\n",
                      "%a", "%b");
  }));
}

TEST(CoreLoops, OfTwoResultsTakeEachByItsAction) {
  const Module module = module_of(
      "func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<2xi32>, tensor<i32>) {\n"
      "  %c = stablehlo.constant dense<7> : tensor<i32>\n"
      "  %0:3 = loop \"a\" [#tile<0>, #sum, #any] (%r: range<2>) {\n    %s = slice 0 %x[%r] : tensor<4xi32> -> "
      "tensor<2xi32>\n"
      "    yield %s, %s, %c : tensor<2xi32>, tensor<2xi32>, tensor<i32>\n  } : (tensor<4xi32>, tensor<2xi32>, "
      "tensor<i32>)\n"
      "  return %0#0, %0#1, %0#2 : tensor<4xi32>, tensor<2xi32>, tensor<i32>\n}\n");
  const Function& f = module.functions[0];
  const auto out = run_sequential(f, {tensor_of(f.tensor(f.arguments()[0]), {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values_of((*out)[1]), (std::vector<double>{4, 6}));
  EXPECT_EQ(values_of((*out)[2]), (std::vector<double>{7}));
}

TEST(CoreLoops, WhoseWholeValuesDifferAreRefused) {
  const Module module = module_of(
      "func.func @main(%x: tensor<4xi32>) -> tensor<2xi32> {\n  %0 = loop \"a\" [#any] (%r: range<2>) {\n    %s = "
      "slice 0 %x[%r] : tensor<4xi32> -> tensor<2xi32>\n"
      "    yield %s : tensor<2xi32>\n  } : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n");
  const Function& f = module.functions[0];
  const auto same = run_sequential(f, {tensor_of(f.tensor(f.arguments()[0]), {1, 2, 1, 2})}, native_domain());
  ASSERT_TRUE(same.has_value()) << same.error().text();
  const auto differ = run_sequential(f, {tensor_of(f.tensor(f.arguments()[0]), {1, 2, 3, 4})}, native_domain());
  ASSERT_FALSE(differ.has_value());
  EXPECT_EQ(differ.error().code, "core");
}

}  // namespace
}  // namespace partir
