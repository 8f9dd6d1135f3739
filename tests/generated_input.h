// A random case as the command takes it.
#pragma once

#include "driver/partition.h"
#include "tests/generator.h"

namespace partir::testing {

/// Not checked: who asks does that.
inline PartitionInput input_of(const GeneratedCase& c) {
  PartitionInput out;
  out.text = c.program;
  out.file = "random.mlir";
  out.schedule = c.schedule;
  out.schedule_file = "random.json";
  out.mesh = c.mesh;
  out.check = false;
  return out;
}

}  // namespace partir::testing
