// The registry's entries. Soundness: each entry is tried on every instance of tests/registry/instances.cpp with 2 and 3
// devices. Completeness: the exact lists of entries of the operations that partition most. Mutations: entries known to
// be wrong are absent, and the same evaluation refutes them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/text/print.h"
#include "tests/registry/claim.h"
#include "tests/registry/instances.h"
#include "tests/registry/wrong_claims.h"

namespace partir {
namespace {

using testing::Instance;
using testing::instances;
using testing::Outcome;
using testing::ReadInstance;
using testing::try_claim_often;
using testing::WrongClaim;

constexpr int kTrials = 3;

std::vector<std::string> lines_of(const std::vector<Entry>& entries) {
  std::vector<std::string> out;
  for (const Entry& e : entries) out.push_back(e.str());
  return out;
}

/// Parses "(#tile<1>, any) -> (#sum)".
Entry entry_from(std::string_view text) {
  Entry out;
  std::vector<Action>* side = &out.operands;
  std::string word;
  for (const char c : text) {
    if (c == '>' && word.ends_with('-')) {
      side = &out.results;
      word.clear();
    } else if (c == ',' || c == ')') {
      if (!word.empty()) side->push_back(Action::parse(word).value());
      word.clear();
    } else if (c != '(' && c != ' ') {
      word += c;
    }
  }
  return out;
}

// --- Soundness -----------------------------------------------------------------------------------------------------

/// The operations that have a meaning but deliberately no entry, and the reason.
const std::map<std::string, std::string>& without_entries() {
  static const std::string sizes = "its sizes are data, which do not shrink with the tiles";
  static const std::string random = "where a number stands decides which it is";
  static const std::map<std::string, std::string> out = {
      {"stablehlo.dynamic_broadcast_in_dim", sizes},
      {"stablehlo.dynamic_conv", sizes},
      {"stablehlo.dynamic_gather", sizes},
      {"stablehlo.dynamic_iota", sizes},
      {"stablehlo.dynamic_pad", sizes},
      {"stablehlo.dynamic_reshape", sizes},
      {"stablehlo.real_dynamic_slice", sizes},
      {"stablehlo.get_dimension_size", "its result is a size, which is another in a tile"},
      {"stablehlo.rng", random},
      {"stablehlo.rng_bit_generator", random}};
  return out;
}

class EveryEntry : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryEntry, HoldsWhereItDividesOnSmallShapes) {
  std::size_t tried = 0;
  std::size_t claims = 0;
  std::size_t bad = 0;
  bool some_expected = false;
  for (const Instance& instance : instances()) {
    if (instance.family != GetParam()) continue;
    SCOPED_TRACE(instance.text);
    const ReadInstance read(instance.text);
    ASSERT_TRUE(has_meaning(read.op()));
    ++tried;
    some_expected = some_expected || !without_entries().contains(read.op().decl->name);
    std::set<std::string> seen;
    for (const Entry& entry : entries_of(read.op())) {
      EXPECT_TRUE(seen.insert(entry.str()).second) << "twice: " << entry.str() << "\n" << instance.text;
      ASSERT_EQ(entry.operands.size(), read.op().operands.size()) << instance.text;
      ASSERT_EQ(entry.results.size(), read.op().results.size()) << instance.text;
      for (const std::int64_t n : {2, 3}) {
        const Outcome outcome = try_claim_often(read.op(), entry, n, kTrials);
        if (outcome.kind == Outcome::Kind::not_divisible) continue;
        ++claims;
        if (outcome.kind == Outcome::Kind::holds) continue;
        EXPECT_TRUE(outcome.kind == Outcome::Kind::holds) << instance.text << entry.str() << ", n = " << n << "\n"
                                                          << outcome.detail;
        ASSERT_LT(++bad, 10U) << "and more";
      }
    }
  }
  RecordProperty("instances", static_cast<int>(tried));
  RecordProperty("claims", static_cast<int>(claims));
  fmt::print("{}: {} instances, {} claims\n", GetParam(), tried, claims);
  EXPECT_EQ(claims > 0, some_expected) << "nothing was tried, or what was not to be there";
}

INSTANTIATE_TEST_SUITE_P(Of, EveryEntry, ::testing::ValuesIn(testing::families()),
                         [](const auto& family) { return family.param; });

TEST(Instances, CoverEveryOperationThatHasAMeaning) {
  std::map<std::string, std::size_t> tried;
  std::map<std::string, std::size_t> claims;
  for (const Instance& instance : instances()) {
    const ReadInstance read(instance.text);
    ++tried[read.op().decl->name];
    claims[read.op().decl->name] += entries_of(read.op()).size();
  }
  std::size_t exceptions = 0;
  for (const OpDecl* decl : all_decls()) {
    if (decl->meaning == nullptr) continue;
    EXPECT_GT(tried[decl->name], 0U) << decl->name;
    const bool none = without_entries().contains(decl->name);
    EXPECT_EQ(claims[decl->name] == 0, none) << decl->name;
    exceptions += none ? 1 : 0;
  }
  EXPECT_EQ(exceptions, without_entries().size()) << "a name in the list that no operation has";
}

// --- Completeness: the exact lists ---------------------------------------------------------------------------------

struct Listed {
  const char* name;
  std::string text;
  std::vector<std::string> entries;
};

std::string dot(const char* types) { return std::string("  %0 = stablehlo.dot_general %x, %y") + types; }
std::string reduce(const char* fn, const char* init) {
  return fmt::format(
      "  %c = stablehlo.constant dense<{}> : tensor<f32>\n  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{} "
      "across "
      "dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>",
      init, fn);
}
std::string gather(const char* numbers, const char* sizes, const char* types) {
  return fmt::format(
      "  %0 = \"stablehlo.gather\"(%x, %s) <{{dimension_numbers = #stablehlo.gather<{}>, slice_sizes = array<i64: "
      "{}>}}> : {}",
      numbers, sizes, types);
}
std::string scatter(const char* numbers, const char* fn, const char* types) {
  return fmt::format(
      "  %0 = \"stablehlo.scatter\"(%x, %s, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{}>}}> ({{\n"
      "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %r = {} %a, %b : tensor<f32>\n    stablehlo.return %r : "
      "tensor<f32>\n  }}) : {}",
      numbers, fn, types);
}
const char* const kEmbedding =
    "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1";
const char* const kGradient =
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1";
const char* const kGradientTypes = "(tensor<6x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<6x4xf32>";

/// Adds the entries for pending reductions of an operation that only moves its operand's elements, on floats.
std::vector<std::string> with_moves(std::vector<std::string> tiles, const std::string& pattern = "({}) -> ({})") {
  for (const char* m : {"#sum", "#prod", "#max", "#min"}) tiles.push_back(fmt::format(fmt::runtime(pattern), m, m));
  return tiles;
}

std::vector<Listed> listed() {
  using testing::module_text;
  std::vector<Listed> out;
  const auto add = [&](const char* name, const std::string& arguments, const std::string& lines,
                       std::vector<std::string> entries) {
    out.push_back({name, module_text(arguments, lines), std::move(entries)});
  };
  // dot_general
  const std::vector<std::string> partial = {"(#sum, any) -> (#sum)", "(any, #sum) -> (#sum)"};
  const auto with_partial = [&](std::vector<std::string> list) {
    list.insert(list.end(), partial.begin(), partial.end());
    return list;
  };
  add("a matmul", "%x: tensor<4x6xf32>, %y: tensor<6x8xf32>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>"),
      with_partial(
          {"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)", "(#tile<1>, #tile<0>) -> (#sum)"}));
  add("a batched matmul", "%x: tensor<4x2x6xf32>, %y: tensor<6x2x3xf32>",
      dot(", batching_dims = [1] x [1], contracting_dims = [2] x [0] : (tensor<4x2x6xf32>, tensor<6x2x3xf32>) -> "
          "tensor<2x4x3xf32>"),
      with_partial({"(#tile<1>, #tile<1>) -> (#tile<0>)", "(#tile<0>, any) -> (#tile<1>)",
                    "(any, #tile<2>) -> (#tile<2>)", "(#tile<2>, #tile<0>) -> (#sum)"}));
  add("two contractions", "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>",
      dot(", contracting_dims = [0, 1] x [0, 1] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<f32>"),
      with_partial({"(#tile<0>, #tile<0>) -> (#sum)", "(#tile<1>, #tile<1>) -> (#sum)"}));
  add("a matmul of booleans", "%x: tensor<4x6xi1>, %y: tensor<6x8xi1>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xi1>, tensor<6x8xi1>) -> tensor<4x8xi1>"),
      {"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)", "(#tile<1>, #tile<0>) -> (#or)",
       "(#or, any) -> (#or)", "(any, #or) -> (#or)"});
  add("a matmul that widens bytes", "%x: tensor<4x6xi8>, %y: tensor<6x8xi8>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xi8>, tensor<6x8xi8>) -> tensor<4x8xi32>"),
      {"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)", "(#tile<1>, #tile<0>) -> (#sum)"});
  // convolution
  const auto conv = [](const char* groups, const char* types) {
    return fmt::format(
        "  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{{}}} : {}",
        groups, types);
  };
  add("a convolution", "%x: tensor<4x6x6xf32>, %y: tensor<3x6x4xf32>",
      conv("batch_group_count = 1 : i64, feature_group_count = 1 : i64",
           "(tensor<4x6x6xf32>, tensor<3x6x4xf32>) -> tensor<4x4x4xf32>"),
      with_partial(
          {"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<2>) -> (#tile<2>)", "(#tile<2>, #tile<1>) -> (#sum)"}));
  add("a convolution by feature groups", "%x: tensor<4x6x6xf32>, %y: tensor<3x3x4xf32>",
      conv("batch_group_count = 1 : i64, feature_group_count = 2 : i64",
           "(tensor<4x6x6xf32>, tensor<3x3x4xf32>) -> tensor<4x4x4xf32>"),
      with_partial({"(#tile<0>, any) -> (#tile<0>)", "(#tile<2>, #tile<2>) -> (#tile<2>)"}));
  // reduce
  add("a sum", "%x: tensor<4x6xf32>", reduce("add", "0.0"),
      {"(#tile<0>, any) -> (#tile<0>)", "(#tile<1>, any) -> (#sum)", "(#sum, any) -> (#sum)"});
  add("a maximum", "%x: tensor<4x6xf32>", reduce("maximum", "0xFF800000"),
      {"(#tile<0>, any) -> (#tile<0>)", "(#tile<1>, any) -> (#max)", "(#max, any) -> (#max)"});
  add("a sum from 1", "%x: tensor<4x6xf32>", reduce("add", "1.0"), {"(#tile<0>, any) -> (#tile<0>)"});
  add("a maximum from 0", "%x: tensor<4x6xf32>", reduce("maximum", "0.0"), {"(#tile<0>, any) -> (#tile<0>)"});
  add("a sum from an unknown value", "%x: tensor<4x6xf32>, %c: tensor<f32>",
      "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, "
      "tensor<f32>) -> tensor<4xf32>",
      {"(#tile<0>, any) -> (#tile<0>)"});
  // reshape
  add("a merge", "%x: tensor<4x6xf32>", "  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>",
      with_moves({"(#tile<0>) -> (#tile<0>)"}));
  add("a split", "%x: tensor<24x5xf32>", "  %0 = stablehlo.reshape %x : (tensor<24x5xf32>) -> tensor<4x6x5xf32>",
      with_moves({"(#tile<0>) -> (#tile<0>)", "(#tile<1>) -> (#tile<2>)"}));
  add("unit dimensions", "%x: tensor<1x4x1x6xf32>",
      "  %0 = stablehlo.reshape %x : (tensor<1x4x1x6xf32>) -> tensor<4x1x6x1xf32>",
      with_moves({"(#tile<1>) -> (#tile<0>)", "(#tile<3>) -> (#tile<2>)"}));
  add("a merge behind a kept dimension", "%x: tensor<2x4x6xf32>",
      "  %0 = stablehlo.reshape %x : (tensor<2x4x6xf32>) -> tensor<2x24xf32>",
      with_moves({"(#tile<0>) -> (#tile<0>)", "(#tile<1>) -> (#tile<1>)"}));
  // gather
  add("an embedding", "%x: tensor<6x4xf32>, %s: tensor<4x1xi32>",
      gather(kEmbedding, "1, 4", "(tensor<6x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>"),
      with_moves({"(#tile<1>, any) -> (#tile<1>)", "(any, #tile<0>) -> (#tile<0>)"}, "({}, any) -> ({})"));
  add("an embedding of parts of rows", "%x: tensor<6x4xf32>, %s: tensor<4x1xi32>",
      gather(kEmbedding, "1, 2", "(tensor<6x4xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>"),
      with_moves({"(any, #tile<0>) -> (#tile<0>)"}, "({}, any) -> ({})"));
  add("a gather with a batching dimension", "%x: tensor<4x6x3xf32>, %s: tensor<4x2x1xi32>",
      gather("offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims "
             "= [0], start_index_map = [1], index_vector_dim = 2",
             "1, 1, 3", "(tensor<4x6x3xf32>, tensor<4x2x1xi32>) -> tensor<4x2x3xf32>"),
      with_moves(
          {"(#tile<2>, any) -> (#tile<2>)", "(#tile<0>, #tile<0>) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)"},
          "({}, any) -> ({})"));
  // scatter
  const std::string updates = "%s: tensor<4x1xi32>, %u: tensor<4x4xf32>";
  const std::string zeros = "  %x = stablehlo.constant dense<0.0> : tensor<6x4xf32>\n";
  const std::string ones = "  %x = stablehlo.constant dense<1.0> : tensor<6x4xf32>\n";
  const std::string window = "(#tile<1>, any, #tile<1>) -> (#tile<1>)";
  add("a gradient added to zeros", updates, zeros + scatter(kGradient, "stablehlo.add", kGradientTypes),
      {window, "(any, #tile<0>, #tile<0>) -> (#sum)", "(#sum, #tile<0>, #tile<0>) -> (#sum)",
       "(#sum, any, #sum) -> (#sum)", "(any, any, #sum) -> (#sum)"});
  add("a gradient added to something", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.add", kGradientTypes),
      {window, "(#sum, #tile<0>, #tile<0>) -> (#sum)", "(#sum, any, #sum) -> (#sum)"});
  add("a gradient added to ones", updates, ones + scatter(kGradient, "stablehlo.add", kGradientTypes),
      {window, "(#sum, #tile<0>, #tile<0>) -> (#sum)", "(#sum, any, #sum) -> (#sum)"});
  add("a gradient multiplied into ones", updates, ones + scatter(kGradient, "stablehlo.multiply", kGradientTypes),
      {window, "(any, #tile<0>, #tile<0>) -> (#prod)", "(#prod, #tile<0>, #tile<0>) -> (#prod)",
       "(#prod, any, #prod) -> (#prod)", "(any, any, #prod) -> (#prod)"});
  add("a scatter without a monoid", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.subtract", kGradientTypes), {window});
  // pad
  const auto pad = [](const char* value) {
    return fmt::format(
        "  %c = stablehlo.constant dense<{}> : tensor<f32>\n  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [0, 0], "
        "interior = [0, 0] : "
        "(tensor<4x6xf32>, tensor<f32>) -> tensor<5x6xf32>",
        value);
  };
  // Maxima and minima remain such with any replicated padding value; sums and products only if it is the identity.
  const auto padded = [](const std::vector<std::string>& with_whole) {
    std::vector<std::string> list = {"(#tile<1>, any) -> (#tile<1>)"};
    list.insert(list.end(), with_whole.begin(), with_whole.end());
    list.insert(list.end(), {"(#max, any) -> (#max)", "(#min, any) -> (#min)", "(#sum, #sum) -> (#sum)",
                             "(#prod, #prod) -> (#prod)", "(#max, #max) -> (#max)", "(#min, #min) -> (#min)"});
    return list;
  };
  add("a pad with zero", "%x: tensor<4x6xf32>", pad("0.0"), padded({"(#sum, any) -> (#sum)"}));
  add("a pad with one", "%x: tensor<4x6xf32>", pad("1.0"), padded({"(#prod, any) -> (#prod)"}));
  add("a pad with minus infinity", "%x: tensor<4x6xf32>", pad("0xFF800000"), padded({}));
  add("a pad with two", "%x: tensor<4x6xf32>", pad("2.0"), padded({}));
  // concatenate
  add("a concatenation", "%x: tensor<4x6xf32>, %y: tensor<2x6xf32>",
      "  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>",
      {"(#tile<1>, #tile<1>) -> (#tile<1>)", "(#sum, #sum) -> (#sum)", "(#prod, #prod) -> (#prod)",
       "(#max, #max) -> (#max)", "(#min, #min) -> (#min)"});
  // broadcast_in_dim
  add("a broadcast of rows", "%x: tensor<6xf32>",
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>",
      with_moves({"(any) -> (#tile<0>)", "(#tile<0>) -> (#tile<1>)"}));
  add("an expansion", "%x: tensor<4x1xf32>",
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>",
      with_moves({"(#tile<0>) -> (#tile<0>)", "(any) -> (#tile<1>)"}));
  add("a broadcast of a boolean", "%x: tensor<i1>",
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i1>) -> tensor<4xi1>",
      {"(any) -> (#tile<0>)", "(#and) -> (#and)", "(#or) -> (#or)"});
  return out;
}

TEST(Entries, AreExactlyThese) {
  for (const Listed& l : listed()) {
    const ReadInstance read(l.text);
    EXPECT_EQ(lines_of(entries_of(read.op())), l.entries) << l.name << "\n" << l.text;
  }
}

// --- Known-wrong claims: not in the registry, and refuted by the same evaluation ------------------------------------

std::vector<WrongClaim> known_wrong() {
  using testing::module_text;
  std::vector<WrongClaim> out = testing::wrong_claims_beyond_the_core();
  const auto add = [&](const char* name, const std::string& arguments, const std::string& lines, const char* entry,
                       Outcome::Kind how = Outcome::Kind::differs) {
    out.push_back({name, module_text(arguments, lines), entry, how});
  };
  const std::string two = "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>";
  const std::string one = "%x: tensor<4x6xf32>";
  const std::string updates = "%s: tensor<4x1xi32>, %u: tensor<4x4xf32>";
  const auto ill_formed = Outcome::Kind::ill_formed;
  // Functions that are not additive.
  add("a maximum of sums", two, "  %0 = stablehlo.maximum %x, %y : tensor<4x6xf32>", "(#sum, #sum) -> (#sum)");
  add("a maximum of a maximum and a whole is one, but no sum", two, "  %0 = stablehlo.maximum %x, %y : tensor<4x6xf32>",
      "(#max, any) -> (#sum)");
  add("a sum and a whole", two, "  %0 = stablehlo.add %x, %y : tensor<4x6xf32>", "(#sum, any) -> (#sum)");
  add("a whole less a sum", two, "  %0 = stablehlo.subtract %x, %y : tensor<4x6xf32>", "(any, #sum) -> (#sum)");
  add("a product of sums", two, "  %0 = stablehlo.multiply %x, %y : tensor<4x6xf32>", "(#sum, #sum) -> (#sum)");
  add("a quotient by a sum", two, "  %0 = stablehlo.divide %x, %y : tensor<4x6xf32>", "(any, #sum) -> (#sum)");
  add("an integer quotient of a sum", "%x: tensor<4x6xi32>, %y: tensor<4x6xi32>",
      "  %0 = stablehlo.divide %x, %y : tensor<4x6xi32>", "(#sum, any) -> (#sum)");
  add("an exponential of a sum", one, "  %0 = stablehlo.exponential %x : tensor<4x6xf32>", "(#sum) -> (#sum)");
  add("a square of a sum", one, "  %0 = chlo.square %x : tensor<4x6xf32> -> tensor<4x6xf32>", "(#sum) -> (#sum)");
  add("an absolute value of a sum", "%x: tensor<4x6xi32>", "  %0 = stablehlo.abs %x : tensor<4x6xi32>",
      "(#sum) -> (#sum)");
  add("a negated maximum", one, "  %0 = stablehlo.negate %x : tensor<4x6xf32>", "(#max) -> (#max)");
  add("a comparison of sums", two,
      "  %0 = stablehlo.compare LT, %x, %y : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>",
      "(#sum, #sum) -> (#or)");
  add("a selection by a partial predicate", "%p: tensor<4x6xi1>, " + two,
      "  %0 = stablehlo.select %p, %x, %y : tensor<4x6xi1>, tensor<4x6xf32>", "(#or, any, any) -> (#sum)");
  add("a selection between a sum and a whole", "%p: tensor<4x6xi1>, " + two,
      "  %0 = stablehlo.select %p, %x, %y : tensor<4x6xi1>, tensor<4x6xf32>", "(any, #sum, any) -> (#sum)");
  add("a clamp of a sum", "%l: tensor<f32>, %x: tensor<4x6xf32>, %h: tensor<f32>",
      "  %0 = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>",
      "(any, #sum, any) -> (#sum)");
  add("a widened sum of bytes", "%x: tensor<4x6xi8>",
      "  %0 = stablehlo.convert %x : (tensor<4x6xi8>) -> tensor<4x6xi32>", "(#sum) -> (#sum)");
  add("a truth value of a sum", "%x: tensor<4x6xi8>",
      "  %0 = stablehlo.convert %x : (tensor<4x6xi8>) -> tensor<4x6xi1>", "(#sum) -> (#and)");
  add("an elementwise operation of two tilings", "%x: tensor<6x6xf32>, %y: tensor<6x6xf32>",
      "  %0 = stablehlo.add %x, %y : tensor<6x6xf32>", "(#tile<0>, #tile<1>) -> (#tile<0>)", ill_formed);
  // Values that depend on the device.
  add("an iota along its dimension", "", "  %0 = stablehlo.iota dim = 0 : tensor<6xi32>", "() -> (#tile<0>)");
  add("an iota as a sum", "", "  %0 = stablehlo.iota dim = 0 : tensor<6xi32>", "() -> (#sum)");
  add("a constant that is no splat", "", "  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>",
      "() -> (#tile<0>)");
  add("a constant as a sum", "", "  %0 = stablehlo.constant dense<1> : tensor<4xi32>", "() -> (#sum)");
  // Movement of elements along the tiled dimension.
  add("a merge by its minor dimension", one, "  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>",
      "(#tile<1>) -> (#tile<0>)");
  add("a split to its minor dimension", "%x: tensor<24xf32>",
      "  %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>", "(#tile<0>) -> (#tile<1>)");
  add("a merge of two into the minor part", "%x: tensor<2x4x6xf32>",
      "  %0 = stablehlo.reshape %x : (tensor<2x4x6xf32>) -> tensor<8x6xf32>", "(#tile<1>) -> (#tile<0>)");
  add("a transposition that keeps the dimension", "%x: tensor<6x6xf32>",
      "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>", "(#tile<0>) -> (#tile<0>)",
      ill_formed);
  add("a reversal along the dimension", one, "  %0 = stablehlo.reverse %x, dims = [0] : tensor<4x6xf32>",
      "(#tile<0>) -> (#tile<0>)");
  add("a slice along the dimension", "%x: tensor<6x4xf32>",
      "  %0 = stablehlo.slice %x [2:6, 0:4] : (tensor<6x4xf32>) -> tensor<4x4xf32>", "(#tile<0>) -> (#tile<0>)",
      ill_formed);
  add("a slice whose stride spans chunks", "%x: tensor<6x4xf32>",
      "  %0 = stablehlo.slice %x [0:6:4, 0:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>", "(#tile<0>) -> (#tile<0>)");
  add("a pad at the edges along the dimension", one + ", %c: tensor<f32>",
      "  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> "
      "tensor<6x6xf32>",
      "(#tile<0>, any) -> (#tile<0>)", ill_formed);
  add("a pad that shifts along the dimension", one + ", %c: tensor<f32>",
      "  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) "
      "-> tensor<4x6xf32>",
      "(#tile<0>, any) -> (#tile<0>)");
  add("a pad of a sum with one", one,
      "  %c = stablehlo.constant dense<1.0> : tensor<f32>\n  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [0, 0], "
      "interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x6xf32>",
      "(#sum, any) -> (#sum)");
  add("a pad of a product with two", one,
      "  %c = stablehlo.constant dense<2.0> : tensor<f32>\n  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [0, 0], "
      "interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x6xf32>",
      "(#prod, any) -> (#prod)");
  add("a concatenation along the dimension", "%x: tensor<4x6xf32>, %y: tensor<2x6xf32>",
      "  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>",
      "(#tile<0>, #tile<0>) -> (#tile<0>)");
  add("a concatenation of a sum and a whole", two,
      "  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>",
      "(#sum, any) -> (#sum)");
  add("a dynamic slice along the dimension", "%x: tensor<4x6xf32>, %i: tensor<i32>, %j: tensor<i32>",
      "  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> "
      "tensor<2x6xf32>",
      "(#tile<0>, any, any) -> (#tile<0>)");
  add("an update along the dimension", "%x: tensor<4x6xf32>, %u: tensor<2x6xf32>, %i: tensor<i32>, %j: tensor<i32>",
      "  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, "
      "tensor<i32>) -> tensor<4x6xf32>",
      "(#tile<0>, #tile<0>, any, any) -> (#tile<0>)");
  add("an update of a sum by a whole", "%x: tensor<4x6xf32>, %u: tensor<2x6xf32>, %i: tensor<i32>, %j: tensor<i32>",
      "  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, "
      "tensor<i32>) -> tensor<4x6xf32>",
      "(#sum, any, any, any) -> (#sum)");
  add("an expanded dimension tiled on both sides", "%x: tensor<4x2xf32>",
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>",
      "(#tile<0>) -> (#tile<1>)", ill_formed);
  add("a new dimension as a sum", "%x: tensor<6xf32>",
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>", "(any) -> (#sum)");
  // Reductions.
  add("a sum from one", one, reduce("add", "1.0"), "(#tile<1>, any) -> (#sum)");
  add("a partial sum from one", one, reduce("add", "1.0"), "(#sum, any) -> (#sum)");
  add("a product from two", one, reduce("multiply", "2.0"), "(#tile<1>, any) -> (#prod)");
  add("a sum from an unknown value", one + ", %c: tensor<f32>",
      "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, "
      "tensor<f32>) -> tensor<4xf32>",
      "(#tile<1>, any) -> (#sum)");
  add("a maximum of parts that are added", one, reduce("maximum", "0xFF800000"), "(#tile<1>, any) -> (#sum)");
  add("a maximum of a sum", one, reduce("maximum", "0xFF800000"), "(#sum, any) -> (#sum)");
  add("a sum of a maximum", one, reduce("add", "0.0"), "(#max, any) -> (#max)");
  add("a sum whose reduced tile stays", "%x: tensor<6x6xf32>",
      "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add "
      "across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>",
      "(#tile<1>, any) -> (#tile<0>)", ill_formed);
  add("a fold by subtraction", one, reduce("subtract", "0.0"), "(#tile<1>, any) -> (#prod)");
  // dot_general
  const std::string matrices = "%x: tensor<6x6xf32>, %y: tensor<6x6xf32>";
  const std::string matmul =
      dot(", contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>");
  add("a contraction of sums", matrices, matmul, "(#sum, #sum) -> (#sum)");
  add("a contraction tiled on one side", matrices, matmul, "(#tile<1>, any) -> (#sum)", ill_formed);
  add("rows and columns at once", matrices, matmul, "(#tile<0>, #tile<1>) -> (#tile<0>)", ill_formed);
  add("a contraction whose parts are maxima", matrices, matmul, "(#tile<1>, #tile<0>) -> (#max)");
  add("a contraction of maxima", matrices, matmul, "(#max, any) -> (#max)");
  add("a widening contraction of partial bytes", "%x: tensor<4x6xi8>, %y: tensor<6x4xi8>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xi8>, tensor<6x4xi8>) -> tensor<4x4xi32>"),
      "(#sum, any) -> (#sum)");
  add("a counting contraction of partial booleans", "%x: tensor<4x6xi1>, %y: tensor<6x4xi1>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xi1>, tensor<6x4xi1>) -> tensor<4x4xi32>"),
      "(#or, any) -> (#sum)");
  add("a contraction of booleans added", "%x: tensor<4x6xi1>, %y: tensor<6x4xi1>",
      dot(", contracting_dims = [1] x [0] : (tensor<4x6xi1>, tensor<6x4xi1>) -> tensor<4x4xi1>"),
      "(#tile<1>, #tile<0>) -> (#and)");
  // convolution
  const std::string image = "%x: tensor<4x6x6xf32>, %y: tensor<3x6x4xf32>";
  const auto conv = [](const char* window, const char* groups, const char* types) {
    return fmt::format(
        "  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{}}} {{{}}} : "
        "{}",
        window, groups, types);
  };
  const char* const no_groups = "batch_group_count = 1 : i64, feature_group_count = 1 : i64";
  const std::string padded =
      conv("pad = [[1, 1]]", no_groups, "(tensor<4x6x6xf32>, tensor<3x6x4xf32>) -> tensor<4x6x4xf32>");
  add("a window over tiles without their neighbours", image, padded, "(#tile<1>, any) -> (#tile<1>)");
  add("a kernel tiled along its window", image, padded, "(any, #tile<0>) -> (#sum)", ill_formed);
  add("a convolution of sums", image, padded, "(#sum, #sum) -> (#sum)");
  add("features contracted on one side", image, padded, "(#tile<2>, any) -> (#sum)", ill_formed);
  add("output features across groups", "%x: tensor<4x6x6xf32>, %y: tensor<3x3x4xf32>",
      conv("", "batch_group_count = 1 : i64, feature_group_count = 2 : i64",
           "(tensor<4x6x6xf32>, tensor<3x3x4xf32>) -> tensor<4x4x4xf32>"),
      "(any, #tile<2>) -> (#tile<2>)");
  add("input features across groups", "%x: tensor<4x6x12xf32>, %y: tensor<3x6x4xf32>",
      conv("", "batch_group_count = 1 : i64, feature_group_count = 2 : i64",
           "(tensor<4x6x12xf32>, tensor<3x6x4xf32>) -> tensor<4x4x4xf32>"),
      "(#tile<2>, #tile<1>) -> (#sum)");
  add("a batch across groups", "%x: tensor<4x6x6xf32>, %y: tensor<3x6x4xf32>",
      conv("", "batch_group_count = 2 : i64, feature_group_count = 1 : i64",
           "(tensor<4x6x6xf32>, tensor<3x6x4xf32>) -> tensor<2x4x4xf32>"),
      "(#tile<0>, any) -> (#tile<0>)");
  add("a convolution of partial bytes", "%x: tensor<4x6x6xi8>, %y: tensor<3x6x4xi8>",
      conv("", no_groups, "(tensor<4x6x6xi8>, tensor<3x6x4xi8>) -> tensor<4x4x4xf32>"), "(#sum, any) -> (#sum)");
  // Reductions of two values.
  add("the place of a maximum", "%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %c: tensor<f32>, %d: tensor<i32>",
      "  %0:2 = stablehlo.reduce(%x init: %c), (%i init: %d) across dimensions = [1] : (tensor<4x6xf32>, "
      "tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)\n"
      "   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {\n"
      "    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    %s = stablehlo.select %g, "
      "%a, %b : tensor<i1>, tensor<f32>\n"
      "    %t = stablehlo.select %g, %p, %q : tensor<i1>, tensor<i32>\n    stablehlo.return %s, %t : tensor<f32>, "
      "tensor<i32>\n  }",
      "(#tile<1>, #tile<1>, any, any) -> (#max, #max)");
  // gather
  const std::string rows = "%x: tensor<6x4xf32>, %s: tensor<4x1xi32>";
  const std::string embedding = gather(kEmbedding, "1, 4", "(tensor<6x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>");
  add("an embedding by its rows", rows, embedding, "(#tile<0>, any) -> (#sum)", ill_formed);
  add("an embedding by partial indices", rows, embedding, "(any, #sum) -> (#sum)");
  add("an embedding tiled by offset and indices", rows, embedding, "(#tile<1>, #tile<0>) -> (#tile<0>)", ill_formed);
  add("a partial window of a tiled dimension", rows,
      gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 2",
             "(tensor<6x4xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>"),
      "(#tile<1>, any) -> (#tile<1>)");
  add("a batching dimension tiled in the indices alone", "%x: tensor<4x6xf32>, %s: tensor<4x2x1xi32>",
      gather("offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = "
             "[0], start_index_map = [1], index_vector_dim = 2",
             "1, 1", "(tensor<4x6xf32>, tensor<4x2x1xi32>) -> tensor<4x2xf32>"),
      "(any, #tile<0>) -> (#tile<0>)", ill_formed);
  // scatter
  const std::string zeros = "  %x = stablehlo.constant dense<0.0> : tensor<6x4xf32>\n";
  const std::string ones = "  %x = stablehlo.constant dense<1.0> : tensor<6x4xf32>\n";
  add("updates tiled over an unknown accumulator", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.add", kGradientTypes), "(any, #tile<0>, #tile<0>) -> (#sum)");
  add("updates tiled over ones", updates, ones + scatter(kGradient, "stablehlo.add", kGradientTypes),
      "(any, #tile<0>, #tile<0>) -> (#sum)");
  add("partial updates over ones", updates, ones + scatter(kGradient, "stablehlo.add", kGradientTypes),
      "(any, any, #sum) -> (#sum)");
  add("updates multiplied into ones and added", updates,
      ones + scatter(kGradient, "stablehlo.multiply", kGradientTypes), "(any, #tile<0>, #tile<0>) -> (#sum)");
  add("updates multiplied into something", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.multiply", kGradientTypes), "(any, #tile<0>, #tile<0>) -> (#prod)");
  add("updates by subtraction", updates, zeros + scatter(kGradient, "stablehlo.subtract", kGradientTypes),
      "(any, #tile<0>, #tile<0>) -> (#prod)");
  add("a sum with whole updates", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.add", kGradientTypes), "(#sum, any, any) -> (#sum)");
  add("an accumulator tiled by rows", "%x: tensor<6x4xf32>, " + updates,
      scatter(kGradient, "stablehlo.add", kGradientTypes), "(#tile<0>, any, any) -> (#tile<0>)");
  add("a window tiled where an index shifts it", "%x: tensor<6x4xf32>, %s: tensor<4x1xi32>, %u: tensor<4x6x4xf32>",
      scatter("update_window_dims = [1, 2], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], "
              "index_vector_dim = 1",
              "stablehlo.add", "(tensor<6x4xf32>, tensor<4x1xi32>, tensor<4x6x4xf32>) -> tensor<6x4xf32>"),
      "(#tile<0>, any, #tile<1>) -> (#tile<0>)");
  return out;
}

TEST(KnownWrongClaims, AreNotInTheRegistryAndAreRefutedByEvaluation) {
  std::size_t by_values = 0;
  for (const WrongClaim& w : known_wrong()) {
    const ReadInstance read(w.text);
    const Entry entry = entry_from(w.entry);
    ASSERT_EQ(entry.str(), w.entry);
    const std::vector<Entry> entries = entries_of(read.op());
    EXPECT_EQ(std::count(entries.begin(), entries.end(), entry), 0) << w.name << "\n" << w.text << w.entry;
    bool refuted = false;
    std::string found;
    for (const std::int64_t n : {2, 3}) {
      const Outcome outcome = try_claim_often(read.op(), entry, n, 20);
      refuted = refuted || outcome.kind == w.how;
      found += fmt::format("n = {}: outcome {}\n{}\n", n, static_cast<int>(outcome.kind), outcome.detail);
      EXPECT_NE(outcome.kind, Outcome::Kind::holds) << w.name << ", n = " << n << "\n" << w.text << w.entry;
    }
    EXPECT_TRUE(refuted) << w.name << "\n" << w.text << w.entry << "\n" << found;
    if (w.how == Outcome::Kind::differs) ++by_values;
  }
  fmt::print("{} claims refuted, {} by values\n", known_wrong().size(), by_values);
}

/// A correct entry whose local program keeps attributes of the global operation is a wrong claim as well.
TEST(LocalPrograms, ThatKeepTheGlobalAttributesAreRefuted) {
  struct Case {
    const char* arguments;
    const char* line;
    const char* entry;
  };
  const Case cases[] = {
      {"%x: tensor<6x4xf32>", "  %0 = stablehlo.slice %x [0:6, 1:3] : (tensor<6x4xf32>) -> tensor<6x2xf32>",
       "(#tile<0>) -> (#tile<0>)"},
      {"%x: tensor<4x6xf32>, %i: tensor<i32>, %j: tensor<i32>",
       "  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<2x6xf32>",
       "(#tile<1>, any, any) -> (#tile<1>)"},
      {"", "  %0 = stablehlo.constant dense<1.0> : tensor<4x6xf32>", "() -> (#tile<0>)"}};
  for (const Case& c : cases) {
    const ReadInstance read(testing::module_text(c.arguments, c.line));
    const Entry entry = entry_from(c.entry);
    EXPECT_EQ(try_claim_often(read.op(), entry, 2, kTrials).kind, Outcome::Kind::holds) << c.line;
    OpDecl forgetful = *read.op().decl;
    forgetful.localize = nullptr;
    OpInstance op = read.op();
    op.decl = &forgetful;
    EXPECT_EQ(try_claim_often(op, entry, 2, kTrials).kind, Outcome::Kind::ill_formed) << c.line;
  }
}

}  // namespace
}  // namespace partir
