// Explains why a value has its layout, and why a collective exists: the tactic, the entry and the source location that
// caused it. Used by --explain.
#pragma once

#include <string>
#include <vector>

#include "lowering/program.h"
#include "rewrite/names.h"
#include "rewrite/state.h"

namespace partir {

/// What an explanation refers to, all for one state of a program.
struct Explained {
  const SpmdProgram& program;
  const State& state;
  const Names& names;
  std::vector<std::string> tactics;  ///< "MP (schedule.json:3:4)", in the order of tactics
};

/// Returns one text for each item that `what` denotes: all collectives of a kind ("all_reduce"), one of them
/// ("all_reduce:3", counted from 1), or the arguments, results and internal values of a name or glob
/// (rewrite/named_values.h). Errors: nothing has that name; the diagnostic suggests similar names.
Result<std::vector<std::string>> explain(const std::string& what, const Explained& explained);

}  // namespace partir
