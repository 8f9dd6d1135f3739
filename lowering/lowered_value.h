// The state that the parts of the lowering share: for each value of the source, its device-local value and cached
// conversions.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ir/shared_layout.h"
#include "lowering/spmd_writer.h"
#include "lowering/unit.h"

namespace partir {

struct LoweredValue {
  /// Whether the value is an argument or a view of one, which is gathered anew at each use (law argument-gather).
  bool argument_like = false;
  SharedLayout type;                                                ///< layout of `local`, including pending reductions
  ValueId local;                                                    ///< in the device-local program
  std::vector<std::pair<SharedLayout, ValueId>> made;               ///< cached conversions, for later uses
  std::unique_ptr<const std::pair<ValueId, SharedLayout>> reduced;  ///< `local` after its reduction; null before
};

/// Data shared by the parts of the lowering.
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
