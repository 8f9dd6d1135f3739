// Schedules as JSON: tactics, their order, patterns of names, and what is refused.
#include "rewrite/schedule.h"

#include <gtest/gtest.h>

#include "ir/text/read.h"

namespace partir {
namespace {

TEST(Schedule, ReadsTacticsInOrder) {
  const auto s = read_schedule(R"({"mesh": "a=2", "tactics": [
    {"name": "BP", "axis": "a", "inputs": {"x/**": 0, "y": "first_divisible_dim"}},
    {"name": "R", "axis": "a", "results": {"out": "replicated", "*": "unknown"}}]})",
                               "s.json");
  ASSERT_TRUE(s.has_value()) << s.error().text();
  EXPECT_EQ(s->mesh, "a=2");
  ASSERT_EQ(s->tactics.size(), 2U);
  EXPECT_EQ(s->tactics[0].inputs[0].pattern, "x/**");
  EXPECT_EQ(s->tactics[0].inputs[0].request.kind, Request::Kind::dim);
  EXPECT_EQ(s->tactics[0].inputs[1].request.kind, Request::Kind::first_divisible);
  EXPECT_EQ(s->tactics[1].results[0].request.kind, Request::Kind::replicated);
  EXPECT_EQ(s->tactics[1].results[1].request.kind, Request::Kind::unknown);
  EXPECT_EQ(s->tactics[1].results[0].place.line, 3U);
}

TEST(Schedule, TwoTacticsOfOneNameAreRefused) {
  const auto s = read_schedule(R"({"tactics": [{"name": "A", "axis": "a"}, {"name": "A", "axis": "b"}]})", "s.json");
  ASSERT_FALSE(s.has_value());
  EXPECT_NE(s.error().found.find("two tactics"), std::string::npos);
}

TEST(Schedule, TheFirstPatternThatMatchesCounts) {
  const auto m = read_module(
      "func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {\n return %a : tensor<4x4xf32>\n}",
      "t");
  const auto s = read_schedule(R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg1": 1, "*": 0}}]})", "s.json");
  const Function& f = m->functions[0];
  const auto names = names_of(f, std::nullopt, "");
  const auto r = resolve(*s, *Mesh::parse("a=2"), *names, f);
  ASSERT_TRUE(r.has_value()) << r.error().text();
  EXPECT_EQ((*r)[0].arguments[0]->request.dim, 0U);
  EXPECT_EQ((*r)[0].arguments[1]->request.dim, 1U);
}

TEST(Schedule, UnknownIsNoRequestForAnAxis) {
  const auto m =
      read_module("func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n return %a : tensor<4x4xf32>\n}", "t");
  const Function& f = m->functions[0];
  const auto names = names_of(f, std::nullopt, "");
  const auto s = read_schedule(
      R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": "unknown"}}, {"name": "B", "axis": "a", "inputs": {"arg0": 0}}]})",
      "s");
  EXPECT_TRUE(resolve(*s, *Mesh::parse("a=2"), *names, f).has_value());
}

}  // namespace
}  // namespace partir
