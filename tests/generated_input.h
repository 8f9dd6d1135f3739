// A random case as input of the driver's `partition`.
#pragma once

#include "driver/partition.h"
#include "tests/generator.h"

namespace partir::testing {

/// Returns the input with checking switched off; the tests check the result themselves.
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
