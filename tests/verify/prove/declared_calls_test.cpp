// Custom calls with a declared sharding rule are functions of slices along the factors that the rule passes through,
// and of nothing else.
#include "ir/declared_calls.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/prove/instance.h"

namespace partir::prove {
namespace {

constexpr const char* kProduct = "([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} need_replication={j}, custom";

/// A function that calls @f on arrays of n x m and m x p, with these attributes.
Result<Module> read_call(const std::string& attributes, std::int64_t n, std::int64_t m, std::int64_t p,
                         const std::string& target = "f") {
  return read_module(
      fmt::format("func.func @main(%x: tensor<{0}x{1}xf32>, %w: tensor<{1}x{2}xf32>) -> tensor<{0}x{2}xf32> {{\n"
                  "  %0 = stablehlo.custom_call @{4}(%x, %w) {{{3}}} : (tensor<{0}x{1}xf32>, tensor<{1}x{2}xf32>) -> "
                  "tensor<{0}x{2}xf32>\n  return %0 : tensor<{0}x{2}xf32>\n}}\n",
                  n, m, p, attributes, target),
      "test.mlir");
}

std::string ruled(const std::string& rule) {
  return fmt::format("backend_config = \"a\", sdy.sharding_rule = #sdy.op_sharding_rule<{}>", rule);
}

Module call_on(const std::string& rule, std::int64_t n = 8, std::int64_t m = 16, std::int64_t p = 4) {
  return value_or_throw(read_call(ruled(rule), n, m, p));
}

OpInstance call_in(const Module& m) { return instance_of(m.functions[0], m.functions[0].body.ops[0]); }

std::vector<std::string> entries_by(const std::string& rule) {
  const Module m = call_on(rule);
  std::vector<std::string> out;
  for (const Entry& e : entries_of(call_in(m))) out.push_back(e.str());
  return out;
}

TEST(DeclaredCalls, AreTiledByFactorsThatPassThrough) {
  EXPECT_EQ(entries_by(kProduct),
            (std::vector<std::string>{"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)"}));
  const Module whole = call_on(kProduct);
  const OpInstance op = call_in(whole);
  const Module rows = call_on("([i, j], [j, k])->([i, k]) {i=4, j=16, k=4} need_replication={j}, custom", 4);
  EXPECT_EQ(decide_instance(op, entries_of(op)[0], 2, call_in(rows)).verdict, Verdict::proved);
  // The local operation's rule has its own sizes.
  const auto local = localize(op, entries_of(op)[0], 2);
  ASSERT_TRUE(local.has_value());
  EXPECT_EQ(*find(local->attributes, "sdy.sharding_rule"), *find(call_in(rows).attributes, "sdy.sharding_rule"));
}

TEST(DeclaredCalls, AreWholeInOtherFactors) {
  // Reductions name no combination; a blocked factor is not propagated; a permutation moves elements between slices.
  EXPECT_EQ(entries_by("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} reduction={j}, custom").size(), 2U);
  EXPECT_EQ(entries_by("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} need_replication={i, j}, custom").size(), 1U);
  EXPECT_EQ(entries_by("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} need_replication={j} permutation={i}, custom"),
            std::vector<std::string>{"(any, #tile<1>) -> (#tile<1>)"});
  EXPECT_EQ(
      entries_by("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} need_replication={j} blocked_propagation={k}").size(),
      1U);
  // A factor of no result, and one of several in a dimension.
  EXPECT_EQ(entries_by("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4}, custom").size(), 2U);
  EXPECT_EQ(entries_by("([ij, k], [k, l])->([ij, l]) {i=2, j=4, k=16, l=4} need_replication={k}, custom"),
            std::vector<std::string>{"(any, #tile<1>) -> (#tile<1>)"});
  EXPECT_EQ(entries_by("([ij, k], [k, l])->([m, l]) {i=2, j=4, k=16, l=4, m=8} need_replication={k}, custom").size(),
            1U);
}

TEST(DeclaredCalls, AreWholeInFactorsThatAreAPartOfADimension) {
  EXPECT_EQ(entries_by("([i, j], [il, k])->([i, k]) {i=8, j=16, k=4, l=2} need_replication={j, l}, custom"),
            std::vector<std::string>{"(any, #tile<1>) -> (#tile<1>)"});
}

TEST(DeclaredCalls, AreNotTiledOtherwise) {
  const Module whole = call_on(kProduct);
  const OpInstance op = call_in(whole);
  const Action rows = Action::tile(0);
  const Action columns = Action::tile(1);
  const Action sum = Action::partial(Monoid::sum);
  EXPECT_NE(decide_instance(op, {{sum, Action::any()}, {sum}}, 2, op).verdict, Verdict::proved);
  const Module part = call_on("([i, j], [j, k])->([i, k]) {i=8, j=8, k=4} need_replication={j}, custom", 8, 8);
  EXPECT_NE(decide_instance(op, {{columns, rows}, {sum}}, 2, call_in(part)).verdict, Verdict::proved);
  const Module fewer = call_on("([i, j], [j, k])->([i, k]) {i=4, j=16, k=4} need_replication={j}, custom", 4);
  EXPECT_NE(decide_instance(op, {{rows, Action::any()}, {Action::any()}}, 2, call_in(fewer)).verdict, Verdict::proved);
}

TEST(DeclaredCalls, AreTheSameFunctionOnlyWithTheSameAttributesAndRule) {
  const auto call = [](const std::string& attributes, const std::string& target = "f") {
    return value_or_throw(read_call(attributes, 8, 16, 4, target));
  };
  const auto same = [](const Module& a, const Module& b) {
    return decide_same(a.functions[0], b.functions[0]).verdict;
  };
  const Module one = call(ruled(kProduct));
  EXPECT_EQ(same(one, call(ruled(kProduct))), Verdict::proved);
  EXPECT_NE(same(one, call(ruled(kProduct), "g")), Verdict::proved);
  EXPECT_NE(
      same(one, call(fmt::format("backend_config = \"b\", sdy.sharding_rule = #sdy.op_sharding_rule<{}>", kProduct))),
      Verdict::proved);
  EXPECT_NE(same(one, call(ruled("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} reduction={j}, custom"))),
            Verdict::proved);
}

TEST(DeclaredCalls, NeedARuleThatFitsAndNoEffects) {
  const auto kind = [](const std::string& attributes) {
    return value_or_throw(read_call(attributes, 8, 16, 4)).functions[0].body.ops[0].decl->kind;
  };
  EXPECT_EQ(kind(ruled(kProduct)), OpDecl::Kind::array);
  EXPECT_EQ(kind(ruled(kProduct) + ", has_side_effect = true"), OpDecl::Kind::host);
  EXPECT_EQ(kind("backend_config = \"a\""), OpDecl::Kind::host);
  EXPECT_EQ(kind(ruled("([i, j], [j, k])->([i, k]) {i=9, j=16, k=4} need_replication={j}, custom")),
            OpDecl::Kind::host);
  const auto refused = read_call(ruled("([i, j])->([i, k]) {i=8, j=16, k=4}, custom"), 8, 16, 4);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "sharding_rule");
}

TEST(DeclaredCalls, AreNamedInVerdicts) {
  const Module m = call_on(kProduct);
  EXPECT_EQ(declared_calls(m.functions[0]), std::set<std::string>{"f"});
  EXPECT_EQ(text_of_declared_calls({"f"}), "the sharding rule of @f is assumed; ");
  EXPECT_EQ(text_of_declared_calls({"f", "g"}), "the sharding rules of @f, @g are assumed; ");
  EXPECT_EQ(text_of_declared_calls({}), "");
}

}  // namespace
}  // namespace partir::prove
