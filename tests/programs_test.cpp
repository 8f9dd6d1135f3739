// Every file of tests/programs, run as users run it: all of its checks hold, and there are some.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

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

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, HoldAllTheirChecks) {
  const std::string command =
      fmt::format("{} run {}/tests/programs/{}.mlir 2>&1", PARTIR_PROGRAM, PARTIR_SOURCE_DIR, GetParam());
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command << "\n" << output;
  EXPECT_NE(output.find(" checks held"), std::string::npos) << command << "\n" << output;
  EXPECT_NE(output.substr(0, 2), "0 ") << command << "\n" << output;
}

INSTANTIATE_TEST_SUITE_P(Files, Programs, testing::ValuesIn(programs()), [](const auto& file) { return file.param; });

}  // namespace
}  // namespace partir
