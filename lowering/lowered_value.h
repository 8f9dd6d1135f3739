// What lowering knows of each value of the source on the way.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ir/layout.h"
#include "lowering/spmd_writer.h"
#include "lowering/unit.h"

namespace partir {

struct LoweredValue {
  struct Use {
    std::size_t unit = 0;
    std::size_t operand = 0;
    friend auto operator<=>(const Use&, const Use&) = default;
  };
  std::vector<Use> uses;  ///< in the order of units
  bool argument_like = false;
  Layout type;                                   ///< of `local`, with what is pending
  ValueId local;                                 ///< in the device-local program
  std::vector<std::pair<Layout, ValueId>> made;  ///< conversions that later uses share
  std::optional<std::pair<ValueId, Layout>> reduced;
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
      : state(s), source(s.function()), mesh(s.mesh()), units(u), writer(source, mesh), values(source.types.size()) {
    for (std::size_t i = 0; i < u.all.size(); ++i) {
      for (std::size_t k = 0; k < u.all[i].operands.size(); ++k) at(u.all[i].operands[k].value).uses.push_back({i, k});
    }
  }
  LoweredValue& at(ValueId v) { return values[v.index()]; }
  [[nodiscard]] const LoweredValue& at(ValueId v) const { return values[v.index()]; }
};

}  // namespace partir
