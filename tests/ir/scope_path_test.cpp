// Scope paths of operations, derived from the name stacks that JAX writes into locations: "jit(f)/jvp(layer)/dot" and
// the like.
#include "ir/scope_path.h"

#include <gtest/gtest.h>

namespace partir {
namespace {

TEST(ScopePath, LeavesOutJittedFunctionsAndTransformations) {
  EXPECT_EQ(scope_path("jit(step)/layers/0/mlp/dot_general"), "layers/0/mlp/dot_general");
  EXPECT_EQ(scope_path("jit(step)/jvp(layers)/0/mlp/dot_general"), "layers/0/mlp/dot_general");
  EXPECT_EQ(scope_path("jit(step)/jvp(vmap(layers))/0/mlp/tanh"), "layers/0/mlp/tanh");
  EXPECT_EQ(scope_path("jit(f)/vmap(jit(relu))/max"), "max");
  EXPECT_EQ(scope_path("jit(step)/jvp()/reduce_sum"), "reduce_sum");
  EXPECT_EQ(scope_path("jit(f)/jvp(a/b)/mul"), "a/b/mul");
}

TEST(ScopePath, TellsTheBackwardPassApart) {
  EXPECT_EQ(scope_path("jit(step)/transpose(jvp(layers))/0/mlp/dot_general"), "backward/layers/0/mlp/dot_general");
  EXPECT_EQ(scope_path("jit(step)/transpose(jvp())/mul"), "backward/mul");
  // Parentheses that are no transformation's belong to the scope.
  EXPECT_EQ(scope_path("jit(step)/blk(0)/dot_general"), "blk(0)/dot_general");
  EXPECT_EQ(scope_path("jit(step)/transpose(jvp(blk(0)))/dot_general"), "backward/blk(0)/dot_general");
  EXPECT_EQ(scope_path("jit(step)/layers/transpose"), "layers/transpose") << "the primitive of that name";
}

TEST(ScopePath, TellsWhatACheckpointComputesAgainApart) {
  EXPECT_EQ(scope_path("jit(step)/transpose(jvp(layers))/1/jvp(layers)/1/checkpoint/rematted_computation/mlp/tanh"),
            "recomputed/layers/1/mlp/tanh");
  EXPECT_EQ(scope_path("jit(step)/transpose(jvp(layers))/1/jvp(layers)/1/checkpoint/mlp/dot_general"),
            "backward/layers/1/mlp/dot_general");
  EXPECT_EQ(scope_path("jit(f)/transpose(jvp(layers))/1/jvp(layers)/1/remat2"), "backward/layers/1/remat2");
  EXPECT_EQ(scope_path("jit(f)/a/a/mul"), "a/a/mul") << "scopes of one name, not begun again";
  EXPECT_EQ(scope_path("checkpoint/rematted_computation/blk/tanh"), "recomputed/blk/tanh");
  EXPECT_EQ(scope_path("jit(f)/jvp(layers)/checkpoint"), "layers/checkpoint") << "the primitive of that name";
}

TEST(ScopePath, SurvivesWhatIsNoNameStack) {
  for (const char* odd : {"", "/", "(", ")", "a(b", "a)b", "((", "jvp(", "jvp(a))/b", "//a//"}) (void)scope_path(odd);
  EXPECT_EQ(scope_path("x + y"), "x + y");
}

TEST(LocationWithin, PutsTheScopesOfTheCallBefore) {
  EXPECT_EQ(location_within("jit(f)/jvp(stack)/while/body/closed_call", "blk/tanh"),
            "jit(f)/jvp(stack)/while/body/blk/tanh");
  EXPECT_EQ(location_within("jit(f)/a/jit(g)", "jit(f)/a/mul"), "jit(f)/a/mul") << "complete already";
  EXPECT_EQ(location_within("", "mul"), "mul");
}

}  // namespace
}  // namespace partir
