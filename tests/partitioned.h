// Partitions a small program with the complete pipeline, and checks the proof and the values.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "driver/partition.h"
#include "ir/text/read.h"
#include "verify/check_values.h"

namespace partir::testing {

/// A clock for functions that measure time, in tests whose results must not depend on it.
inline double no_clock() { return 0; }

/// Returns a tactic as JSON; `inputs` is the content of the braces of its "inputs".
inline std::string tile(const std::string& axis, const std::string& inputs) {
  return fmt::format(R"({{"name": "{}", "axis": "{}", "inputs": {{{}}}}})", axis, axis, inputs);
}

struct Partitioned {
  Module source;
  Partition partition;
  Module written;
};

/// Partitions by `tactics` (JSON, separated by commas), and expects the result to be proved and to have the source's
/// values.
inline Partitioned partitioned(const std::string& program, const std::string& mesh, const std::string& tactics) {
  PartitionInput input;
  input.text = program;
  input.file = "test.mlir";
  input.schedule = R"({"tactics": [)" + tactics + "]}";
  input.schedule_file = "test.json";
  input.mesh = mesh;
  Partitioned out;
  out.source = value_or_throw(read_module(program, "test.mlir"));
  out.partition = value_or_throw(partition(input, Emit::stablehlo, no_clock));
  out.written = value_or_throw(read_module(out.partition.stablehlo, "written"));
  EXPECT_EQ(out.partition.judgement.verdict, Verdict::proved) << out.partition.judgement.reason;
  const Judgement values = check_values(out.source, out.written);
  EXPECT_EQ(values.verdict, Verdict::passed) << values.reason;
  return out;
}

}  // namespace partir::testing
