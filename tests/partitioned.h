// Small programs of tests, partitioned by the whole pipeline, proved, and run by both interpreters.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "driver/partition.h"
#include "ir/text/read.h"
#include "verify/check_values.h"

namespace partir::testing {

/// For what measures time, where results must not differ by it.
inline double no_clock() { return 0; }

/// A tactic as JSON; `inputs`: what stands in the braces of its "inputs".
inline std::string tile(const std::string& axis, const std::string& inputs) {
  return fmt::format(R"({{"name": "{}", "axis": "{}", "inputs": {{{}}}}})", axis, axis, inputs);
}

struct Partitioned {
  Module source;
  Partition partition;
  Module written;
};

/// `tactics`: as JSON, with commas between them. What comes out is proved, and has the source's values.
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
