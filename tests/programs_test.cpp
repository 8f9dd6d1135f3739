// Runs every file in tests/programs as users run it. There must be checks, and all of them must hold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tools/shell.h"

namespace partir {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(fs::path(PARTIR_SOURCE_DIR) / "tests/programs"))
    out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

class Programs : public ::testing::TestWithParam<std::string> {};

TEST_P(Programs, HoldAllTheirChecks) {
  const std::string program = fmt::format("{}/tests/programs/{}.mlir", PARTIR_SOURCE_DIR, GetParam());
  const testing::Said said = testing::partir("run " + program);
  EXPECT_EQ(said.status, 0) << program << "\n" << said.text;
  EXPECT_NE(said.text.find(" checks held"), std::string::npos) << program << "\n" << said.text;
  EXPECT_NE(said.text.substr(0, 2), "0 ") << program << "\n" << said.text;
}

INSTANTIATE_TEST_SUITE_P(Files, Programs, ::testing::ValuesIn(programs()), [](const auto& file) { return file.param; });

}  // namespace
}  // namespace partir
