// Every program of the corpus is read, prints as text that reads back as the same program, and its calls are inlined.
#include <gtest/gtest.h>

#include <filesystem>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "support/file.h"

namespace partir {
namespace {

TEST(Corpus, EveryProgramReadsPrintsAndReadsAgainAsTheSame) {
  const std::filesystem::path corpus = std::filesystem::path(PARTIR_SHARED) / "corpus";
  if (!std::filesystem::exists(corpus)) GTEST_SKIP() << "skipped: no corpus";
  std::size_t programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    if (entry.path().extension() != ".mlir") continue;
    ++programs;
    const std::string name = entry.path().filename().string();
    const auto first = read_module(value_or_throw(read_file(entry.path().string())), name);
    ASSERT_TRUE(first.has_value()) << first.error().text();
    const auto again = read_module(print_module(*first), name + " (printed)");
    ASSERT_TRUE(again.has_value()) << again.error().text();
    std::string difference;
    EXPECT_TRUE(same_program(*first, *again, &difference)) << name << ": " << difference;
    const auto inlined = inline_calls(*first);
    ASSERT_TRUE(inlined.has_value()) << inlined.error().text();
    EXPECT_TRUE(verify_function(**inlined->main()).has_value()) << name;
  }
  EXPECT_GT(programs, 0U);
}

}  // namespace
}  // namespace partir
