// Why a value lies as it does, and why a collective is there: by which tactic, entry and source location.
#pragma once

#include <string>
#include <vector>

#include "lowering/program.h"
#include "rewrite/names.h"
#include "rewrite/state.h"

namespace partir {

/// What an explanation speaks of, all of one state of a program.
struct Explained {
  const SpmdProgram& program;
  const State& state;
  const Names& names;
  std::vector<std::string> tactics;  ///< "MP (schedule.json:3:4)", in order
};

/// One text for each thing meant by `what`: a kind of collective ("all_reduce": all of them), one of them
/// ("all_reduce:3", from 1), or a value: name or glob of arguments, results and internal values
/// (rewrite/named_values.h). Errors: nothing is called so; the diagnostic names what is near.
Result<std::vector<std::string>> explain(const std::string& what, const Explained& explained);

}  // namespace partir
