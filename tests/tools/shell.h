// Runs the program as a user does, in a folder of the test's own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/file.h"

namespace partir::testing {

struct Said {
  int status = -1;
  std::string text;  ///< standard output and standard error
};

inline Said shell(const std::string& command) {
  Said out;
  FILE* pipe = ::popen(fmt::format("{{ {} ; }} 2>&1", command).c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    out.text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

/// Runs the program with these arguments.
inline Said partir(const std::string& arguments) { return shell(fmt::format("{} {}", PARTIR_PROGRAM, arguments)); }

class InFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("partir_{}_{}", ::getpid(), ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, const std::string& content) const {
    EXPECT_TRUE(write_file(path(name), content).has_value());
    return path(name);
  }
  static std::string example(const std::string& name) { return std::string(PARTIR_SOURCE_DIR) + "/examples/" + name; }
  static std::string text_of(const std::string& file) { return value_or_throw(read_file(file)); }

  std::filesystem::path folder_;
};

}  // namespace partir::testing
