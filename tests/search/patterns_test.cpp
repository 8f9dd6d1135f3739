// Patterns of names that match exactly the requested values.
#include "search/patterns.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

const Request kDim0{Request::Kind::dim, 0};
const Request kDim1{Request::Kind::dim, 1};

std::string text(const std::vector<PatternRequest>& patterns) {
  std::string out;
  for (const PatternRequest& p : patterns) out += p.pattern + ":" + std::to_string(p.request.dim) + " ";
  return out;
}

TEST(Patterns, SayNumbersInPathsAsStars) {
  EXPECT_EQ(text(patterns_for({"layers/0/w", "layers/1/w", "layers/0/b"}, {kDim1, kDim1, std::nullopt})),
            "layers/*/w:1 ");
}

TEST(Patterns, NameExactlyWhereAStarWouldSayTooMuch) {
  EXPECT_EQ(text(patterns_for({"layers/0/w", "layers/1/w", "layers/2/w"}, {kDim1, kDim0, std::nullopt})),
            "layers/0/w:1 layers/1/w:0 ");
}

TEST(Patterns, TakeCharactersOfNamesAsTheyAre) {
  const auto patterns = patterns_for({"a*b", "axb", "c[1]"}, {kDim0, std::nullopt, kDim0});
  ASSERT_EQ(patterns.size(), 2U);
  EXPECT_TRUE(glob_matches(patterns[0].pattern, "a*b"));
  EXPECT_FALSE(glob_matches(patterns[0].pattern, "axb"));
  EXPECT_TRUE(glob_matches(patterns[1].pattern, "c[1]"));
}

}  // namespace
}  // namespace partir
