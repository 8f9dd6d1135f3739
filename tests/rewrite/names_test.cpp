// Names of arguments and results as paths, and the patterns by which schedules select them.
#include "rewrite/names.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

TEST(Names, KeyPathsBecomePaths) {
  EXPECT_EQ(normalized_path("params['layers'][0].w"), "params/layers/0/w");
  EXPECT_EQ(normalized_path("result[1][0].mu['embed']"), "1/0/mu/embed");
  EXPECT_EQ(normalized_path("result"), "");
  EXPECT_EQ(normalized_path("params/layers/0/w"), "params/layers/0/w");
  EXPECT_EQ(normalized_path("x"), "x");
  EXPECT_EQ(normalized_path("d['a/b.c']"), "d/a/b.c");
}

TEST(Globs, StarStaysWithinAPart) {
  EXPECT_TRUE(glob_matches("params/layers/*/w1", "params/layers/31/w1"));
  EXPECT_FALSE(glob_matches("params/*/w1", "params/layers/31/w1"));
  EXPECT_TRUE(glob_matches("w*", "w1"));
  EXPECT_TRUE(glob_matches("w*", "w"));
  EXPECT_FALSE(glob_matches("*", "a/b"));
  EXPECT_TRUE(glob_matches("*a*b*", "xaybz"));
}

TEST(Globs, TwoStarsCrossPartsAndMatchNone) {
  EXPECT_TRUE(glob_matches("batch/**", "batch/labels/x"));
  EXPECT_TRUE(glob_matches("batch/**", "batch"));
  EXPECT_FALSE(glob_matches("batch/**", "batches/x"));
  EXPECT_TRUE(glob_matches("**/w1", "w1"));
  EXPECT_TRUE(glob_matches("**/w1", "a/b/w1"));
  EXPECT_TRUE(glob_matches("a/**/z", "a/z"));
  EXPECT_TRUE(glob_matches("**", "anything/at/all"));
}

TEST(Globs, ClassesMatchOneCharacter) {
  EXPECT_TRUE(glob_matches("attn/w[qkv]", "attn/wk"));
  EXPECT_FALSE(glob_matches("attn/w[qkv]", "attn/wo"));
  EXPECT_FALSE(glob_matches("attn/w[qkv]", "attn/w"));
  EXPECT_TRUE(glob_matches("odd[", "odd["));
}

}  // namespace
}  // namespace partir
