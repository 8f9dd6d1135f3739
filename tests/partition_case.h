// Partitions a small program, mesh and tactics given as text, without the driver: used by tests of propagation and
// lowering.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ir/text/read.h"
#include "lowering/lower.h"
#include "rewrite/propagate.h"

namespace partir {

struct PartitionCase {
  Module module;
  std::unique_ptr<Function> source;
  std::unique_ptr<State> state;
  std::vector<ConflictText> conflicts;
  std::vector<Conflict> conflict_data;  ///< the same conflicts as data
  SpmdProgram spmd;

  /// Arguments are named arg0, arg1, …; `tactics` is the list of tactics as JSON, separated by commas.
  PartitionCase(const std::string& body, const std::string& mesh, const std::string& tactics) {
    module = value_or_throw(inline_calls(value_or_throw(read_module(body, "test.mlir"))));
    const Function live = without_dead_code(**module.main());
    const Mesh m = value_or_throw(Mesh::parse(mesh));
    const auto schedule = value_or_throw(read_schedule("{\"tactics\": [" + tactics + "]}", "test.json"));
    const auto names = value_or_throw(names_of(live, std::nullopt, ""));
    const auto resolved = value_or_throw(resolve(schedule, m, names, live));
    source = std::make_unique<Function>(with_identities(live, asked_values(resolved)));
    state = std::make_unique<State>(*source, m);
    for (const ResolvedTactic& t : resolved) {
      for (Conflict& c : value_or_throw(apply_tactic(*state, t, names, "test.json"))) {
        conflicts.push_back(text_of(c, *state));
        conflict_data.push_back(std::move(c));
      }
    }
    spmd = lower(*state);
  }

  [[nodiscard]] std::string counts() const { return count_collectives(spmd.function).str(); }
  [[nodiscard]] std::string argument(std::size_t i) const {
    return spmd.layouts[spmd.function.arguments()[i].index()]->str(spmd.mesh);
  }
  [[nodiscard]] std::string result(std::size_t i = 0) const {
    return spmd.layouts[spmd.function.returned()[i].index()]->str(spmd.mesh);
  }
  /// Returns the entries that an operation of the source has taken, in order.
  [[nodiscard]] std::string entries(std::size_t op) const {
    std::string out;
    for (const Step& s : state->steps(op))
      out += (out.empty() ? "" : "; ") + state->mesh().name(s.axis) + " " + s.entry.str();
    return out;
  }
};

}  // namespace partir
