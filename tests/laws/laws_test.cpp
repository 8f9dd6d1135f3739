// Checks every law on random cases, and that some case refutes each of the wrong ones. RapidCheck prints the seed of a
// failure.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "tests/laws/law.h"
#include "tests/random_settings.h"

namespace partir::testing {

/// Makes GoogleTest print a law as its id.
void PrintTo(const Law& law, std::ostream* out) { *out << law.id; }

namespace {

/// Runs enough random cases that rare ones occur; RC_PARAMS from the environment takes precedence.
const bool kManyCases = draw_cases(400);

class TrueLaws : public ::testing::TestWithParam<Law> {};
class WrongLaws : public ::testing::TestWithParam<Law> {};

TEST_P(TrueLaws, HoldOfEveryCase) {
  EXPECT_TRUE(rc::check(GetParam().id, [] { RC_ASSERT(GetParam().equal()); }));
}

TEST_P(WrongLaws, AreRefutedByACase) {
  int refutations = 0;
  EXPECT_TRUE(rc::check("not " + GetParam().id, [&] { refutations += GetParam().equal() ? 0 : 1; }));
  EXPECT_GT(refutations, 0);
  fmt::print("{} cases refute it\n", refutations);
}

std::string name_of(const ::testing::TestParamInfo<Law>& info) {
  std::string out = info.param.id;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

#define PARTIR_LAWS(family, laws)                                                        \
  INSTANTIATE_TEST_SUITE_P(family, TrueLaws, ::testing::ValuesIn(laws().hold), name_of); \
  INSTANTIATE_TEST_SUITE_P(family, WrongLaws, ::testing::ValuesIn(laws().wrong), name_of)

PARTIR_LAWS(Loops, loop_laws);
PARTIR_LAWS(Folds, fold_laws);
PARTIR_LAWS(Collectives, collective_laws);
PARTIR_LAWS(Groups, group_laws);
PARTIR_LAWS(Permutes, permute_laws);

}  // namespace
}  // namespace partir::testing
