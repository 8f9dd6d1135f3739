// What lowering knows of each value of the source on the way.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ir/layout.h"
#include "lowering/spmd_writer.h"
#include "lowering/unit.h"

namespace partir {

struct LoweredValue {
  bool argument_like = false;
  Layout type;                                                ///< of `local`, with what is pending
  ValueId local;                                              ///< in the device-local program
  std::vector<std::pair<Layout, ValueId>> made;               ///< conversions that later uses share
  std::unique_ptr<const std::pair<ValueId, Layout>> reduced;  ///< null: not reduced before
};

/// What the parts of lowering share.
struct LoweringContext {
  const State& state;
  const Function& source;
  const Mesh& mesh;
  const Units& units;
  SpmdWriter writer;
  std::vector<LoweredValue> values;  ///< by ValueId of the source

  LoweringContext(const State& s, const Units& u)
      : state(s), source(s.function()), mesh(s.mesh()), units(u), writer(source, mesh), values(source.types.size()) {}
  LoweredValue& at(ValueId v) { return values[v.index()]; }
  [[nodiscard]] const LoweredValue& at(ValueId v) const { return values[v.index()]; }
};

}  // namespace partir
