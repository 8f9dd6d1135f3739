// Helpers of the reader's tests. They read a module that must be accepted (or refused), and check that printing it
// gives text that reads back as the same program.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"

namespace partir::testing {

/// Returns the module that the text reads as. On an error the test fails and the module is empty.
inline Module read_text(std::string_view text) {
  auto module = read_module(text, "test.mlir");
  if (module) return std::move(*module);
  ADD_FAILURE() << module.error().text() << "\n" << text;
  return {};
}

/// Reads, prints and reads again, expects the same program both times, and returns the printed text.
inline std::string round_trip(std::string_view text) {
  const Module first = read_text(text);
  if (first.functions.empty()) return "";
  const std::string printed = print_module(first);
  const auto second = read_module(printed, "printed.mlir");
  if (!second) {
    ADD_FAILURE() << second.error().text() << "\n" << text << "\nprints as\n" << printed;
    return printed;
  }
  std::string difference;
  EXPECT_TRUE(same_program(first, *second, &difference)) << difference << "\n" << text << "\nprints as\n" << printed;
  EXPECT_EQ(printed, print_module(*second)) << "printing is stable";
  return printed;
}

/// Returns a function @main with these arguments, "%x: tensor<f32>, …", that executes the lines and returns nothing.
inline std::string main_of(std::string_view arguments, std::string_view lines) {
  return "func.func @main(" + std::string(arguments) + ") {\n" + std::string(lines) + "\n  return\n}\n";
}

/// Returns the operation at a position of @main's body.
inline const Op& op_at(const Module& module, std::size_t position) {
  return module.functions.at(0).body.ops.at(position);
}

/// Returns the diagnostic of a text that must be refused.
inline Diagnostic refusal(std::string_view text) {
  auto module = read_module(text, "test.mlir");
  if (!module) return module.error();
  ADD_FAILURE() << "reads, but should not:\n" << text;
  return {};
}

}  // namespace partir::testing
